"""What the rules mean: dead conditions, idle rules, unreachable answers, decided by SAT over coherent records.

A check looks for a witness among random records first, then asks the solver. "No" is always a proof. Formulas over
too many values (comparisons of two money amounts, lists) are open to the solver, so that where only such a formula
stands in the way the check is reported as unchecked, a warning, and never passed over in silence.
"""

from __future__ import annotations

import contextlib
import itertools
import json
from collections.abc import Iterable
from dataclasses import asdict, replace
from functools import partial
from typing import Any

from holmes.errors import EnvironmentFailure, InputError
from holmes.logic.engine.closures import Run, State
from holmes.logic.engine.compile import Program
from holmes.logic.engine.evaluate import program_for
from holmes.logic.engine.rewrite import unroll
from holmes.logic.language.model import (
    BOOL,
    And,
    Compare,
    Const,
    Expr,
    If,
    Implies,
    Not,
    Or,
    Policy,
    Relation,
    RuleBase,
)
from holmes.logic.language.problems import Problem
from holmes.logic.language.unparse import unparse
from holmes.logic.language.walk import walk
from holmes.logic.sat.encoding import Encoding
from holmes.logic.sat.linear import POLICIES, reads
from holmes.logic.sat.witness import Checker, Test
from holmes.util.files import write_text
from holmes.util.paths import cache_dir

VERSION = 2  # of the checks: part of the key of the cache


# ---------------------------------------------------------------- tests of states
def _fails(run: Run, s: State) -> bool:
    return not run(s)


def _differ(one: int, two: int, s: State) -> bool:
    return s[one] is not s[two]


def _together(one: int, two: int, s: State) -> bool:
    return bool(s[one] and s[two])


def _answers(slot: int, value: str, s: State) -> bool:
    return s[slot] == value or (isinstance(s[slot], tuple) and value in s[slot])


def _another(own: int, slot: int, value: str, s: State) -> bool:
    return bool(s[own] and s[slot] != value)


# ---------------------------------------------------------------- conditions
def _conditions(base: RuleBase) -> Iterable[tuple[int, int, str, Expr]]:
    """Yield (line, rule, field, condition) for every condition of concepts and policies."""
    for concept in base.concepts.values():
        yield concept.line, concept.rule, "when" if concept.type.kind == "bool" else "value", concept.body
    for policy in base.policies.values():
        for field, expr in (("when", policy.when), ("unless", policy.unless)):
            if expr is not None:
                yield policy.line, policy.rule, field, expr


def check_values(c: Checker) -> None:
    """Each Boolean concept and each policy is true on some coherent record and false on another."""
    for concept in c.base.concepts.values():
        if concept.type.kind == "bool":
            slot = c.program.slot["concept", concept.name]
            literal = c.encoding.literal(concept.body)
            _both(c, slot, literal, concept.line, concept.rule, "when", f"the concept {concept.name!r}")
    for policy in c.base.policies.values():
        slot = c.program.slot["policy", policy.name]
        literal = c.encoding.triggered(policy.name)
        field = {"condition": "when", "transform": "transform", "compose": "compose", "select": "select"}[
            policy.operator
        ]
        _both(c, slot, literal, policy.line, policy.rule, field, f"the policy {policy.name!r}")


def _both(c: Checker, slot: int, literal: int, line: int, rule: int, field: str, what: str) -> None:
    c.demand(
        c.witness(lambda s: s[slot], literal),
        line,
        rule,
        field,
        f"{what} that is never true",
        "a record that makes it true",
    )
    c.demand(
        c.witness(lambda s: not s[slot], -literal),
        line,
        rule,
        field,
        f"{what} that is always true",
        "a record that makes it false",
    )


def check_parts(c: Checker) -> None:
    """Each disjunct, conjunct, comparison and branch makes a difference to the formula it stands in."""
    for line, rule, field, whole in _conditions(c.base):
        expr = unroll(whole, c.base)
        for part in walk(expr):
            if _inside_list(expr, part):
                continue
            if isinstance(part, And | Or):
                _operands(c, line, rule, field, part)
            elif isinstance(part, Implies):
                _operands(c, line, rule, field, Or((_negated(part.left), part.right)))
            elif isinstance(part, Compare | If):
                test = part.test if isinstance(part, If) else part
                if test is expr or not _decidable(c, test):
                    continue
                run, literal = c.run(test), c.encoding.literal(test)
                word = f"`{unparse(test)}`"
                c.demand(
                    c.witness(run, literal),
                    line,
                    rule,
                    field,
                    f"{word}, which never holds",
                    "a condition that can hold",
                )
                answer = c.witness(partial(_fails, run), -literal)
                c.demand(answer, line, rule, field, f"{word}, which always holds", "a condition that can fail")


