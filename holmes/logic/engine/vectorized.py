"""A second engine: all records of a space decided at once, whole or with one operator taken away (gate 3)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from holmes.errors import InputError
from holmes.logic.engine.record_space import Bools, Codes, Space, truth
from holmes.logic.language import model as m


@dataclass(frozen=True, slots=True)
class Engine:
    """Which operators an engine knows; the default is the whole semantics.

    pick: "" the rule base's own | "first_triggered" | "gravest_triggered". drop: numbers of rules left out.
    """

    priorities: bool = True
    exceptions: bool = True
    rebuttals: bool = True  # exceptions to exceptions
    defeat: str = ""
    negation: bool = True
    pick: str = ""
    drop: frozenset[int] = frozenset()


ABLATIONS: Mapping[str, Engine] = {
    "no_priorities": Engine(priorities=False),
    "no_exceptions": Engine(exceptions=False),
    "no_rebuttals": Engine(rebuttals=False),
    "one_pass": Engine(defeat="one_pass"),
    "no_negation": Engine(negation=False),
    "first_triggered": Engine(pick="first_triggered"),
    "gravest_triggered": Engine(pick="gravest_triggered"),
}


@dataclass(frozen=True, slots=True)
class Decided:
    """What an engine finds on every record: answer codes, and one Boolean column a concept, policy, override pair."""

    labels: tuple[str, ...]
    answer: Codes
    concepts: Mapping[str, Bools]
    triggered: Mapping[str, Bools]
    applies: Mapping[str, Bools]
    clashes: Mapping[tuple[str, str], Bools]  # (winner, loser): both triggered
    defeats: Mapping[tuple[str, str], Bools]  # … and the winner is active


def overrides(rulebase: m.RuleBase) -> tuple[tuple[str, str, m.Relation], ...]:
    """Return every (winner, loser, relation), in the order of the relations."""
    return tuple((r.winner, loser, r) for r in rulebase.relations for loser in r.losers)


def rebuttals(rulebase: m.RuleBase) -> frozenset[tuple[str, str]]:
    """Return the exceptions to exceptions: the exception pairs whose loser itself wins an exception."""
    pairs = [(w, x) for w, x, r in overrides(rulebase) if r.kind == "exception"]
    winners = {winner for winner, _ in pairs}
    return frozenset((winner, loser) for winner, loser in pairs if loser in winners)


def exemptions(rulebase: m.RuleBase) -> tuple[str, ...]:
    """Return the policies with a consequence that win an exception, in rule order."""
    winners = {w for w, _, r in overrides(rulebase) if r.kind == "exception"}
    return tuple(name for name, policy in rulebase.policies.items() if name in winners and policy.consequence)


def severity(rulebase: m.RuleBase) -> tuple[str, ...]:
    """Return the labels from the gravest to the mildest, as the decision lists them."""
    order = rulebase.decision.order
    return order + tuple(label for label in rulebase.decision.type.values if label not in order)


def decide(rulebase: m.RuleBase, records: Space, engine: Engine | None = None) -> Decided:
    """Decide every record.

    rulebase: a law base (condition policies only; pick gravest, first or first_of). engine: the whole one if None.
    Returns columns as long as `records`. Raises InputError for a decision that a law base may not use.
    """
    engine = engine or Engine()
    size = len(records)
    no = np.zeros(size, dtype=np.bool_)
    known: dict[str, Bools] = {}
    concepts: dict[str, Bools] = {}
    for name in _concept_order(rulebase):
        concept = rulebase.concepts[name]
        dropped = concept.rule in engine.drop
        concepts[name] = no if dropped else truth(concept.body, records, known, negation=engine.negation)
        known[name] = concepts[name]
    triggered: dict[str, Bools] = {}
    for name, policy in rulebase.policies.items():
        if policy.when is None:
            raise InputError(f"{rulebase.path}: policy {name}: found operator {policy.operator}, expected a condition")
        dropped = policy.rule in engine.drop
        triggered[name] = no if dropped else truth(policy.when, records, known, negation=engine.negation)
        known[f"triggered:{name}"] = triggered[name]
    pairs = _pairs(rulebase, engine)
    one_pass = (engine.defeat or rulebase.defeat) == "one_pass"
    applies: dict[str, Bools] = {}
    for name in _attack_order(rulebase, pairs):
        mask = triggered[name].copy()
        for winner, loser in pairs:
            if loser == name:
                mask &= ~(triggered[winner] if one_pass else applies[winner])
        applies[name] = mask
    labels = rulebase.decision.type.values
    active = triggered if one_pass else applies
    return Decided(
        labels=labels,
        answer=_answer(rulebase, engine, triggered, applies, size),
        concepts=concepts,
        triggered=triggered,
        applies={name: applies[name] for name in rulebase.policies},
        clashes={(w, x): triggered[w] & triggered[x] for w, x in pairs},
        defeats={(w, x): active[w] & triggered[x] for w, x in pairs},
    )


def _pairs(rulebase: m.RuleBase, engine: Engine) -> tuple[tuple[str, str], ...]:
    second = rebuttals(rulebase)
    kept: list[tuple[str, str]] = []
    for winner, loser, relation in overrides(rulebase):
        if relation.rule in engine.drop and not relation.stated_in:
            continue
        if relation.kind == "stronger" and not engine.priorities:
            continue
        if relation.kind == "exception" and not engine.exceptions:
            continue
        if (winner, loser) in second and not engine.rebuttals:
            continue
        if (winner, loser) not in kept:
            kept.append((winner, loser))
    return tuple(kept)


def _concept_order(rulebase: m.RuleBase) -> list[str]:
    from holmes.logic.engine.record_space import walk

    order: list[str] = []

    def visit(name: str) -> None:
        if name in order:
            return
        for part in walk(rulebase.concepts[name].body):
            if isinstance(part, m.Ref) and part.kind == "concept":
                visit(part.name)
        order.append(name)

    for name in rulebase.concepts:
        visit(name)
    return order


def _attack_order(rulebase: m.RuleBase, pairs: tuple[tuple[str, str], ...]) -> list[str]:
    order: list[str] = []

    def visit(name: str) -> None:
        if name in order:
            return
        for winner, loser in pairs:
            if loser == name:
                visit(winner)
        order.append(name)

    for name in rulebase.policies:
        visit(name)
    return order


def _answer(
    rulebase: m.RuleBase, engine: Engine, triggered: Mapping[str, Bools], applies: Mapping[str, Bools], size: int
) -> Codes:
    decision = rulebase.decision
    labels = decision.type.values
    code = {label: i for i, label in enumerate(labels)}
    answer = np.full(size, code[decision.otherwise] if decision.otherwise else -1, dtype=np.int64)
    by_rule = sorted((p for p in rulebase.policies.values() if p.consequence), key=lambda p: p.rule)
    source = triggered if engine.pick else applies
    pick = {"first_triggered": "first", "gravest_triggered": "gravest"}.get(engine.pick, decision.pick)
    rank = {label: i for i, label in enumerate(severity(rulebase))}
    if decision.rule in engine.drop:
        pick = "first"  # without the decision rule a reader takes whatever he meets first
    if pick == "gravest":
        ranked = sorted(by_rule, key=lambda p: rank[p.consequence])
    elif pick == "first":
        ranked = by_rule
    elif pick == "first_of":
        ranked = sorted(by_rule, key=lambda p: (p.consequence not in decision.order, p.rule))
    else:
        raise InputError(f"{rulebase.path}: decision: found pick {pick}, expected gravest, first or first_of in law")
    for policy in reversed(ranked):
        answer[source[policy.name]] = code[policy.consequence]
    return answer
