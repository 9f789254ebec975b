"""Families of minimal sufficient derivations: which sets of steps suffice for an answer, exactly and without listing.

A graph gives every node a finite set of alternatives, each a finite set of premises. A derivation is a set of nodes
that holds the root and, with every node, one of its alternatives. The family is the set of inclusion-minimal label
sets of derivations (docs/derivations.md: definition, theorem, proof).
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from holmes.logic.families.provable import Explains, Label, Node
from holmes.logic.families.zdd import EMPTY, UNIT, OverBudget, Zdd, deep_recursion


@dataclass(frozen=True, slots=True)
class Family:
    """The family of a graph.

    labels: in order of first visit from the root, depth first, a node after all that rest on it; this order breaks
    every tie. complete: nothing is missing.
    members are held as a diagram, or, where it grew over budget, as a list (`listed`).
    """

    labels: tuple[Label, ...]
    complete: bool
    diagram: Zdd | None = None
    top: int = EMPTY
    listed: tuple[tuple[int, ...], ...] = field(default=())

    @property
    def empty(self) -> bool:
        """Whether nothing derives the root."""
        return not self.listed if self.diagram is None else self.top == EMPTY

    def count(self) -> int | None:
        """Return the exact number of members; None where the family is incomplete."""
        if self.diagram is None:
            return len(self.listed) if self.complete else None
        return sum(self._sizes().values())

    def sizes(self) -> dict[int, int]:
        """Return how many members there are of each size (number of labels)."""
        return dict(sorted(self._sizes().items()))

    def _sizes(self) -> dict[int, int]:
        if self.diagram is None:
            found: dict[int, int] = {}
            for member in self.listed:
                found[len(member)] = found.get(len(member), 0) + 1
            return found
        d = self.diagram
        table: dict[int, dict[int, int]] = {EMPTY: {}, UNIT: {0: 1}}
        for node in d.below(self.top):
            here = dict(table[d.without[node]])
            for size, n in table[d.with_[node]].items():
                here[size + 1] = here.get(size + 1, 0) + n
            table[node] = here
        return table[self.top]

    def necessary(self) -> frozenset[Label]:
        """Return the labels that every member holds; empty for an empty family."""
        if self.diagram is None:
            common = set(self.listed[0]) if self.listed else set()
            return frozenset(self.labels[i] for i in common.intersection(*map(set, self.listed)))
        if self.top == EMPTY:
            return frozenset()
        d = self.diagram
        table: dict[int, frozenset[int] | None] = {EMPTY: None, UNIT: frozenset()}
        for node in d.below(self.top):
            high = table[d.with_[node]]
            assert high is not None  # no node of a diagram leads nowhere on its `with` side
            low = table[d.without[node]]
            table[node] = high | {d.variable[node]} if low is None else high & low
        found = table[self.top]
        return frozenset(self.labels[i] for i in found or ())

    def members(self, limit: int | None = None) -> Iterator[tuple[Label, ...]]:
        """Yield members by (size, label order), lazily, at most `limit`."""
        for member in itertools.islice(self._ordered(), limit):
            yield tuple(self.labels[i] for i in member)

    def _ordered(self) -> Iterator[tuple[int, ...]]:
        if self.diagram is None:
            yield from sorted(self.listed, key=lambda m: (len(m), m))
            return
        d = self.diagram
        # Bit s of possible[node]: the node has a member of s labels, so no branch is entered in vain.
        possible: dict[int, int] = {EMPTY: 0, UNIT: 1}
        for node in d.below(self.top):
            possible[node] = possible[d.without[node]] | possible[d.with_[node]] << 1
        for size in range(possible[self.top].bit_length()):
            if not possible[self.top] >> size & 1:
                continue
            stack: list[tuple[int, int, tuple[int, ...]]] = [(self.top, size, ())]
            while stack:
                node, left, chosen = stack.pop()
                if node == UNIT:
                    yield chosen
                    continue
                if possible[d.without[node]] >> left & 1:
                    stack.append((d.without[node], left, chosen))
                if left and possible[d.with_[node]] >> (left - 1) & 1:
                    stack.append((d.with_[node], left - 1, (*chosen, d.variable[node])))

    def best_f1(self, given: Collection[Label], among: Collection[Label] | None = None) -> tuple[Label, ...]:
        """Return the member S with the best F1 of `given` against S ∩ `among`; ties: fewer labels, then label order.

        given: labels of a trace. among: the labels that count (default: all). Raises ValueError for an empty family.
        Dinkelbach's method: each round maximises 2|given ∩ S| − λ(|given| + |S|), linear in the diagram.
        """
        counts = [among is None or label in among for label in self.labels]
        hit = [ok and label in given for ok, label in zip(counts, self.labels, strict=True)]
        size = len({g for g in given if among is None or g in among})
        ratio = Fraction(0)
        while True:
            weight = [2 * h - ratio * c for h, c in zip(hit, counts, strict=True)]
            member = self._heaviest(weight)
            total = size + sum(counts[i] for i in member)
            reached = Fraction(2 * sum(hit[i] for i in member), total) if total else Fraction(0)
            if reached <= ratio:
                return tuple(self.labels[i] for i in member)
            ratio = reached

    def _heaviest(self, weight: Sequence[Fraction]) -> tuple[int, ...]:
        if self.empty:
            raise ValueError("the family is empty")
        if self.diagram is None:
            return min(self.listed, key=lambda m: (-sum(weight[i] for i in m), len(m), m))
        d = self.diagram
        # (weight, fewer labels) of the best member below a node; on a tie the side with the label comes first.
        best: dict[int, tuple[Fraction, int] | None] = {EMPTY: None, UNIT: (Fraction(0), 0)}
        takes: dict[int, bool] = {}
        for node in d.below(self.top):
            low, high = best[d.without[node]], best[d.with_[node]]
            assert high is not None
            with_label = (high[0] + weight[d.variable[node]], high[1] - 1)
            takes[node] = low is None or with_label >= low
            best[node] = with_label if takes[node] else low
        chosen: list[int] = []
        node = self.top
        while node != UNIT:
            if takes[node]:
                chosen.append(d.variable[node])
                node = d.with_[node]
            else:
                node = d.without[node]
        return tuple(chosen)


def minimal(
    graph: Explains[Node],
    *,
    budget: int = 200_000,
    cap: int = 10_000,
    keep: Callable[[Label], bool] | None = None,
) -> Family:
    """Return the family of minimal sufficient derivations of a graph.

    graph: acyclic. budget: the most diagram nodes before members are listed by SAT instead. cap: the most members
    listed then; where it is reached the family is not complete. keep: labels to keep (default: all, the level
    `steps`; facts only give the level `facts`).
    Returns a Family. Raises ValueError for a cyclic graph. Source: docs/derivations.md.
    """
    order = _premises_first(graph)
    labels: dict[Label, int] = {}
    number: dict[Node, int | None] = {}
    for node in reversed(order):
        label = graph.label(node)
        number[node] = (
            None if label is None or not (keep is None or keep(label)) else labels.setdefault(label, len(labels))
        )
    names = tuple(labels)
    diagram = Zdd(budget)
    families: dict[Node, _Factored] = {}
    try:
        with deep_recursion(len(names)):
            for node in order:
                own = number[node]
                found = _either(diagram, [_all(diagram, a, families) for a in graph.alternatives(node)])
                families[node] = found if own is None or found[1] == EMPTY else _with(diagram, found, own)
            common, rest = families[graph.root]
            top = diagram.join(diagram.single(common), rest)
    except OverBudget:
        from holmes.logic.families.listing import list_members

        listed, complete = list_members(graph, order, number, len(names), cap)
        return Family(names, complete, listed=listed)
    return Family(names, True, diagram, top)


# A family as (labels that all its members share, as bits; the diagram of the rest): most steps of a case have one
# reason, and these then cost a bit operation instead of a diagram.
_Factored = tuple[int, int]


def _all(diagram: Zdd, premises: Sequence[Node], families: Mapping[Node, _Factored]) -> _Factored:
    """Join the families of the premises of one alternative."""
    common, rest = 0, UNIT
    for premise in premises:
        common |= families[premise][0]
    for premise in premises:
        rest = diagram.join(rest, diagram.erase(families[premise][1], common))
    return common, rest


def _either(diagram: Zdd, families: Sequence[_Factored]) -> _Factored:
    """Unite the families of the alternatives of one node."""
    there = [found for found in families if found[1] != EMPTY]
    if len(there) < 2:
        return there[0] if there else (0, EMPTY)
    common = there[0][0]
    for shared, _ in there:
        common &= shared
    total = EMPTY
    for shared, rest in there:
        total = diagram.union(total, diagram.join(diagram.single(shared & ~common), rest))
    while total != UNIT and diagram.without[total] == EMPTY:  # where one alternative made the others superfluous
        common |= 1 << diagram.variable[total]
        total = diagram.with_[total]
    return common, total


def _with(diagram: Zdd, family: _Factored, label: int) -> _Factored:
    common, rest = family
    return common | 1 << label, diagram.erase(rest, 1 << label)


def _premises_first(graph: Explains[Node]) -> list[Node]:
    """Nodes below the root, premises before what rests on them; raises ValueError for a cycle.

    In the opposite direction this is the order of labels. It keeps diagrams small: a label stands before those that
    support it, whichever of its dependants the walk met first, and components stay apart.
    """
    order: list[Node] = []
    state: dict[Node, bool] = {}  # False while open, True when done
    stack: list[tuple[Node, bool]] = [(graph.root, False)]
    while stack:
        node, leaving = stack.pop()
        if leaving:
            state[node] = True
            order.append(node)
            continue
        if node in state:
            if not state[node]:
                raise ValueError(f"the graph is cyclic at {node!r}")
            continue
        state[node] = False
        stack.append((node, True))
        for alternative in graph.alternatives(node):
            for premise in alternative:
                if state.get(premise) is False:
                    raise ValueError(f"the graph is cyclic at {premise!r}")
                if premise not in state:
                    stack.append((premise, False))
    return order
