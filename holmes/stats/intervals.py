"""Headline intervals, chosen by measured coverage (docs/statistics.md): Agresti–Coull on the effective number."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray
from scipy.stats import t

from holmes.errors import InputError

METHOD = "agresti-coull-neff"
"""How the headline intervals are made, as signatures name it."""
_SHRINK = 10.0  # the estimated gain in cases over n is trusted by n/(n + 10): a variance from few cases is unsure
_SMOOTH = 0.5  # cases added to each cell of a confusion table before its variance is taken (Jeffreys)
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Estimate:
    """A figure with its interval.

    value, low, high: the figure and the ends of its interval; all None where it is undefined (nothing to measure).
    cases: how many cases it rests on. outputs: how many generations. method: how the interval was made.
    level: its nominal coverage. note: what a reader must be told, empty where there is nothing.
    """

    value: float | None
    low: float | None
    high: float | None
    cases: int
    outputs: int
    method: str
    level: float = 0.95
    note: str = ""

    @property
    def defined(self) -> bool:
        """Whether there was anything to measure."""
        return self.value is not None

    def __str__(self) -> str:
        if self.value is None or self.low is None or self.high is None:
            return "undefined"
        return f"{self.value:.3f} [{self.low:.3f}, {self.high:.3f}]"


def undefined(method: str = METHOD, level: float = 0.95, note: str = "nothing to measure") -> Estimate:
    """Return the estimate of a figure over nothing."""
    return Estimate(None, None, None, 0, 0, method, level, note)


def mean_interval(rows: Sequence[Sequence[float]], *, level: float = 0.95) -> Estimate:
    """Return the mean over cases of scores in [0, 1], generations averaged within a case, with its interval.

    rows: one a case, each with the scores of its K ≥ 1 generations. level: nominal coverage, between 0 and 1.
    The effective number of cases is m(1 − m) / Var(m): n for one right-or-wrong generation a case, up to nK where
    generations are independent; the Agresti–Coull interval is taken on it. Scores outside [0, 1] get Student's t.
    Returns the Estimate, undefined for no rows. Raises InputError for an empty row or a number that is not finite.
    Source: Agresti and Coull 1998; effective number as in Korn and Graubard 1998; coverage in docs/statistics.md.
    """
    if not rows:
        return undefined(level=level)
    means, outputs, binary = _case_means(rows)
    n, value = len(means), float(means.mean())
    spread = float(means.var())
    if means.min() < 0 or means.max() > 1:
        return _student(means, outputs, level)
    note = ""
    effective = float(n)
    if spread > 0:
        effective = value * (1 - value) / (spread / n)
        effective = min(_trusted(effective, n), outputs) if binary else _trusted(effective, n)
    else:
        note = f"all {n} cases score {value:.3g}: the interval is that of {n} right-or-wrong cases"
    low, high = agresti_coull(value, effective, level)
    return Estimate(value, low, high, n, outputs, METHOD, level, note)


def ratio_interval(numerators: Sequence[float], denominators: Sequence[float], *, level: float = 0.95) -> Estimate:
    """Return Σ numerators / Σ denominators over cases with its interval, for shares such as pooled precision or CRS.

    numerators, denominators: one a case, 0 ≤ numerator ≤ denominator; generations of a case are averaged before.
    Its variance is that of the linearised ratio; cases with denominator 0 carry nothing.
    Returns the Estimate, undefined where the denominators sum to 0. Raises InputError for what is no such pair.
    """
    top, below = np.asarray(numerators, dtype=float), np.asarray(denominators, dtype=float)
    if top.shape != below.shape or not (np.isfinite(top).all() and np.isfinite(below).all()):
        raise InputError("ratio: found numbers that are not finite or not in pairs, expected one pair a case")
    if (top < -1e-12).any() or (top > below + 1e-12).any():
        raise InputError("ratio: found a numerator outside 0 to its denominator, expected a part of a whole")
    total = float(below.sum())
    if total <= 0:
        return undefined(level=level)
    there = int((below > 0).sum())
    value = float(top.sum()) / total
    variance = float(((top - value * below) ** 2).sum()) / total**2
    base = total**2 / float((below**2).sum())  # equal to the number of cases where all weigh the same
    effective = _trusted(value * (1 - value) / variance, base) if variance > 0 else base
    low, high = agresti_coull(value, effective, level)
    note = "" if variance > 0 else f"all {there} cases agree: the interval is that of {base:.0f} right-or-wrong cases"
    return Estimate(value, low, high, there, there, METHOD, level, note)


def macro_f1_interval(tables: Sequence[Sequence[float]], outputs: int = 0, *, level: float = 0.95) -> Estimate:
    """Return macro-F1 of two classes with its interval.

    tables: one row a case, the shares of its generations that are true negatives, false positives, false negatives,
    true positives; a row sums to 1, an abstention being the class that the gold is not. outputs: of all cases.
    A class that neither golds nor predictions hold is left out. The variance is that of the linearised statistic at
    the table with half a case added to each cell, so that no cell is sure to be empty.
    Returns the Estimate, undefined for no rows. Raises InputError for a row that does not sum to 1.
    """
    if not tables:
        return undefined(level=level)
    cells = np.asarray(tables, dtype=float)
    if cells.ndim != 2 or cells.shape[1] != 4 or not np.allclose(cells.sum(axis=1), 1):
        raise InputError("macro-F1: found a row that does not sum to 1, expected four shares a case")
    n, outputs = len(cells), outputs or len(cells)
    scores = [f for f, whole in _f_scores(cells.sum(axis=0)) if whole > 0]
    value = sum(scores) / len(scores)
    total = cells.sum(axis=0) + _SMOOTH
    gradient = np.zeros(4)
    smooth = 0.0
    for (f, whole), hits, whole_of in zip(_f_scores(total), ([0, 0, 0, 2.0], [2.0, 0, 0, 0]), _WHOLES, strict=True):
        gradient += (np.array(hits) - f * np.array(whole_of)) / whole / 2
        smooth += f / 2
    parts = cells @ gradient
    variance = float(((parts - parts.mean()) ** 2).sum() + _SMOOTH * (gradient**2).sum())
    low, high = agresti_coull(value, min(smooth * (1 - smooth) / variance, float(outputs)), level)
    note = "" if len(scores) == 2 else "only one of the two classes occurs"
    return Estimate(value, low, high, n, outputs, METHOD, level, note)


_WHOLES = ([0, 1.0, 1.0, 2.0], [2.0, 1.0, 1.0, 0])


def _f_scores(total: Floats) -> list[tuple[float, float]]:
    """F1 and its denominator of the affirming and of the denying class."""
    tn, fp, fn, tp = (float(v) for v in total)
    found = []
    for hits in (tp, tn):
        whole = 2 * hits + fp + fn
        found.append((2 * hits / whole if whole > 0 else 0.0, whole))
    return found


def agresti_coull(value: float, number: float, level: float = 0.95) -> tuple[float, float]:
    """Return the Agresti–Coull interval of a share, cut to [0, 1].

    value: the share. number: of cases, or their effective number; above 0. level: nominal coverage.
    """
    z2 = NormalDist().inv_cdf(0.5 + level / 2) ** 2
    centre = (value * number + z2 / 2) / (number + z2)
    half = math.sqrt(z2 * centre * (1 - centre) / (number + z2))
    return max(0.0, min(centre - half, value)), min(1.0, max(centre + half, value))


def _trusted(effective: float, base: float) -> float:
    """The effective number, its gain over `base` shrunk where few cases estimate it."""
    return effective if effective <= base else base + (effective - base) * base / (base + _SHRINK)


def _student(means: Floats, outputs: int, level: float) -> Estimate:
    n, value = len(means), float(means.mean())
    if n < 2:
        return Estimate(value, None, None, n, outputs, "student-t", level, "one case: no interval")
    half = float(t.ppf(0.5 + level / 2, n - 1)) * float(means.std(ddof=1)) / math.sqrt(n)
    return Estimate(value, value - half, value + half, n, outputs, "student-t", level)


def _case_means(rows: Sequence[Sequence[float]]) -> tuple[Floats, int, bool]:
    """Means of the rows, how many numbers there are, and whether each is 0 or 1."""
    if len(rows[0]) and all(len(row) == len(rows[0]) for row in rows):  # the common case, without a loop
        table = np.asarray(rows, dtype=float)
        if np.isfinite(table).all():
            return table.mean(axis=1), table.size, bool(((table == 0) | (table == 1)).all())
    means = np.empty(len(rows))
    outputs, binary = 0, True
    for place, row in enumerate(rows):
        if not len(row):
            raise InputError(f"interval: case {place}: found no output, expected at least one (a failed one scores 0)")
        total = 0.0
        for value in row:
            if not math.isfinite(value):
                raise InputError(f"interval: case {place}: found {value!r}, expected a finite number")
            total += value
            binary = binary and value in (0, 1)
        means[place] = total / len(row)
        outputs += len(row)
    return means, outputs, binary
