"""What expressions read, and the linear forms of numeric ones: which facts enter with which factor, exactly."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date
from fractions import Fraction
from typing import Any

from holmes.logic.engine.rewrite import row_value, unroll
from holmes.logic.language.model import Arith, Const, Expr, Lookup, PolicyTest, Quant, Ref, RuleBase
from holmes.logic.language.walk import walk

NUMERIC = ("int", "money", "date")
POLICIES, DECISION = "?policies", "?decision"


def reads(expr: Expr, base: RuleBase) -> set[str]:
    """Return the facts that an unrolled expression reads, through concepts and tables, also POLICIES or DECISION."""
    found: set[str] = set()
    for part in walk(expr):
        match part:
            case Ref(kind="fact", name=name):
                found.add(name)
            case Ref(kind="concept", name=name):
                found |= reads(unroll(base.concepts[name].body, base), base)
            case Ref(kind="decision"):
                found.add(DECISION)
            case PolicyTest():
                found.add(POLICIES)
            case Quant(domain=domain):
                found.add(domain)
            case Lookup(table=table):
                for row in range(len(base.tables[table].rows)):
                    found |= reads(unroll(row_value(base, part, row), base), base)
    return found


def concepts(expr: Expr, base: RuleBase) -> set[str]:
    """Return the concepts that an unrolled expression reads, directly or through others and tables."""
    found: set[str] = set()
    for part in walk(expr):
        match part:
            case Ref(kind="concept", name=name):
                found |= {name} | concepts(unroll(base.concepts[name].body, base), base)
            case Lookup(table=table):
                for row in range(len(base.tables[table].rows)):
                    found |= concepts(unroll(row_value(base, part, row), base), base)
    return found


def ordinal(value: Any) -> Fraction:
    """Return a number as Fraction, a date as the number of its day."""
    return Fraction(value.toordinal()) if isinstance(value, date) else Fraction(value)


def linear(expr: Expr, base: RuleBase) -> dict[str, Fraction] | None:
    """Return factors by fact (the constant under the empty name), None where the expression is not linear."""
    match expr:
        case Const(value=Fraction() | date() as value):
            return {"": ordinal(value)}
        case Ref(kind="fact", name=name) if base.facts[name].type.kind in NUMERIC:
            return {name: Fraction(1)}
        case Ref(kind="concept", name=name) if base.concepts[name].type.kind in NUMERIC:
            return linear(unroll(base.concepts[name].body, base), base)
        case Arith(op="neg" | "+" | "-" | "days_between" | "*" as op, args=args):
            known = [part for arg in args if (part := linear(arg, base)) is not None]
            return _combine(op, known) if len(known) == len(args) else None
        case _:
            return None


def _combine(op: str, parts: list[dict[str, Fraction]]) -> dict[str, Fraction] | None:
    if op == "neg":
        return _scaled(parts[0], Fraction(-1))
    if op == "days_between":
        return _sum([parts[1], _scaled(parts[0], Fraction(-1))])
    if op == "-":
        return _sum([parts[0], _scaled(parts[1], Fraction(-1))])
    if op == "+":
        return _sum(parts)
    result = {"": Fraction(1)}
    for part in parts:
        if any(result[name] for name in result if name) and any(part[name] for name in part if name):
            return None
        varying, scale = (part, result) if any(name for name in part) else (result, part)
        result = _scaled(varying, scale.get("", Fraction(0)))
    return result


def _scaled(parts: Mapping[str, Fraction], factor: Fraction) -> dict[str, Fraction]:
    return {name: value * factor for name, value in parts.items()}


def _sum(all_parts: Iterable[Mapping[str, Fraction]]) -> dict[str, Fraction]:
    result: dict[str, Fraction] = {}
    for parts in all_parts:
        for name, value in parts.items():
            result[name] = result.get(name, Fraction(0)) + value
    return result


def slope(expr: Expr, fact: str, base: RuleBase) -> bool:
    """Say whether an expression is linear in one fact once all others are fixed."""
    if fact not in reads(expr, base):
        return True
    match expr:
        case Ref(kind="fact"):
            return base.facts[fact].type.kind in NUMERIC
        case Ref(kind="concept", name=name):
            concept = base.concepts[name]
            return concept.type.kind in NUMERIC and slope(unroll(concept.body, base), fact, base)
        case Arith(op="neg" | "+" | "-" | "days_between", args=args):
            return all(slope(arg, fact, base) for arg in args)
        case Arith(op="*", args=args):
            return all(slope(arg, fact, base) for arg in args) and sum(fact in reads(arg, base) for arg in args) == 1
        case _:
            return False
