"""Concepts by name: whether the words around a name assert or deny it, or say nothing that can be relied on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from holmes.logic.english.lexicon import Meaning
from holmes.scoring.derivation.segments import Segment
from holmes.scoring.derivation.tokens import Token
from holmes.scoring.derivation.vocabulary import Vocabulary

_PLUS = frozenset({"H+", "M+", "V+", "T+", "P+"})
_MINUS = frozenset({"H-", "M-", "V-", "T-", "P-"})
_WHOLE = frozenset({"nothing", "nobody", "none", "neither", "never", "not", "hardly", "nowhere", "scarcely", "¬"})
Value = bool | str | None  # "bare": the name alone, a subject that waits; "value": its value is a number or a word


def named(
    segment: Segment, places: Sequence[int], cited: Sequence[int], last: bool, vocabulary: Vocabulary
) -> Iterator[tuple[Meaning, Value]]:
    """Yield (meaning, value) for each name of a concept or table in a segment; what is not understood is left out."""
    found = segment.tokens
    before: bool | None = None
    for number, place in enumerate(places):
        meaning = found[place].meaning
        if found[place].text in vocabulary.verbal:
            if (after := _right(found, place)) is not None:
                yield meaning, meaning.positive is after
            elif not segment.ground or segment.before == "G":
                denials = sum("N" in t.codes for t in found[max(0, place - 3) : place])
                yield meaning, meaning.positive is (denials % 2 == 0)
            continue
        if meaning.kind == "said":
            if not segment.ground:
                yield meaning, meaning.positive
            continue
        if meaning.name not in vocabulary.truths:
            if segment.before != "(":
                yield meaning, "value"
            continue
        value: bool | str | None = _value(found, place, segment, bool(cited) and last, before, number > 0)
        titled = segment.before == "—" and segment.after == ":"  # "Rule 10 — fair redress: …"
        if len(found) == 1 and (value is None or titled):
            value = "bare"
        if isinstance(value, bool):
            before = value
            yield meaning, value if meaning.positive else not value
        elif value == "bare":
            yield meaning, value


def short(found: Sequence[Token], segment: Segment, vocabulary: Vocabulary) -> tuple[Meaning, bool] | None:
    """Read a conclusion of no more than words of one concept's name: "→ unsoothed", "→ not infested", "peril ✗"."""
    spoken: list[Token] = []
    for token in found:
        if token.kind in ("S", "¬") or "N" in token.codes:
            continue
        if token.text in vocabulary.parts:
            spoken.append(token)
        elif not _filler(token):
            return None
    if not 1 <= len(spoken) <= 3:
        return None
    if len(spoken) == 1 and spoken[0].kind == "A" and spoken[0].meaning.kind == "value":
        return None  # "status: head" is no head of household
    shared = set.intersection(*({n for n, same in vocabulary.parts[t.text] if same} for t in spoken))
    if len(shared) != 1:
        return None
    meaning = Meaning("atom", shared.pop())
    signs = [t.value is True for t in found if t.kind == "S"]
    denials = sum("N" in t.codes or t.kind == "¬" for t in found)
    if len(signs) > 1 or denials > 1 or (signs and denials):
        return None
    if signs:
        return meaning, signs[0]
    if segment.before in ("→", "Q") and not segment.ground:
        return meaning, not denials
    return None


def parts_named(segment: Segment, last: bool, vocabulary: Vocabulary) -> Iterator[tuple[Meaning, bool]]:
    """Yield (concept, value) where a word of its name, or the opposite of one, is asserted or denied."""
    found = segment.tokens
    values: dict[str, bool] = {}  # of several words of one name the last one counts: "the chain is not broken"
    for place, token in enumerate(found):
        if token.kind not in "wP" or token.text not in vocabulary.parts:
            continue
        value = _value(found, place, segment, last, None, False)
        if isinstance(value, bool):
            for name, same in vocabulary.parts[token.text]:
                values[name] = value is same
    for name, value in values.items():
        yield Meaning("atom", name), value


