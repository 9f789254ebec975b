"""The clauses of a vocabulary of facts: Booleans, enums one-hot, numbers as thresholds with order axioms."""

from __future__ import annotations

import itertools
import math
import random
import weakref
from bisect import bisect_left
from collections.abc import Iterable
from datetime import date
from fractions import Fraction
from typing import Any

from holmes.logic.language.model import Expr, FactDecl, RuleBase
from holmes.logic.sat.linear import ordinal

Place = tuple[Fraction, int]  # (v, 0): at least v; (v, 1): more than v
ENUMERATED = 4096  # combinations of values up to which a formula is tabulated


class Clauses:
    """A solver and what several encodings of one vocabulary share: facts, thresholds, formulas left open."""

    def __init__(self, rulebase: RuleBase) -> None:
        from pysat.solvers import Solver

        self.solver: Any = Solver(name="glucose4")
        weakref.finalize(self, self.solver.delete)  # also at exit, before the library's own modules are gone
        self.count = 0
        self.facts = rulebase.facts
        self.truth = self.fresh()
        self.add(self.truth)
        self.bools: dict[str, int] = {}
        self.values: dict[str, dict[str, int]] = {}
        self.places: dict[str, list[Place]] = {}
        self.literals: dict[tuple[str, Place], int] = {}
        self.equal: dict[tuple[str, Fraction], int] = {}
        self.formulas: dict[Expr, int] = {}
        self.open: list[tuple[Expr, int]] = []  # those over too many values: any truth value is allowed
        for name, fact in rulebase.facts.items():
            if fact.type.kind == "bool":
                self.bools[name] = self.fresh()
            elif fact.type.kind == "enum":
                own = self.values[name] = {value: self.fresh() for value in fact.type.values}
                self.add(*own.values())
                for one, two in itertools.combinations(own.values(), 2):
                    self.add(-one, -two)
            elif fact.type.kind in ("int", "money", "date"):
                self.places[name] = []

    def fresh(self) -> int:
        self.count += 1
        return self.count

    def add(self, *clause: int) -> None:
        self.solver.add_clause(list(clause))

    def any(self, literals: Iterable[int]) -> int:
        """Return a literal equivalent to the disjunction."""
        args = list(dict.fromkeys(lit for lit in literals if lit != -self.truth))
        if self.truth in args or any(-lit in args for lit in args):
            return self.truth
        if not args:
            return -self.truth
        if len(args) == 1:
            return args[0]
        result = self.fresh()
        self.add(-result, *args)
        for arg in args:
            self.add(result, -arg)
        return result

    def all(self, literals: Iterable[int]) -> int:
        """Return a literal equivalent to the conjunction."""
        return -self.any(-lit for lit in literals)

    def same(self, one: int, two: int) -> int:
        """Return a literal equivalent to the equivalence."""
        return self.all((self.any((-one, two)), self.any((one, -two))))

    def at_least(self, name: str, place: Place) -> int:
        """Return the literal of `fact >= v` or `fact > v`, tied to its neighbours by order axioms."""
        fact = self.facts[name]
        place = _normal(fact, place)
        low, high = fact.type.low, fact.type.high
        if low is not None and place <= (low, 0):
            return self.truth
        if high is not None and place > (high, 0):
            return -self.truth
        key = (name, place)
        if key in self.literals:
            return self.literals[key]
        literal = self.literals[key] = self.fresh()
        places = self.places[name]
        at = bisect_left(places, place)
        if at > 0:
            self.add(-literal, self.literals[name, places[at - 1]])
        if at < len(places):
            self.add(-self.literals[name, places[at]], literal)
        places.insert(at, place)
        return literal

    def equals(self, name: str, value: Any) -> int:
        """Return the literal of `fact == value`."""
        if name in self.bools:
            return self.bools[name] if value is True else -self.bools[name]
        if name in self.values:
            return self.values[name][value]
        number = ordinal(value)
        key = (name, number)
        if key not in self.equal:
            self.equal[key] = self.all((self.at_least(name, (number, 0)), -self.at_least(name, (number, 1))))
        return self.equal[key]

    def solve(self, assumptions: Iterable[int], rng: random.Random | None = None) -> dict[str, Any] | None:
        """Return a record of the facts that the encoding covers and that satisfies `assumptions`, or None.

        rng: draw the record at random, as far as the conditions leave a choice.
        """
        wanted = list(assumptions)
        loose = self._wishes(rng) if rng is not None else []
        while not self.solver.solve(assumptions=wanted + loose):
            blamed = [lit for lit in self.solver.get_core() or [] if lit in loose]
            if not blamed:
                return None
            loose.remove(blamed[-1])
        true = {lit for lit in self.solver.get_model() if lit > 0}
        record: dict[str, Any] = {name: lit in true for name, lit in self.bools.items()}
        for name, own in self.values.items():
            record[name] = next(value for value, lit in own.items() if lit in true)
        for name, places in self.places.items():
            low = next((p for p in reversed(places) if self.literals[name, p] in true), None)
            high = next((p for p in places if self.literals[name, p] not in true), None)
            record[name] = _between(self.facts[name], low, high, rng)
        return record

    def _wishes(self, rng: random.Random) -> list[int]:
        wishes = [rng.choice((lit, -lit)) for lit in self.bools.values()]
        wishes += [rng.choice(list(own.values())) for own in self.values.values()]
        for name, places in self.places.items():
            if places:
                literal = self.literals[name, rng.choice(places)]
                wishes.append(rng.choice((literal, -literal)))
        rng.shuffle(wishes)
        return wishes

    def open_literals(self) -> list[int]:
        """Return the literals of the formulas left open."""
        return [literal for _, literal in self.open]


