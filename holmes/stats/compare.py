"""The paired comparison of two systems on the same cases."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from holmes.errors import InputError
from holmes.stats.bootstrap import REPLICATES, one_output_each, padded
from holmes.stats.checks import check_rows

_EXACT = 14  # up to this many differing cases all sign patterns are counted


@dataclass(frozen=True, slots=True)
class Comparison:
    """How much A scores above B on the same cases.

    a, b: mean scores. difference: a - b. low, high: its 95 % bootstrap interval. p: two-sided, of the sign test on
    per-case differences. cases: N. better, worse: cases on which A scores higher, lower.
    """

    a: float
    b: float
    difference: float
    low: float
    high: float
    p: float
    cases: int
    better: int
    worse: int


def compare(
    a: Mapping[str, Sequence[float]],
    b: Mapping[str, Sequence[float]],
    *,
    replicates: int = REPLICATES,
    flips: int = 10_000,
    seed: int = 0,
) -> Comparison:
    """Compare two systems case by case.

    a, b: for each case id the scores of its outputs; the ids must be the same. replicates: of the interval, which draws
    cases with replacement and then one output of each system. flips: sign patterns drawn for p where there are too
    many to count all. seed: of the generator.
    p is that of the paired randomisation test on the per-case mean differences: the share of sign patterns with a mean
    at least as far from zero; drawn patterns count the observed one too, so that p is never 0.
    Returns the Comparison. Raises InputError where the ids differ, a case has no output, or a
    score is no finite number.
    """
    if odd := sorted(set(a) ^ set(b)):
        where = "first" if odd[0] in a else "second"
        raise InputError(
            f"compare: case {odd[0]!r}: found in the {where} results only, expected the same cases in both"
        )
    ids = sorted(a)
    check_rows([(i, scores[i]) for i in ids for scores in (a, b)], "compare")
    if not ids:
        return Comparison(0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0, 0, 0)
    generator = np.random.default_rng(seed)
    means = np.array([[np.mean(a[i]), np.mean(b[i])] for i in ids])
    differences = means[:, 0] - means[:, 1]
    chosen = generator.integers(0, len(ids), size=(replicates, len(ids)))
    estimates = one_output_each(*padded([a[i] for i in ids]), chosen, generator).mean(axis=1)
    estimates = estimates - one_output_each(*padded([b[i] for i in ids]), chosen, generator).mean(axis=1)
    low, high = np.percentile(estimates, [2.5, 97.5])
    return Comparison(
        float(means[:, 0].mean()),
        float(means[:, 1].mean()),
        float(differences.mean()),
        float(low),
        float(high),
        _p(differences, flips, generator),
        len(ids),
        int((differences > 0).sum()),
        int((differences < 0).sum()),
    )


def _p(differences: np.ndarray, flips: int, generator: np.random.Generator) -> float:
    """Two-sided p of the sign-flip test; equal cases carry no evidence and are left out."""
    moved = np.abs(differences[differences != 0])
    if not len(moved):
        return 1.0
    observed = abs(differences.sum()) - 1e-12
    if len(moved) <= _EXACT:
        patterns = (np.arange(2 ** len(moved))[:, np.newaxis] >> np.arange(len(moved))) & 1
        return float((np.abs((2 * patterns - 1) @ moved) >= observed).mean())
    signs = generator.integers(0, 2, size=(flips, len(moved)), dtype=np.int8) * 2 - 1
    reached = int((np.abs(signs @ moved) >= observed).sum())
    return (reached + 1) / (flips + 1)
