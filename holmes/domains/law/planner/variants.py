"""Variants of a law rule base: the same rules with their measures exchanged, in conditions, text and scale alike.

A variant maps the measures (all answers but the default one) onto each other. The answer of a record changes by that
map alone, so neither the case text nor a habit ("a breach is fined") tells the answer: only the rules do (gate 9).
"""

from __future__ import annotations

import dataclasses
import functools
import itertools
import re
from collections.abc import Mapping
from dataclasses import dataclass

from holmes.logic.language import model as m
from holmes.logic.language.fingerprint import edited


@dataclass(frozen=True, slots=True)
class Variant:
    """One variant. number 0 is the rule base as written; to: measure as written -> measure in the variant."""

    number: int
    to: Mapping[str, str]
    rulebase: m.RuleBase

    def back(self, label: str) -> str:
        """Return the label as written that became `label`."""
        return next(written for written, here in self.to.items() if here == label)


def measures(rulebase: m.RuleBase) -> tuple[str, ...]:
    """Return the answers that can be exchanged: all but the default, if each has as many spellings as the others."""
    found = tuple(label for label in rulebase.decision.type.values if label != rulebase.decision.otherwise)
    spellings = dict(rulebase.decision.labels)
    return found if len({len(spellings.get(label, ())) for label in found}) == 1 else ()


def variants(rulebase: m.RuleBase) -> tuple[Variant, ...]:
    """Return all variants of a rule base, the base itself first."""
    exchanged = measures(rulebase)
    fixed = {label: label for label in rulebase.decision.type.values}
    if not exchanged:
        return (Variant(0, fixed, rulebase),)
    return tuple(
        Variant(number, to := fixed | dict(zip(exchanged, order, strict=True)), _apply(rulebase, to, number))
        for number, order in enumerate(itertools.permutations(exchanged))
    )


def _apply(rulebase: m.RuleBase, to: Mapping[str, str], number: int) -> m.RuleBase:
    if number == 0:
        return rulebase
    change = functools.partial(reword, labels=dict(rulebase.decision.labels), to=to)
    policies = {
        name: dataclasses.replace(p, consequence=to[p.consequence], text=change(p.text)) if p.consequence else p
        for name, p in rulebase.policies.items()
    }
    decision = dataclasses.replace(
        rulebase.decision,
        order=tuple(to[label] for label in rulebase.decision.order),
        text=change(rulebase.decision.text),
    )
    return edited(rulebase, lambda text: f"{text}/{number}", policies=policies, decision=decision)


def reword(text: str, labels: Mapping[str, tuple[str, ...]], to: Mapping[str, str]) -> str:
    """Put the spellings of the measures in `text` in place of each other, the n-th of one for the n-th of the other."""
    swap = {
        spelling.lower(): labels[to[label]][i]
        for label, spellings in labels.items()
        if to[label] != label
        for i, spelling in enumerate(spellings)
    }
    if not swap:
        return text
    longest = sorted(swap, key=lambda s: (-len(s), s))
    pattern = re.compile(r"(?<!\w)(?:" + "|".join(re.escape(s) for s in longest) + r")(?!\w)", re.IGNORECASE)

    def put(found: re.Match[str]) -> str:
        new = swap[found[0].lower()]
        return new[0].upper() + new[1:] if found[0][0].isupper() else new

    return pattern.sub(put, text)
