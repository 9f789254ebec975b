"""Families of minimal derivations against clingo: `python benchmarks/minimal.py [--seconds 20]`.

Factored graphs: components that each fail in ten ways, 10² to 10⁸ members; up to 10⁴ both list them all, above both
count (clingo by enumerating, as long as it is given). Shared graphs: random layers in which everything shares, of
growing size and width, until the node budget is used up and members are listed by SAT. Prints
processor times, counts and the ratio.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from holmes.logic.families.minimal import minimal

Edges = Mapping[str, Sequence[tuple[str, ...]]]
BUDGET = 200_000  # nodes, the default of `minimal`
CAP = 2_000  # members listed where a family is over budget


@dataclass(frozen=True, slots=True)
class Written:
    """A graph written down: root, alternatives of each node, nodes without a label."""

    root: str
    edges: Edges
    hidden: frozenset[str] = frozenset()

    def alternatives(self, node: str) -> Sequence[tuple[str, ...]]:
        """Return the alternatives of a node."""
        return self.edges[node]

    def label(self, node: str) -> str | None:
        """Return the node's label, its name."""
        return None if node in self.hidden else node


def factored(components: int, width: int = 10) -> Written:
    """Components that fail in one of `width` ways each, with a rule and a fact a way: width ** components members."""
    edges: dict[str, list[tuple[str, ...]]] = {"r": [tuple(f"c{i}" for i in range(components))]}
    for i in range(components):
        edges[f"c{i}"] = [(f"g{i}_{j}",) for j in range(width)]
        edges |= {f"g{i}_{j}": [(f"f{i}_{j}",)] for j in range(width)}
        edges |= {f"f{i}_{j}": [()] for j in range(width)}
    return Written("r", edges)


def shared(nodes: int, seed: int, window: int = 8) -> Written:
    """Each node has two or three alternatives of two of the next `window` nodes."""
    rng = random.Random(seed)
    edges = {}
    for i in range(nodes):
        later = [f"n{j}" for j in range(i + 1, min(nodes, i + 1 + window))]
        edges[f"n{i}"] = [tuple(rng.sample(later, 2)) for _ in range(rng.randint(2, 3))] if len(later) > 1 else [()]
    return Written("n0", edges)


def program(graph: Written) -> str:
    """Return the answer-set program whose subset-minimal models over the labels are the family."""
    lines = [f"in({graph.root})."]
    for node, alternatives in graph.edges.items():
        uses = []
        for number, alternative in enumerate(alternatives):
            uses.append(f"use({node},{number})")
            lines += [f"in({premise}) :- use({node},{number})." for premise in alternative]
        lines.append(f"1 {{ {'; '.join(uses)} }} :- in({node})." if uses else f":- in({node}).")
        if node not in graph.hidden:
            lines.append(f"label({node}).")
    lines.append("#show. #show x(X) : in(X), label(X). #heuristic in(X) : label(X). [1,false]")
    return "\n".join(lines)


def by_clingo(graph: Written, seconds: float = 0) -> Iterator[tuple[str, ...]]:
    """Yield the members as clingo finds them (domain recording: each model subset-minimal); stop after `seconds`."""
    import clingo

    control = clingo.Control(["0", "--heuristic=Domain", "--enum-mode=domRec", "--warn=none"])
    control.add("base", [], program(graph))
    control.ground([("base", [])])
    start = time.process_time()
    with control.solve(yield_=True) as models:
        for model in models:
            yield tuple(str(symbol.arguments[0]) for symbol in model.symbols(shown=True))
            if seconds and time.process_time() - start > seconds:
                return


def measured(graph: Written, list_all: bool) -> tuple[float, int | None, set[frozenset[str]]]:
    """Return (seconds, count, members) of ours."""
    start = time.process_time()
    family = minimal(graph, budget=BUDGET, cap=CAP)
    count = family.count()
    members = list(family.members()) if list_all or not family.complete else []
    return time.process_time() - start, count, set(map(frozenset, members))


def row(name: str, graph: Written, list_all: bool, seconds: float) -> str:
    """Measure both on one graph; where both list, the members must be the same."""
    ours, count, members = measured(graph, list_all)
    start = time.process_time()
    found = 0
    theirs: set[frozenset[str]] = set()
    for member in by_clingo(graph, seconds):
        found += 1
        if list_all:
            theirs.add(frozenset(member))
    clingo = time.process_time() - start
    whole = found == count
    if whole and list_all and theirs != members:
        raise SystemExit(f"{name}: the families differ")
    shown = f"{count:,}" if count is not None else f"over budget, {len(members):,} listed"
    other = f"clingo {clingo:.3f} s" if whole else f"clingo {found:,} of them in {clingo:.0f} s"
    ratio = f"{'' if whole else 'over '}{clingo / ours:,.1f} times faster"
    return f"{name}: {shown} members; ours {ours:.4f} s, {other}: {ratio}"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=20, help="the most that clingo gets for a graph")
    seconds = parser.parse_args().seconds
    list(by_clingo(factored(1)))  # imports clingo
    for components in range(2, 9):
        print(row(f"factored 10^{components}", factored(components), components <= 4, seconds), flush=True)
    for nodes in (20, 40, 60, 100, 200):
        print(row(f"shared {nodes} nodes", shared(nodes, 1), nodes <= 60, seconds), flush=True)
    for nodes in (30, 40, 50, 60):
        graph = shared(nodes, 1, window=24)
        print(row(f"shared {nodes} nodes, more widely", graph, nodes <= 40, seconds), flush=True)


if __name__ == "__main__":
    main()
