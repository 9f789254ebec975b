"""Rule base -> closures over one list of values; the fast core of evaluation."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from typing import Any

from holmes.errors import InputError
from holmes.logic.engine import closures
from holmes.logic.engine.closures import Run, State
from holmes.logic.engine.inputs import MISSING, reader, small
from holmes.logic.engine.rewrite import ablated, enforcing, row_value, unroll
from holmes.logic.language.model import (
    And,
    Arith,
    Compare,
    Const,
    Expr,
    Field,
    If,
    Implies,
    Lookup,
    Not,
    Or,
    Policy,
    PolicyTest,
    Quant,
    Ref,
    RuleBase,
)
from holmes.logic.language.uses import dependencies, uses

_COMPARE: dict[str, Callable[[Any, Any], Any]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def topological(rulebase: RuleBase) -> list[tuple[str, str]]:
    """Return the vertices of the dependency graph, definitions first; raises InputError on a cycle."""
    graph = dependencies(rulebase)
    result: list[tuple[str, str]] = []
    state: dict[tuple[str, str], bool] = {}

    def visit(start: tuple[str, str]) -> None:
        stack = [(start, iter(sorted(graph.get(start, ()))))]
        state[start] = False
        while stack:
            vertex, rest = stack[-1]
            following = next(rest, None)
            if following is None:
                state[vertex] = True
                result.append(vertex)
                stack.pop()
            elif following not in state:
                state[following] = False
                stack.append((following, iter(sorted(graph.get(following, ())))))
            elif not state[following]:
                raise InputError(f"{rulebase.name}: found a cycle through {following[1]}, expected none")

    for vertex in sorted(graph):
        if vertex not in state:
            visit(vertex)
    return result


class Program:
    """A compiled rule base: `run(facts)` fills one list of values, whose places `slot` names."""

    def __init__(self, rulebase: RuleBase, defeat: str = "", ablate: frozenset[str] = frozenset()) -> None:
        from dataclasses import replace

        self.original = rulebase
        base = ablated(rulebase, ablate)
        self.rulebase = base = replace(base, defeat=defeat) if defeat else base
        if base.defeat not in ("grounded", "one_pass"):
            raise InputError(f"defeat: found {base.defeat!r}, expected grounded or one_pass")
        self.slot: dict[tuple[str, str], int] = {}
        self.size = 0
        self.attackers = enforcing(base.relations)
        for name in base.facts:
            self.slot["fact", name] = self.fresh()
        self.intake = [
            (name, self.slot["fact", name], fact.type.kind == "bool", reader(base, name))
            for name, fact in base.facts.items()
        ]
        self.steps: list[tuple[int, Run]] = []
        self.definitions: list[tuple[int, Run]] = []  # the steps that read facts and concepts only
        for kind, name in topological(base):
            self.add(kind, name)

    def fresh(self) -> int:
        self.size += 1
        return self.size - 1

    def add(self, kind: str, name: str) -> None:
        base = self.rulebase
        if kind == "concept":
            run = self.compile(unroll(base.concepts[name].body, base), {})
        elif kind == "policy":
            run = self.policy(base.policies[name])
        elif kind == "applies":
            if name not in self.attackers:
                self.slot["applies", name] = self.slot["policy", name]
                return
            run = self.applies(name)
        elif kind == "decision":
            run = self.decision()
        elif kind == "amount" and base.amount is not None:
            run = self.compile(unroll(base.amount.value, base), {})
        else:
            return  # tables are compiled where they are looked up; families are unrolled
        slot = self.slot[kind, name] = self.fresh()
        self.steps.append((slot, run))
        if kind == "concept" and self.pure(base.concepts[name].body):
            self.definitions.append((slot, run))

    def pure(self, body: Expr) -> bool:
        """Say whether a definition depends on no policy, directly or through another concept."""
        known = {slot for slot, _ in self.definitions}
        for kind, name in uses(body, self.rulebase.families):
            if kind in ("policy", "applies", "decision", "amount"):
                return False
            if kind == "concept" and self.slot["concept", name] not in known:
                return False
        return True

    def run(self, facts: Mapping[str, Any]) -> State:
        """Evaluate all steps.

        facts: name -> value; under a closed world missing Booleans are false. Returns the values by slot.
        Raises InputError naming the fact, what was found and what was expected.
        """
        state: State = [None] * self.size
        known = 0
        for name, slot, boolean, read in self.intake:
            value = facts.get(name, MISSING)
            known += value is not MISSING
            state[slot] = value if boolean and (value is True or value is False) else read(value)
        if known != len(facts):
            unknown = sorted(set(facts) - set(self.rulebase.facts))
            raise InputError(
                f"{self.rulebase.name}: facts: found the unknown fact {unknown[0]!r}, expected declared ones"
            )
        for slot, run in self.steps:
            state[slot] = run(state)
        return state

    # ------------------------------------------------------------ policies and decision
    def policy(self, policy: Policy) -> Run:
        if policy.operator == "condition":
            assert policy.when is not None
            return self.compile(unroll(policy.when, self.rulebase), {})
        if policy.operator == "transform":
            assert policy.unless is not None
            base = self.slot["policy", policy.base]
            unless = self.compile(unroll(policy.unless, self.rulebase), {})
            return lambda s: s[base] or unless(s)
        if policy.operator == "compose":
            parts = [self.slot["policy", part] for part in policy.parts]
            if policy.mode == "all":
                return lambda s: all(s[part] for part in parts)
            return lambda s: any(s[part] for part in parts)
        assert policy.selector is not None
        select = self.compile(unroll(policy.selector, self.rulebase), {})
        branches = {closures.key(value): self.slot["policy", target] for value, target in policy.branches}
        return lambda s: s[branches[select(s)]]

    def applies(self, name: str) -> Run:
        own = self.slot["policy", name]
        kind = "applies" if self.rulebase.defeat == "grounded" else "policy"
        attackers = [self.slot[kind, winner] for _, winner in self.attackers[name]]
        if len(attackers) == 1:
            (only,) = attackers
            return lambda s: s[own] and not s[only]

        def run(s: State) -> bool:
            if not s[own]:
                return False
            return all(not s[attacker] for attacker in attackers)

        return run

    def decision(self) -> Run:
        base, decision = self.rulebase, self.rulebase.decision
        if decision.pick == "gates":
            flat = self.gates(decision.gates)
            values = decision.type.values

            def gates(s: State) -> str:
                worst = 0
                for mandatory, slot in flat(s):
                    if not s[slot]:
                        if mandatory:
                            return values[-1]
                        worst = 1
                return values[worst]

            return gates
        by_rule = sorted((p for p in base.policies.values() if p.consequence), key=lambda p: p.rule)
        slots = [(self.slot["applies", p.name], p.consequence) for p in by_rule]
        return closures.picker(base, slots, decision.pick, decision.order, decision.then, decision.otherwise)

    def gates(self, name: str) -> Callable[[State], list[tuple[bool, int]]]:
        """Return a function that lists (mandatory, slot) of the gates of a composition as the case selects them."""
        policy = self.rulebase.policies[name]
        if policy.gate:
            leaf = [(policy.gate == "mandatory", self.slot["policy", name])]
            return lambda s: leaf
        if policy.operator == "compose":
            parts = [self.gates(part) for part in policy.parts]
            return lambda s: [gate for part in parts for gate in part(s)]
        assert policy.selector is not None
        select = self.compile(unroll(policy.selector, self.rulebase), {})
        branches = {closures.key(value): self.gates(target) for value, target in policy.branches}
        return lambda s: branches[select(s)](s)

    # ------------------------------------------------------------ expressions
    def compile(self, expr: Expr, bound: Mapping[str, int]) -> Run:
        """Return a closure that computes an unrolled expression; `bound` maps variables to slots."""
        match expr:
            case Const():
                value = small(expr.value)
                return lambda s: value
            case Ref(kind="variable", name=name):
                return operator.itemgetter(bound[name])
            case Ref(kind=kind, name=name):
                return operator.itemgetter(self.slot[kind, name])
            case Field(record=Ref(name=variable), name=name):
                place = bound[variable]
                return lambda s: s[place][name]
            case PolicyTest(kind=kind, policy=name):
                return operator.itemgetter(self.slot["applies" if kind == "applies" else "policy", name])
            case Not():
                inner = self.compile(expr.arg, bound)
                return lambda s: not inner(s)
            case And() | Or():
                return closures.connective(isinstance(expr, And), [self.compile(arg, bound) for arg in expr.args])
            case Implies():
                left, right = self.compile(expr.left, bound), self.compile(expr.right, bound)
                return lambda s: not left(s) or right(s)
            case Compare():
                return self.compare(expr, bound)
            case Arith():
                return closures.arithmetic(expr.op, [self.compile(arg, bound) for arg in expr.args])
            case If():
                test, then = self.compile(expr.test, bound), self.compile(expr.then, bound)
                other = self.compile(expr.otherwise, bound)
                return lambda s: then(s) if test(s) else other(s)
            case Quant():
                return self.quantifier(expr, bound)
            case Lookup():
                return self.lookup(expr, bound)
        raise TypeError(f"cannot compile {expr!r}")

    def compare(self, expr: Compare, bound: Mapping[str, int]) -> Run:
        test = _COMPARE[expr.op]
        left = self.compile(expr.left, bound)
        if isinstance(expr.right, Const):
            constant = small(expr.right.value)
            if isinstance(expr.left, Ref) and expr.left.kind in ("fact", "concept"):
                place = self.slot[expr.left.kind, expr.left.name]
                return lambda s: test(s[place], constant)
            return lambda s: test(left(s), constant)
        right = self.compile(expr.right, bound)
        return lambda s: test(left(s), right(s))

    def quantifier(self, expr: Quant, bound: Mapping[str, int]) -> Run:
        records, place = self.slot["fact", expr.domain], self.fresh()
        body = self.compile(expr.body, {**bound, expr.variable: place})

        def values(s: State) -> list[Any]:
            result = []
            for record in s[records]:
                s[place] = record
                result.append(body(s))
            return result

        if expr.kind == "every":
            return lambda s: all(values(s))
        if expr.kind == "some":
            return lambda s: any(values(s))
        return lambda s: sum(values(s))

    def row(self, expr: Lookup, bound: Mapping[str, int]) -> Run:
        """Return a closure that gives the index of the row that the keys choose."""
        table = self.rulebase.tables[expr.table]
        keys = [self.compile(key, bound) for key in expr.keys]
        cells: list[Callable[[Any], Any]] = []
        for position in range(len(keys)):
            column = {row.keys[position] for row in table.rows}
            ranges = sorted((c for c in column if isinstance(c, tuple)), key=lambda c: c[0])
            cells.append(closures.ranges(ranges, table.name) if ranges else closures.key_text)
        index = {row.keys: number for number, row in enumerate(table.rows)}

        def run(s: State) -> int:
            return index[tuple([cell(key(s)) for cell, key in zip(cells, keys, strict=True)])]

        return run

    def lookup(self, expr: Lookup, bound: Mapping[str, int]) -> Run:
        row = self.row(expr, bound)
        count = len(self.rulebase.tables[expr.table].rows)
        values = [self.compile(unroll(row_value(self.rulebase, expr, i), self.rulebase), bound) for i in range(count)]
        return lambda s: values[row(s)](s)
