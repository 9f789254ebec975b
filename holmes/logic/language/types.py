"""The type checker: Booleans, enums, dates, counts and money are kept apart; money times money is no amount."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import date
from fractions import Fraction

from holmes.logic.language.draft import Draft
from holmes.logic.language.model import (
    BOOL,
    INT,
    MONEY,
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
from holmes.logic.language.problems import Problem
from holmes.logic.language.unparse import unparse

PLAIN = Type("number")  # a number made of literals: takes the unit of what it is added to or compared with
UNKNOWN = Type("")  # already reported
NUMBERS = ("int", "money", "number")


@dataclass(frozen=True, slots=True)
class Context:
    """Types of what an expression may name: facts, concepts, tables, the decision, bound variables."""

    facts: Mapping[str, Type]
    concepts: Mapping[str, Type]
    tables: Mapping[str, Type]
    keys: Mapping[str, tuple[Type, ...]]
    decision: Type
    consequence: Type
    amount: Type = MONEY


class Checker:
    """Computes the type of an expression and reports each clash once."""

    def __init__(self, context: Context, report: Callable[[str, str], None]) -> None:
        self.context, self.report = context, report

    def fail(self, expr: Expr, type_: Type, expected: str) -> Type:
        if type_ != UNKNOWN:
            self.report(f"`{unparse(expr)}`, which is {name_of(type_)}", expected)
        return UNKNOWN

    def bool(self, expr: Expr, bound: Mapping[str, Type]) -> None:
        type_ = self.type(expr, bound)
        if type_.kind != "bool":
            self.fail(expr, type_, "a condition (bool)")

    def number(self, expr: Expr, bound: Mapping[str, Type]) -> Type:
        type_ = self.type(expr, bound)
        if type_.kind not in NUMBERS:
            self.fail(expr, type_, "a number")
            return UNKNOWN
        return Type(type_.kind)

    def same(self, expr: Expr, types: list[Type]) -> Type:
        """Unify the units of operands that are added, compared or chosen between."""
        result = PLAIN
        for type_ in types:
            if UNKNOWN in (type_, result):
                result = UNKNOWN
            elif result.kind == "number":
                result = type_
            elif type_.kind not in ("number", result.kind):
                self.report(f"{name_of(result)} with {name_of(type_)} in `{unparse(expr)}`", "numbers of one unit")
                return UNKNOWN
        return result

    def type(self, expr: Expr, bound: Mapping[str, Type]) -> Type:
        """Return the type; UNKNOWN after a fault."""
        match expr:
            case Const(value=bool()):
                return BOOL
            case Const(value=Fraction()):
                return PLAIN
            case Const(value=date()):
                return Type("date")
            case Const():
                return expr.type
            case Ref(kind="fact", name=name):
                return self.context.facts[name]
            case Ref(kind="concept", name=name):
                return self.context.concepts.get(name, UNKNOWN)
            case Ref(kind="decision"):
                return self.context.decision
            case Ref(kind="amount"):
                return self.context.amount
            case Ref():
                return self.fail(expr, Type("record"), "a field of it") if expr.kind == "variable" else UNKNOWN
            case Field(record=Ref(name=variable), name=name) if variable in bound:
                fields = dict(bound[variable].fields)
                if name not in fields:
                    self.report(f"the unknown field {name!r} of {variable!r}", f"one of {', '.join(fields)}")
                return fields.get(name, UNKNOWN)
            case Field():
                return UNKNOWN
            case Not():
                self.bool(expr.arg, bound)
                return BOOL
            case And() | Or():
                for arg in expr.args:
                    self.bool(arg, bound)
                return BOOL
            case Implies():
                self.bool(expr.left, bound)
                self.bool(expr.right, bound)
                return BOOL
            case Compare():
                return self.compare(expr, bound)
            case Arith():
                return self.arith(expr, bound)
            case If():
                self.bool(expr.test, bound)
                return self.branches(expr, bound)
            case Quant():
                return self.quantifier(expr, bound)
            case Lookup():
                return self.lookup(expr, bound)
            case PolicyTest(kind="consequence"):
                return self.context.consequence
            case PolicyTest():
                return BOOL

    def compare(self, expr: Compare, bound: Mapping[str, Type]) -> Type:
        left, right = self.type(expr.left, bound), self.type(expr.right, bound)
        if UNKNOWN in (left, right):
            return BOOL
        kinds = {left.kind, right.kind}
        if kinds <= set(NUMBERS):
            self.same(expr, [Type(left.kind), Type(right.kind)])
        elif len(kinds) > 1:
            self.report(f"{name_of(left)} {expr.op} {name_of(right)} in `{unparse(expr)}`", "two values of one type")
        elif kinds == {"list"} or kinds == {"record"}:
            self.report(f"a comparison of lists in `{unparse(expr)}`", "every, some or count over a list")
        elif kinds != {"date"} and expr.op not in ("==", "!="):
            self.report(f"{expr.op} between {name_of(left)}s in `{unparse(expr)}`", "== or !=")
        elif kinds == {"enum"}:
            constants = [e for e in (expr.left, expr.right) if isinstance(e, Const)]
            if len(constants) != 1 and not any(isinstance(e, PolicyTest) for e in (expr.left, expr.right)):
                self.report(f"a comparison of two enums in `{unparse(expr)}`", "an enum and one of its values")
            elif constants:
                other = right if expr.left is constants[0] else left
                if constants[0].value not in other.values:
                    self.report(
                        f"the value {constants[0].value!r} in `{unparse(expr)}`", f"one of {', '.join(other.values)}"
                    )
        return BOOL

    def arith(self, expr: Arith, bound: Mapping[str, Type]) -> Type:
        if expr.op == "days_between":
            for arg in expr.args:
                type_ = self.type(arg, bound)
                if type_.kind != "date":
                    self.fail(arg, type_, "a date")
            return INT
        types = [self.number(arg, bound) for arg in expr.args]
        if expr.op != "*":
            return self.same(expr, types)
        if UNKNOWN in types:
            return UNKNOWN
        if [t.kind for t in types].count("money") > 1:
            self.report(f"money times money in `{unparse(expr)}`", "money times a count or a share")
            return UNKNOWN
        kinds = {t.kind for t in types}
        return MONEY if "money" in kinds else INT if kinds == {"int"} else PLAIN

    def branches(self, expr: If, bound: Mapping[str, Type]) -> Type:
        then, other = self.type(expr.then, bound), self.type(expr.otherwise, bound)
        if then.kind in NUMBERS and other.kind in NUMBERS:
            return self.same(expr, [Type(then.kind), Type(other.kind)])
        if UNKNOWN not in (then, other) and then.kind != other.kind:
            self.report(f"{name_of(then)} or {name_of(other)} in `{unparse(expr)}`", "branches of one type")
            return UNKNOWN
        return then

    def quantifier(self, expr: Quant, bound: Mapping[str, Type]) -> Type:
        inner = {**bound, expr.variable: self.context.facts.get(expr.domain, UNKNOWN)} if expr.over == "list" else bound
        if expr.kind == "sum":
            return self.number(expr.body, inner)
        self.bool(expr.body, inner)
        return INT if expr.kind == "count" else BOOL

    def lookup(self, expr: Lookup, bound: Mapping[str, Type]) -> Type:
        keys = self.context.keys.get(expr.table, ())
        if len(keys) != len(expr.keys):
            self.report(f"{len(expr.keys)} keys in `{unparse(expr)}`", f"{len(keys)} keys")
        for key, declared in zip(expr.keys, keys, strict=False):
            type_ = self.type(key, bound)
            if declared.kind in NUMBERS and type_.kind in NUMBERS:
                self.same(expr, [Type(declared.kind), Type(type_.kind)])
            elif declared.kind == "enum" and isinstance(key, Const):
                if key.value not in declared.values:
                    self.report(f"the key {key.value!r}", f"one of {', '.join(declared.values)}")
            elif (type_.kind, type_.values) != (declared.kind, declared.values):
                self.fail(key, type_, f"a key that is {name_of(declared)}")
        return self.context.tables.get(expr.table, UNKNOWN)


def name_of(type_: Type) -> str:
    """Return the name of a type with its article."""
    kind = {"int": "a count (int)", "bool": "a bool", "enum": "an enum", "number": "a plain number"}
    return kind.get(type_.kind, type_.kind if type_.kind == "money" else f"a {type_.kind}")


def settle(declared: Type, found: Type) -> Type:
    """Return the type a definition gets: the declared one, else the found one (plain numbers count)."""
    return declared if declared.kind else INT if found.kind == "number" else found


def check_types(draft: Draft, order: list[tuple[str, str]]) -> None:
    """Check all expressions, definitions before uses, and fill in the types that were left out.

    order: (``concept`` | ``table``, name) in dependency order.
    """
    concepts: dict[str, Type] = {n: c.type for n, c in draft.concepts.items() if c.type.kind}
    tables: dict[str, Type] = {}
    keys: dict[str, tuple[Type, ...]] = {}
    decision = draft.decision.type if draft.decision else UNKNOWN
    answer = Type("list") if draft.decision and draft.decision.pick == "all" else decision
    context = Context({n: f.type for n, f in draft.facts.items()}, concepts, tables, keys, answer, decision)

    def checker(section: str, name: str, field: str, rule: int) -> Checker:
        lines = draft.lines
        line = lines.get((section, name, field)) or lines.get((section, name, ""), 0)

        def report(found: str, expected: str) -> None:
            who = str(rule) if rule else name or section
            draft.problems.append(Problem(draft.file, line, who, field, found, expected, "types"))

        return Checker(context, report)

    def fits(check: Checker, expr: Expr, declared: Type, found: Type) -> None:
        if declared.kind in NUMBERS and found.kind in NUMBERS:
            check.same(expr, [Type(declared.kind), found])
            if declared.kind == "int" and _fractional(expr):
                check.report(f"`{unparse(expr)}`, which may be no whole number", "whole numbers, or type: money")
        elif declared.kind and found != UNKNOWN and declared.kind != found.kind:
            check.report(f"`{unparse(expr)}`, which is {name_of(found)}", name_of(declared))

    for kind, name in order:
        if kind == "concept":
            concept = draft.concepts[name]
            field = "when" if ("concepts", name, "when") in draft.lines else "value"
            check = checker("concepts", name, field, concept.rule)
            found = check.type(concept.body, {})
            if field == "when" and found.kind != "bool":
                check.fail(concept.body, found, "a condition (bool)")
            fits(check, concept.body, concept.type, found) if field == "value" else None
            concepts[name] = settle(concept.type, found)
            draft.concepts[name] = replace(concept, type=concepts[name])
        elif kind == "table":
            table = draft.tables[name]
            field = "rows" if ("tables", name, "rows") in draft.lines else "ranges"
            check = checker("tables", name, "keys", table.rule)
            keys[name] = tuple(check.type(key, {}) for key in table.keys)
            for key, type_ in zip(table.keys, keys[name], strict=True):
                if type_.kind not in ("enum", "bool", *NUMBERS):
                    check.fail(key, type_, "an enum, a bool or a number as key")
            check = checker("tables", name, field, table.rule)
            found_rows = [check.type(row.value, {}) for row in table.rows]
            numeric = [t for t in found_rows if t.kind in NUMBERS]
            if table.rows and len(numeric) == len(table.rows):
                found = check.same(table.rows[0].value, [Type(t.kind) for t in numeric])
                if table.type.kind:
                    fits(check, table.rows[0].value, table.type, found)
                tables[name] = table.type if table.type.kind else found
            else:
                kinds = {t.kind for t in found_rows if t != UNKNOWN}
                if len(kinds) > 1:
                    check.report(f"rows of the kinds {', '.join(sorted(kinds))}", "rows of one type")
                tables[name] = table.type if table.type.kind else (found_rows[0] if found_rows else UNKNOWN)
            draft.tables[name] = replace(table, type=settle(table.type, tables[name]))
    for number, expr in enumerate(draft.integrity, 1):
        checker("integrity", "", str(number), 0).bool(expr, {})
    for name, policy in draft.policies.items():
        for field, condition in (("when", policy.when), ("unless", policy.unless)):
            if condition is not None:
                checker("policies", name, field, policy.rule).bool(condition, {})
        if policy.selector is not None:
            check = checker("policies", name, "select", policy.rule)
            type_ = check.type(policy.selector, {})
            if type_.kind not in ("enum", "bool"):
                check.fail(policy.selector, type_, "an enum or a bool")
    if draft.amount:
        check = checker("amount", "", "value", draft.amount.rule)
        found = check.number(draft.amount.value, {})
        fits(check, draft.amount.value, draft.amount.type, found)
        draft.amount = replace(draft.amount, type=settle(draft.amount.type, found))
    if draft.decision and draft.decision.type.kind != "enum":
        checker("decision", "", "type", draft.decision.rule).report(name_of(draft.decision.type), "an enum of answers")


def _fractional(expr: Expr) -> bool:
    """Say whether a literal that is no whole number enters the value (not merely a comparison)."""
    match expr:
        case Const(value=Fraction() as value):
            return value.denominator != 1
        case Arith(op=op, args=args):
            return op != "days_between" and any(map(_fractional, args))
        case If():
            return _fractional(expr.then) or _fractional(expr.otherwise)
        case Quant(kind="sum"):
            return _fractional(expr.body)
        case _:
            return False