def _value(
    found: Sequence[Token], place: int, segment: Segment, closes: bool, before: bool | None, later: bool
) -> bool | None:
    right = _right(found, place)
    left = _left(found, place, before if later and right is None else None)
    if left is not None and right is not None:
        if left == "no":
            return None if right is False else False
        return None if right is False and left is True else bool(left)
    if left == "no":
        return False
    if left is not None:
        return bool(left)
    if left is None and _unsure(found, place):
        return None
    if right is not None:
        return right
    alone = all("BY" in t.codes or t.kind == "R" for t in found[place + 1 :]) and all(
        t.codes & {"D", "&", "B", "Q"} or _filler(t) for t in found[:place]
    )
    if alone and (segment.concludes or closes) and not segment.ground:
        return True
    return None


def _unsure(found: Sequence[Token], place: int) -> bool:
    """Say whether something before a name leaves open what is meant."""
    return any("N" in t.codes or t.kind == "¬" or "O-" in t.codes for t in found[max(0, place - 3) : place])


def _left(found: Sequence[Token], place: int, before: bool | None) -> bool | str | None:
    """Return what stands before a name: "no" for a negation at it, True or False for a verb, None for nothing."""
    at = place - 1
    while at >= 0 and _filler(found[at]):
        at -= 1
    if at < 0:
        return None
    token = found[at]
    if "N" in token.codes or token.kind == "¬":
        again = at > 0 and ("N" in found[at - 1].codes or "O-" in found[at - 1].codes)
        return None if again else "no"
    if token.kind == "S":
        return token.value is True
    if token.codes & {"&"} or token.kind in ("∧", "∨"):
        return ("no" if before is False else before) if before is not None else None
    if "O-" in token.codes:
        return None if _negated(found, at) is not False else "no"
    if "V" in token.codes or token.kind == "=":
        denied = _negated(found, at)
        return None if denied is None else not denied
    return None


def _filler(token: Token) -> bool:
    return (bool(token.codes) and token.codes <= {"D", "Q"}) or (token.kind == "w" and token.text.endswith("ly"))


def _negated(found: Sequence[Token], verb: int) -> bool | None:
    """Say whether a verb is denied; None where the negation may belong to its subject ("no guard makes …")."""
    at, words = verb - 1, 0
    while at >= 0 and words <= 2:
        token = found[at]
        if "N" in token.codes or token.kind == "¬":
            if token.text in _WHOLE or at == verb - 1 or token.text not in ("no", "without"):
                return True
            return None
        if token.kind in ("A", "R", "S", "#") or not token.codes & {"D", "V", "I", "&"}:
            words += 1
        at -= 1
    return False


def _right(found: Sequence[Token], place: int) -> bool | None:
    """Return what the predicate after a name says; None for none."""
    denials = strange = 0
    for at in range(place + 1, min(len(found), place + 9)):
        token = found[at]
        if token.kind == "S":
            return (token.value is True) is (denials % 2 == 0)
        if token.kind == "=":
            value = _equal(found, at + 1)
            return None if value is None else value is (denials % 2 == 0)
        ends = at + 1 == len(found)
        if "N" in token.codes or token.kind == "¬":
            if "V-" in token.codes and ends:
                return denials % 2 == 1
            denials += 1
        elif token.codes & {"O-"} and not ends and not token.codes & (_PLUS | _MINUS):
            return None
        elif token.codes & _PLUS and not token.codes & {"R+"}:
            if token.codes & {"V", "D"} and not ends:
                continue
            return denials % 2 == 0
        elif token.codes & _MINUS:
            return denials % 2 == 1
        elif token.kind in ("A", "R", "#", "w") and not token.codes:
            strange += 1
            if strange > 0 and not _filler(token):
                return None
        elif "&" in token.codes:
            if not any(t.kind == "A" for t in found[at + 1 : at + 3]):
                return None
            strange -= 1
        elif not token.codes & {"V", "D", "I", "&"}:
            return None
    return None


def _equal(found: Sequence[Token], at: int) -> bool | None:
    if at >= len(found):
        return None
    token = found[at]
    if token.kind == "S":
        return token.value is True
    if token.kind == "#":
        return {"0": False, "1": True}.get(token.text)
    if token.text in ("f", "t"):
        return token.text == "t"
    if "N" in token.codes or token.codes & _MINUS:
        return False
    return True if token.codes & _PLUS else None
