"""Conditions that say nothing: values never taken, parts without effect, definitions that are equal."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from functools import partial

from holmes.logic.engine.closures import Run, State
from holmes.logic.engine.rewrite import unroll
from holmes.logic.language.model import (
    And,
    Compare,
    Expr,
    If,
    Implies,
    Not,
    Or,
    RuleBase,
)
from holmes.logic.language.unparse import unparse
from holmes.logic.language.walk import walk
from holmes.logic.sat.witness import Checker


def _fails(run: Run, s: State) -> bool:
    return not run(s)


def _differ(one: int, two: int, s: State) -> bool:
    return s[one] is not s[two]


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
