"""The minimal sufficient derivations of a case: its graphs, its family, critical labels and reference traces."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from holmes.cases import Step
from holmes.derivations.parts import Part
from holmes.derivations.trace import ordered, step
from holmes.errors import CheckFailed, InputError
from holmes.logic.explain.explain import explain
from holmes.logic.explain.graph import Graph, Label
from holmes.logic.families.minimal import Family, minimal

LISTED = 256
"""Most members that a case stores; more are counted."""
_POLICY_LEVEL = re.compile(
    r"(?:\d+\.)?(?:(?:conflict|gate|table|selection|transform|compose):|policy:\d+:[^:]+:applies=)"
)
_FACT = re.compile(r"(?:\d+\.)?fact:")

Say = Callable[[Part, Step], Step]


@dataclass(frozen=True, slots=True)
class PartGraph:
    """The explanation graph of one part, with rule numbers as the text of the case prints them.

    goal: what is asked, as `derive` takes it. root: its node. prefix: what the labels of the part begin with: ``2.``
    for the second of several parts, empty where there is one.
    """

    part: Part
    graph: Graph
    goal: str
    root: int
    prefix: str = ""

    def alternatives(self, node: int) -> tuple[tuple[int, ...], ...]:
        """Return the alternatives of a node, each a tuple of premise nodes."""
        return self.graph.alternatives(node)

    def info(self, node: int) -> Label | None:
        """Return the node's label in parts, with the printed rule number; None for a hidden node."""
        label = self.graph.info(node)
        if label is None or not label.rule or not self.part.offset:
            return label
        return label._replace(rule=label.rule + self.part.offset)

    def label(self, node: int) -> str | None:
        """Return the text of the node's label, unique in the case; None for a hidden node."""
        label = self.info(node)
        return None if label is None else f"{self.prefix}{label}"

    @property
    def answer(self) -> str | None:
        """The label of the answer: a decision or an amount; None where a claim is asked about.

        The node of a claim is a step like others: the answer to it is a yes or a no.
        """
        label = self.graph.info(self.root)
        return self.label(self.root) if label is not None and label.kind in ("decision", "amount") else None


@dataclass(frozen=True, slots=True)
class _Joined:
    """The graphs of several parts under one hidden root that rests on all of theirs."""

    parts: tuple[PartGraph, ...]
    root: tuple[int, int] = (-1, -1)

    def alternatives(self, node: tuple[int, int]) -> tuple[tuple[tuple[int, int], ...], ...]:
        place, inner = node
        if place < 0:
            return (tuple((number, part.root) for number, part in enumerate(self.parts)),)
        return tuple(tuple((place, p) for p in a) for a in self.parts[place].alternatives(inner))

    def label(self, node: tuple[int, int]) -> str | None:
        return None if node[0] < 0 else self.parts[node[0]].label(node[1])


