"""Random records that are coherent by `integrity`, with numbers drawn near the thresholds of the rules."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from datetime import date, timedelta
from fractions import Fraction
from typing import Any

from holmes.logic.engine.compile import Program
from holmes.logic.engine.rewrite import unroll
from holmes.logic.language.model import Const, Expr, RuleBase, Type
from holmes.logic.language.walk import walk


def constants(rulebase: RuleBase) -> tuple[list[Fraction], list[date]]:
    """Return the numbers and dates that occur in the rules and table ranges."""
    exprs: list[Expr] = [*rulebase.integrity, *(c.body for c in rulebase.concepts.values())]
    exprs += [e for p in rulebase.policies.values() for e in (p.when, p.unless, p.selector) if e is not None]
    exprs += [row.value for table in rulebase.tables.values() for row in table.rows]
    values = [part.value for expr in exprs for part in walk(expr) if isinstance(part, Const)]
    numbers = {v for v in values if isinstance(v, Fraction)}
    for table in rulebase.tables.values():
        for row in table.rows:
            numbers |= {bound for key in row.keys if isinstance(key, tuple) for bound in key if bound is not None}
    return sorted(numbers), sorted({v for v in values if isinstance(v, date)})


class Sampler:
    """Draws records; the same seed gives the same records."""

    def __init__(self, rulebase: RuleBase, seed: str) -> None:
        self.rng = random.Random(f"{rulebase.name}/{seed}")
        self.base = rulebase
        self.numbers, self.dates = constants(rulebase)
        self.ranges: dict[Type, tuple[int, int, list[int]]] = {}
        self.day = self.dates[0] if self.dates else date(2020, 3, 1)

    def value(self, type_: Type, share: float) -> Any:
        """Draw a value; share: the chance that a Boolean is true."""
        rng = self.rng
        match type_.kind:
            case "bool":
                return rng.random() < share
            case "enum":
                return rng.choice(type_.values)
            case "int" | "money":
                return self.number(type_)
            case "date":
                near = rng.choice(self.dates) if self.dates and rng.random() < 0.5 else self.day
                return near + timedelta(
                    days=rng.choice((-400, -60, -31, -30, -29, -1, 0, 1, 30, 31, 60, rng.randint(-90, 90)))
                )
            case "name":
                return f"N{rng.randint(1, 10**6)}"
            case _:
                size = rng.randint(0, type_.max)
                return tuple({name: self.value(part, share) for name, part in type_.fields} for _ in range(size))

    def number(self, type_: Type) -> Fraction:
        """Draw a whole number of the type's range, often one at or next to a threshold."""
        if type_ not in self.ranges:
            low = type_.low if type_.low is not None else Fraction(0)
            high = type_.high if type_.high is not None else max([low + 100, *(2 * n for n in self.numbers)])
            inside = sorted({round(n) + step for n in self.numbers if low <= n <= high for step in (-1, 0, 1)})
            self.ranges[type_] = (math.ceil(low), math.floor(high), [n for n in inside if low <= n <= high])
        first, last, near = self.ranges[type_]
        rng = self.rng
        if near and rng.random() < 0.6:
            return Fraction(rng.choice(near))
        return Fraction(rng.randint(first, max(first, first + (last - first) // rng.choice((1, 1, 10)))))

    def record(self) -> dict[str, Any]:
        """Draw one record, coherent or not."""
        share = self.rng.choice((0.15, 0.5, 0.5, 0.85))
        return {name: self.value(fact.type, share) for name, fact in self.base.facts.items()}


def coherent_states(program: Program, seed: str, wanted: int, tries: int) -> Iterator[tuple[dict[str, Any], list[Any]]]:
    """Yield up to `wanted` (record, evaluated state) pairs that obey `integrity`.

    Gives up after `tries` draws, or after 1,000 of which fewer than 50 were coherent.
    """
    sampler = Sampler(program.original, seed)
    conditions = [program.compile(unroll(e, program.rulebase), {}) for e in program.rulebase.integrity]
    found = 0
    for number in range(tries):
        if found == wanted or (number == 1000 and found < 50):
            return
        record = sampler.record()
        state = program.run(record)
        state += [None] * (program.size - len(state))
        if all(condition(state) for condition in conditions):
            found += 1
            yield record, state
