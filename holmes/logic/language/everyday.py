"""Labels that are everyday phrases: "no verdict" is also what a reply says that gives none."""

from __future__ import annotations

import re
from collections.abc import Iterator

from holmes.logic.language.model import RuleBase

_PHRASE = re.compile(
    r"(?:no|without|lack of) (?:an? )?(?:verdict|answer|decision|order|conclusion|result|opinion|finding|ruling|"
    r"judge?ment|"
    r"sentence|award|determination|outcome|statement|comment|idea)|fine|ok|okay|good|right|well|none|nothing|pass|open|maybe|"
    r"unknown|unclear|undecided|undetermined|uncertain|unsure|inconclusive|n/?a|not (?:sure|known|clear|decided|"
    r"applicable)|"
    r"(?:cannot|can't|can not) (?:be )?(?:decided?|determined?|say|said|answer(?:ed)?|tell|told)",
    re.IGNORECASE,
)


def everyday(text: str) -> bool:
    """Tell whether the text of a label is an idiom of abstaining or an everyday word."""
    return _PHRASE.fullmatch(" ".join(text.replace("_", " ").split())) is not None


def everyday_labels(base: RuleBase) -> Iterator[tuple[str, str]]:
    """Yield the labels of a rule base that are everyday phrases, each with the spelling in question."""
    for label, spellings in base.decision.labels:
        yield from ((label, spelling) for spelling in spellings[:1] or (label,) if everyday(spelling))
