"""Headline intervals: what they say on plain cases, and how often they hold the truth."""

from __future__ import annotations

import math

import numpy as np
import pytest

from holmes.errors import InputError
from holmes.stats import cluster_bootstrap, macro_f1_interval, mean_interval, ratio_interval
from tests.stats import simulate


def coverage(repetitions: int, seed: int) -> dict[tuple, float]:
    """Share of simulated runs whose interval holds the true accuracy, by cell of the grid with n of 35 and more."""
    generator = np.random.default_rng(seed)
    found = {}
    for n in (n for n in simulate.NUMBERS if n >= 35):
        for p in simulate.SHARES:
            for name, (k, sameness) in simulate.MODELS.items():
                hits = 0
                for _ in range(repetitions):
                    got = mean_interval(simulate.outputs(generator, n, p, k, sameness).tolist())
                    hits += got.low <= p <= got.high
                found[n, p, name] = hits / repetitions
    return found


@pytest.mark.slow
def test_coverage_holds_over_the_grid():
    """With 200 runs a cell: 94 to 97 % on average, and no cell below 90 % by more than chance over 140 cells."""
    rates = coverage(200, 1)
    slack = 3.2 * math.sqrt(0.9 * 0.1 / 200)
    assert len(rates) == 140
    assert min(rates.values()) >= 0.90 - slack
    assert 0.935 <= sum(rates.values()) / len(rates) <= 0.975


@pytest.mark.nightly
@pytest.mark.timeout(3600)
def test_coverage_holds_over_the_grid_nightly():
    """With 1,000 runs a cell: every cell reaches 90 %, 94 to 97 % on average."""
    rates = coverage(1000, 2)
    assert min(rates.values()) >= 0.90, min(rates.items(), key=lambda item: item[1])
    assert 0.94 <= sum(rates.values()) / len(rates) <= 0.97


@pytest.mark.parametrize("share", [0.5, 0.2])
def test_macro_f1_and_ratios_hold_their_level(share):
    """300 runs a cell of both kinds of statistic: at least 88 % everywhere, about 96 % on average."""
    generator = np.random.default_rng(3)
    rates = []
    for n in (35, 100, 300):
        for p in (0.5, 0.8, 0.95, 0.99):
            hits, ratio_hits = 0, 0
            for _ in range(300):
                got = macro_f1_interval(simulate.tables(generator, n, p, 1, None, share).tolist())
                hits += got.low <= simulate.true_macro_f1(p, share) <= got.high
                got = ratio_interval(*simulate.pairs(generator, n, p, 4))
                ratio_hits += got.low <= p <= got.high
            rates += [hits / 300, ratio_hits / 300]
    assert min(rates) >= 0.88 and 0.935 <= sum(rates) / len(rates) <= 0.985


def test_a_flawless_run_is_not_certain():
    """35 of 35 right: the lower end is below 0.93, and the interval says what it stands on."""
    got = mean_interval([[1.0]] * 35)
    assert got.high == 1 and 0.85 < got.low < 0.93 and "35" in got.note
    assert mean_interval([[0.0]] * 35).high == pytest.approx(1 - got.low)


def test_more_generations_narrow_only_what_they_tell():
    """Four equal generations are worth one; four independent ones are worth more, never more than four."""
    one = mean_interval([[float(i % 2)] for i in range(100)])
    same = mean_interval([[float(i % 2)] * 4 for i in range(100)])
    mixed = mean_interval([[1.0, 0.0, 1.0, 0.0] if i % 2 else [1.0, 1.0, 0.0, 0.0] for i in range(100)])
    assert (same.low, same.high) == (one.low, one.high)
    assert mixed.high - mixed.low <= one.high - one.low
    wide = mean_interval([[1.0, 1.0, 1.0, 0.0]] * 50 + [[1.0, 0.0, 1.0, 1.0]] * 50)
    plain = mean_interval([[1.0]] * 75 + [[0.0]] * 25)
    assert wide.note and wide.high - wide.low == pytest.approx(plain.high - plain.low)


def test_nothing_is_undefined_and_bad_numbers_are_named():
    """No rows have no mean; nan, an empty row and a part larger than its whole are errors."""
    assert not mean_interval([]).defined and not ratio_interval([0.0], [0.0]).defined
    assert not macro_f1_interval([]).defined
    for rows in ([[math.nan]], [[math.inf]], [[]]):
        with pytest.raises(InputError, match="case 0"):
            mean_interval(rows)
    with pytest.raises(InputError):
        ratio_interval([2.0], [1.0])
    with pytest.raises(InputError):
        macro_f1_interval([[1.0, 1.0, 0.0, 0.0]])


def test_scores_that_are_no_shares_get_students_t():
    """A figure outside [0, 1] (a log score) is not forced into it, and its signature says so."""
    got = mean_interval([[-3.0], [-1.0], [-2.0]])
    assert got.method == "student-t" and got.low < -2 < got.high


def test_clusters_widen_what_cases_alone_narrow():
    """Cases that go all right or all wrong by cluster tell as much as their clusters."""
    values = [float(c % 2) for c in range(10) for _ in range(30)]
    names = [c for c in range(10) for _ in range(30)]
    wide, narrow = cluster_bootstrap(values, names), mean_interval([[v] for v in values])
    assert wide.high - wide.low > 3 * (narrow.high - narrow.low) and "10 clusters" in wide.note
    assert cluster_bootstrap([1.0, 0.0], ["a", "a"]).low is None
