"""The rule of decision in words: what is taken of several measures, and what where none remains."""

from __future__ import annotations

import re
from collections.abc import Iterator

from holmes.logic.english.frames import plain
from holmes.logic.english.lexicon import Lexicon, labels, spellings
from holmes.logic.english.tokenizer import TextError
from holmes.logic.language.model import Decision

_WHAT = (
    r"(?:measures?|consequences?|results?|sanctions?|rulings?|outcomes?|penalt(?:y|ies)|rules?|answers?|them|of them)"
)
_STAND = r"(?:remains?|stands?|survives?|(?:is|are) left|appl(?:y|ies)|still appl(?:y|ies)|(?:is|are) left standing)"
_GRAVEST = r"(?:gravest|severest|heaviest|hardest|strictest|harshest|most serious|most severe|weightiest)"
_NONE = (
    rf"(?:if none(?: of (?:these|those|the|them))?(?: {_WHAT})?(?: {_STAND})?|"
    rf"if nothing {_STAND}|where none (?:{_STAND})|where nothing {_STAND}|"
    rf"failing that|otherwise|if no {_WHAT} {_STAND}|where no {_WHAT} {_STAND}|if there is none|in all other cases|"
    r"in every other case|failing any|when none (?:remains|is left)|in default of any)"
)


def _label(text: str, lexicon: Lexicon) -> str:
    """Return the label whose wording a piece of text holds; the longest one wins."""
    found = sorted(_all_labels(text, lexicon), key=lambda hit: (hit[0] - hit[1], hit[0]))
    return found[0][2] if found else ""


def _all_labels(text: str, lexicon: Lexicon) -> Iterator[tuple[int, int, str]]:
    for label in labels(lexicon.decision):
        for wording in (*spellings(lexicon.decision, label), label.replace("_", " ")):
            for match in re.finditer(rf"(?<!\w){re.escape(wording.lower())}(?!\w)", text):
                yield match.start(), match.end(), label


def _scale(text: str, lexicon: Lexicon) -> tuple[str, ...]:
    """Return the labels in the order in which a text lists them, the longest wording at each place."""
    hits = sorted(_all_labels(text, lexicon), key=lambda hit: (hit[0], -hit[1]))
    result: list[str] = []
    end = 0
    for start, stop, label in hits:
        if start >= end:
            end = stop
            if label not in result:
                result.append(label)
    return tuple(result)


def decision(text: str, number: int, lexicon: Lexicon) -> Decision | None:
    """Read the rule of decision; None where the sentence is none.

    text: of the rule. number: of the rule. lexicon: gives the answers and their wordings.
    Returns a decision with pick, order and default. Raises TextError where a part is missing.
    """
    sentence = plain(text)
    base = lexicon.decision
    if re.search(r"fail(?:ed|s|ing)? (?:a |any |one )?mandatory|mandatory (?:rule|check|gate)s?.* fail", sentence):
        order = _scale(sentence, lexicon)
        return Decision(base.type, number, text, "gates", order=order, labels=base.labels)
    several = re.search(
        rf"(?:several|more than one|two or more|all|the) {_WHAT}|several {_STAND}|of those that|only the|one of them|"
        rf"{_GRAVEST} of",
        sentence,
    )
    if not several or not re.search(_NONE, sentence):
        return None
    sentence, scale = _cut_scale(sentence, lexicon)
    default, rest = _default(sentence, lexicon)
    if not default:
        raise TextError("no answer for the case in which no rule applies", "`if none remains, <answer>`")
    if re.search(_GRAVEST, rest):
        order = scale or _scale(_after_gravest(rest), lexicon)
        if set(order) != set(labels(base)):
            order = scale
        return Decision(base.type, number, text, "gravest", order, "", default, "", base.labels)
    first_of = re.search(r"if (?:any|one)(?: of them)? (?:is|says|gives|means|yields|provides for|orders) (.+?),", rest)
    first_of = first_of or re.search(
        r"if (.+?) (?:is|stands|remains) (?:among|one of) (?:them|those|the)\b[^,;]*,", rest
    )
    if first_of:
        order = _scale(first_of[1], lexicon)
        return Decision(
            base.type, number, text, "first_of", order, _plain_pick(rest[first_of.end() :]), default, "", base.labels
        )
    return Decision(base.type, number, text, _plain_pick(rest), (), "", default, "", base.labels)


def _cut_scale(sentence: str, lexicon: Lexicon) -> tuple[str, tuple[str, ...]]:
    match = re.search(
        r"[(;,.]? ?(?:from (?:the )?(?:gravest|heaviest|severest|hardest) to (?:the )?(?:mildest|lightest)|"
        r"in (?:this |the )?order(?: of gravity)?|"
        r"(?:the order|gravity|the scale) (?:is|runs|goes)|(?:gravest|heaviest|severest) first)"
        r"(?: is| runs|,)*:? ([^;.()]+)\)?",
        sentence,
    )
    if not match or len(order := _scale(match[1], lexicon)) < 2:
        return sentence, ()
    return sentence[: match.start()] + "; " + sentence[match.end() :], order


def _after_gravest(rest: str) -> str:
    match = re.search(_GRAVEST, rest)
    return rest[match.end() :] if match else ""


def _default(sentence: str, lexicon: Lexicon) -> tuple[str, str]:
    """Return the answer for the case that nothing remains, and the sentence without that part."""
    for part in re.split(r"; |\. |, and |, but ", sentence):
        for pattern in (rf"^(?:and |but )?{_NONE}(?P<rest>.*)", rf"^(?P<rest>.+?) {_NONE}$"):
            match = re.search(pattern, part.strip())
            if match and (label := _label(match["rest"], lexicon)):
                return label, sentence.replace(part, "")
    for match in reversed(list(re.finditer(rf"(?:^|[,;.] ?){_NONE}(?P<rest>[^;.]*)", sentence))):
        if label := _label(match["rest"], lexicon):
            return label, sentence[: match.start()] + sentence[match.end() :]
    return "", sentence


_FIRST = (
    r"(?:lowest|smallest|first) (?:rule )?number|first (?:of them|in the order|among|one|rule|that)|the first|"
    r"comes first|earliest"
)


def _plain_pick(rest: str) -> str:
    if re.search(_FIRST, rest):
        return "first"
    if re.search(rf"\ball\b|\bevery\b|each {_WHAT}|together|side by side", rest):
        return "all"
    if re.search(rf"the (?:one |only |single )?{_WHAT} (?:that|which) {_STAND}|the one that {_STAND}", rest):
        return "only"
    raise TextError("no way to choose among several measures", "gravest, first, all, or the measure that remains")