def _normal(fact: FactDecl, place: Place) -> Place:
    if fact.type.kind == "money":
        return place
    value, more = place  # whole numbers and days: more than 3.5 and at least 3.2 are both at least 4
    return (Fraction(math.floor(value) + 1 if more else math.ceil(value)), 0)


def _between(fact: FactDecl, low: Place | None, high: Place | None, rng: random.Random | None) -> Any:
    """Return a value at or above the place `low` and below the place `high`."""
    type_ = fact.type
    start = low[0] if low else type_.low
    top = high[0] if high else type_.high
    if start is None:
        start = top - 1 if top is not None else Fraction(date(2020, 1, 1).toordinal() if type_.kind == "date" else 0)
    if type_.kind == "money":
        if low and low[1]:
            start = (start + top) / 2 if top is not None else start + 1
        if rng is None:
            return start
        room = top - start if top is not None else Fraction(rng.choice((10, 1000, 10_000, 100_000)))
        return start + room * rng.randint(0, 99) / 100
    last = int(start) + 100 if top is None else int(top) - (1 if high else 0)
    value = rng.randint(int(start), max(last, int(start))) if rng is not None else int(start)
    return date.fromordinal(value) if type_.kind == "date" else Fraction(value)


def default(fact: FactDecl) -> Any:
    """Return some value of a fact."""
    type_ = fact.type
    if type_.kind in ("int", "money"):
        return type_.low if type_.low is not None else Fraction(0)
    plain = {"bool": False, "date": date(2020, 1, 1), "name": "N", "list": ()}
    return type_.values[0] if type_.kind == "enum" else plain[type_.kind]


def options(fact: FactDecl) -> list[Any]:
    """Return every value of a fact, nothing where there are too many."""
    type_ = fact.type
    if type_.kind == "bool":
        return [False, True]
    if type_.kind == "enum":
        return list(type_.values)
    if type_.kind == "int" and type_.low is not None and type_.high is not None and type_.high - type_.low < ENUMERATED:
        return list(range(int(type_.low), int(type_.high) + 1))
    return []
