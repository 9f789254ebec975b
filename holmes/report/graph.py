"""Explanation graphs laid out by graphviz: labelled steps as boxes, hidden nodes drawn through."""

from __future__ import annotations

import shutil
import subprocess
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from holmes.derivations.derive import Derivations, PartGraph, is_fact
from holmes.errors import CheckFailed

WIDTH, LINE, PAD = 168, 14, 14  # points: of a box, of a line of text, of a box without text
_LETTERS = 27  # that fit into a line
_MOST = 110  # steps drawn; of a larger graph only those of the derivations shown
_BATCH = 50


@dataclass(frozen=True, slots=True)
class Drawing:
    """What is to be drawn: steps by label, and which rests on which. left_out: how many steps are not drawn."""

    steps: Mapping[str, str]
    edges: tuple[tuple[str, str], ...]
    left_out: int = 0


@dataclass(frozen=True, slots=True)
class Layout:
    """A drawing with places. size: width and height in points. boxes: label -> x, y of its middle, width, height."""

    size: tuple[int, int]
    boxes: Mapping[str, tuple[int, int, int, int]]
    edges: tuple[tuple[str, str], ...]
    left_out: int = 0


def available() -> bool:
    """Say whether graphviz is installed."""
    return shutil.which("dot") is not None


def drawing(derivations: Derivations, words: Mapping[str, str], wanted: frozenset[str] = frozenset()) -> Drawing:
    """Return what to draw of a case: every labelled step that can support the answer, and what it rests on.

    words: label -> its sentence, where one is at hand. wanted: labels to keep of a graph too large to draw whole; by
    default those of its first derivation.
    """
    edges: dict[tuple[str, str], None] = {}
    labels: dict[str, None] = {}
    for part in derivations.parts:
        for upper, lower in _edges(part):
            labels.setdefault(upper)
            labels.setdefault(lower)
            edges.setdefault((upper, lower))
    kept = set(labels)
    if len(labels) > _MOST:
        kept = set(wanted) or set(next(derivations.family.members(1)))
        kept |= derivations.answers()
    steps = {label: short(words.get(label, label)) for label in labels if label in kept}
    drawn = tuple((a, b) for a, b in edges if a in steps and b in steps)
    return Drawing(steps, drawn, len(labels) - len(steps))


def _edges(part: PartGraph) -> Iterator[tuple[str, str]]:
    """Pairs (step, what it rests on), hidden nodes between them left out."""
    below: dict[int, tuple[str, ...]] = {}

    def reached(node: int) -> tuple[str, ...]:
        label = part.label(node)
        if label is not None:
            return (label,)
        if node not in below:
            below[node] = tuple(dict.fromkeys(up for a in part.alternatives(node) for p in a for up in reached(p)))
        return below[node]

    for node in part.graph.reachable(part.root):
        label = part.label(node)
        if label is None or is_fact(label):
            continue
        for alternative in part.alternatives(node):
            for premise in alternative:
                for lower in reached(premise):
                    yield label, lower


def short(sentence: str) -> str:
    """Return a step's sentence without the citation that its box shows apart."""
    text = sentence
    for opening in ("By Rule ", "By the table of Rule ", "By section ", "By Section "):
        if text.startswith(opening) and ", " in text:
            text = text.partition(", ")[2]
            text = text[:1].upper() + text[1:]
    return text.removesuffix(".")


def lines(text: str) -> list[str]:
    """Return a box's text cut into at most four lines."""
    found = textwrap.wrap(text, _LETTERS, break_long_words=True) or [""]
    return found if len(found) <= 4 else [*found[:3], found[3][: _LETTERS - 1] + "…"]


def laid_out(drawings: Sequence[Drawing]) -> list[Layout | None]:
    """Lay drawings out with graphviz, many in one process; None for each where it is not installed.

    Raises CheckFailed where graphviz fails or leaves a drawing out.
    """
    if not available():
        return [None] * len(drawings)
    found: list[Layout | None] = []
    for start in range(0, len(drawings), _BATCH):
        batch = drawings[start : start + _BATCH]
        text = "\n".join(map(_dot, batch))
        done = subprocess.run(["dot", "-Tplain"], input=text, capture_output=True, text=True, check=False)
        blocks = done.stdout.split("\nstop")
        if done.returncode or len(blocks) - 1 != len(batch):
            raise CheckFailed(
                f"graphviz: found {done.stderr.strip()[:200] or 'too few layouts'}, expected {len(batch)}"
            )
        found += [_read(one, block) for one, block in zip(batch, blocks, strict=False)]
    return found


def _dot(one: Drawing) -> str:
    rows = ["digraph g {", "rankdir=TB; splines=line; nslimit=2; mclimit=0.5; nodesep=0.12; ranksep=0.45;"]
    numbers = {label: place for place, label in enumerate(one.steps)}
    for label, text in one.steps.items():
        height = PAD + LINE * len(lines(text))
        size = f"width={WIDTH / 72:.3f},height={height / 72:.3f}"
        rows.append(f'n{numbers[label]} [shape=box,fixedsize=true,label="",{size}];')
    rows += [f"n{numbers[a]} -> n{numbers[b]};" for a, b in one.edges]
    return "\n".join([*rows, "}"])


def _read(one: Drawing, block: str) -> Layout:
    labels = list(one.steps)
    boxes: dict[str, tuple[int, int, int, int]] = {}
    wide = high = 0
    for row in block.strip().splitlines():
        told = row.split()
        if told[0] == "graph":
            wide, high = round(72 * float(told[2])), round(72 * float(told[3]))
        elif told[0] == "node":
            x, y, width, height = (round(72 * float(value)) for value in told[2:6])
            boxes[labels[int(told[1][1:])]] = (x, high - y, width, height)
    return Layout((wide, high), boxes, one.edges, one.left_out)
