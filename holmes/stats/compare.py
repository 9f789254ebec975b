"""The paired comparison of two systems on the same cases."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from holmes.errors import InputError
from holmes.stats.checks import check_rows
from holmes.stats.paired import sign_flip


@dataclass(frozen=True, slots=True)
class Comparison:
    """How much A scores above B on the same cases.

    a, b: mean scores. difference: a - b. low, high: its interval, the differences that the test does not reject.
    p: two-sided, of the sign-flip test on per-case differences of means. cases: N. better, worse: cases on which A
    scores higher, lower. spread: standard deviation of the per-case differences. note: what a reader must be told.
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
    spread: float = 0.0
    note: str = ""


def compare(
    a: Mapping[str, Sequence[float]],
    b: Mapping[str, Sequence[float]],
    *,
    flips: int = 10_000,
    seed: int = 0,
    level: float = 0.95,
    replicates: int | None = None,
) -> Comparison:
    """Compare two systems case by case.

    a, b: for each case id the scores of its outputs; the ids must be the same. flips: sign patterns drawn for the test
    where there are too many to count all. seed: of the generator. level: coverage of the interval.
    replicates: accepted for older calls and not used: the interval is no bootstrap any more.
    Test and interval are of one estimand, the mean over cases of the difference of case means, and come from the same
    sign patterns (`holmes.stats.paired.sign_flip`): p is at most 1 - level exactly where the interval leaves out 0.
    Returns the Comparison. Raises InputError where the ids differ, a case has no output, or a score is no finite
    number.
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
    means = np.array([[np.mean(a[i]), np.mean(b[i])] for i in ids])
    differences = means[:, 0] - means[:, 1]
    test = sign_flip(differences.tolist(), flips=flips, seed=seed, level=level)
    return Comparison(
        float(means[:, 0].mean()),
        float(means[:, 1].mean()),
        float(differences.mean()),
        test.low,
        test.high,
        test.p,
        len(ids),
        int((differences > 0).sum()),
        int((differences < 0).sum()),
        float(differences.std()),
        test.note,
    )
