"""A line of a trace cut where a new statement begins: what concludes, what is a ground, an aside, or only supposed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from holmes.scoring.derivation.tokens import Token

AXES = frozenset(
    {"T+", "T-", "A+", "A-", "U+", "D+", "D-", "R+", "E+", "E-"}
    | {"B-", "M+", "M-", "H+", "H-", "P+", "P-", "W+", "W-", "S+"}
)
SAYS = AXES | {"V+", "V-"}
_WEAK = frozenset(
    {"given", "with", "for", "after", "where", "as", "while", "still", "only", "then", "result", "making", "giving"}
)
_HARD = frozenset({".", ";", "?", "|"})
_CUTS = frozenset({",", ":", "—", "→", "←"}) | _HARD
_BREAKS = _CUTS | frozenset("()[]")
_OPENERS = frozenset({"G", "Q", "B", "&"})
_DOUBTS = frozenset({"?", "H?"})


@dataclass(slots=True)
class Segment:
    """A stretch of tokens that states at most one thing.

    before: the mark or code of the word that begins it (G, Q, B, &, "(", a punctuation mark, "" at the start).
    after: the mark that ends it. ground, supposed: it gives a reason; it commits to nothing. cell: code of the column.
    """

    tokens: list[Token] = field(default_factory=list)
    before: str = ""
    after: str = ""
    ground: bool = False
    supposed: bool = False
    cell: str = ""
    would: bool = False

    @property
    def concludes(self) -> bool:
        """Whether it stands where conclusions stand: after an arrow, a colon, "so" or a dash."""
        return self.before in ("→", "Q", ":", "—") and not self.ground

    def has(self, code: str) -> bool:
        """Say whether a phrase with this code is in it."""
        return any(code in token.codes for token in self.tokens)


@dataclass(slots=True)
class Group:
    """The segments that one citation closes (or opens), and the rules it cites; none for an open end.

    alone: a sentence that names its rule first ("By Rule 7, the row single gives 6000."): what follows is not of it.
    """

    segments: list[Segment]
    cited: tuple[int, ...] = ()
    alone: bool = False


def groups_of(found: Sequence[Token]) -> list[Group]:
    """Cut the tokens of a line into groups by its citations, each into segments."""
    groups: list[Group] = []
    held: list[Token] = []
    lead: tuple[int, ...] = ()
    inline: tuple[int, ...] = ()
    for place, token in enumerate(found):
        if token.kind != "C":
            held.append(token)
            continue
        if not any(t.kind in "wRAPS#" for t in held):
            if place + 1 < len(found) and not groups:
                lead = token.rules  # "[Rule 4] The page …"
            elif groups:
                groups[-1].cited += token.rules  # "[Rule 4] [Rule 5]"
            continue
        if place + 1 < len(found) and _titles(held, found[place + 1]):
            # "Service (Rule 165) — passes"
            held = [*held[: _sentence(held)], Token("R", token.text, value=token.rules)]
            continue
        if place + 1 < len(found) and _goes_on(found[place + 1]):
            inline += token.rules  # "grave danger (Rule 6) is not established"
            continue
        groups.append(Group(list(_segments(held)), inline + token.rules))
        held, inline = [], ()
    if any(t.kind in "wRAPS#¬" for t in held):
        if not inline and not lead:
            held = _sentences(held, groups)
        if held:
            groups.append(Group(list(_segments(held)), inline or lead))
    elif groups and lead and not groups[-1].cited:
        groups[-1].cited = lead
    return groups


def _sentences(held: list[Token], groups: list[Group]) -> list[Token]:
    """Make a group of each sentence that begins with "By Rule 7," and of what stands before it; return what is left."""
    start = place = 0
    while place < len(held):
        end = next((n + 1 for n in range(place, len(held)) if held[n].kind == "."), len(held))
        comma = next((n for n in range(place, min(end, place + 8)) if held[n].kind == ","), 0)
        if held[place].text == "by" and comma and held[comma - 1].kind == "R":
            if place > start:
                groups.append(Group(list(_segments(held[start:place]))))
            groups.append(Group(list(_segments(held[place:end])), alone=True))
            start = end
        place = end
    return held[start:]


def _sentence(held: Sequence[Token]) -> int:
    """Return where the sentence begins that tokens end in."""
    return max((n + 1 for n, t in enumerate(held) if t.kind in _HARD), default=0)


def _titles(held: Sequence[Token], following: Token) -> bool:
    """Say whether a citation closes a title ("Used ticket (Rule 158): …"), which states nothing itself."""
    title = held[_sentence(held) :]
    told = any(t.codes & SAYS or t.codes & {"V", "N", "Q"} or t.kind in ("S", "→", "=", "R", ":", ",") for t in title)
    return following.kind in ("—", ":", ".") and bool(title) and not told and (following.kind != "." or False)


def _goes_on(token: Token) -> bool:
    return token.text in ("does", "do", "did") or bool(token.codes & {"V", "N"} or token.codes & AXES)


def _segments(found: Sequence[Token]) -> Iterator[Segment]:
    made: list[Segment] = []
    current = Segment()
    depth = 0

    def close(mark: str) -> None:
        nonlocal current
        if current.tokens:
            current.after = mark
            if depth:
                current.ground = current.before != "("
            made.append(current)
            current = Segment(before=mark)
        elif mark not in (",", "."):
            current.before = mark

    for place, token in enumerate(found):
        kind = token.kind
        if kind in _BREAKS:
            if kind in ("(", "["):
                close("(")
                depth += 1
            elif kind in _CUTS:
                close(kind)
            elif depth:
                close(")")
                depth -= 1
            continue
        if kind == "P" and token.codes & _OPENERS and (code := _opens(token, found, place, current)):
            close(code)
            current.before = code
            if code != "&" or "&" in token.codes:
                continue
        current.tokens.append(token)
    close("")
    for segment in made:
        _numbered(segment)
    _roles(made)
    yield from made


def _numbered(segment: Segment) -> None:
    """Take a number that begins a segment and has a verdict for a rule: "185 waived", "139 ✓", "188: …"."""
    found = segment.tokens
    if not found or found[0].kind != "#" or not found[0].text.isdecimal() or len(found[0].text) > 4:
        return
    rest = [t for t in found[1:] if not t.codes <= {"D", "N"} or not t.codes]
    verdict = bool(rest) and (rest[0].kind == "S" or bool(rest[0].codes & {"P+", "P-", "W+", "W-", "T+", "T-"}))
    ticked = found[-1].kind == "S" and int(found[0].text) > 31 and all(t.kind in "wPAS" for t in found[1:])
    if (
        ticked
        or (verdict and len(found) <= 5)
        or (len(found) == 1 and segment.after == ":" and segment.before in ("", ";", "."))
    ):
        found[0] = Token("R", found[0].text, value=(int(found[0].text),))


def _opens(token: Token, found: Sequence[Token], place: int, current: Segment) -> str:
    """Return the code of a word that begins a new statement here, "" for none."""
    codes = token.codes
    if "G" in codes and (token.text not in _WEAK or not current.tokens):
        return "G"
    if codes & {"Q"} and current.tokens and _auxiliary(current.tokens[-1]):
        return ""  # "is thus no rescue", "have therefore been made"
    if "Q" in codes and (token.text not in _WEAK or not current.tokens):
        return "Q"
    if "B" in codes and (token.text not in _WEAK or not current.tokens):
        return "B"
    if "&" in codes and current.tokens:
        return "&" if _new(found, place + 1, current) else ""
    return ""


def _auxiliary(token: Token) -> bool:
    return token.text in ("is", "are", "was", "were", "has", "have", "had", "does", "do", "did", "can", "must")


def _new(found: Sequence[Token], place: int, current: Segment) -> bool:
    """Say whether what follows "and" is a statement of its own."""
    while place < len(found) and found[place].codes and found[place].codes <= {"D", "&"}:
        place += 1
    if place >= len(found):
        return False
    token = found[place]
    told = any(t.codes & SAYS or "V" in t.codes or "N" in t.codes or t.kind == "S" for t in current.tokens)
    if token.kind == "R" or "N" in token.codes or "I" in token.codes or token.codes & {"Q", "G", "B"}:
        return True
    if token.kind == "A":
        after = found[place + 1 : place + 8]
        ends = next((n for n, t in enumerate(after) if t.kind in _CUTS), len(after))
        says = any(t.codes & SAYS or "V" in t.codes or t.kind in ("S", "=") for t in after[:ends])
        return says and told
    return bool(told and (token.codes & AXES or token.kind == "S" or "V" in token.codes))


def _roles(made: Sequence[Segment]) -> None:
    """Mark grounds (after "because", before an arrow), asides, and suppositions with what follows them."""
    opened = True  # no arrow yet since the last full stop
    for number, segment in enumerate(made):
        if segment.before in _HARD:
            opened = True
        segment.ground = segment.ground or segment.before == "G"
        if segment.after == "→" and opened and segment.before != "→":
            for earlier in reversed(made[: number + 1]):
                if earlier.tokens and not (earlier.before == ":" and earlier is not segment):
                    earlier.ground = earlier.ground or not _names_rules(earlier)
                if earlier.before in _HARD or earlier.before == ":":
                    break
            opened = False
        segment.would = segment.has("Y")
        if segment.before == "←" or segment.after == "←":
            segment.supposed = True
        if segment.after == "?" or _doubted(segment):
            segment.supposed = True
    _ask(made)


_ANYONE = frozenset(
    {"anyone", "anybody", "every", "each", "when", "must", "check", "next", "until", "thought", "need", "needs"}
)


def _doubted(segment: Segment) -> bool:
    """Say whether a segment only supposes; some words do so only where they begin it."""
    for place, token in enumerate(segment.tokens):
        if (
            token.codes
            and token.codes & _DOUBTS
            and (token.text not in _ANYONE or place == 0 or token.text in ("must", "needs", "need"))
        ):
            return True
    return False


def _ask(made: Sequence[Segment]) -> None:
    """A question commits to nothing, back to where it began."""
    for number, segment in enumerate(made):
        if segment.after == "?":
            for earlier in reversed(made[: number + 1]):
                earlier.supposed = True
                if earlier.before in (".", ";", "?", ":", "—", "|"):
                    break


def _names_rules(segment: Segment) -> bool:
    return any(token.kind == "R" for token in segment.tokens)


_BULLET = re.compile(
    r"^\s*(?:[-*+•·‣◦●○>—]+\s+|#{1,6}\s+|\(?(?:\d{1,3}|[a-h]|[ivx]{1,5})[.)]\s+(?!\d)|[①-⑳⒈-⒛]\s*"
    r"|(?:step|步骤)\s*\d{1,3}\s*[:.)—-]*\s*)+",
    re.I,
)


def unmarked(line: str) -> str:
    """Return a line without bullets, numbers and "Step 3:" at its start."""
    return _BULLET.sub("", line, count=1)
