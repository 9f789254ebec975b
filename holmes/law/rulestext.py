"""The numbered rules of a law base as a text: one line a rule, in the order of the numbers."""

from __future__ import annotations

import functools

from holmes.logic.model import RuleBase


def rules_text(rulebase: RuleBase) -> str:
    """Return the lines ``Rule 4: …`` of a law base; relations that another rule states have no line of their own."""
    return _text(id(rulebase), _Same(rulebase))


class _Same:
    """A rule base that is equal to itself only: the cache below must not compare or hash whole trees."""

    def __init__(self, rulebase: RuleBase) -> None:
        self.rulebase = rulebase

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and other.rulebase is self.rulebase

    def __hash__(self) -> int:
        return id(self.rulebase)


@functools.lru_cache(maxsize=128)
def _text(_: int, same: _Same) -> str:
    base = same.rulebase
    lines = {concept.rule: concept.text for concept in base.concepts.values()}
    lines |= {policy.rule: policy.text for policy in base.policies.values()}
    lines |= {relation.rule: relation.text for relation in base.relations if not relation.stated_in}
    lines[base.decision.rule] = base.decision.text
    return "\n".join(f"Rule {number}: {lines[number]}" for number in sorted(lines))
