"""A rule base as clauses: numbers as thresholds with order axioms, enums one-hot, policies, defeat and the answer."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from datetime import date
from fractions import Fraction
from typing import Any

from holmes.logic.engine.closures import Run
from holmes.logic.engine.evaluate import program_for
from holmes.logic.engine.inputs import small
from holmes.logic.engine.rewrite import enforcing, unroll
from holmes.logic.language.model import (
    And,
    Arith,
    Compare,
    Const,
    Expr,
    If,
    Implies,
    Not,
    Or,
    PolicyTest,
    Quant,
    Ref,
    RuleBase,
)
from holmes.logic.sat.clauses import ENUMERATED, Clauses, default, options
from holmes.logic.sat.linear import DECISION, NUMERIC, POLICIES, concepts, linear, ordinal, reads, slope


class Encoding:
    """The literals of one rule base: expressions, concepts, triggers, defeat, answers.

    rulebase: loaded. defeat: as for `evaluate`. clauses: shared with another encoding over the same facts, to compare.
    """

    def __init__(self, rulebase: RuleBase, *, defeat: str | None = None, clauses: Clauses | None = None) -> None:
        self.program = program_for(rulebase, defeat)
        self.base = self.program.rulebase
        self.clauses = clauses or Clauses(rulebase)
        self.cache: dict[Any, int] = {}
        if clauses is None:
            for condition in self.base.integrity:
                self.clauses.add(self.literal(condition))

    # ------------------------------------------------------------ expressions
    def literal(self, expr: Expr) -> int:
        """Return a literal equivalent to the condition."""
        return self._literal(unroll(expr, self.base))

    def _literal(self, expr: Expr) -> int:
        if expr not in self.cache:
            self.cache[expr] = self._encode(expr)
        return self.cache[expr]

    def _encode(self, expr: Expr) -> int:
        c = self.clauses
        match expr:
            case Const(value=value):
                return c.truth if value else -c.truth
            case Ref(kind="fact", name=name):
                return c.bools[name]
            case Ref(kind="concept", name=name):
                return self.literal(self.base.concepts[name].body)
            case PolicyTest(kind=kind, policy=name):
                return self.applies(name) if kind == "applies" else self.triggered(name)
            case Not():
                return -self._literal(expr.arg)
            case And():
                return c.all([self._literal(arg) for arg in expr.args])
            case Or():
                return c.any([self._literal(arg) for arg in expr.args])
            case Implies():
                return c.any((-self._literal(expr.left), self._literal(expr.right)))
            case If():
                test = self._literal(expr.test)
                then, other = self._literal(expr.then), self._literal(expr.otherwise)
                return c.all((c.any((-test, then)), c.any((test, other))))
            case Compare():
                return self._compare(expr)
            case _:
                return self._formula(expr)

    def _compare(self, expr: Compare) -> int:
        c = self.clauses
        sides = (expr.left, expr.right)
        if all(self._boolean(side) for side in sides):
            same = c.same(self._literal(expr.left), self._literal(expr.right))
            return same if expr.op == "==" else -same
        for one, two in (sides, sides[::-1]):
            if isinstance(one, Ref) and isinstance(two, Const) and isinstance(two.value, str):
                if one.kind == "fact":
                    literal = c.values[one.name].get(two.value, -c.truth)
                    return literal if expr.op == "==" else -literal
                if one.kind == "decision":
                    literal = self.answer(two.value)
                    return literal if expr.op == "==" else -literal
        form = linear(Arith("-", sides), self.base)
        if form is None:
            return self._formula(expr)
        parts = {name: factor for name, factor in form.items() if name and factor}
        rest = form.get("", Fraction(0))
        if not parts:
            return c.truth if _holds(expr.op, rest) else -c.truth
        if len(parts) > 1:
            return self._formula(expr)
        ((name, factor),) = parts.items()
        return self._threshold(name, expr.op if factor > 0 else _FLIP[expr.op], -rest / factor)

    def _threshold(self, name: str, op: str, bound: Fraction) -> int:
        c = self.clauses
        at_least, more = (c.at_least(name, (bound, side)) for side in (0, 1))
        equal = c.all((at_least, -more)) if op in ("==", "!=") else 0
        if op in ("==", "!=") and self.base.facts[name].type.kind != "money" and bound.denominator != 1:
            equal = -c.truth
        return {">=": at_least, ">": more, "<": -at_least, "<=": -more, "==": equal, "!=": -equal}[op]

    def _boolean(self, expr: Expr) -> bool:
        match expr:
            case Const(value=value):
                return isinstance(value, bool)
            case Ref(kind="fact", name=name):
                return self.base.facts[name].type.kind == "bool"
            case Ref(kind="concept", name=name):
                return self.base.concepts[name].type.kind == "bool"
            case Not() | And() | Or() | Implies() | Compare() | PolicyTest():
                return True
            case Quant(kind="every" | "some"):
                return True
            case If():
                return self._boolean(expr.then)
            case _:
                return False

    def _formula(self, expr: Expr) -> int:
        """Tabulate a formula over few values; leave it open (any truth value) where there are too many."""
        c = self.clauses
        if expr in c.formulas:
            return c.formulas[expr]
        support = reads(expr, self.base)
        pivot = self._pivot(expr, support)
        fixed = sorted(support - {pivot})
        choices = [options(self.base.facts[name]) if name in self.base.facts else [] for name in fixed]
        literal = c.fresh()
        if not all(choices) or math.prod(map(len, choices)) > ENUMERATED:
            c.open.append((expr, literal))
            if not support & {POLICIES, DECISION}:  # the same formula in another encoding has the same value
                c.formulas[expr] = literal
            return literal
        run = self._row_test(expr, pivot) if isinstance(expr, Compare) and pivot else self._plain_test(expr)
        facts = {name: default(fact) for name, fact in self.base.facts.items()}
        for values in itertools.product(*choices):
            facts.update(zip(fixed, values, strict=True))
            given = [-c.equals(name, value) for name, value in zip(fixed, values, strict=True)]
            value = run(facts)
            c.add(*given, -literal, value)
            c.add(*given, literal, -value)
        c.formulas[expr] = literal
        return literal

    def _pivot(self, expr: Expr, support: set[str]) -> str:
        """Return the fact with most values in which a comparison is linear, the empty text where there is none."""
        if not isinstance(expr, Compare):
            return ""
        numeric = [n for n in support if n in self.base.facts and self.base.facts[n].type.kind in NUMERIC]
        numeric.sort(key=lambda n: (len(options(self.base.facts[n])) or math.inf, n), reverse=True)
        return next((n for n in numeric if all(slope(side, n, self.base) for side in (expr.left, expr.right))), "")

    def _plain_test(self, expr: Expr) -> Callable[[dict[str, Any]], int]:
        run, truth, needed = self.program.compile(expr, {}), self.clauses.truth, self._needed(expr)
        return lambda facts: truth if run(self._state(needed, facts)) else -truth

    def _row_test(self, expr: Compare, pivot: str) -> Callable[[dict[str, Any]], int]:
        """Return what a comparison comes down to, a threshold on the pivot, when all other facts are fixed."""
        needed = self._needed(expr)
        left, right = (self.program.compile(side, {}) for side in (expr.left, expr.right))
        first, second = (0, 1) if self.base.facts[pivot].type.kind != "date" else (date(2000, 1, 1), date(2000, 1, 2))

        def run(facts: dict[str, Any]) -> int:
            at = []
            for place in (first, second):
                state = self._state(needed, facts, (pivot, place))
                at.append(ordinal(left(state)) - ordinal(right(state)))
            factor = at[1] - at[0]
            rest = at[0] - factor * ordinal(first)
            if not factor:
                return self.clauses.truth if _holds(expr.op, rest) else -self.clauses.truth
            return self._threshold(pivot, expr.op if factor > 0 else _FLIP[expr.op], -rest / factor)

        return run

    def _state(
        self, needed: list[tuple[int, Run]], facts: dict[str, Any], change: tuple[str, Any] | None = None
    ) -> list[Any]:
        """Evaluate the concepts of a record, without the checks of `Program.run`: the pivot may leave its range."""
        state: list[Any] = [None] * self.program.size
        for name, value in facts.items():
            state[self.program.slot["fact", name]] = small(value)
        if change is not None:
            state[self.program.slot["fact", change[0]]] = change[1]
        for slot, run in needed:
            state[slot] = run(state)
        return state

    def _needed(self, expr: Expr) -> list[tuple[int, Run]]:
        """Return the definitions that an expression reads, in order."""
        slots = {self.program.slot["concept", name] for name in concepts(expr, self.base)}
        return [(slot, run) for slot, run in self.program.definitions if slot in slots]

    # ------------------------------------------------------------ policies and answers
    def triggered(self, name: str) -> int:
        """Return the literal of `the policy is triggered` (passes)."""
        key = ("triggered", name)
        if key not in self.cache:
            self.cache[key] = self._triggered(name)
        return self.cache[key]

    def _triggered(self, name: str) -> int:
        policy, c = self.base.policies[name], self.clauses
        if policy.when is not None:
            return self.literal(policy.when)
        if policy.unless is not None:
            return c.any((self.triggered(policy.base), self.literal(policy.unless)))
        if policy.operator == "compose":
            parts = [self.triggered(part) for part in policy.parts]
            return c.all(parts) if policy.mode == "all" else c.any(parts)
        return c.any(c.all((self._chosen(name, value), self.triggered(target))) for value, target in policy.branches)

    def _chosen(self, name: str, value: str) -> int:
        selector = self.base.policies[name].selector
        assert selector is not None
        if self._boolean(unroll(selector, self.base)):
            literal = self.literal(selector)
            return literal if value == "true" else -literal
        return self.literal(Compare("==", selector, Const(value, self.base.decision.type)))

    def applies(self, name: str) -> int:
        """Return the literal of `the policy applies`."""
        key = ("applies", name)
        if key not in self.cache:
            pairs = enforcing(self.base.relations).get(name, ())
            grounded = self.base.defeat == "grounded"
            active = [self.applies(w) if grounded else self.triggered(w) for _, w in pairs]
            self.cache[key] = self.clauses.all([self.triggered(name), *(-lit for lit in active)])
        return self.cache[key]

    def answer(self, value: str) -> int:
        """Return the literal of `the decision is (or, for list answers, contains) value`."""
        key = ("answer", value)
        if key not in self.cache:
            self.cache[key] = self._gates(value) if self.base.decision.pick == "gates" else self._pick(value)
        return self.cache[key]

    def _pick(self, value: str) -> int:
        decision, c = self.base.decision, self.clauses
        policies = sorted((p for p in self.base.policies.values() if p.consequence), key=lambda p: p.rule)
        default = [-self.applies(p.name) for p in policies] if value == decision.otherwise else None
        ways = [c.all(default)] if default is not None else []
        if decision.pick in ("all", "only"):
            return c.any([*ways, *(self.applies(p.name) for p in policies if p.consequence == value)])
        rank = {answer: number for number, answer in enumerate(decision.order)}
        policies.sort(key=lambda p: rank.get(p.consequence, len(rank)))
        before: list[int] = []
        for policy in policies:
            applies = self.applies(policy.name)
            if policy.consequence == value:
                ways.append(c.all([applies, *before]))
            before.append(-applies)
        return c.any(ways)

    def gates(self) -> list[tuple[int, str]]:
        """Return (literal of `the case's composition contains the gate`, name of the gate)."""
        found: list[tuple[int, str]] = []

        def flatten(name: str, path: tuple[int, ...]) -> None:
            policy = self.base.policies[name]
            if policy.gate:
                found.append((self.clauses.all(path), name))
            elif policy.operator == "compose":
                for part in policy.parts:
                    flatten(part, path)
            else:
                for value, target in policy.branches:
                    flatten(target, (*path, self._chosen(name, value)))

        flatten(self.base.decision.gates, ())
        return found

    def _gates(self, value: str) -> int:
        c, values = self.clauses, self.base.decision.type.values
        failing = {"mandatory": [], "standard": []}  # type: dict[str, list[int]]
        for there, name in self.gates():
            failing[self.base.policies[name].gate].append(c.all((there, -self.triggered(name))))
        mandatory, standard = c.any(failing["mandatory"]), c.any(failing["standard"])
        if value == values[-1]:
            return mandatory
        if value == values[0]:
            return c.all((-mandatory, -standard))
        return c.all((-mandatory, standard))


_FLIP = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}


def _holds(op: str, value: Fraction) -> bool:
    tests = {"<": value < 0, "<=": value <= 0, ">": value > 0, ">=": value >= 0, "==": value == 0, "!=": value != 0}
    return tests[op]
