"""One record under change: the values of a compiled clause, of which a change recomputes what depends on it."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import Any

from holmes.logic.engine.closures import Run, State
from holmes.logic.engine.evaluate import program_for
from holmes.logic.engine.inputs import small
from holmes.logic.engine.rewrite import unroll
from holmes.logic.language import model as m
from holmes.logic.language.uses import dependencies, uses

Vertex = tuple[str, str]
Undo = tuple[int, list[Any]]


class IncrementalEvaluator:
    """A compiled clause with the facts of one record on it."""

    def __init__(self, base: m.RuleBase) -> None:
        self.base = base
        self.program = program_for(base)
        self.slot = {name: self.program.slot["fact", name] for name in base.facts}
        self.decision = self.program.slot["decision", "decision"]
        self.reads = _closure(base)
        places = {slot: vertex for vertex, slot in self.program.slot.items() if vertex[0] != "applies"}
        places |= {slot: vertex for vertex, slot in self.program.slot.items() if slot not in places}
        # the amount decides nothing here, so it is left alone
        steps = [
            (slot, run, self.reads[places[slot]]) for slot, run in self.program.steps if places[slot][0] != "amount"
        ]
        self.after: dict[str, list[tuple[int, Run]]] = {
            name: [(slot, run) for slot, run, read in steps if name in read] for name in base.facts
        }
        self.all = [(slot, run) for slot, run, _ in steps]
        self.integrity = [
            (self.program.compile(unroll(e, self.program.rulebase), {}), _facts(e, base, self.reads))
            for e in base.integrity
        ]
        decision = base.decision
        self.chosen: Callable[[State], list[tuple[bool, int]]] | None = (
            self.program.gates(decision.gates) if decision.gates else None
        )
        self.state: State = [None] * self.program.size

    def clear(self) -> None:
        """Take everything off: a record must not depend on the one before it."""
        self.state[:] = [None] * len(self.state)

    def load(self, facts: Mapping[str, Any]) -> None:
        """Load a whole record."""
        for name, place in self.slot.items():
            self.state[place] = small(facts[name])
        for place, run in self.all:
            self.state[place] = run(self.state)

    def change(self, name: str, value: Any) -> Undo:
        """Change one fact and what depends on it; returns what `undo` needs."""
        state, place, after = self.state, self.slot[name], self.after[name]
        kept = [state[place], *(state[p] for p, _ in after)]
        state[place] = value
        for p, run in after:
            state[p] = run(state)
        return place, kept

    def undo(self, name: str, kept: Undo) -> None:
        """Take a change back."""
        state = self.state
        state[kept[0]] = kept[1][0]
        for (place, _), value in zip(self.after[name], kept[1][1:], strict=True):
            state[place] = value

    def facts(self) -> dict[str, m.Value]:
        """Return the record, numbers as Fraction."""
        found = {name: self.state[place] for name, place in self.slot.items()}
        return {name: Fraction(value) if type(value) is int else value for name, value in found.items()}

    def coherent(self) -> bool:
        """Say whether the record obeys `integrity`."""
        return all(condition(self.state) for condition, _ in self.integrity)


def _facts(expr: m.Expr, base: m.RuleBase, reads: Mapping[Vertex, frozenset[str]]) -> frozenset[str]:
    return frozenset().union(*(reads.get(use, frozenset()) for use in uses(expr, base.families)))


def _closure(base: m.RuleBase) -> dict[Vertex, frozenset[str]]:
    """Return the facts on which each vertex of the dependency graph rests."""
    graph = dependencies(base)
    known: dict[Vertex, frozenset[str]] = {("fact", name): frozenset({name}) for name in base.facts}

    def visit(vertex: Vertex) -> frozenset[str]:
        if vertex not in known:
            known[vertex] = frozenset()  # no cycles: the loader refuses them
            known[vertex] = frozenset().union(*(visit(use) for use in graph.get(vertex, ())))
        return known[vertex]

    for vertex in graph:
        visit(vertex)
    return known


def some(rng: random.Random, names: Iterable[str], weights: Mapping[str, float], count: int) -> list[str]:
    """Draw some names without repetition, by weight."""
    left, chosen = list(names), []
    for _ in range(min(count, len(left))):
        chosen += rng.choices(left, [weights[n] for n in left])
        left.remove(chosen[-1])
    return chosen
