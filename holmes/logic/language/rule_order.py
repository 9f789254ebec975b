"""Which rules of a rule base use the results of which: the only order in which citing them can be judged."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from holmes.logic.language.model import Policy, RuleBase
from holmes.logic.language.uses import uses

RuleOrder = Mapping[int, frozenset[int]]
_KNOWN: dict[str, RuleOrder] = {}


def rule_order(base: RuleBase) -> RuleOrder:
    """Return for each rule the rules whose results it uses directly.

    A definition needs what its condition names, a policy likewise, a priority or exception needs its policies, the
    decision needs every policy and every relation.
    """
    if base.fingerprint not in _KNOWN:
        found: dict[int, set[int]] = {}
        for rule, needed in _pairs(base):
            if rule != needed:
                found.setdefault(rule, set()).add(needed)
        _KNOWN[base.fingerprint] = {rule: frozenset(needed) for rule, needed in found.items()}
    return _KNOWN[base.fingerprint]


def _pairs(base: RuleBase) -> Iterator[tuple[int, int]]:
    """(rule, rule that it needs), of every kind of rule."""
    number = {("concept", n): c.rule for n, c in base.concepts.items()}
    number |= {("table", n): t.rule for n, t in base.tables.items()}
    policies = {n: p.rule for n, p in base.policies.items()}
    number |= {(kind, n): rule for n, rule in policies.items() for kind in ("policy", "applies")}
    for concept in base.concepts.values():
        yield from ((concept.rule, number[used]) for used in uses(concept.body, base.families) if used in number)
    for table in base.tables.values():
        for expr in (*table.keys, *(row.value for row in table.rows)):
            yield from ((table.rule, number[used]) for used in uses(expr, base.families) if used in number)
    for policy in base.policies.values():
        yield from ((policy.rule, number[used]) for used in _used(policy, base) if used in number)
    for relation in base.relations:
        if not relation.stated_in:
            yield from ((relation.rule, policies[n]) for n in (relation.winner, *relation.losers))
            yield base.decision.rule, relation.rule
    yield from ((base.decision.rule, rule) for rule in policies.values())


def _used(policy: Policy, base: RuleBase) -> Iterator[tuple[str, str]]:
    for expr in (policy.when, policy.unless, policy.selector):
        if expr is not None:
            yield from uses(expr, base.families)
    for name in (policy.base, *policy.parts, *(branch for _, branch in policy.branches)):
        if name:
            yield "policy", name
