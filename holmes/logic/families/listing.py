"""Minimal derivations one by one: the fallback where the diagram of a family grows over its budget.

A family is listed by clingo where it is installed (the extra `families`), else by SAT. Both give the whole family, in
one order; of a family with more members than the cap, what SAT meets first is listed, so that no result hangs on what
is installed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from holmes.logic.families.provable import Explains, Node

SMALL = 24
"""Nodes below which starting clingo costs more than it saves."""


def list_members(
    graph: Explains[Node], order: Sequence[Node], number: Mapping[Node, int | None], labels: int, cap: int
) -> tuple[tuple[tuple[int, ...], ...], bool]:
    """List members of the family of a graph, each truly minimal.

    order: nodes, premises first. number: node -> label number or None. labels: how many label numbers there are.
    cap: the most members. Returns (members as ascending label numbers, whether these are all).
    """
    whole = _by_clingo(graph, order, number, labels, cap) if len(order) >= SMALL else None
    return (whole, True) if whole is not None else _by_sat(graph, order, number, labels, cap)


def _by_clingo(
    graph: Explains[Node], order: Sequence[Node], number: Mapping[Node, int | None], labels: int, cap: int
) -> tuple[tuple[int, ...], ...] | None:
    """List all members: the subset-minimal models over the labels (domain recording).

    None where clingo is not installed or there are more than `cap`.
    """
    try:
        import clingo
    except ImportError:
        return None
    heard: list[tuple[Any, ...]] = []
    place = {node: at for at, node in enumerate(order)}
    lines = [f"in({place[graph.root]})."]
    for node in order:
        uses: list[str] = []
        for alternative in graph.alternatives(node):
            use = f"use({place[node]},{len(uses)})"
            uses.append(use)
            lines += [f"in({place[premise]}) :- {use}." for premise in alternative]
        lines.append(f"1 {{ {'; '.join(uses)} }} :- in({place[node]})." if uses else f":- in({place[node]}).")
        if (own := number[node]) is not None:
            lines.append(f":- in({place[node]}), not label({own}).")
    lines.append(f"{{ label(0..{labels - 1}) }}. #show label/1. #heuristic label(X) : X = 0..{labels - 1}. [1,false]")
    control = clingo.Control(
        [str(cap + 1), "--heuristic=Domain", "--enum-mode=domRec", "--eq=0"], logger=lambda *said: heard.append(said)
    )
    control.add("base", [], "\n".join(lines))
    control.ground([("base", [])])
    found: list[tuple[int, ...]] = []
    with control.solve(yield_=True) as models:
        for model in models:
            if heard or len(found) == cap:  # heard: "domRec ignored", no label is left to choose; SAT takes one step
                return None
            found.append(tuple(sorted(symbol.arguments[0].number for symbol in model.symbols(shown=True))))
    return tuple(sorted(found))


def _by_sat(
    graph: Explains[Node], order: Sequence[Node], number: Mapping[Node, int | None], labels: int, cap: int
) -> tuple[tuple[tuple[int, ...], ...], bool]:
    """List members by SAT until there are no more, or `cap`."""
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
