"""Decisions: answers that are never given, rules that are idle, rules that decide alone, attacks that never meet."""

from __future__ import annotations

import itertools
from dataclasses import replace
from functools import partial
from typing import Any

from holmes.errors import InputError
from holmes.logic.engine.closures import State
from holmes.logic.engine.compile import Program
from holmes.logic.engine.evaluate import program_for
from holmes.logic.engine.rewrite import unroll
from holmes.logic.language.model import (
    BOOL,
    Const,
    Policy,
    Relation,
    RuleBase,
)
from holmes.logic.language.problems import Problem
from holmes.logic.sat.encoding import Encoding
from holmes.logic.sat.linear import POLICIES, reads
from holmes.logic.sat.witness import Checker, Test


def _together(one: int, two: int, s: State) -> bool:
    return bool(s[one] and s[two])


def _answers(slot: int, value: str, s: State) -> bool:
    return s[slot] == value or (isinstance(s[slot], tuple) and value in s[slot])


def _another(own: int, slot: int, value: str, s: State) -> bool:
    return bool(s[own] and s[slot] != value)


def check_decision(c: Checker) -> None:
    """The decision is total and every declared answer is reached."""
    decision = c.base.decision
    slot = c.program.slot["decision", "decision"]
    for value in decision.type.values:
        answer = c.witness(partial(_answers, slot, value), c.encoding.answer(value))
        c.demand(
            answer,
            decision.line,
            decision.rule,
            "type",
            f"the answer {value!r} that no record reaches",
            "answers that records reach",
        )


def check_total(base: RuleBase) -> list[Problem]:
    """With `pick: only`, no coherent record leaves two measures."""
    decision = base.decision
    rest = decision.pick == "first_of" and decision.then == "only"
    if decision.pick != "only" and not rest:
        return []
    c = Checker(_first(base))
    ahead = set(decision.order)
    policies = [p for p in base.policies.values() if p.consequence and p.consequence not in ahead]
    none_ahead = [-c.encoding.applies(p.name) for p in base.policies.values() if p.consequence in ahead]
    blockers = [c.program.slot["applies", p.name] for p in base.policies.values() if p.consequence in ahead]
    for one, two in itertools.combinations(policies, 2):
        if one.consequence == two.consequence:
            continue
        a, b = c.program.slot["applies", one.name], c.program.slot["applies", two.name]

        def test(s: State, a: int = a, b: int = b) -> bool:
            return bool(s[a] and s[b] and not any(s[x] for x in blockers))

        answer = c.witness(test, c.encoding.applies(one.name), c.encoding.applies(two.name), *none_ahead)
        found = f"Rules {one.rule} and {two.rule} that can both remain"
        if answer != "no":
            text = found if answer == "yes" else f"unchecked: {found}"
            expected = "one measure at most (pick: only)"
            c.problems.append(
                Problem(
                    base.path,
                    decision.line,
                    str(decision.rule),
                    "pick",
                    text,
                    expected,
                    "semantics",
                    answer == "unknown",
                )
            )
    return c.problems


def _first(base: RuleBase) -> RuleBase:
    """Return the rule base with a decision that never fails, to look at what remains."""
    return replace(base, decision=replace(base.decision, pick="first", order=(), then=""))


# ---------------------------------------------------------------- idle rules and rules that decide alone
def without(base: RuleBase, rule: Policy | Relation) -> RuleBase:
    """Return the rule base as if the policy or relation were deleted: a policy never triggers, a gate always passes."""
    if isinstance(rule, Relation):
        return replace(base, relations=tuple(r for r in base.relations if r is not rule))
    if rule.operator == "transform":
        changed = replace(rule, unless=Const(False, BOOL))
    else:
        changed = replace(rule, when=Const(bool(rule.gate), BOOL))
    return replace(base, policies={**base.policies, rule.name: changed})


def check_idle(c: Checker) -> None:
    """Each policy and each relation changes the answer or the amount of some record."""
    rules: list[Policy | Relation] = [p for p in c.base.policies.values() if p.operator in ("condition", "transform")]
    rules += list(c.base.relations)
    for rule in rules:
        other = without(c.base, rule)
        program = program_for(other)
        slots = [("decision", "decision")] + ([("amount", "amount")] if c.base.amount else [])

        changes = partial(_changes, c.program, program, slots)

        encoding = Encoding(other, clauses=c.clauses)
        differ = [-c.clauses.same(c.encoding.answer(v), encoding.answer(v)) for v in c.base.decision.type.values]
        relevant = _relevant(c, rule)
        answer = c.witness(relevant, c.clauses.any(differ), record_test=changes)
        if answer == "no" and c.base.amount and POLICIES in reads(unroll(c.base.amount.value, c.base), c.base):
            answer = "unknown"
        field = "when" if isinstance(rule, Policy) else rule.kind
        name = f"the policy {rule.name!r}" if isinstance(rule, Policy) else f"the relation of {rule.winner!r}"
        c.demand(
            answer,
            rule.line,
            rule.rule,
            field,
            f"{name}, whose deletion changes no answer",
            "a rule that matters somewhere",
        )


def _changes(one: Program, two: Program, slots: list[tuple[str, str]], record: dict[str, Any]) -> bool:
    here = one.run(record)
    try:
        there = two.run(record)
    except InputError:  # without the rule two measures remain where only one may
        return True
    return any(here[one.slot[key]] != there[two.slot[key]] for key in slots)


def _relevant(c: Checker, rule: Policy | Relation) -> Test:
    """Return a quick test that every record passes on which the rule can matter."""
    slot = c.program.slot
    if isinstance(rule, Relation):
        pairs = [(slot["policy", rule.winner], slot["policy", loser]) for loser in rule.losers]
        return lambda s: any(s[w] and s[p] for w, p in pairs)
    own = slot["policy", rule.name]
    return (lambda s: not s[own]) if rule.gate and rule.operator == "condition" else (lambda s: s[own])


def check_alone(c: Checker) -> None:
    """No condition settles the answer by itself: whoever triggers it may still get one of two answers."""
    slot = c.program.slot["decision", "decision"]
    for policy in c.base.policies.values():
        if policy.operator != "condition" or policy.gate:
            continue
        own, triggered = c.program.slot["policy", policy.name], c.encoding.triggered(policy.name)
        seen = {s[slot] for _, s in c.samples if s[own]}
        if len(seen) > 1:
            continue
        value = next(iter(seen), None)
        if value is None or isinstance(value, tuple):
            continue
        answer = c.witness(partial(_another, own, slot, value), triggered, -c.encoding.answer(value))
        found = f"the policy {policy.name!r}, which leads to {value!r} on every record"
        c.demand(answer, policy.line, policy.rule, "when", found, "a rule that does not decide alone")


def check_attacks(c: Checker) -> None:
    """Winner and loser of each relation are triggered together on some record."""
    for relation in c.base.relations:
        for loser in relation.losers:
            a, b = c.program.slot["policy", relation.winner], c.program.slot["policy", loser]
            literals = (c.encoding.triggered(relation.winner), c.encoding.triggered(loser))
            answer = c.witness(partial(_together, a, b), *literals)
            found = f"{relation.winner!r} over {loser!r}, which are never triggered together"
            c.demand(answer, relation.line, relation.rule, relation.kind, found, "policies that can meet", "defeat")