def _negated(expr: Expr) -> Expr:
    return Not(expr)


def _decidable(c: Checker, expr: Expr) -> bool:
    return not any(type(part).__name__ == "Field" for part in walk(expr))


def _inside_list(whole: Expr, part: Expr) -> bool:
    """Say whether the part reads the record of a quantifier (dead parts there are left to the whole)."""
    return any(type(p).__name__ == "Field" for p in walk(part)) and part is not whole


def _operands(c: Checker, line: int, rule: int, field: str, part: And | Or) -> None:
    """Operand i matters iff some record gives it one value while all others have the value that leaves the choice."""
    if any(type(p).__name__ == "Field" for p in walk(part)):
        return
    runs = [c.run(arg) for arg in part.args]
    literals = [c.encoding.literal(arg) for arg in part.args]
    conjunction = isinstance(part, And)
    kind = "conjunct" if conjunction else "disjunct"
    for place, arg in enumerate(part.args):
        others = [r for i, r in enumerate(runs) if i != place]

        def test(s: State, own: Run = runs[place], rest: list[Run] = others) -> bool:
            return bool(own(s)) is not conjunction and all(bool(r(s)) is conjunction for r in rest)

        sign = 1 if conjunction else -1
        assumptions = [-sign * literals[place], *(sign * lit for i, lit in enumerate(literals) if i != place)]
        answer = c.witness(test, *assumptions)
        c.demand(answer, line, rule, field, f"the dead {kind} `{unparse(arg)}`", f"a {kind} that makes a difference")


def check_equivalent(c: Checker) -> None:
    """No two Boolean concepts are true on the same records."""
    concepts = [k for k in c.base.concepts.values() if k.type.kind == "bool"]
    for one, two in itertools.combinations(concepts, 2):
        a, b = c.program.slot["concept", one.name], c.program.slot["concept", two.name]
        if any(s[a] is not s[b] for _, s in c.samples):
            continue
        differ = -c.clauses.same(c.encoding.literal(one.body), c.encoding.literal(two.body))
        answer = c.witness(partial(_differ, a, b), differ)
        c.demand(answer, two.line, two.rule, "when", f"the same meaning as Rule {one.rule}", "a concept of its own")


# ---------------------------------------------------------------- decision
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


def run_checks(rulebase: RuleBase) -> list[Problem]:
    """Run all checks, without the cache."""
    total = check_total(rulebase)
    if any(not p.warning for p in total):
        return total  # where two measures remain there is no answer to ask about
    c = Checker(rulebase)
    if not c.samples and c.clauses.solve([]) is None:
        line = c.base.decision.line
        return [
            Problem(
                c.base.path, line, "integrity", "", "conditions that no record obeys", "a coherent record", "semantics"
            )
        ]
    stages = (
        (check_values,),
        (check_parts, check_equivalent, check_attacks),
        (check_decision, check_idle, check_alone),
    )
    for stage in stages:  # a concept that is never true makes every rule built on it idle: say it once
        for check in stage:
            check(c)
        if any(not problem.warning for problem in c.problems):
            break
    return [*total, *c.problems]


def check_semantics(rulebase: RuleBase) -> list[Problem]:
    """Return the problems of meaning, those that could not be settled as warnings.

    The result is kept in the user's cache by fingerprint, so that a rule base is analysed once a machine.
    """
    file = cache_dir() / "semantics" / f"{rulebase.name}-{rulebase.fingerprint}-{VERSION}.json"
    try:
        rows = json.loads(file.read_text(encoding="utf-8"))
        return [replace(Problem(**row), file=rulebase.path) for row in rows]
    except (OSError, ValueError, TypeError):
        problems = run_checks(rulebase)
    with contextlib.suppress(OSError, EnvironmentFailure):  # a cache that cannot be written costs time, nothing else
        write_text(file, json.dumps([asdict(problem) for problem in problems]))
    return problems
