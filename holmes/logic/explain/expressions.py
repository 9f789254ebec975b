"""The nodes of expressions in an explanation graph: facts, connectives, comparisons, arithmetic, lists, tables."""

from __future__ import annotations

import abc
import functools
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from holmes.logic.engine.compile import Program
from holmes.logic.engine.evaluate import exact
from holmes.logic.engine.rewrite import row_value, unroll
from holmes.logic.explain.graph import LEAF, Alternatives, Label, text_of
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
    PolicyTest,
    Quant,
    Ref,
    Value,
)
from holmes.logic.language.walk import rebuild, walk

Bound = Mapping[str, tuple[str, int]]  # variable -> (list fact, place of the record from 0)


@functools.lru_cache(maxsize=64)
def _bodies(program: Program) -> tuple[dict[str, Expr], dict[Expr, Expr], frozenset[int], dict[tuple[int, int], Expr]]:
    """Return the unrolled conditions by name, equal parts made one object; these parts by value, and their ids.

    Last the values of table rows, by the id of what looks them up and the row.
    """
    shared: dict[Expr, Expr] = {}

    def share(expr: Expr) -> Expr:
        if expr not in shared:
            shared[expr] = rebuild(expr, share)
        return shared[expr]

    base = program.rulebase
    bodies = {name: share(unroll(concept.body, base)) for name, concept in base.concepts.items()}
    for name, policy in base.policies.items():
        conditions = {"policy": policy.when, "unless": policy.unless, "selector": policy.selector}
        bodies |= {f"{kind} {name}": share(unroll(e, base)) for kind, e in conditions.items() if e is not None}
    if base.amount is not None:
        bodies["amount"] = share(unroll(base.amount.value, base))
    waiting, rows = list(shared.values()), dict[tuple[int, int], Expr]()
    for expr in waiting:  # grows: the value of a row may look up another table
        if isinstance(expr, Lookup):
            before = len(shared)
            for place in range(len(base.tables[expr.table].rows)):
                rows[id(expr), place] = share(unroll(row_value(base, expr, place), base))
            waiting += list(shared.values())[before:]
    return bodies, shared, frozenset(map(id, shared.values())), rows


