"""Equivalence of conditions, by SAT over canonical atoms: thresholds are ordered, enum values exclusive."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping
from datetime import date
from fractions import Fraction
from typing import Any

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
    Type,
)

Types = Mapping[str, Type]
_FLIP = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}


def polynomial(expr: Expr) -> Any:
    """Return a canonical, hashable form of an arithmetic expression: sums of products of keys, exact coefficients."""
    terms = _terms(expr)
    return tuple(sorted(((repr(key), key, value) for key, value in terms.items() if value), key=lambda item: item[0]))


def _terms(expr: Expr) -> dict[tuple[Any, ...], Fraction]:
    """Return {sorted tuple of factor keys: coefficient}; () is the constant term."""
    match expr:
        case Const(value=value) if isinstance(value, Fraction) and not isinstance(value, bool):
            return {(): value}
        case Arith(op="neg", args=(arg,)):
            return {key: -value for key, value in _terms(arg).items()}
        case Arith(op="+" | "-" as op, args=args):
            total = dict(_terms(args[0]))
            for arg in args[1:]:
                for key, value in _terms(arg).items():
                    total[key] = total.get(key, Fraction(0)) + (value if op == "+" else -value)
            return total
        case Arith(op="*", args=args):
            product: dict[tuple[Any, ...], Fraction] = {(): Fraction(1)}
            for arg in args:
                factor = _terms(arg)
                result: dict[tuple[Any, ...], Fraction] = {}
                for left, a in product.items():
                    for right, b in factor.items():
                        key = tuple(sorted((*left, *right), key=repr))
                        result[key] = result.get(key, Fraction(0)) + a * b
                product = result
            return product
    return {(canonical(expr),): Fraction(1)}


def canonical(expr: Expr) -> Any:
    """Return a hashable form that is equal for expressions that differ in order and arithmetic only."""
    match expr:
        case Const(value=value):
            return ("const", _plain(value))
        case Ref(name=name):
            return ("ref", name)
        case Field(record=record, name=name):
            return ("field", canonical(record), name)
        case Not(arg=arg):
            return ("not", canonical(arg))
        case And(args=args):
            return ("and", *sorted(map(canonical, args), key=repr))
        case Or(args=args):
            return ("or", *sorted(map(canonical, args), key=repr))
        case Implies(left=left, right=right):
            return ("or", *sorted((canonical(Not(left)), canonical(right)), key=repr))
        case Compare(op=op, left=left, right=right):
            return min(
                ("compare", op, _value(left), _value(right)),
                ("compare", _FLIP[op], _value(right), _value(left)),
                key=repr,
            )
        case Arith(op="min" | "max" as op, args=args):
            flat = [a for arg in args for a in (arg.args if isinstance(arg, Arith) and arg.op == op else (arg,))]
            return (op, *sorted(map(_value, flat), key=repr))
        case Arith(op="days_between" as op, args=args):
            return (op, *map(canonical, args))
        case Arith():
            return ("poly", polynomial(expr))
        case If(test=test, then=then, otherwise=otherwise):
            return ("if", canonical(test), _value(then), _value(otherwise))
        case Quant(kind=kind, variable=variable, domain=domain, over=over, body=body):
            return ("quant", kind, domain, over, canonical(_rename(body, variable)))
        case Lookup(table=table, keys=keys):
            return ("lookup", table, *map(canonical, keys))
        case PolicyTest(kind=kind, policy=policy, variable=variable):
            return ("policy", kind, policy, variable)


def _value(expr: Expr) -> Any:
    return ("poly", polynomial(expr)) if isinstance(expr, Arith | Const) else canonical(expr)


def _plain(value: Any) -> Any:
    return value if isinstance(value, bool | Fraction | str | date) else repr(value)


def _rename(expr: Expr, variable: str) -> Expr:
    """Rename a bound variable to `_`, so that its name does not matter."""
    from holmes.logic.language.walk import rebuild

    if isinstance(expr, Ref) and expr.name == variable and expr.kind == "variable":
        return Ref("_", "variable")
    if isinstance(expr, PolicyTest) and expr.variable and expr.policy == variable:
        return PolicyTest(expr.kind, "_", True)
    return rebuild(expr, lambda child: _rename(child, variable))


class _Encoder:
    """Tseitin encoding of conditions over canonical atoms."""

    def __init__(self, types: Types) -> None:
        self.types = types
        self.clauses: list[list[int]] = []
        self.atoms: dict[Any, int] = {}
        self.bounds: dict[Any, dict[tuple[Any, int], int]] = {}  # subject -> (value, 1 if <=) -> literal
        self.enums: dict[str, dict[str, int]] = {}
        self.count = 0

    def fresh(self) -> int:
        self.count += 1
        return self.count

    def atom(self, key: Any) -> int:
        if key not in self.atoms:
            self.atoms[key] = self.fresh()
        return self.atoms[key]

    def literal(self, expr: Expr) -> int:
        match expr:
            case Const(value=bool() as value):
                literal = self.atom(("true",))
                self.clauses.append([literal])
                return literal if value else -literal
            case Not(arg=arg):
                return -self.literal(arg)
            case And(args=args):
                return self.gate([self.literal(a) for a in args], 1)
            case Or(args=args):
                return self.gate([self.literal(a) for a in args], -1)
            case Implies(left=left, right=right):
                return self.gate([-self.literal(left), self.literal(right)], -1)
            case If(test=test, then=then, otherwise=otherwise):
                return self.literal(Or((And((test, then)), And((Not(test), otherwise)))))
            case Compare():
                return self.compare(expr)
        return self.atom(canonical(expr))

    def gate(self, inner: list[int], sign: int) -> int:
        """Return a literal for the conjunction (sign 1) or the disjunction (sign -1) of literals."""
        out = self.fresh()
        for literal in inner:
            self.clauses.append([-sign * out, sign * literal])
        self.clauses.append([sign * out, *(-sign * literal for literal in inner)])
        return out

    def compare(self, expr: Compare) -> int:
        left, right, op = expr.left, expr.right, expr.op
        if isinstance(left, Const) and not isinstance(right, Const):
            left, right, op = right, left, _FLIP[op]
        if op == "!=":
            return -self.compare(Compare("==", left, right))
        if isinstance(left, Ref) and isinstance(right, Const) and isinstance(right.value, str):
            values = self.enums.setdefault(left.name, {})
            if right.value not in values:
                values[right.value] = self.fresh()
            return values[right.value]
        if op == "==" and any(_is_bool(side, self.types) for side in (left, right)):
            a, b = self.literal(left), self.literal(right)
            return self.gate([self.gate([a, b], 1), self.gate([-a, -b], 1)], -1)
        if isinstance(right, Const) and isinstance(right.value, date):
            return self.order(canonical(left), op, Fraction(right.value.toordinal()), True)
        difference = polynomial(Arith("-", (left, right)))
        constant = sum((value for _, key, value in difference if key == ()), Fraction(0))
        rest = [(text, key, value) for text, key, value in difference if key != ()]
        if not rest:
            return self.literal(Const(_holds(constant, op), Type("bool")))
        lead = rest[0][2]
        subject = tuple((key, value / lead) for _, key, value in rest)
        return self.order(subject, op if lead > 0 else _FLIP[op], -constant / lead, _whole(subject, self.types))

    def order(self, subject: Any, op: str, value: Fraction, whole: bool) -> int:
        if op == "==":
            at_most, below = self.order(subject, "<=", value, whole), self.order(subject, "<", value, whole)
            return self.gate([at_most, -below], 1)
        if op in (">", ">="):
            return -self.order(subject, "<=" if op == ">" else "<", value, whole)
        strict = op == "<"
        if whole:
            value, strict = Fraction(math.ceil(value) if strict else math.floor(value) + 1), True
        key = (value, 0 if strict else 1)
        cuts = self.bounds.setdefault(subject, {})
        if key not in cuts:
            cuts[key] = self.fresh()
        return cuts[key]

    def theory(self) -> Iterator[list[int]]:
        """Yield the clauses that order the thresholds of a number and make the values of an enum exclusive."""
        for subject, cuts in list(self.bounds.items()):
            if len(subject) == 1 and isinstance(subject, tuple) and isinstance(subject[0], tuple):
                key, _ = subject[0]
                self.limits(key, subject)
            ordered = sorted(cuts)
            for low, high in itertools.pairwise(ordered):
                yield [-cuts[low], cuts[high]]
        for name, values in self.enums.items():
            known = list(values.values())
            for i, a in enumerate(known):
                for b in known[i + 1 :]:
                    yield [-a, -b]
            if name in self.types and set(self.types[name].values) <= set(values):
                yield known

    def limits(self, key: tuple[Any, ...], subject: Any) -> None:
        name = key[0][1] if len(key) == 1 and key[0][0] == "ref" else ""
        kind = self.types.get(name)
        if kind is None or kind.kind not in ("int", "money"):
            return
        if kind.low is not None:
            self.clauses.append([-self.order(subject, "<", kind.low, kind.kind == "int")])
        if kind.high is not None:
            self.clauses.append([self.order(subject, "<=", kind.high, kind.kind == "int")])


def _holds(constant: Fraction, op: str) -> bool:
    return {"<": constant < 0, "<=": constant <= 0, ">": constant > 0, ">=": constant >= 0, "==": constant == 0}[op]


def _is_bool(expr: Expr, types: Types) -> bool:
    if isinstance(expr, Ref):
        return expr.name in types and types[expr.name].kind == "bool"
    return isinstance(expr, Not | And | Or | Implies) or (isinstance(expr, Const) and isinstance(expr.value, bool))


def _whole(subject: Any, types: Types) -> bool:
    """Tell whether a sum can only be whole: whole coefficients, all factors whole numbers."""
    for key, value in subject:
        if value.denominator != 1:
            return False
        for factor in key:
            if factor[0] != "ref" or factor[1] not in types or types[factor[1]].kind != "int":
                return False
    return True


def satisfiable(expr: Expr, types: Types) -> bool:
    """Tell whether some assignment makes a condition true.

    expr: Boolean; facts and concepts are free. types: of the names in it (ranges and enum values are respected).
    """
    from pysat.solvers import Solver

    encoder = _Encoder(types)
    root = encoder.literal(expr)
    theory = list(encoder.theory())
    clauses = [*encoder.clauses, *theory, [root]]
    with Solver(name="minisat22", bootstrap_with=clauses) as solver:
        return bool(solver.solve())


def equivalent(left: Expr, right: Expr, types: Types) -> bool:
    """Tell whether two conditions agree on every assignment of facts and concepts."""
    return not satisfiable(And((left, Not(right))), types) and not satisfiable(And((right, Not(left))), types)


def same_number(left: Expr, right: Expr) -> bool:
    """Tell whether two arithmetic expressions have one canonical form."""
    return bool(_value(left) == _value(right))
