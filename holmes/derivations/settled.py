"""The steps of a case that come before others, level by level: what a prompt may give as settled."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from holmes.cases import Case, Step
from holmes.derivations.derive import Derivations, PartGraph
from holmes.derivations.trace import ordered, step
from holmes.logic.explain.graph import Label

_CONCEPTS = frozenset({"concept", "table"})
_TRIGGERS = _CONCEPTS | {"triggered", "selection"}
LEVELS: Mapping[str, frozenset[str]] = {
    "concepts": _CONCEPTS,
    "triggers": _TRIGGERS,
    "conflicts": _TRIGGERS | {"conflict", "gate", "transform", "compose"},
}
"""What is settled at each level: definitions and tables; what is triggered or chosen; what defeats, passes, fails."""


def settled(case: Case, derivations: Derivations, level: str) -> tuple[tuple[str, Step], ...]:
    """Return the steps up to a level that the answer rests on, each behind its label, premises first.

    derivations: of the case. level: concepts, triggers or conflicts.
    Where the answer holds an amount, steps whose result is a number are left out, so that the arithmetic is left. The
    answer itself, a claim that is asked about included, is never among them.
    """
    numbers = case.answer_type != "amount" and '"amount"' not in case.answer
    return tuple(
        (str(part.label(node)), derivations.say(part.part, step(part.part.base, part.graph, node, part.part.names)))
        for part in derivations.parts
        for node in _below(part, LEVELS[level], numbers)
    )


def _below(part: PartGraph, kinds: frozenset[str], numbers: bool) -> Iterator[int]:
    nodes = set(part.graph.reachable(part.root)) - {part.root}
    for node in ordered(part.part.base, part.graph, nodes):
        label = part.graph.info(node)
        if label is not None and _kind(label) in kinds and (numbers or not _number(label.value)):
            yield node


def _kind(label: Label) -> str:
    return label.aspect if label.kind == "policy" else label.kind


def _number(value: str) -> bool:
    return value.replace("/", "").replace(".", "").removeprefix("-").isdigit()
