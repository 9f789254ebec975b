"""Minimal derivations one by one, by SAT: the fallback where the diagram of a family grows over its budget."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from holmes.logic.families.provable import Explains, Node


def list_members(
    graph: Explains[Node], order: Sequence[Node], number: Mapping[Node, int | None], labels: int, cap: int
) -> tuple[tuple[tuple[int, ...], ...], bool]:
    """List members of the family of a graph, each truly minimal.

    order: nodes, premises first. number: node -> label number or None. labels: how many label numbers there are.
    cap: the most members. Returns (members as ascending label numbers, whether these are all).
    """
    from pysat.solvers import Cadical153

    found: list[tuple[int, ...]] = []
    with Cadical153() as solver:
        need = {node: labels + 1 + i for i, node in enumerate(order)}
        fresh = labels + len(order)
        for node in order:
            own = number[node]
            if own is not None:
                solver.add_clause([-need[node], own + 1])
            choices = []
            for alternative in graph.alternatives(node):
                if len(alternative) == 1:
                    choices.append(need[alternative[0]])
                    continue
                fresh += 1
                choices.append(fresh)
                for premise in alternative:
                    solver.add_clause([-fresh, need[premise]])
            solver.add_clause([-need[node], *choices])
        solver.add_clause([need[graph.root]])
        while solver.solve():
            if len(found) == cap:
                return tuple(sorted(found)), False
            model = solver.get_model()
            member = _shrunk(graph, order, number, {v - 1 for v in model[:labels] if v > 0})
            found.append(member)
            if not member:  # the root needs no labelled step: nothing else is minimal
                break
            solver.add_clause([-(i + 1) for i in member])
    return tuple(sorted(found)), True


def _shrunk(
    graph: Explains[Node], order: Sequence[Node], number: Mapping[Node, int | None], given: set[int]
) -> tuple[int, ...]:
    """Delete labels in fixed order while the root stays derivable from the rest."""
    for label in sorted(given):
        if _derivable(graph, order, number, given - {label}):
            given = given - {label}
    return tuple(sorted(given))


def _derivable(
    graph: Explains[Node], order: Sequence[Node], number: Mapping[Node, int | None], given: set[int]
) -> bool:
    derived: set[Node] = set()
    for node in order:
        own = number[node]
        if (own is None or own in given) and any(all(p in derived for p in a) for a in graph.alternatives(node)):
            derived.add(node)
    return graph.root in derived
