"""Single changes of a record: every other truth value and choice, and numbers on both sides of what they decide."""

from __future__ import annotations

import functools
import math
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from holmes.interventions.coherence import Facts, coherent, equalities
from holmes.logic.engine.evaluate import Evaluation, evaluate
from holmes.logic.engine.sampling import constants
from holmes.logic.explain.graph import text_of
from holmes.logic.language.model import RuleBase, Type, Value

UNITS = (100, 50, 10, 5)  # a sum stays as round as it was


@dataclass(frozen=True, slots=True)
class Intervention:
    """One fact of one part with another value.

    part: place of the part in the case. place, field: which record of a list fact, and which of its fields; -1 and ""
    for other facts.
    """

    part: int
    fact: str
    before: Value
    after: Value
    place: int = -1
    field: str = ""

    @property
    def label(self) -> str:
        """The name of the fact as the labels of derivations have it."""
        return f"{self.fact}[{self.place + 1}].{self.field}" if self.field else self.fact

    @property
    def kind(self) -> str:
        """bool, number or enum."""
        return {bool: "bool", Fraction: "number"}.get(type(self.before), "enum")

    def applied(self, facts: Facts) -> dict[str, Value]:
        """Return the record with the change made."""
        return {**facts, self.fact: _put(facts[self.fact], self.after, self.place, self.field)}

    def __str__(self) -> str:
        """Return for example ``lodging: 650 -> 655``."""
        return f"{self.label}: {text_of(self.before)} -> {text_of(self.after)}"


def _put(whole: Value, value: Value, place: int, field: str) -> Value:
    if not field:
        return value
    assert isinstance(whole, tuple)
    return (*whole[:place], {**whole[place], field: value}, *whole[place + 1 :])


@dataclass(frozen=True, slots=True)
class Effect:
    """What a coherent record comes to: its answer, and which rules and conditions hold in it.

    gap: by how much the value that a claim is about exceeds the one it names; None where nothing of the kind is asked.
    sides: for every equality of numbers in the rules, whether its left side is below (-1), at (0), above (1) its right.
    """

    answer: str
    standing: tuple[object, ...]
    gap: Fraction | None = None
    sides: tuple[int, ...] = ()


