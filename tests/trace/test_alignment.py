"""SA-P, SA-R, SA-F1 by hand, families of references, and rule coverage."""

import numpy as np
import pytest

from holmes.scoring.trace.alignment import align, align_family
from holmes.scoring.trace.coverage import rule_coverage


def test_worked_example():
    """Two model steps, three gold steps: P = (.9 + .4)/2 = .65, R = (.9 + .3 + .4)/3 = .5333, F1 = 2PR/(P+R)."""
    a = align(np.array([[0.9, 0.3, 0.1], [0.2, 0.0, 0.4]]))
    assert a.precision == pytest.approx(0.65)
    assert a.recall == pytest.approx(1.6 / 3)
    assert a.f1 == pytest.approx(2 * 0.65 * (1.6 / 3) / (0.65 + 1.6 / 3))


def test_family_takes_each_maximum_by_itself():
    """Reference A: P = 1, R = .5, F1 = .6667; B: P = .6, R = 1, F1 = .75. The maxima are 1, 1, .75; coherent is B."""
    a, b = np.array([[1.0, 0.0]]), np.array([[1.0], [0.2]])
    for order in ([a, b], [b, a]):
        family = align_family(order)
        assert (family.precision, family.recall, family.f1) == (1.0, 1.0, pytest.approx(0.75))
        assert (family.coherent.precision, family.coherent.recall) == (pytest.approx(0.6), 1.0)


def test_nothing():
    """An empty trace and an empty family score 0."""
    assert align(np.zeros((0, 3))).f1 == align(np.zeros((3, 0))).f1 == 0.0
    assert align_family([]).f1 == 0.0


@pytest.mark.parametrize(
    ("cited", "gold", "expected"),
    [
        (["1", "2", "3"], ["1", "2", "3"], (1, 1, 1, 1)),
        (["3", "2", "1"], ["1", "2", "3"], (1, 1, 1, 1 / 3)),
        (["1", "1", "9"], ["1", "2"], (0.5, 0.5, 0.5, 0.5)),
        ([], ["1"], (0, 0, 0, 0)),
        (["1"], [], (0, 0, 0, 0)),
        ([], [], (1, 1, 1, 1)),
    ],
)
def test_rule_coverage(cited, gold, expected):
    """Sets of rule numbers; order is the longest common subsequence of first citations over the gold's length."""
    c = rule_coverage(cited, gold)
    assert (c.precision, c.recall, c.f1, c.order) == pytest.approx(expected)
