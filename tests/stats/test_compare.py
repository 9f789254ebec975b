"""The paired comparison of two systems."""

from __future__ import annotations

import itertools
import random

import pytest

from holmes.errors import InputError
from holmes.stats import compare


def rows(values):
    return {f"c{i:03}": [float(v)] for i, v in enumerate(values)}


def test_exact_p_on_few_cases():
    """Three cases, A better on all by 1: of 8 sign patterns 2 reach the observed sum: p = 1/4."""
    result = compare(rows([1, 1, 1]), rows([0, 0, 0]))
    assert (result.p, result.difference, result.better, result.worse) == (0.25, 1, 3, 0)


def test_exact_p_agrees_with_counting():
    """With unequal differences p is the share of sign patterns at least as far from zero."""
    a, b = [0.9, 0.4, 0.7, 0.1, 0.5], [0.1, 0.5, 0.2, 0.1, 0.3]
    d = [x - y for x, y in zip(a, b, strict=True) if x != y]
    sums = [
        abs(sum(s * v for s, v in zip(signs, d, strict=True))) for signs in itertools.product((-1, 1), repeat=len(d))
    ]
    expected = sum(s >= abs(sum(d)) - 1e-9 for s in sums) / len(sums)
    assert compare(rows(a), rows(b)).p == pytest.approx(expected)


def test_equal_systems():
    """No difference: p is 1, and the interval is what three equal cases can still hide."""
    result = compare(rows([1, 0, 1]), rows([1, 0, 1]))
    assert (result.difference, result.p, result.better, result.worse) == (0, 1, 0, 0)


def test_swapping_the_systems_changes_the_sign_only():
    """The comparison is antisymmetric."""
    rng = random.Random(2)
    a, b = rows([rng.random() for _ in range(40)]), rows([rng.random() for _ in range(40)])
    forth, back = compare(a, b), compare(b, a)
    assert forth.difference == pytest.approx(-back.difference)
    assert forth.p == pytest.approx(back.p, abs=0.02)


def test_pairing_finds_what_unpaired_intervals_hide():
    """A small gain on every case is found although cases differ widely."""
    rng = random.Random(3)
    base = [rng.random() * 0.9 for _ in range(60)]
    result = compare(rows([v + 0.02 for v in base]), rows(base))
    assert result.p < 0.001
    assert result.p > 0


def test_chance_differences_are_rarely_called_significant():
    """Under no difference p is below 0.05 in about a twentieth of the trials."""
    rng = random.Random(4)
    hits = 0
    for _ in range(200):
        a = rows([rng.random() < 0.5 for _ in range(30)])
        b = rows([rng.random() < 0.5 for _ in range(30)])
        hits += compare(a, b, flips=500).p < 0.05
    assert hits <= 22


def test_ids_must_match():
    """A case that is in one result only is named."""
    with pytest.raises(InputError, match="case 'x': found in the second results only"):
        compare({"a": [1.0]}, {"a": [1.0], "x": [0.0]})
    with pytest.raises(InputError, match="case 'a': found no output"):
        compare({"a": []}, {"a": [1.0]})
    assert compare({}, {}).p == 1
