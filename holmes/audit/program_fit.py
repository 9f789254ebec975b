"""Which case a program is about: words, numbers and statute sections it shares with each case of its domain."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

_SECTION = re.compile(r"(?:\bsections?|\bsec\.?|§+)\s*(\d+)((?:\s*\(\w{1,4}\))*)", re.I)
_THOUSANDS = re.compile(r"\b\d{1,3}(?:,\d{3})+\b")
_WORD = re.compile(r"[A-Za-z]+\d*\w*|\d{2,}")
STRONG, RATIO = 0.4, 2.5  # foreign programs of the release lie at 2.9 and above, right ones at 2.0 and below
COVER, FIGURE = 0.05, 0.1


@dataclass(frozen=True, slots=True)
class Misfit:
    """A program that fits another case: positions of the program and of that case, and both similarities (cosine)."""

    program: int
    case: int
    own: float
    best: float


def tokens(text: str) -> Counter[str]:
    """Return the tokens of a text or program: word stems, numbers of two or more digits, statute sections and paths."""
    text = _THOUSANDS.sub(lambda m: m[0].replace(",", ""), text)
    sections: list[str] = []
    for match in _SECTION.finditer(text):
        path = re.findall(r"\w+", match[2])
        sections += [f"§{match[1]}{'/'.join(['', *path[:depth]])}" for depth in range(len(path) + 1)]
    text = re.sub(r"([a-z])([A-Z])", r"\1 \2", _SECTION.sub(" ", text)).replace("_", " ")
    return Counter([*sections, *(word.lower()[:7] for word in _WORD.findall(text) if len(word) > 1)])


def misfits(programs: Sequence[str], cases: Sequence[str]) -> list[Misfit]:
    """Find programs that are about another case than their own.

    programs, cases: texts of one domain, aligned by position. A program is a misfit when its similarity to another
    case is at least `STRONG` and `RATIO` times that to its own; the case named is the one with which it shares most,
    amounts and years above all, weighed by how much of that case it covers.
    Returns the misfits in order.
    """
    if len(cases) < 2:
        return []
    parts = [tokens(text) for text in cases]
    written = [tokens(program) for program in programs]
    spread = Counter(word for part in parts for word in part)
    weight = {word: math.log(len(cases) / count) for word, count in spread.items()}
    index = {word: position for position, word in enumerate(spread)}
    case_rows, program_rows = _unit(parts, weight, index), _unit(written, weight, index)
    likeness = program_rows @ case_rows.T
    heavy = np.array([[weight[w] if w in part else 0.0 for w in spread] for part in parts])
    shared = np.array([[1.0 if w in part else 0.0 for w in spread] for part in written])
    covered = (shared @ heavy.T) / (heavy.sum(axis=1) + 1e-9)
    telling = np.array([1.0 if len(word) > 2 and word.isdigit() else 0.0 for word in spread])
    figures = (shared * telling) @ heavy.T  # amounts and years that program and case share, rare ones first
    found = []
    for position, row in enumerate(likeness):
        best = int(np.argmax(row))
        if best != position and row[best] >= STRONG and row[best] >= RATIO * row[position]:
            named = int(np.argmax((row + FIGURE * figures[position]) * (COVER + covered[position])))
            found.append(Misfit(position, named, float(row[position]), float(row[named])))
    return found


def _unit(parts: Sequence[Counter[str]], weight: dict[str, float], index: dict[str, int]) -> NDArray[np.float64]:
    rows = np.zeros((len(parts), len(index)))
    for position, part in enumerate(parts):
        for word, count in part.items():
            if word in index:
                rows[position, index[word]] = (1 + math.log(count)) * weight[word]
    norms: NDArray[np.float64] = np.linalg.norm(rows, axis=1, keepdims=True) + 1e-9
    return rows / norms
