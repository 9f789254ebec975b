"""The two-level bootstrap: same distribution as the paper's loop, percentiles in percent, nothing dropped."""

from __future__ import annotations

import random

import numpy as np
import pytest

from holmes.errors import InputError
from holmes.stats import bootstrap


def loop(outputs, replicates, seed):
    """The paper's procedure word by word."""
    rng = random.Random(seed)
    return [sum(rng.choice(rng.choice(outputs)) for _ in outputs) / len(outputs) for _ in range(replicates)]


def clustered(cases, runs, seed, many=False):
    rng = random.Random(seed)
    rows = []
    for _ in range(cases):
        p = rng.choice([0.02, 0.98])
        rows.append([rng.random() * p if many else float(rng.random() < p) for _ in range(runs)])
    return rows


@pytest.mark.parametrize("many", [False, True])
def test_the_distribution_is_that_of_the_two_stage_draw(many):
    """Mean, spread and percentiles agree with the loop over cases, for labels and for any numbers."""
    outputs = clustered(35, 4, 3, many)
    reference = loop(outputs, 8000, 1)
    ours = bootstrap(outputs, replicates=8000)
    assert ours.mean == pytest.approx(np.mean(reference), abs=0.006)
    assert ours.low == pytest.approx(np.percentile(reference, 2.5), abs=0.03)
    assert ours.high == pytest.approx(np.percentile(reference, 97.5), abs=0.03)


def test_rows_may_differ_in_length():
    """A case weighs as much as any other, however many outputs it has: (1/2 + 0)/2 = 1/4."""
    ours = bootstrap([[1.0, 0.0], [0.0, 0.0, 0.0]])
    assert ours.value == 0.25
    assert (ours.cases, ours.outputs) == (2, 5)
    ragged = clustered(30, 5, 2, many=True)
    ragged = [row[: 1 + i % 5] for i, row in enumerate(ragged)]
    assert bootstrap(ragged, replicates=6000).mean == pytest.approx(np.mean(loop(ragged, 6000, 5)), abs=0.01)


def test_clustered_cases_widen_the_interval():
    """Outputs of one case go together: 35 cases with 4 equal outputs have the spread of 35, not of 140, numbers."""
    outputs = [[float(i % 2)] * 4 for i in range(35)]
    wide = bootstrap(outputs)
    narrow = bootstrap([[x] for row in outputs for x in row])
    assert wide.high - wide.low > 1.7 * (narrow.high - narrow.low)


def test_percentiles_are_in_percent():
    """95 % of the replicates lie inside, not a sliver of the lower tail."""
    ours = bootstrap(clustered(80, 3, 1))
    assert ours.low < ours.value - 0.05 and ours.high > ours.value + 0.05


def test_one_case_and_none():
    """One case gives its own outputs' spread, no case zeros; neither gives NaN."""
    one = bootstrap([[1.0]])
    assert (one.value, one.low, one.high) == (1, 1, 1)
    assert bootstrap([]).value == 0 and bootstrap([]).cases == 0


def test_same_seed_same_interval():
    """The interval is a function of the data and the seed."""
    outputs = clustered(20, 3, 9)
    assert bootstrap(outputs, seed=4) == bootstrap(outputs, seed=4)
    assert bootstrap(outputs, seed=4) != bootstrap(outputs, seed=5)


@pytest.mark.parametrize(
    ("outputs", "options", "message"),
    [
        ([[1.0], []], {}, "case 1: found no output"),
        ([[float("nan")]], {}, "case 0: found nan, expected a finite number"),
        ([[1.0]], {"replicates": 0}, "found 0 replicates"),
        ([[1.0]], {"level": 95}, "level 95"),
    ],
)
def test_bad_input_is_named(outputs, options, message):
    """An empty row, a number that is none, or a senseless option raises."""
    with pytest.raises(InputError, match=message):
        bootstrap(outputs, **options)
