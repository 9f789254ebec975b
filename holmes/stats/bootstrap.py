"""The two-level bootstrap of DeonticBench B.3 over per-case numbers, vectorised."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from holmes.errors import InputError
from holmes.stats.checks import check_rows

REPLICATES = 1000  # the paper's B
_FEW = 8  # distinct values up to which a multinomial draw is the faster way
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Interval:
    """A statistic and its bootstrap interval.

    value: the statistic of the data as they are, every output of a case weighing 1/K. mean: of the replicates, what the
    paper prints. low, high: percentiles. cases: N. outputs: of all cases. replicates: B.
    """

    value: float
    mean: float
    low: float
    high: float
    cases: int
    outputs: int
    replicates: int

    def __str__(self) -> str:
        return f"{self.value:.3f} [{self.low:.3f}, {self.high:.3f}]"


def bootstrap(
    outputs: Sequence[Sequence[float]],
    statistic: Callable[[Floats, Floats], Floats] | None = None,
    *,
    replicates: int = REPLICATES,
    seed: int = 0,
    level: float = 0.95,
) -> Interval:
    """Return a statistic of N cases with K outputs each, and its interval over cases and outputs.

    outputs: one row a case, one finite number an output; rows may differ in length, none is empty.
    statistic: from (distinct values, shape (V,); their frequencies, shape (R, V), rows summing to 1) to R statistics;
    None is the mean. replicates: B, at least 1. seed: of the generator. level: coverage, between 0 and 1.
    A replicate draws N cases with replacement and then one output of each. The N draws are independent and each gives
    output j of case i with weight 1/(N K_i). So where few values are distinct (right or wrong, a confusion table) their
    frequencies are one multinomial draw: the same distribution without a loop over cases.
    Returns the Interval; percentiles are (1-level)/2 and its complement, in percent. No case gives zeros. A statistic
    that a sample leaves undefined is nan there; such replicates are left out of mean and percentiles.
    Raises InputError for an empty row or a number that is not finite. Source: DeonticBench B.3.
    """
    if replicates < 1 or not 0 < level < 1:
        raise InputError(
            f"bootstrap: found {replicates} replicates, level {level}, expected 1 or more, and 0 < level < 1"
        )
    if isinstance(outputs, str | bytes) or not hasattr(outputs, "__len__"):
        raise InputError(f"bootstrap: found {outputs!r:.40}, expected a list of rows")
    if not len(outputs):  # an array, too, is a list of rows
        return Interval(0.0, 0.0, 0.0, 0.0, 0, 0, replicates)
    values, weights = _weighted(outputs)
    generator = np.random.default_rng(seed)
    if statistic is None and len(values) > _FEW:
        estimates = _drawn_means(outputs, replicates, generator)
    else:
        drawn = generator.multinomial(len(outputs), weights, size=replicates) / len(outputs)
        estimates = (statistic or mean_of_values)(values, drawn)
    edge = 100 * (1 - level) / 2
    value = float((statistic or mean_of_values)(values, weights[np.newaxis, :])[0])
    defined = estimates[~np.isnan(estimates)]
    low, high = np.percentile(defined, [edge, 100 - edge]) if len(defined) else (math.nan, math.nan)
    mean = float(defined.mean()) if len(defined) else math.nan
    total = sum(map(len, outputs))
    return Interval(value, mean, float(low), float(high), len(outputs), total, replicates)


def _drawn_means(outputs: Sequence[Sequence[float]], replicates: int, generator: np.random.Generator) -> Floats:
    """Means of drawn values where many are distinct."""
    table, lengths = padded(outputs)
    if lengths.min() == lengths.max():  # then a case and an output of it are one draw from all outputs
        flat = table.ravel()
        means: Floats = flat[generator.integers(0, len(flat), size=(replicates, len(outputs)), dtype=np.int32)].mean(
            axis=1
        )
        return means
    chosen = generator.integers(0, len(outputs), size=(replicates, len(outputs)))
    means = one_output_each(table, lengths, chosen, generator).mean(axis=1)
    return means


def padded(outputs: Sequence[Sequence[float]]) -> tuple[Floats, NDArray[np.int64]]:
    """Return the rows as one table, short ones filled up with zeros, and their lengths."""
    lengths = np.array([len(row) for row in outputs])
    table = np.zeros((len(outputs), int(lengths.max())))
    for place, row in enumerate(outputs):
        table[place, : len(row)] = row
    return table, lengths


def one_output_each(
    table: Floats, lengths: NDArray[np.int64], chosen: NDArray[np.int64], generator: np.random.Generator
) -> Floats:
    """Return for each chosen case one of its outputs, drawn uniformly."""
    picked: Floats = table[chosen, (generator.random(chosen.shape) * lengths[chosen]).astype(np.int64)]
    return picked


def mean_of_values(values: Floats, frequencies: Floats) -> Floats:
    """Return the mean of each row of frequencies."""
    means: Floats = frequencies @ values
    return means


def _weighted(outputs: Sequence[Sequence[float]]) -> tuple[Floats, Floats]:
    """The distinct values in order and the weight of each; weights sum to 1."""
    check_rows(enumerate(outputs), "bootstrap")
    totals: dict[float, float] = {}
    for row in outputs:
        for value in row:
            totals[float(value)] = totals.get(float(value), 0.0) + 1 / len(row)
    ordered = sorted(totals)
    return np.array(ordered), np.array([totals[v] / len(outputs) for v in ordered])
