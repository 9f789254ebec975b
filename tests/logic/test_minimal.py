"""Families of minimal sufficient derivations: worked examples, brute force by three definitions, invariances."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holmes.logic.families.minimal import Family, minimal


@dataclass(frozen=True)
class Drawn:
    """A graph as a mapping from node to alternatives; nodes in `hidden` have no label."""

    root: str
    edges: dict[str, list[tuple[str, ...]]]
    hidden: frozenset[str] = frozenset()

    def alternatives(self, node):
        return self.edges.get(node, [()])

    def label(self, node):
        return None if node in self.hidden else node


def sets(family: Family) -> set[frozenset[str]]:
    return {frozenset(m) for m in family.members()}


def drawn(text: str, hidden: str = "") -> Drawn:
    """Read ``R < v a b; v < a | b`` (leaves are not mentioned; ``u < !`` has no derivation)."""
    edges: dict[str, list[tuple[str, ...]]] = {}
    for line in text.split(";"):
        head, body = (part.strip() for part in line.split("<"))
        edges[head] = [] if body == "!" else [tuple(alternative.split()) for alternative in body.split("|")]
    return Drawn(next(iter(edges)), edges, frozenset(hidden.split()))


@pytest.mark.parametrize(
    ("text", "hidden", "expected"),
    [
        ("R < v a b; v < a | b", "", ["R v a b"]),
        ("R < v a b; v < a b | a", "", ["R v a b"]),
        (
            "R < t n1 n2; t < f; n1 < g1 | g2; n2 < g3 g4",
            "",
            ["R t f n1 n2 g1 g3 g4", "R t f n1 n2 g2 g3 g4"],
        ),
        ("R < p q; p < x | y; q < x | z", "", ["R p q x", "R p q y z"]),
        ("R < p q; p < x | y; q < x | z", "p q", ["R x", "R y z"]),
        ("R < c1 | c2; c1 < f; c2 < f g", "", ["R c1 f", "R c2 f g"]),
        ("R < c1 | c2; c1 < f; c2 < f g", "R c1 c2", ["f"]),
        ("R < u; u < !", "", []),
        ("R < u | a; u < !", "", ["R a"]),
    ],
)
def test_worked_examples(text, hidden, expected):
    """The examples of the definition: recurring nodes, absence, sharing, levels, undefined nodes."""
    family = minimal(drawn(text, hidden))
    assert sets(family) == {frozenset(e.split()) for e in expected}
    assert family.count() == len(expected)
    assert family.complete


def test_necessary_labels():
    """What every member holds: all but the two ways in which absence is justified."""
    family = minimal(drawn("R < t n1 n2; t < f; n1 < g1 | g2; n2 < g3 g4"))
    assert family.necessary() == {"R", "t", "f", "n1", "n2", "g3", "g4"}


# ---------------------------------------------------------------- brute force
TREES = 2000  # most derivation trees that are listed


@st.composite
def graphs(draw, size=7):
    """Random acyclic graphs: node i rests on later ones only; leaves, nodes without derivation, hidden nodes."""
    n = draw(st.integers(1, size))
    edges = {}
    for i in range(n):
        later = [f"n{j}" for j in range(i + 1, n)]
        alternative = st.lists(st.sampled_from(later), max_size=3, unique=True).map(tuple) if later else st.just(())
        edges[f"n{i}"] = draw(st.lists(alternative, max_size=3))
    hidden = draw(st.frozensets(st.sampled_from(sorted(edges)), max_size=3))
    return Drawn("n0", edges, hidden)


def antichain(candidates):
    found = set(candidates)
    return {c for c in found if not any(other < c for other in found)}


def labels_of(graph, nodes):
    return frozenset(x for x in nodes if x not in graph.hidden)


def by_supported_sets(graph):
    """The definition: every set of nodes that holds the root and, with each node, one of its alternatives."""
    nodes = sorted(graph.edges)
    made = []
    for bits in itertools.product((False, True), repeat=len(nodes)):
        chosen = {n for n, bit in zip(nodes, bits, strict=True) if bit}
        if graph.root in chosen and all(any(set(a) <= chosen for a in graph.edges[n]) for n in chosen):
            made.append(labels_of(graph, chosen))
    return antichain(made)


def by_shared_choices(graph):
    """Every way to give each node one alternative, the same wherever it recurs."""
    nodes = sorted(graph.edges)
    made = []
    for choice in itertools.product(*[graph.edges[n] or [None] for n in nodes]):
        chosen, reached, stack = dict(zip(nodes, choice, strict=True)), set(), [graph.root]
        while stack:
            node = stack.pop()
            if node not in reached:
                reached.add(node)
                stack += chosen[node] or ()
        if all(chosen[n] is not None for n in reached):
            made.append(labels_of(graph, reached))
    return antichain(made)


def by_trees(graph):
    """Every derivation tree, each occurrence of a node with a choice of its own."""

    def trees(node):
        for alternative in graph.edges[node]:
            for parts in itertools.product(*[list(trees(p)) for p in alternative]):
                yield frozenset({node}).union(*parts)

    return antichain(labels_of(graph, t) for t in trees(graph.root))


@settings(max_examples=2000, deadline=None)
@given(graphs())
def test_three_definitions_agree(graph):
    """Supported sets, shared choices, independent trees, diagrams and SAT listing all give one family."""
    agree(graph)


@pytest.mark.nightly
@settings(max_examples=5000, deadline=None)
@given(graphs(size=8))
def test_three_definitions_agree_on_many_larger_graphs(graph):
    """The same on more and larger graphs."""
    agree(graph)


def trees_of(graph):
    """Return how many derivation trees there are: a few dense graphs of seven nodes have millions."""
    count = {}
    for node in sorted(graph.edges, reverse=True):  # a node rests on later ones only
        count[node] = sum(math.prod(count[p] for p in alternative) for alternative in graph.edges[node])
    return count[graph.root]


def agree(graph):
    """Assert that every definition and both algorithms give one family; trees where they can be listed."""
    expected = by_supported_sets(graph)
    family = minimal(graph)
    assert sets(family) == expected == by_shared_choices(graph)
    assert trees_of(graph) > TREES or by_trees(graph) == expected
    assert family.count() == len(expected)
    listed = minimal(graph, budget=0)
    assert sets(listed) == expected
    assert list(listed.members()) == list(family.members())
    assert listed.necessary() == family.necessary()
    assert listed.sizes() == family.sizes()


@settings(max_examples=200, deadline=None)
@given(graphs(size=6), st.data())
def test_best_f1_is_the_best(graph, data):
    """The member with the best F1 is what trying every member finds, ties by size and then label order."""
    family = minimal(graph)
    members = list(family.members())
    pool = [*family.labels, "elsewhere"]
    trace = data.draw(st.frozensets(st.sampled_from(pool)))
    among = data.draw(st.one_of(st.none(), st.frozensets(st.sampled_from(pool))))
    if not members:
        with pytest.raises(ValueError, match="empty"):
            family.best_f1(trace, among)
        return
    rank = {label: i for i, label in enumerate(family.labels)}

    def key(member):
        kept = [x for x in member if among is None or x in among]
        wanted = [x for x in trace if among is None or x in among]
        total = len(kept) + len(wanted)
        f1 = Fraction(2 * len(set(kept) & set(wanted)), total) if total else Fraction(0)
        return (-f1, len(member), [rank[x] for x in member])

    assert family.best_f1(trace, among) == min(members, key=key)
    assert minimal(graph, budget=0).best_f1(trace, among) == min(members, key=key)


@settings(max_examples=200, deadline=None)
@given(graphs(), st.randoms())
def test_the_family_is_invariant(graph, random):
    """Renaming hidden nodes, reordering, a repeated or absorbed alternative, De Morgan pairs: no label, no change."""
    edges = {n: [tuple(random.sample(a, len(a))) for a in alternatives] for n, alternatives in graph.edges.items()}
    for alternatives in edges.values():
        random.shuffle(alternatives)
        if alternatives:
            first = alternatives[0]
            alternatives += [first, tuple({*first, *random.choice(alternatives)})]
    expected = sets(minimal(graph))
    assert sets(minimal(Drawn(graph.root, edges, graph.hidden))) == expected
    # A hidden node in between (distribution: an alternative moved behind a name that nobody can cite).
    spread = {"hidden root": [(graph.root,)], **edges}
    for name, alternatives in edges.items():
        spread[name] = [("hidden " + name,)]
        spread["hidden " + name] = alternatives
    hidden = graph.hidden | {n for n in spread if n.startswith("hidden ")}
    assert sets(minimal(Drawn("hidden root", spread, hidden))) == expected


@settings(max_examples=200, deadline=None)
@given(graphs(), st.data())
def test_the_coarser_level_is_the_projection(graph, data):
    """Forgetting labels and minimising gives the family at the coarser level, so it is never larger."""
    keep = data.draw(st.frozensets(st.sampled_from(sorted(graph.edges))))
    fine, coarse = minimal(graph), minimal(graph, keep=keep.__contains__)
    assert sets(coarse) == antichain(m & keep for m in sets(fine))
    assert coarse.count() <= fine.count()


def gates(components: int, width: int) -> Drawn:
    """Components that fail in one of `width` ways each: width ** components derivations."""
    edges: dict[str, list[tuple[str, ...]]] = {"R": [tuple(f"c{i}" for i in range(components))]}
    for i in range(components):
        edges[f"c{i}"] = [(f"g{i}.{j}",) for j in range(width)]
        edges |= {f"g{i}.{j}": [(f"f{i}.{j}",)] for j in range(width)}
    return Drawn("R", edges)


def test_large_families_are_counted_without_listing():
    """A hundred million members take a small diagram; the first members come at once, smallest first."""
    family = minimal(gates(8, 10))
    assert family.count() == 10**8
    assert len(family.diagram) < 20_000
    first = list(family.members(limit=3))
    assert len(set(first)) == 3
    assert all(len(member) == 1 + 3 * 8 for member in first)
    assert set(first[0]) == {"R"} | {x for i in range(8) for x in (f"c{i}", f"g{i}.0", f"f{i}.0")}
    assert family.necessary() == {"R", *(f"c{i}" for i in range(8))}


def test_over_budget_says_that_it_is_incomplete():
    """Where the cap cuts the listing, count is unknown, complete is false, and every member listed is minimal."""
    graph = gates(4, 6)
    exact = sets(minimal(graph))
    cut = minimal(graph, budget=5, cap=50)
    assert not cut.complete
    assert cut.count() is None
    assert len(list(cut.members())) == 50
    assert sets(cut) <= exact


def test_a_cycle_is_refused():
    """Explanation graphs are acyclic; anything else is an error that names a node."""
    with pytest.raises(ValueError, match="cyclic"):
        minimal(drawn("R < a; a < b; b < a"))


def layered(seed: int) -> Drawn:
    """A random graph of 24 to 60 nodes; each node rests on some of the next eight, so that much is shared."""
    import random

    rng = random.Random(seed)
    n = rng.choice((24, 36, 60))
    edges = {}
    for i in range(n):
        later = [f"n{j}" for j in range(i + 1, min(n, i + 9))]
        alternatives = [tuple(rng.sample(later, min(len(later), rng.randint(1, 3)))) for _ in range(rng.randint(1, 3))]
        edges[f"n{i}"] = alternatives if later else [()]
    return Drawn("n0", edges, frozenset(f"n{i}" for i in range(1, n) if rng.random() < 0.3))


def test_with_and_without_clingo_over_budget(monkeypatch):
    """What is listed is the same, in the same order, whichever solver lists it; over the cap SAT does."""
    pytest.importorskip("clingo")
    from benchmarks.minimal import shared
    from holmes.logic.families import listing

    met = []
    for seed in range(12):
        graph = shared(listing.SMALL + seed % 5, seed)
        with monkeypatch.context() as without:
            listed = minimal(graph, budget=0)
            cut = minimal(graph, budget=0, cap=3)
            met.append(listing._by_clingo(*ask(graph), cap=1000) is not None)
            without.setattr(listing, "_by_clingo", lambda *_: None)
            again = minimal(graph, budget=0)
            assert list(listed.members()) == list(again.members()) and listed.complete == again.complete
            assert list(cut.members()) == list(minimal(graph, budget=0, cap=3).members())
    assert sum(met) > 8


def ask(graph):
    """Return the arguments of a listing as `minimal` makes them."""
    from holmes.logic.families.minimal import _premises_first

    order = _premises_first(graph)
    labels = [node for node in reversed(order) if graph.label(node) is not None]
    number = {node: labels.index(node) if node in labels else None for node in order}
    return graph, order, number, len(labels)


def test_clingo_agrees_on_larger_graphs():
    """An answer-set solver with subset minimisation finds the same families on graphs too large to enumerate."""
    pytest.importorskip("clingo")  # in the extra `dev`
    from benchmarks.minimal import by_clingo

    sizes = []
    for seed in range(80):
        graph = layered(seed)
        family = minimal(graph)
        if family.count() > 3000:
            continue
        sizes.append(family.count())
        assert {frozenset(m) for m in by_clingo(graph)} == sets(family), seed
    assert len(sizes) > 70
    assert max(sizes) > 100
