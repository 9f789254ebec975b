"""Expressions of a rule base -> terms: numbers become whole by a denominator that is known for every expression."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from math import lcm

from holmes.errors import InputError
from holmes.formal.ir import (
    FALSE,
    TRUE,
    Binder,
    Name,
    Named,
    Number,
    Op,
    Term,
    at_most,
    call,
    cases,
    conjoin,
    disjoin,
    equal,
    negate,
)
from holmes.formal.vocabulary import Vocabulary, unit_of
from holmes.logic.engine.rewrite import row_value
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
    RuleBase,
    Type,
)

Scaled = tuple[Term, int]
"""A whole number and its denominator: the value is their quotient."""
Bound = Mapping[str, str]
"""Bound variable -> the list fact over whose records it runs."""
NUMERIC = ("int", "money", "date")


class Expressions:
    """Translates the expressions of one rule base.

    scales: concept -> denominator of its value; filled as concepts are defined. known: (kind, name) -> the term of a
    concept, decision, amount or policy test.
    """

    def __init__(self, words: Vocabulary, known: Callable[[str, str], Term], scales: dict[str, int]) -> None:
        self.words, self.known, self.scales = words, known, scales
        self.base: RuleBase = words.base

    def refuse(self, expr: object, expected: str) -> InputError:
        """Return the error for an expression that has no formal counterpart."""
        return InputError(f"{self.base.name}: formal: found {expr!r:.80}, expected {expected}")

    # ------------------------------------------------------------ types
    def type_of(self, expr: Expr, bound: Bound) -> Type | None:
        """Return the type of an expression; None for a literal whose type the other side gives."""
        match expr:
            case Const(value=value):
                if isinstance(value, bool):
                    return Type("bool")
                return Type("int") if isinstance(value, Fraction) else None if isinstance(value, str) else Type("date")
            case Ref(kind="fact", name=name):
                return self.base.facts[name].type
            case Ref(kind="concept", name=name):
                return self.base.concepts[name].type
            case Ref(kind="decision"):
                return self.base.decision.type
            case Ref(kind="amount"):
                return Type("money")
            case Field(record=Ref(name=variable), name=name):
                return dict(self.base.facts[bound[variable]].type.fields)[name]
            case If(then=then, otherwise=otherwise):
                return self.type_of(then, bound) or self.type_of(otherwise, bound)
            case Lookup(table=table):
                return self.base.tables[table].type
            case Arith():
                return Type("int")
            case Quant(kind="count" | "sum"):
                return Type("int")
            case PolicyTest(kind="consequence"):
                return self.base.decision.type
            case _:
                return Type("bool")

    def term(self, expr: Expr, type_: Type, bound: Bound, owner: str = "") -> Scaled:
        """Return the term of an expression of a type, with its denominator (1 where it is no number)."""
        if type_.kind == "bool":
            return self.truth(expr, bound), 1
        if type_.kind == "enum":
            return self.value(expr, type_, bound, owner), 1
        return self.number(expr, bound)

    # ------------------------------------------------------------ truth values
    def truth(self, expr: Expr, bound: Bound) -> Term:
        """Return the term of a condition."""
        match expr:
            case Const(value=value):
                return TRUE if value else FALSE
            case Not(arg=arg):
                return negate(self.truth(arg, bound))
            case And(args=args):
                return conjoin([self.truth(arg, bound) for arg in args])
            case Or(args=args):
                return disjoin([self.truth(arg, bound) for arg in args])
            case Implies(left=left, right=right):
                return Op("imp", (self.truth(left, bound), self.truth(right, bound)))
            case If(test=test, then=then, otherwise=otherwise):
                return Op("if", (self.truth(test, bound), self.truth(then, bound), self.truth(otherwise, bound)))
            case Compare():
                return self.comparison(expr, bound)
            case Quant(kind="every" | "some" as kind, over="list", variable=variable, domain=domain, body=body):
                inner = self.truth(body, {**bound, variable: domain})
                return call(f"h_{kind}", self._over(variable, domain, inner), self.words.fact_term(domain))
            case PolicyTest(kind=kind, policy=name) if kind != "consequence":
                return self.known("applies" if kind == "applies" else "policy", name)
            case _:
                return self._plain(expr, bound)

    def _over(self, variable: str, domain: str, body: Term) -> Term:
        return Binder("fun", f"r_{variable}", Named(self.words.records[domain].name), body)

    def comparison(self, expr: Compare, bound: Bound) -> Term:
        """Return the term of a comparison; over numbers all but equality are put in terms of <=."""
        type_ = self.type_of(expr.left, bound) or self.type_of(expr.right, bound)
        if type_ is None:
            same = expr.left == expr.right
            return TRUE if same is (expr.op == "==") else FALSE
        if type_.kind == "bool":
            both = Op("iff", (self.truth(expr.left, bound), self.truth(expr.right, bound)))
            return both if expr.op == "==" else negate(both)
        if type_.kind == "enum":
            same_value = equal(self.value(expr.left, type_, bound), self.value(expr.right, type_, bound))
            return same_value if expr.op == "==" else negate(same_value)
        if type_.kind not in NUMERIC:
            raise self.refuse(expr, "a comparison of truth values, numbers, dates or enumerated values")
        left, right = self.common([self.number(expr.left, bound), self.number(expr.right, bound)])[0]
        match expr.op:
            case "==":
                return equal(left, right)
            case "!=":
                return negate(equal(left, right))
            case ">=":
                return at_most(right, left)
            case "<":
                return negate(at_most(right, left))
            case "<=":  # x <= 3 is no 4 <= x: thresholds of one number then have one shape
                return (
                    negate(at_most(Number(right.value + 1), left))
                    if isinstance(right, Number)
                    else at_most(left, right)
                )
            case _:
                return (
                    at_most(Number(right.value + 1), left)
                    if isinstance(right, Number)
                    else negate(at_most(left, right))
                )

    # ------------------------------------------------------------ enumerated values
    def value(self, expr: Expr, type_: Type, bound: Bound, owner: str = "") -> Term:
        """Return the term of an expression with values of an enumeration."""
        _, known = self.words.enum(type_.values, owner or "value")
        match expr:
            case Const(value=value):
                if value not in known:
                    raise self.refuse(value, f"one of {', '.join(known)}")
                return Name(known[str(value)])
            case If(test=test, then=then, otherwise=otherwise):
                return Op(
                    "if", (self.truth(test, bound), self.value(then, type_, bound), self.value(otherwise, type_, bound))
                )
            case Lookup():
                return self.lookup(expr, type_, bound)[0]
            case _:
                found = self.type_of(expr, bound)
                if found is not None and found.values != type_.values:
                    raise self.refuse(expr, f"a value of {', '.join(type_.values)}")
                return self._plain(expr, bound)

    def _plain(self, expr: Expr, bound: Bound) -> Term:
        match expr:
            case Ref(kind="fact", name=name):
                return self.words.fact_term(name)
            case Ref(kind="concept" | "decision" | "amount" as kind, name=name):
                return self.known(kind, name)
            case Field(record=Ref(name=variable), name=name):
                selectors = self.words.records[bound[variable]].selectors
                if name not in selectors:
                    raise self.refuse(name, "a field that is no name")
                return call(selectors[name], Name(f"r_{variable}"))
            case _:
                raise self.refuse(expr, "an expression with a formal counterpart")

    # ------------------------------------------------------------ numbers
    def common(self, numbers: list[Scaled]) -> tuple[list[Term], int]:
        """Return the numbers over one denominator, and that denominator."""
        whole = lcm(*(scale for _, scale in numbers))
        return [_times(term, whole // scale) for term, scale in numbers], whole

    def number(self, expr: Expr, bound: Bound) -> Scaled:
        """Return the term of a number or date, with its denominator."""
        match expr:
            case Const(value=Fraction() as value):
                return Number(value.numerator), value.denominator
            case Const(value=value) if hasattr(value, "toordinal"):
                return Number(value.toordinal()), 1  # type: ignore[union-attr]
            case Ref(kind="fact", name=name):
                return self.words.fact_term(name), unit_of(self.base.facts[name].type)
            case Ref(kind="concept", name=name):
                return self.known("concept", name), self.scales[name]
            case Ref(kind="amount"):
                return self.known("amount", "amount"), self.scales["amount"]
            case Field():
                type_ = self.type_of(expr, bound)
                assert type_ is not None
                return self._plain(expr, bound), unit_of(type_)
            case If(test=test, then=then, otherwise=otherwise):
                (first, second), scale = self.common([self.number(then, bound), self.number(otherwise, bound)])
                return Op("if", (self.truth(test, bound), first, second)), scale
            case Lookup(table=table):
                return self.lookup(expr, self.base.tables[table].type, bound)
            case Quant(kind="count" | "sum" as kind, over="list", variable=variable, domain=domain, body=body):
                inner = {**bound, variable: domain}
                if kind == "count":
                    summed, scale = Op("if", (self.truth(body, inner), Number(1), Number(0))), 1
                else:
                    summed, scale = self.number(body, inner)  # type: ignore[assignment]
                return call("h_total", self._over(variable, domain, summed), self.words.fact_term(domain)), scale
            case Arith(op=op, args=args):
                return self.arithmetic(op, [self.number(arg, bound) for arg in args])
            case _:
                raise self.refuse(expr, "a number")

    def arithmetic(self, op: str, numbers: list[Scaled]) -> Scaled:
        """Return the term of an operation on numbers."""
        if op == "*":
            found, scale = numbers[0]
            for term, other in numbers[1:]:
                found, scale = _product(found, term), scale * other
            return found, scale
        terms, scale = self.common(numbers)
        if op == "neg":
            return Op("neg", (terms[0],)), scale
        if op == "days_between":
            return Op("sub", (terms[1], terms[0])), scale
        found = terms[0]
        for term in terms[1:]:
            match op:
                case "+" | "-":
                    found = Op("add" if op == "+" else "sub", (found, term))
                case _:
                    found = call("h_greatest" if op == "max" else "h_least", found, term)
        return found, scale

    # ------------------------------------------------------------ tables
    def lookup(self, expr: Lookup, type_: Type, bound: Bound) -> Scaled:
        """Return the term of a look-up: row by row, and undefined where no row fits."""
        table = self.base.tables[expr.table]
        tests = [self._row(table.name, row.keys, expr.keys, table.keys, bound) for row in table.rows]
        values = [self.term(row_value(self.base, expr, place), type_, bound, table.name) for place in range(len(tests))]
        terms, scale = self.common(values) if type_.kind in NUMERIC else ([term for term, _ in values], 1)
        last = terms[-1] if all(isinstance(part, str) for row in table.rows for part in row.keys) else None
        if last is not None:  # the rows are all combinations of values: the last one is what is left
            return cases(zip(tests[:-1], terms[:-1], strict=True), last), scale
        return cases(zip(tests, terms, strict=True), Op("undefined")), scale

    def _row(
        self,
        table: str,
        cells: tuple[object, ...],
        keys: tuple[Expr, ...],
        declared: tuple[Expr, ...],
        bound: Bound,
    ) -> Term:
        found: list[Term] = []
        for cell, key, known in zip(cells, keys, declared, strict=True):
            type_ = self.type_of(key, bound) or self.type_of(known, bound)
            if isinstance(cell, tuple):
                low, high = cell
                found.append(self.comparison(Compare(">=", key, Const(low, Type("int"))), bound))
                if high is not None:
                    found.append(self.comparison(Compare("<", key, Const(high, Type("int"))), bound))
            elif type_ is not None and type_.kind == "bool":
                truth = self.truth(key, bound)
                found.append(truth if cell == "true" else negate(truth))
            elif type_ is not None and type_.kind == "enum":
                found.append(
                    equal(self.value(key, type_, bound), Name(self.words.enum(type_.values, table)[1][str(cell)]))
                )
            else:
                raise self.refuse(key, "a key with values or ranges")
        return conjoin(found)


def _times(term: Term, factor: int) -> Term:
    return _product(Number(factor), term)


def _product(left: Term, right: Term) -> Term:
    if isinstance(left, Number) and isinstance(right, Number):
        return Number(left.value * right.value)
    if left == Number(1):
        return right
    if right == Number(1):
        return left
    return Op("mul", (left, right))