@dataclass(frozen=True, slots=True)
class Derivations:
    """What supports the answer of a case.

    parts: a graph for each part. family: the minimal sufficient derivations of the whole case, level steps; its
    members are sets of labels (see `PartGraph.label`), those of several parts multiply. say: how the case words a step.
    """

    parts: tuple[PartGraph, ...]
    family: Family
    say: Say

    def facts(self) -> Family:
        """Return the family at the level facts: only the labels of facts."""
        return _family(self.parts, is_fact)

    def part_family(self, number: int) -> Family:
        """Return the family of one part, counted from 0."""
        return self.family if len(self.parts) == 1 else minimal(self.parts[number])

    def answers(self) -> frozenset[str]:
        """Return the labels of the answers, one a part at most."""
        return frozenset(part.answer for part in self.parts if part.answer is not None)

    def inferences(self, member: Iterable[str]) -> tuple[str, ...]:
        """Return the labels that are neither facts nor answers, in the order given."""
        answers = self.answers()
        return tuple(label for label in member if not is_fact(label) and label not in answers)

    def critical(self, member: Iterable[str]) -> tuple[str, ...]:
        """Return the critical labels of a member, in its order.

        These are its inferences that every member holds, and its policy-level ones (conflict, applies, selection,
        transformation, composition, gate, table row); neither facts nor answers.
        Source: docs/derivations.md, Necessary, critical, decisive.
        """
        necessary = self.family.necessary()
        return tuple(label for label in self.inferences(member) if label in necessary or is_policy_level(label))

    def trace(self, member: Collection[str]) -> tuple[Step, ...]:
        """Return the reference trace of a member: its steps premises first, in the words and numbers of the case.

        Raises ValueError where the labels support no answer.
        """
        return tuple(said for _, said in self.written(member))

    def written(self, member: Collection[str]) -> tuple[tuple[str, Step], ...]:
        """Return the steps of a reference trace, each behind its label; see `trace`."""
        return tuple(
            (str(part.label(node)), self.say(part.part, step(part.part.base, part.graph, node, part.part.names)))
            for part in self.parts
            for node in _in_order(part, frozenset(member))
        )

    def nodes(self, member: Collection[str]) -> tuple[tuple[int, ...], ...]:
        """Return for each part the labelled nodes of a member, premises first, as in its reference trace."""
        return tuple(tuple(_in_order(part, frozenset(member))) for part in self.parts)

    def fields(self, limit: int = LISTED) -> dict[str, Any]:
        """Return the values of the fields of a Case: derivations (at most `limit`), their count, critical labels.

        critical holds the critical labels of the first member. derivations_complete: all members are listed.
        """
        listed = tuple(self.family.members(limit))
        count = self.family.count()
        return {
            "derivations": listed,
            "derivations_complete": count == len(listed),
            "derivations_count": "" if count is None else str(count),
            "critical": self.critical(listed[0]),
        }


def is_fact(label: str) -> bool:
    """Say whether a label is that of a fact."""
    return _FACT.match(label) is not None


def is_policy_level(label: str) -> bool:
    """Say whether a label is a step about policies: conflict, applies, selection, transform, compose, gate, table."""
    return _POLICY_LEVEL.match(label) is not None


def _family(parts: tuple[PartGraph, ...], keep: Callable[[str], bool] | None = None) -> Family:
    return minimal(parts[0], keep=keep) if len(parts) == 1 else minimal(_Joined(parts), keep=keep)


def _in_order(part: PartGraph, member: frozenset[str]) -> list[int]:
    graph = part.graph
    kept: list[tuple[tuple[int, ...], ...]] = []
    for node in range(len(graph)):  # premises have lower numbers
        label = part.label(node)
        there = label is None or label in member
        kept.append(tuple(a for a in graph.alternatives(node) if all(kept[p] for p in a)) if there else ())
    if not kept[part.root]:
        raise ValueError("found labels that do not support what is asked, expected a member of the family")
    narrowed = replace(graph, root=part.root, _alternatives=tuple(kept))
    return ordered(part.part.base, narrowed, set(narrowed.reachable()))


# ---------------------------------------------------------------- from parts, from cases
def derive(parts: Sequence[Part], goal: str, say: Say, graphs: Sequence[Graph] = (), *, where: str = "") -> Derivations:
    """Return the derivations of what is asked about some parts.

    goal: ``decision``, ``amount``, ``concept NAME``, ``triggered POLICY`` or ``applies POLICY``, the same for every
    part. say: how the case words a step. graphs: those of the parts, where they are at hand.
    where: the case, for messages. Raises CheckFailed where nothing derives the answer.
    """
    found = []
    for number, part in enumerate(parts, 1):
        graph = graphs[number - 1] if graphs else explain(part.base, part.facts)
        prefix = f"{number}." if len(parts) > 1 else ""
        found.append(PartGraph(part, graph, goal, root_of(graph, goal), prefix))
    family = _family(tuple(found))
    if family.empty:
        place = where or parts[0].base.name
        raise CheckFailed(f"{place}: field derivations: found none of the {goal}, expected one or more")
    return Derivations(tuple(found), family, say)


def root_of(graph: Graph, goal: str) -> int:
    """Return the node of what is asked; raises KeyError for a name that the rule base does not have."""
    if goal == "decision":
        return graph.root
    if goal == "amount":
        if graph.amount is None:
            raise InputError("goal: found amount, expected decision: the rule base has no amount")
        return graph.amount
    kind, _, name = goal.partition(" ")
    return graph.named(kind, name)


def verbatim(part: Part, given: Step) -> Step:
    """Return a step as it is: the text of the case has the rule numbers and the words of the rule base."""
    return given
