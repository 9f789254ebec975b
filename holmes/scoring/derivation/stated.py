"""Lines in the stated form of steps: what each says, without guessing."""

from __future__ import annotations

import functools

from holmes.reading.step_contract import ContractStep, read_contract
from holmes.scoring.derivation.statement import Statement
from holmes.scoring.derivation.tokens import NOTHING, Token, tokens
from holmes.scoring.derivation.vocabulary import Vocabulary

_RESULTS = {
    "yes": "V+", "no": "V+", "true": "V+", "false": "V+", "triggered": "T+", "not triggered": "T+", "applies": "A+",
    "does not apply": "A+", "passes": "P+", "fails": "P+", "waived": "W+", "not waived": "W+",
}  # fmt: skip


class Same:
    """A vocabulary by identity, so that what is read with it can be kept."""

    __slots__ = ("it",)

    def __init__(self, it: Vocabulary) -> None:
        self.it = it

    def __hash__(self) -> int:
        return id(self.it)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Same) and self.it is other.it


@functools.lru_cache(maxsize=16384)
def stated_form(text: str, same: Same) -> tuple[Statement, ...]:
    """Return the one statement of a canonical line in the stated form of steps, () for a line of free text."""
    step = read_contract(text)
    if step is None:
        return ()
    rule = (step.other or step.rule,)
    if step.losers:
        return (Statement("conflict", rule, step.losers, None, NOTHING, step.holds, (), ()),)
    if step.chosen:
        return (Statement("rule", (step.chosen,), (), None, frozenset({"S+"}), True, (), ()),)
    if step.result:
        terms = [t.meaning for t in tokens(step.about, same.it) if t.kind == "A" and t.meaning.name in same.it.concepts]
        about = terms[0] if len(terms) == 1 and _RESULTS[step.result] == "V+" else None
        return (Statement("rule", rule, (), about, frozenset({_RESULTS[step.result]}), step.holds, (), ()),)
    return _given(text, step, rule, same)


def _given(text: str, step: ContractStep, rule: tuple[int, ...], same: Same) -> tuple[Statement, ...]:
    """Return the statement of an amount or a word of the rule base; another word is free text."""
    after = _result(text)
    found = tuple(tokens(after, same.it))
    if step.word and not any(t.kind == "A" and t.meaning.kind == "value" for t in found):
        return ()
    whole = (*tokens(step.about, same.it), Token("=", "="), *found)
    return (Statement("value", rule, (), None, NOTHING, None, whole, rule),)


def _result(text: str) -> str:
    """Return what stands between the colon of a line and its dash."""
    return text.partition(":")[2].partition("—")[0]
