"""The last committed answer of a reply, as one of a case's labels."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from holmes.cases import Alias
from holmes.reading.commitment import Commitment, bare, commitments, plain_lines
from holmes.reading.plain import plain

# Other forms of labels that our prompts ask for; a case's own aliases come on top.
_FORMS: Mapping[str, tuple[str, ...]] = {
    "entailment": ("entailed", "entails", "entail"),
    "contradiction": ("contradicted", "contradicts", "contradictory", "contradict"),
    "accepted": ("accept", "accepts", "acceptance"),
    "dismissed": ("dismiss", "dismisses", "dismissal"),
    "approved": ("approve", "approves", "approval"),
    "denied": ("deny", "denies", "denial"),
    "rejected": ("reject", "rejects", "rejection"),
    "rejection": ("rejected", "reject"),
    "full approval": ("fully approved", "approved in full", "fully approve", "approve in full", "approved fully"),
    "partial approval": (
        *("partially approved", "approved in part", "partly approved", "partially approve", "approve in part"),
        *("approved partially", "approved partly"),
    ),
    "error": ("errors",),
    "correct": ("error free", "free of error", "free of errors"),
    "cannot borrow": ("can't borrow", "unable to borrow", "not allowed to borrow"),
}
_NEGATOR = re.compile(
    r"(?:\b(?:not|never|neither|nor|without|cannot|rather than|instead of|as opposed to|fails? to|failed to|"
    r"almost|nearly|hardly|far from|"
    r"[a-z]{2,8}n't)"
    r"(?:\s+[a-z]+){0,3}\s*|\bnon[\s-]*|不予|不|未|非|并非|没有)\Z",
    re.IGNORECASE,
)
# What follows a label may take it back: "is not possible", "cannot be granted", "denied".
_TAKEN_BACK = re.compile(
    r"\s{1,2}(?:(?:is|are|was|were|would be|will be|can|could|should|must|may|does|do|did|has|have|had)"
    r"(?:\s{1,2}(?:not|never|denied|refused|impossible|excluded|unavailable|ruled out|out of the question)\b|n't\b)"
    r"|(?:cannot|can't|denied|refused|impossible|excluded|withheld|ruled out)\b)",
    re.IGNORECASE,
)
_BOUND_BEFORE, _BOUND_AFTER = r"(?<![A-Za-z0-9À-ɏ])(?<!\d[.,])", r"(?![A-Za-z0-9À-ɏ]|[.,]\d)"
_EXPLAINED = re.compile(r"\b(?:because|since|given that|due to)\b|因为|由于", re.IGNORECASE)
_HEAD = re.compile(r"\s*(.{1,200}?)(?:[.;,]\s|\s[-—]\s|\s\()", re.DOTALL)
_REVISED = re.compile(
    r"\A\W*(?:or|and|but|either)\b|→|->|\b(?:wait|actually|correction|corrected|revis\w{1,4}|instead|however|rather|no,)",
    re.IGNORECASE,
)
_ALTERNATIVE = re.compile(r"(?<![a-z])or(?![a-z])|/|\||或者?|\bvs\b", re.IGNORECASE)
_FILLER = re.compile(
    r"\b(?:or|either|one of|exactly|vs|answer|final|result|verdict|decision|the|choose|options?|and)\b|或者?|[\W_]+",
    re.IGNORECASE,
)
_ARTICLE = re.compile(r"\s(?!(?:or|and|is|but|not|because|since)\b)[a-z]")
_TEMPLATE = re.compile(
    r"(?:<[^<>]*>|\[[^\[\]]*\]|\{[^{}]*\}|\((?:your|one of|insert|the)\b[^()]*\)|\.{2,}|…|_{2,}|letter|label|n|x|\?+|"
    r"(?:your|my) (?:final )?(?:answer|verdict|decision)\b.{0,60}|"
    r"(?:the )?(?:answer|label|option)(?: here)?|one of\b.{0,200})",
    re.IGNORECASE | re.DOTALL,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Answer:
    """A committed answer.

    label: one of the labels; None when malformed or when an amount was asked. raw: the words read.
    malformed: the reply commits itself outside the contract, or to two things at once. reason: one sentence.
    value: the amount, exact, where one was asked.
    """

    label: str | None
    raw: str
    malformed: bool = False
    reason: str = ""
    value: Fraction | None = None


@dataclass(frozen=True, slots=True)
class _Table:
    labels: tuple[str, ...]
    spellings: Mapping[str, str]
    pattern: re.Pattern[str]


def last_answer(
    reply: str, choices: Sequence[str] = (), aliases: Iterable[Alias] = (), *, cut: bool = False
) -> Answer | None:
    """Read the last committed answer of a reply.

    reply: the text without its reasoning (`final_reply`). choices: the labels. aliases: further spellings. cut: the
    generation did not end by itself, so that only answer lines count.
    Commitments are answer lines, boxes, tags, sentences like ``the answer is X``, and a last line that is a label.
    Word boundaries hold; the longest spelling and the negative form come first; ``not X`` of two labels is the other;
    a list of alternatives is an echo of the instruction and commits to nothing; prose without a cue neither.
    Without choices the words themselves are the label.
    Returns the Answer, malformed for a value outside the labels or two labels at once; None for no answer.
    """
    table = _table(tuple(choices), tuple((a.label, tuple(a.text)) for a in aliases))
    lines = plain_lines(reply)
    found = [c for c in commitments(lines) if c.kind == "line" or not cut]
    if not table.labels:
        for commitment in reversed(found):
            if (words := bare(commitment.value)) and not _TEMPLATE.fullmatch(commitment.value.strip()):
                return Answer(words, commitment.value, reason="the last commitment, taken as it stands")
        return None
    if not cut and lines and (last := _alone(lines[-1], table)) and not (len(lines) > 1 and _alone(lines[-2], table)):
        return Answer(last, lines[-1], reason="the last line is a label")
    for commitment in reversed(found):
        if (answer := _judge(commitment, table)) is not None:
            return answer
    return None if cut else _opening_label(lines, table)


def labels_in(text: str, choices: Sequence[str], aliases: Iterable[Alias] = ()) -> list[str]:
    """Return the distinct labels that a text affirms, in order; negated ones count as the other of two labels."""
    return _mentions(plain(text), _table(tuple(choices), tuple((a.label, tuple(a.text)) for a in aliases)))[0]


def _key(text: str) -> str:
    return re.sub(r"[\s_-]+", " ", plain(text.replace("_", " "))).strip(" .").casefold()


@lru_cache(maxsize=512)
def _table(choices: tuple[str, ...], aliases: tuple[tuple[str, tuple[str, ...]], ...]) -> _Table:
    labels = choices or tuple(dict.fromkeys(label for label, _ in aliases))
    spellings = {_key(label): label for label in labels}
    for label, texts in aliases:
        for text in texts:
            spellings.setdefault(_key(text), label)
    for spelling, label in list(spellings.items()):
        for form in _FORMS.get(spelling, ()):
            spellings.setdefault(form, label)
    spellings.pop("", None)
    ordered = sorted(spellings, key=lambda s: (-len(s), s))
    body = "|".join(r"[\s_-]{1,3}".join(map(re.escape, s.split(" "))) for s in ordered)
    return _Table(
        labels,
        spellings,
        re.compile(
            rf"{_BOUND_BEFORE}(?P<prefix>un|in|im|dis|non-?)??(?P<spelling>{body or '(?!)'}){_BOUND_AFTER}", re.I
        ),
    )


def _alone(line: str, table: _Table) -> str | None:
    """The label that makes up a whole line; a heading that ends in a colon is none."""
    return None if line.endswith(":") else _lone(line, table)


def _lone(line: str, table: _Table) -> str | None:
    """The label that makes up the whole line."""
    words = bare(re.sub(r"^\s*(?:option|choice)\s+", "", bare(line), flags=re.IGNORECASE))
    if found := table.spellings.get(_key(words)):
        return found
    match = table.pattern.fullmatch(words)  # "unaccepted"
    if match is None or not match["prefix"] or len(table.labels) != 2:
        return None
    return next(other for other in table.labels if other != table.spellings[_key(match["spelling"])])


def _mentions(value: str, table: _Table) -> tuple[list[str], int]:
    """The labels affirmed, distinct and in order, and the number of mentions of any kind."""
    affirmed: list[str] = []
    count = 0
    negator = "no" in table.spellings
    for match in table.pattern.finditer(value):
        spelling = match["spelling"]
        label = table.spellings[_key(spelling)]
        after = value[match.end() : match.end() + 12]
        letter = len(spelling) == 1 and spelling.isascii()
        if letter and (spelling.islower() or _ARTICLE.match(after)) and bare(value) != spelling:
            continue  # the article "a" is no label
        if spelling.lower() == "no" and re.match(r"\s[a-z]", after, re.I):
            continue  # "no notice": a determiner
        count += 1
        before = re.split(r"[,;:.!?()\"]| but ", value[max(0, match.start() - 60) : match.start()])[-1]
        negated = bool(match["prefix"]) or bool(_NEGATOR.search(before))
        negated = negated or (not negator and re.search(r"\bno\s\Z", before, re.I) is not None)
        negated = negated or (not letter and _TAKEN_BACK.match(value, match.end()) is not None)
        if negated:
            others = [other for other in table.labels if other != label]
            if len(others) != 1:
                continue  # of three labels, "not this one" leaves two
            label = others[0]
        if label not in affirmed:
            affirmed.append(label)
    return affirmed, count


def _judge(commitment: Commitment, table: _Table) -> Answer | None:
    """The answer a commitment gives; None when it is an echo, a template or commits to nothing."""
    value = commitment.value
    if lone := _lone(value, table):
        return Answer(lone, value, reason="the last commitment is a label")
    affirmed, count = _mentions(_EXPLAINED.split(value)[0], table)
    if not count:
        affirmed, count = _mentions(value, table)
    if count > 1 and _ALTERNATIVE.search(value) and not _FILLER.sub("", table.pattern.sub("", value)):
        return None
    if len(affirmed) == 1:
        return Answer(affirmed[0], value, reason="the last commitment names one label")
    if len(affirmed) > 1 and commitment.kind == "line" and (explained := _explained(value, table)):
        return Answer(explained, value, reason="the last commitment is a label, and what follows explains it")
    if len(affirmed) > 1 and commitment.kind == "line":
        return Answer(None, value, True, f"the last commitment names {len(affirmed)} labels: {', '.join(affirmed)}")
    if len(affirmed) > 1 or commitment.kind == "said" or not commitment.answer:
        return None
    if not bare(value) or _TEMPLATE.fullmatch(value.strip(" .\"'")):
        return None
    return Answer(None, value, True, f"the answer line names no label: {value:.60}")


def _explained(value: str, table: _Table) -> str | None:
    """The label that opens a value, where the rest is an explanation and no second answer."""
    head = _HEAD.match(value)
    if head is None or not (label := _lone(head[1], table)):
        return None
    rest = value[head.end(1) :]
    if _REVISED.search(rest) or any(_lone(part, table) for part in re.split(r"[.;,()]|\s[-—]\s", rest)):
        return None
    return label


def _opening_label(lines: list[str], table: _Table) -> Answer | None:
    """A reply without a cue whose first line opens with a label and a stop (``Yes, because …``)."""
    lone = {label for line in lines if (label := _alone(line, table))}
    if len(lone) == 1:
        return Answer(lone.pop(), lines[0], reason="one line of the reply is a label")
    if lone or not lines:
        return None
    match = table.pattern.match(lines[0].lstrip(" \"'([*"))
    if match and len(match["spelling"]) > 1 and not match["prefix"]:
        rest = lines[0].lstrip(" \"'([*")[match.end() :]
        if re.match(r"\s?(?:[.,;!—]|-\s)", rest):
            return Answer(table.spellings[_key(match["spelling"])], lines[0], reason="the reply opens with a label")
    return None
