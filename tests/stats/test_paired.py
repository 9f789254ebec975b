"""The sign-flip test, the interval that inverts it, McNemar, Holm and the least detectable difference."""

from __future__ import annotations

import math
import tracemalloc

import numpy as np
import pytest
from scipy.stats import binomtest

from holmes.stats import compare, detectable, holm, mcnemar, mean_interval, sign_flip


@pytest.mark.parametrize("k", [1, 4])
def test_interval_and_p_never_contradict_each_other(k):
    """0 lies in the interval exactly where p is above 0.05, on 400 comparisons of all sizes."""
    generator = np.random.default_rng(5)
    seen = {True: 0, False: 0}
    for number in range(400):
        n, gap = int(generator.integers(1, 150)), generator.choice([0.0, 0.1, 0.3])
        a = generator.binomial(k, 0.5 + gap, n) / k
        b = generator.binomial(k, 0.5, n) / k
        got = sign_flip((a - b).tolist(), flips=1000, seed=number)
        assert (got.p <= 0.05) == (not got.low <= 0 <= got.high)
        assert got.low <= (a - b).mean() <= got.high or got.p == 1
        seen[got.p <= 0.05] += 1
    assert min(seen.values()) > 20


def test_ends_are_where_the_test_turns():
    """Shifted by a little more than an end, the test of no difference rejects; by a little less, it does not."""
    d = np.random.default_rng(6).choice([1.0, 0.5, 0.0, -0.5], size=60)
    got = sign_flip(d.tolist(), flips=40_000)
    for end, outward in ((got.low, -0.02), (got.high, 0.02)):
        assert sign_flip((d - end - outward).tolist(), flips=40_000, seed=1).p < 0.05
        assert sign_flip((d - end + outward).tolist(), flips=40_000, seed=1).p > 0.05


@pytest.mark.parametrize(("n", "p"), [(35, 0.5), (100, 0.8), (300, 0.95)])
def test_p_holds_its_level_under_no_difference(n, p):
    """P(p ≤ α) ≤ α within simulation error, and the interval holds 0 as often."""
    generator = np.random.default_rng(7)
    hits = sum(
        sign_flip((generator.binomial(1, p, n) - generator.binomial(1, p, n)).tolist(), flips=1000, seed=i).p <= 0.05
        for i in range(600)
    )
    assert hits / 600 <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / 600)


def test_swapping_turns_the_interval_round():
    """The comparison is exactly antisymmetric."""
    a = {str(i): [float(v)] for i, v in enumerate(np.random.default_rng(8).random(50))}
    b = {str(i): [float(v)] for i, v in enumerate(np.random.default_rng(9).random(50))}
    forth, back = compare(a, b), compare(b, a)
    assert (forth.p, forth.low, forth.high) == (back.p, -back.high, -back.low)


def test_the_estimand_is_that_of_p_where_generations_are_several():
    """At K = 4 a small steady gain is found by the test and by the interval alike."""
    generator = np.random.default_rng(10)
    base = generator.random(200) * 0.8
    a = {str(i): (generator.random(4) < v + 0.15).astype(float).tolist() for i, v in enumerate(base)}
    b = {str(i): (generator.random(4) < v).astype(float).tolist() for i, v in enumerate(base)}
    got = compare(a, b)
    assert got.p < 0.05 and got.low > 0


def test_no_difference_at_all_is_not_certainty():
    """Two equal runs: p is 1, and the interval is what so many cases can hide."""
    got = sign_flip([0.0] * 50)
    assert got.p == 1 and got.low < 0 < got.high < 0.1 and "50 cases" in got.note


@pytest.mark.parametrize("n", [1, 3, 5, 6, 24, 200])
@pytest.mark.parametrize("gap", [1.0, -1.0, 0.25])
def test_cases_that_all_differ_alike_are_not_certainty(n, gap):
    """The interval is no point, says so, narrows with n, and still agrees with p."""
    got = sign_flip([gap] * n)
    assert got.low < got.high and got.low <= gap <= got.high and "alike" in got.note
    assert (got.p <= 0.05) == (not got.low <= 0 <= got.high) == (n > 5)
    assert n < 200 or got.high - got.low < 0.1


def test_memory_stays_bounded():
    """Ten thousand different differences are compared within 100 MB."""
    d = np.random.default_rng(11).normal(size=10_000).tolist()
    tracemalloc.start()
    sign_flip(d, flips=2000)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 100e6


def test_mcnemar_is_the_exact_binomial_test():
    """Its p is that of scipy's binomial test; mid-p is smaller; equal counts give 1."""
    assert mcnemar(12, 3).p == pytest.approx(binomtest(3, 15, 0.5).pvalue)
    assert mcnemar(12, 3).mid_p < mcnemar(12, 3).p
    assert mcnemar(4, 4).p == mcnemar(0, 0).p == 1


def test_holm_orders_and_never_lowers():
    """The published example: 0.01, 0.04, 0.03 become 0.03, 0.06, 0.06."""
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([0.9, 0.8]) == [1.0, 1.0] and holm([]) == []


def test_detectable_difference_is_found_as_often_as_promised():
    """At the least detectable difference the test rejects in about four of five simulated comparisons."""
    generator = np.random.default_rng(12)
    n, share = 300, 0.3
    least = detectable(n, math.sqrt(share))
    p = [(share + least) / 2, (share - least) / 2, 1 - share]
    hits = sum(sign_flip(generator.choice([1.0, -1.0, 0.0], n, p=p).tolist(), flips=1000).p <= 0.05 for _ in range(300))
    assert 0.7 <= hits / 300 <= 0.9
    assert detectable(0, 1.0) is None and detectable(10, 0.0) is None


def test_one_run_says_how_sure_it_is():
    """The interval of one run and that of a difference use the same level."""
    assert mean_interval([[1.0], [0.0]]).level == 0.95
