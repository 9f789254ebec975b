"""Closures over one list of values: the pieces that `holmes.logic.engine.compile` puts together."""

from __future__ import annotations

import operator
from bisect import bisect_right
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from holmes.errors import InputError
from holmes.logic.engine.inputs import small
from holmes.logic.language.model import RuleBase
from holmes.logic.language.unparse import number_text

State = list[Any]
Run = Callable[[State], Any]


def key(text: str) -> Any:
    return {"true": True, "false": False}.get(text, text)


def key_text(value: Any) -> Any:
    return ("true" if value else "false") if isinstance(value, bool) else value


def ranges(ranges: list[tuple[Fraction, Fraction | None]], table: str) -> Callable[[Any], Any]:
    lows = [small(low) for low, _ in ranges]

    def find(value: Any) -> Any:
        place = bisect_right(lows, value) - 1
        if place < 0 or ((high := ranges[place][1]) is not None and value >= high):
            raise InputError(
                f"table {table}: found the key {number_text(Fraction(value))}, expected one within its ranges"
            )
        return ranges[place]

    return find


def connective(conjunction: bool, args: list[Run]) -> Run:
    if len(args) == 2:
        a, b = args
        return (lambda s: a(s) and b(s)) if conjunction else (lambda s: a(s) or b(s))
    if len(args) == 3:
        a, b, c = args
        return (lambda s: a(s) and b(s) and c(s)) if conjunction else (lambda s: a(s) or b(s) or c(s))

    def run(s: State) -> bool:
        for arg in args:
            if arg(s) is not conjunction:
                return not conjunction
        return conjunction

    return run


def arithmetic(op: str, args: list[Run]) -> Run:
    if op == "neg":
        (inner,) = args
        return lambda s: -inner(s)
    if op == "days_between":
        first, second = args
        return lambda s: (second(s) - first(s)).days
    if op in ("min", "max"):
        choose: Callable[[Any], Any] = min if op == "min" else max
        return lambda s: choose([arg(s) for arg in args])
    fold = {"+": operator.add, "-": operator.sub, "*": operator.mul}[op]
    if len(args) == 2:
        a, b = args
        return lambda s: fold(a(s), b(s))

    def run(s: State) -> Any:
        result = args[0](s)
        for arg in args[1:]:
            result = fold(result, arg(s))
        return result

    return run


def picker(
    base: RuleBase, slots: list[tuple[int, str]], pick: str, order: tuple[str, ...], then: str, otherwise: str
) -> Run:
    """Return the decision over (slot of applies, consequence) in rule order."""
    if pick == "first":

        def first(s: State) -> str:
            for slot, consequence in slots:
                if s[slot]:
                    return consequence
            return otherwise

        return first
    if pick == "gravest":
        rank = {consequence: number for number, consequence in enumerate(order)}
        return picker(base, sorted(slots, key=lambda pair: rank[pair[1]]), "first", (), "", otherwise)
    if pick == "first_of":
        rank = {consequence: number for number, consequence in enumerate(order)}
        ahead = sorted((p for p in slots if p[1] in rank), key=lambda pair: rank[pair[1]])
        rest = picker(base, [p for p in slots if p[1] not in rank], then or "first", (), "", otherwise)

        def first_of(s: State) -> Any:
            for slot, consequence in ahead:
                if s[slot]:
                    return consequence
            return rest(s)

        return first_of
    if pick == "all":
        values = base.decision.type.values

        def every(s: State) -> tuple[str, ...]:
            found = {consequence for slot, consequence in slots if s[slot]} or {otherwise}
            return tuple(value for value in values if value in found)

        return every

    def only(s: State) -> str:
        found = {consequence for slot, consequence in slots if s[slot]}
        if len(found) > 1:
            several = ", ".join(sorted(found))
            raise InputError(
                f"{base.name}: decision: found several measures that remain ({several}), expected only one"
            )
        return found.pop() if found else otherwise

    return only
