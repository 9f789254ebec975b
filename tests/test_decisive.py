"""A fact whose change alone changes the answer is in every minimal derivation: found by evaluating every case again."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from fractions import Fraction

import pytest

from holmes.derivations.derive import PartGraph
from holmes.logic.engine.evaluate import Evaluation, evaluate
from holmes.logic.language.model import Type, Value
from holmes.registry import derivations_of
from holmes.store import load_cases

CONFIGS = ("law", "finance", "deontic_sara_numeric", "deontic_sara_binary")


def others(type_: Type, value: Value) -> Iterator[Value]:
    """Yield values beside this one: the other truth value, other kinds, numbers near and far."""
    match type_.kind:
        case "bool":
            yield not value
        case "enum":
            yield from (other for other in type_.values if other != value)
        case "int" | "money":
            assert isinstance(value, Fraction)
            near = (value + step for step in (1, -1, 40, -40, 5000, -5000))
            low = value if type_.low is None else type_.low
            yield from (other for other in near if low <= other and (type_.high is None or other <= type_.high))
        case "date":
            yield from (value + timedelta(days=days) for days in (1, -1, 40, -40))


def changes(part: PartGraph) -> Iterator[tuple[str, dict[str, Value]]]:
    """Yield (label of a fact, the facts with another value of it), field by field for lists."""
    base, facts = part.part.base, dict(part.part.facts)
    for _, label in part.graph.labelled():
        if label.kind != "fact":
            continue
        name, _, rest = label.name.partition("[")
        type_ = base.facts[name].type
        text = f"{part.prefix}{label}"
        if not rest:
            yield from ((text, {**facts, name: other}) for other in others(type_, facts[name]))
            continue
        place, _, field = rest.partition("].")
        records = list(facts[name])
        for other in others(dict(type_.fields)[field], records[int(place) - 1][field]):
            changed = {**records[int(place) - 1], field: other}
            yield text, {**facts, name: (*records[: int(place) - 1], changed, *records[int(place) :])}


def asked(part: PartGraph, result: Evaluation) -> Value | tuple[str, ...] | None:
    """Return the value of what the case asks, by evaluation, which builds no graph."""
    kind, _, name = part.goal.partition(" ")
    if kind in ("decision", "amount"):
        return result.answer if kind == "decision" else result.amount
    return result.concepts[name] if kind == "concept" else result.applies[name]


@pytest.mark.parametrize("config", CONFIGS)
def test_decisive_facts_are_in_every_member(config):
    """The invariant holds on every case of the shipped test split, and decisive facts are found in most."""
    some = 0
    cases = load_cases(config)
    for case in cases:
        found = derivations_of(case)
        necessary = found.family.necessary()
        decisive: set[str] = set()
        for part in found.parts:
            value = part.graph.value(part.root)
            for label, facts in changes(part):
                if label not in decisive and asked(part, evaluate(part.part.base, facts)) != value:
                    decisive.add(label)
        assert decisive <= necessary, (case.id, sorted(decisive - necessary))
        some += bool(decisive)
    assert some > len(cases) / 2