class Component:
    """One part of a case, looked at with one fact changed.

    base, facts: of the part. gold: from an evaluation to the answer of the part. apart: tells whether a scorer tells
    two answers apart. gap: see `Effect`.
    """

    def __init__(
        self,
        base: RuleBase,
        facts: Facts,
        gold: Callable[[Evaluation], str],
        apart: Callable[[str, str], bool],
        gap: Callable[[Evaluation], Fraction | None],
    ) -> None:
        self.base, self.facts, self._gold, self._apart, self._gap = base, facts, gold, apart, gap
        self._equalities = equalities(base)
        found = self.effect(facts)
        assert found is not None, f"{base.name}: found an incoherent record, expected a coherent one"
        self.now = found

    def effect(self, facts: Facts) -> Effect | None:
        """Return what a record comes to; None where it is not coherent."""
        if not coherent(self.base, facts):
            return None
        result = evaluate(self.base, facts)
        conditions = tuple(value for value in result.concepts.values() if isinstance(value, bool | str))
        standing = (*result.triggered.values(), *result.applies.values(), *conditions)
        sides = tuple(_sign(side(result.state)) for side in self._equalities)
        return Effect(self._gold(result), standing, self._gap(result), sides)

    def turned(self, effect: Effect) -> bool:
        """Tell whether a scorer tells the answer from the part's own."""
        return self._apart(self.now.answer, effect.answer)

    def changes(self, part: int, fact: str, rng: random.Random) -> Iterator[tuple[Intervention, Effect]]:
        """Yield the changes of one fact that leave the record coherent, with what each comes to.

        All other truth values and choices; of a number, values beyond the nearest edge at which the answer turns,
        beyond the nearest at which a rule or condition does, and short of both. rng: decides how far.
        """
        whole, type_ = self.facts[fact], self.base.facts[fact].type
        if type_.kind == "list":
            assert isinstance(whole, tuple)
            for place, record in enumerate(whole):
                for field, kind in type_.fields:
                    if kind.kind != "name":
                        yield from self._values(
                            Intervention(part, fact, record[field], record[field], place, field), kind, rng
                        )
        else:
            yield from self._values(Intervention(part, fact, whole, whole), type_, rng)

    def _values(self, same: Intervention, type_: Type, rng: random.Random) -> Iterator[tuple[Intervention, Effect]]:
        def effect(value: Value) -> Effect | None:
            return self.effect(_to(same, value).applied(self.facts))

        if type_.kind in ("int", "money"):
            values: set[Value] = set()
            for sign in (-1, 1):
                values |= set(self._numbers(same.before, type_, sign, effect, rng))
            others = sorted(v for v in values if isinstance(v, Fraction))
        else:
            choices: tuple[Value, ...] = (False, True) if type_.kind == "bool" else type_.values
            others = [value for value in choices if value != same.before]  # type: ignore[misc]
        for value in others:
            if value != same.before and (found := effect(value)) is not None:
                yield _to(same, value), found

    def _numbers(
        self, value: Value, type_: Type, sign: int, effect: Callable[[Value], Effect | None], rng: random.Random
    ) -> Iterator[Fraction]:
        """Yield numbers to one side of `value`, in steps as round as it is."""
        assert isinstance(value, Fraction)
        unit = next((u for u in UNITS if type_.kind == "money" and value and value % u == 0), 1)
        if type_.kind == "money" and not value:
            unit = 50
        room = (value - _low(type_)) if sign < 0 else (_high(self.base, type_, value) - value)
        last = math.floor(room / unit)

        def at(step: int) -> Effect | None:
            return effect(value + sign * unit * step)

        edges = []
        for differs in (self.turned, lambda found: found.standing != self.now.standing):
            edge = _edge(at, last, differs)
            edges.append(edge)
            if edge is not None:  # beyond the edge, now and then by some steps
                far = edge + int(rng.random() * min(last - edge + 1, max(2, edge // 4)))
                beyond = at(far)
                yield value + sign * unit * (far if beyond is not None and differs(beyond) else edge)
        if self.now.gap is not None:  # the one number that makes an equality true
            edge = _edge(at, last, lambda found: _sign(found.gap) != _sign(self.now.gap))
            if edge is not None:
                yield value + sign * unit * edge
        for place, side in enumerate(self.now.sides):
            if side:  # the one number, round or not, at which two others are equal
                moved = functools.partial(_moved, place, side)
                edge = _edge(lambda step: effect(value + sign * step), math.floor(room), moved)
                if edge is not None:
                    yield value + sign * edge
        inside = min([edge - 1 for edge in edges if edge is not None], default=min(last, 40))
        if inside >= 1:
            yield value + sign * unit * (1 + int(rng.random() * inside))


def _moved(place: int, side: int, found: Effect) -> bool:
    return found.sides[place] != side


def _sign(gap: Fraction | None) -> int:
    assert gap is not None
    return (gap > 0) - (gap < 0)


def _to(same: Intervention, value: Value) -> Intervention:
    return Intervention(same.part, same.fact, same.before, value, same.place, same.field)


def _low(type_: Type) -> Fraction:
    return type_.low if type_.low is not None else Fraction(0)


def _high(base: RuleBase, type_: Type, value: Fraction) -> Fraction:
    return type_.high if type_.high is not None else max(2 * value, 2 * max(constants(base)[0], default=Fraction(50)))


def _edge(at: Callable[[int], Effect | None], last: int, differs: Callable[[Effect], bool]) -> int | None:
    """Return the first step at which `differs` holds, looked for at doubling distances and then between; else None."""
    before, step = 0, 1
    while before < last:
        step = min(step, last)
        found = at(step)
        if found is None:
            return None
        if differs(found):
            while step - before > 1:
                middle = (before + step) // 2
                inner = at(middle)
                if inner is not None and differs(inner):
                    step = middle
                else:
                    before = middle
            return step
        before, step = step, 2 * step
    return None