class Expressions(abc.ABC):
    """Nodes of one evaluated case, each made once; what rules make of expressions is left to the subclass."""

    def __init__(self, program: Program, facts: Mapping[str, Any]) -> None:
        self.program, self.base = program, program.rulebase
        self.state = program.run(facts)
        self.nodes: dict[Any, int] = {}
        self.alternatives: list[Alternatives] = []
        self.labels: list[Label | None] = []
        self.values: list[Value | None] = []
        self.bodies, self.shared, self.ids, self.rows = _bodies(program)

    # ------------------------------------------------------------ nodes
    def add(self, key: Any, alternatives: Alternatives, value: Value | None, label: Label | None = None) -> int:
        node = self.nodes[key] = len(self.alternatives)
        if len(alternatives) > 1 or (alternatives and len(alternatives[0]) > 1):
            alternatives = tuple(dict.fromkeys(tuple(dict.fromkeys(a)) for a in alternatives))
        self.alternatives.append(alternatives)
        self.labels.append(label)
        self.values.append(value)
        return node

    def kept(self, kind: str, name: str) -> Any:
        return exact(self.state[self.program.slot[kind, name]])

    def fact(self, name: str) -> int:
        key = ("fact", name)
        if key in self.nodes:
            return self.nodes[key]
        value = self.kept("fact", name)
        shown = str(len(value)) if isinstance(value, tuple) else text_of(value)
        return self.add(key, LEAF, value, Label("fact", 0, name, "", shown))

    def field(self, source: str, place: int, name: str) -> int:
        key = ("field", source, place, name)
        if key in self.nodes:
            return self.nodes[key]
        value = exact(self.state[self.program.slot["fact", source]][place][name])
        return self.add(key, LEAF, value, Label("fact", 0, f"{source}[{place + 1}].{name}", "", text_of(value)))

    @abc.abstractmethod
    def concept(self, name: str) -> int:
        """Return the node of a concept."""

    @abc.abstractmethod
    def triggered(self, name: str) -> int:
        """Return the node of a policy being triggered or passing."""

    @abc.abstractmethod
    def applies(self, name: str) -> int:
        """Return the node of a policy applying."""

    @abc.abstractmethod
    def decision(self) -> int:
        """Return the node of the answer."""

    # ------------------------------------------------------------ expressions
    def some(self, nodes: tuple[int, ...], value: bool) -> Alternatives:
        return tuple((n,) for n in nodes if self.values[n]) if value else (nodes,)

    def every(self, nodes: tuple[int, ...], value: bool) -> Alternatives:
        return (nodes,) if value else tuple((n,) for n in nodes if not self.values[n])

    def expr(self, expr: Expr, bound: Bound) -> int:
        """Return the node of an unrolled expression."""
        match expr:
            case Ref(kind="fact", name=name):
                return self.fact(name)
            case Ref(kind="concept", name=name):
                return self.concept(name)
            case Ref(kind="decision"):
                return self.decision()
            case Field(record=Ref(name=variable), name=name):
                return self.field(*bound[variable], name)
            case PolicyTest(kind=kind, policy=name):
                return self.applies(name) if kind == "applies" else self.triggered(name)
        key: Any
        if bound:
            free = {part.name for part in walk(expr) if isinstance(part, Ref) and part.kind == "variable"}
            key = ("expr", expr, tuple(sorted((v, place) for v, place in bound.items() if v in free)))
        elif id(expr) in self.ids:
            key = id(expr)  # equal parts of conditions are one object
        else:
            key = id(self.shared[expr]) if expr in self.shared else ("expr", expr, ())
        if key in self.nodes:
            return self.nodes[key]
        alternatives, value, label = self.compound(expr, bound)
        return self.add(key, alternatives, value, label)

    def compound(self, expr: Expr, bound: Bound) -> tuple[Alternatives, Value, Label | None]:
        def strict(*parts: Expr) -> tuple[tuple[int, ...], list[Any]]:
            nodes = tuple(self.expr(part, bound) for part in parts)
            return nodes, [self.values[node] for node in nodes]

        match expr:
            case Const():
                return LEAF, expr.value, None
            case Not():
                nodes, (inner,) = strict(expr.arg)
                return (nodes,), not inner, None
            case And():
                nodes, values = strict(*expr.args)
                return self.every(nodes, all(values)), all(values), None
            case Or():
                nodes, values = strict(*expr.args)
                return self.some(nodes, any(values)), any(values), None
            case Implies():
                nodes, (left, right) = strict(expr.left, expr.right)
                reasons = [(nodes[0],)] if not left else []
                reasons += [(nodes[1],)] if right else []
                return tuple(reasons) or (nodes,), not left or bool(right), None
            case Compare(op=op):
                nodes, (left, right) = strict(expr.left, expr.right)
                return (nodes,), _compare(op, left, right), None
            case Arith(op=op):
                nodes, values = strict(*expr.args)
                return (nodes,), _arithmetic(op, values), None
            case If():
                test = self.expr(expr.test, bound)
                chosen = self.expr(expr.then if self.values[test] else expr.otherwise, bound)
                value = self.values[chosen]
                assert value is not None
                return ((test, chosen),), value, None
            case Quant():
                return (*self.quantifier(expr, bound), None)
            case Lookup():
                return self.lookup(expr, bound)
        raise TypeError(f"cannot explain {expr!r}")

    def quantifier(self, expr: Quant, bound: Bound) -> tuple[Alternatives, Value]:
        size = len(self.state[self.program.slot["fact", expr.domain]])
        nodes = tuple(self.expr(expr.body, {**bound, expr.variable: (expr.domain, i)}) for i in range(size))
        if not nodes:  # the one reason is that the list is empty
            value: Value = expr.kind == "every" if expr.kind in ("every", "some") else Fraction(0)
            return ((self.fact(expr.domain),),), value
        values: list[Any] = [self.values[node] for node in nodes]
        if expr.kind == "every":
            return self.every(nodes, all(values)), all(values)
        if expr.kind == "some":
            return self.some(nodes, any(values)), any(values)
        return (nodes,), Fraction(sum(values))

    def lookup(self, expr: Lookup, bound: Bound) -> tuple[Alternatives, Value, Label]:
        table = self.base.tables[expr.table]
        keys = tuple(self.expr(key, bound) for key in expr.keys)
        values = [self.values[key] for key in keys]
        row = next(i for i, r in enumerate(table.rows) if all(map(_in_cell, r.keys, values)))
        inner = self.rows.get((id(expr), row))
        result = self.expr(inner or unroll(row_value(self.base, expr, row), self.base), bound)
        value = self.values[result]
        assert value is not None
        shown = ",".join(text_of(v) for v in values)  # type: ignore[arg-type]
        label = Label("table", table.rule, f"{table.name}[{shown}]", "", text_of(value))
        return ((*keys, result),), value, label


def _in_cell(cell: str | tuple[Fraction, Fraction | None], value: Any) -> bool:
    if isinstance(cell, str):
        return text_of(value) == cell
    return bool(cell[0] <= value and (cell[1] is None or value < cell[1]))


def _compare(op: str, left: Any, right: Any) -> bool:
    result = {
        "==": lambda: left == right,
        "!=": lambda: left != right,
        "<": lambda: left < right,
        "<=": lambda: left <= right,
        ">": lambda: left > right,
        ">=": lambda: left >= right,
    }[op]()
    return bool(result)


def _arithmetic(op: str, values: list[Any]) -> Fraction:
    if op == "neg":
        return Fraction(-values[0])
    if op == "days_between":
        return Fraction((values[1] - values[0]).days)
    if op in ("min", "max"):
        return Fraction(min(values) if op == "min" else max(values))
    result = Fraction(values[0])
    for value in values[1:]:
        result = result + value if op == "+" else result - value if op == "-" else result * value
    return result
