"""What is no score is refused by name: texts for lists, None, NaN and infinities."""

from __future__ import annotations

import math

import numpy as np
import pytest

from holmes.errors import InputError
from holmes.scoring.summary import summarise
from holmes.stats import bootstrap, compare, macro_f1


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf, None, "1", [1.0]])
def test_an_entry_that_is_no_finite_number(bad: object) -> None:
    """One bad entry among good ones is refused with its case, by the bootstrap and by the comparison."""
    with pytest.raises(InputError, match=r"bootstrap: case 1: found .*expected a finite number"):
        bootstrap([[1.0], [bad]])  # type: ignore[list-item]
    good = {f"c{i}": [float(i % 2)] for i in range(20)}
    for a, b in ((good | {"c3": [bad]}, good), (good, good | {"c3": [0.0, bad]})):
        with pytest.raises(InputError, match=r"compare: case 'c3': found .*expected a finite number"):
            compare(a, b)  # type: ignore[arg-type]


@pytest.mark.parametrize("row", ["10", 1.0, None])
def test_a_row_that_is_no_list(row: object) -> None:
    """A text is no row of letters, a number no row of one."""
    with pytest.raises(InputError, match=r"case 0: found .*expected a list of numbers"):
        bootstrap([row])  # type: ignore[list-item]
    with pytest.raises(InputError, match=r"case 'a': found .*expected a list of numbers"):
        compare({"a": row}, {"a": [1.0]})  # type: ignore[dict-item]


def test_arrays_are_rows() -> None:
    """An array is what a list of lists is."""
    rows = [[1.0, 0.0], [1.0, 1.0], [0.0, 0.0]]
    assert bootstrap(np.array(rows)) == bootstrap(rows)  # type: ignore[arg-type]
    assert bootstrap(np.zeros((0, 2))).cases == 0  # type: ignore[arg-type]
    with pytest.raises(InputError, match=r"case 0: found .*expected a list of numbers"):
        bootstrap(np.array([1.0, 0.0]))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("golds", "outputs", "classes", "message"),
    [
        (["yes"], ["yes"], ("yes", "no"), "case 0: found 'yes', expected a list of classes"),
        (["y", "n"], ["y", "n"], ("y", "n"), "case 0: found 'y', expected a list of classes"),
        ("yn", [["y"], ["n"]], ("y", "n"), "case 'golds': found 'yn', expected a list of classes"),
        (["yes"], [[True]], ("yes", "no"), "case 0: found True, expected a class or None"),
        (["yes"], [None], ("yes", "no"), "case 0: found None, expected a list of classes"),
        (["yes"], [["yes"]], ("yes", "yes"), "classes: found"),
    ],
)
def test_macro_f1_reads_no_letters(golds: object, outputs: object, classes: object, message: str) -> None:
    """A row must be a list: the letters of a class are no classes."""
    with pytest.raises(InputError, match=f"macro-F1: {message}"):
        macro_f1(golds, outputs, classes)  # type: ignore[arg-type]


def test_an_unknown_scoring_is_refused() -> None:
    """A summary is never made in a mode that does not exist."""
    with pytest.raises(InputError, match="option compat: found 'nonsense'"):
        summarise([], [], compat="nonsense")
