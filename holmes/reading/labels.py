"""The labels of a case and all their spellings, and what a clause says of one that it mentions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from holmes.cases import Alias
from holmes.reading.clauses import AFFIRMING, NEGATIVE, UNREAL
from holmes.reading.mentions import Status
from holmes.reading.places import bare
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
    r"anything but|"
    r"other than|no longer|by no means|except|excluding|"
    r"almost|nearly|hardly|far from|nicht|kein(?:e[nmrs]?)?|pas|aucune?|não|nunca|non|не|нет|niet|geen|"
    r"[a-z]{2,8}n't)"
    r"(?:\s+[a-z]+){0,3}\s*|\bnon[\s-]*|不予|不|未|非|并非|没有)\Z",
    re.IGNORECASE,
)
_LOST = (
    r"denied|refused|impossible|excluded|unavailable|ruled out|out of the question|withheld|displaced|barred|"
    r"set aside|lost|"
    r"defeated|overridden|overruled|superseded|waived|blocked|precluded|rebutted|removed|disapplied|trumped|"
    r"off the table|"
    r"wrong|incorrect|false|untrue|inapplicable|not (?:\w+ )?\w+|no longer \w+|outranked|beaten|preempted|"
    r"pre-empted|void|"
    r"struck out|rejected|unjustified|unfounded|dropped"
)
_AUX = (
    r"is|are|was|were|would be|will be|can|could|should|must|may|might|does|do|did|has|have|had|has been|"
    r"gets?|got|stands"
)
_TAKEN_BACK = re.compile(
    rf"\s{{1,2}}(?:(?:{_AUX})\s{{1,2}}(?:been\s|be\s|thus\s|therefore\s|then\s|also\s|thereby\s){{0,2}}(?:{_LOST}|never)\b"
    rf"|(?:is|are|was|were|does|do|did|has|have|had|ca|wo|would|could|should)n't\b|(?:cannot|can't)\b|(?:{_LOST})\b"
    r"|(?:fails?|falls away|lapses?|falls|drops? out|loses|yields to|gives way|would not|does not|do not|did not)\b)",
    re.IGNORECASE,
)
_STANDS = re.compile(
    r"\s{1,2}(?:therefore\s|thus\s|then\s|still\s|alone\s|only\s|clearly\s)?(?:applies|stands|remains|prevails|holds|governs|wins|"
    r"survives|follows|is (?:the|my|our|what|imposed|ordered|due|correct|right|triggered|proclaimed|given|left|awarded|"
    r"appropriate|warranted|owed|in order|entailed|made|passed|issued|therefore|thus|hence|justified|granted)|is what|"
    r"must be (?:paid|served|imposed|kept)|has to be|should (?:be|follow)|will be|comes? (?:out|first)|"
    r"carries the day)\b",
    re.IGNORECASE,
)
_AFTER = re.compile(
    r"\s*(?:\Z|[.,;:!)\]\"'|—({\[-]|\s(?:of|for|under|by|per|as|because|since|given|due|according|with|from|following|"
    r"pursuant|in|to|on|at|against|when|where|which|who|that|this|her|his|their|its|the|a|an|my|our|after|upon|and|but|not|"
    r"rather|instead|only|here|overall|then|so|verdict|decision|answer|result|outcome|penalty|sanction|ruling|order|"
    r"classification|label|alone|it|[A-Z]\w*)\b|\s?(?:です|だ|である|입니다|。|了|となる|となります))",
)
_LINK = re.compile(
    rf"(?:\b(?:{AFFIRMING}|for|to|as|with|by|that|clearly|simply)|[:=→>]|\A)\s*"
    r"(?:\b(?:that|an?|the|only|just|clearly|simply|in fact|still|therefore|thus|hence|then|fully|one|to|be|"
    r"marked|deemed|"
    r"considered|found|held|declared|judged|ruled|her|his|their|its|rather|instead|actually|now|indeed|of|kind|"
    r"the claim is|it is|it|he|she|they|we|you|must|should|will|shall|has to|have to|need to|"
    r"needs to)\b\s*)*[\"'(\[*]*\Z",
    re.IGNORECASE,
)
_TALK = re.compile(
    r"\b(?:that|this|it|all|everything|which|here)(?:\s(?:is|'s)|'s)\s(?:all\s|just\s|quite\s)?\Z", re.IGNORECASE
)
_EVERYDAY = frozenset({"fine", "ok", "okay", "good", "right", "well"})
_BOUND_BEFORE, _BOUND_AFTER = r"(?<![A-Za-z0-9À-ɏ])(?<!\d[.,])", r"(?![A-Za-z0-9À-ɏ]|[.,]\d)"
_ARTICLE = re.compile(r"\s(?!(?:or|and|is|but|not|because|since)\b)[a-z]")
_SEGMENT = re.compile(r"[,;:.!?()\"|—]\s?| but | - |\bbecause\b|\bsince\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Table:
    """The labels of a case, every spelling in one key, and a pattern that finds them."""

    labels: tuple[str, ...]
    spellings: Mapping[str, str]
    pattern: re.Pattern[str]

    def other(self, label: str) -> str | None:
        """Return the other one of two labels; None where there are more."""
        others = [one for one in self.labels if one != label]
        return others[0] if len(others) == 1 else None


def key(text: str) -> str:
    """Return a label in one spelling."""
    return re.sub(r"[\s_-]+", " ", plain(text.replace("_", " "))).strip(" .").casefold()


def table_of(choices: Iterable[str], aliases: Iterable[Alias]) -> Table:
    """Return the table of labels; without choices the labels are those of the aliases."""
    return _table(tuple(choices), tuple((a.label, tuple(a.text)) for a in aliases))


@lru_cache(maxsize=512)
def _table(choices: tuple[str, ...], aliases: tuple[tuple[str, tuple[str, ...]], ...]) -> Table:
    labels = choices or tuple(dict.fromkeys(label for label, _ in aliases))
    spellings = {key(label): label for label in labels}
    for label, texts in aliases:
        for text in texts:
            spellings.setdefault(key(text), label)
    for spelling, label in list(spellings.items()):
        for form in _FORMS.get(spelling, ()):
            spellings.setdefault(form, label)
    spellings.pop("", None)
    ordered = sorted(spellings, key=lambda s: (-len(s), s))
    body = "|".join(r"[\s_-]{1,3}".join(map(re.escape, s.split(" "))) for s in ordered)
    pattern = rf"{_BOUND_BEFORE}(?P<prefix>un|in|im|dis|non-?)??(?P<spelling>{body or '(?!)'}){_BOUND_AFTER}"
    return Table(labels, spellings, re.compile(pattern, re.IGNORECASE))


def lone(line: str, table: Table) -> str | None:
    """Return the label that makes up a whole text, marks and brackets apart; None for none."""
    words = bare(re.sub(r"^\s*(?:option|choice)\s+", "", bare(line), flags=re.IGNORECASE))
    if found := table.spellings.get(key(words)):
        return found
    if "(" in words and (found := table.spellings.get(key(re.sub(r"[()]", "", words)))):
        return found  # "Approved (partially)"
    match = table.pattern.fullmatch(words)  # "unaccepted"
    if match is None or not match["prefix"]:
        return None
    return table.other(table.spellings[key(match["spelling"])])


def mentioned(value: str, table: Table) -> Iterator[tuple[str, Status, re.Match[str]]]:
    """Yield every label that a text mentions, with what its clause says of it; of two labels, not one is the other."""
    negator = "no" in table.spellings
    for match in table.pattern.finditer(value):
        spelling = match["spelling"]
        label = table.spellings[key(spelling)]
        after = value[match.end() : match.end() + 12]
        letter = len(spelling) == 1 and spelling.isascii()
        if letter and (spelling.islower() or _ARTICLE.match(after)) and bare(value) != spelling:
            continue  # the article "a" is no label
        if spelling.lower() == "no" and re.match(r"\s[a-z]", after, re.IGNORECASE):
            continue  # "no notice": a determiner
        before = value[max(0, match.start() - 80) : match.start()]
        clause = _SEGMENT.split(before)[-1]
        status = _status(match, clause, value, letter=letter)
        if not negator and re.search(r"\bno\s\Z", clause, re.IGNORECASE):
            status = Status.NEGATED
        if match["prefix"]:
            status = Status.NEGATED if status is Status.AFFIRMED else Status.UNCLEAR
        other = None if re.search(r"\b(?:neither|nor)\b", clause, re.IGNORECASE) else table.other(label)
        if status is Status.NEGATED and other is not None:
            yield other, Status.AFFIRMED, match
        else:
            yield label, status, match


def _status(match: re.Match[str], clause: str, value: str, *, letter: bool) -> Status:
    """What the clause of a label says of it: words around it that are not known make it not understood."""
    if _NEGATOR.search(clause):
        return Status.NEGATED
    if not letter and _TAKEN_BACK.match(value, match.end()):
        return Status.NEGATED
    tail = value[match.end() : match.end() + 80]
    rest = _SEGMENT.split(tail)[0]
    if UNREAL.search(clause) or re.match(r"\s*(?:would|might|could|may|if|unless)\b", tail, re.IGNORECASE):
        return Status.HYPOTHETICAL
    if match["spelling"].lower() in _EVERYDAY and _TALK.search(clause):
        return Status.UNCLEAR
    if not letter and re.search(rf"\b(?:{_AUX})\s(?:\w+\s)?(?:{_LOST})\b", rest, re.IGNORECASE):
        return Status.NEGATED
    if re.match(r"\s*\?", tail):
        return Status.QUESTIONED
    follows = _STANDS.match(value, match.end()) or _AFTER.match(value, match.end())
    if not follows:
        return Status.UNCLEAR
    words = clause.strip(" \"'*([{").split()
    if NEGATIVE.search(clause):
        return Status.UNCLEAR  # a denial somewhere before it: of what, is not known
    if _LINK.search(clause) or (len(words) <= 1 and all(w[0].isupper() or not w[0].isalpha() for w in words)):
        return Status.AFFIRMED
    return Status.UNCLEAR
