"""SRMR by hand: matching, result check, F1, ties, the paper's order, and the options."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holmes.errors import InputError
from holmes.reading.step_results import read_result
from holmes.reading.steps import TraceStep
from holmes.scoring.trace.srmr import authors_result, greedy, optimal, same_result, srmr


def steps(*results):
    return [TraceStep(f"s{i}", f"s{i}", (), read_result(r)) for i, r in enumerate(results)]


def table(*rows):
    return np.array(rows, dtype=np.float64)


def test_worked_example():
    """Three model steps, two gold steps.

    Step 0 takes gold 0 (.9), PASS = PASS: correct. Step 1 likes gold 0 (.8) but it is taken; gold 1 has .5 >= .45, so
    it is matched, and FAIL against PASS is wrong. Step 2 finds no free gold step. correct = 1, P = 1/3, R = 1/2,
    F1 = 2·(1/3)(1/2)/(5/6) = 2/5.
    """
    s = srmr(steps("PASS", "FAIL", "PASS"), steps("PASS", "PASS"), table([0.9, 0.1], [0.8, 0.5], [0.2, 0.99]))
    assert (s.precision, s.recall) == (1 / 3, 1 / 2)
    assert s.f1 == pytest.approx(2 / 5)
    assert s.pairs == ((0, 0, True), (1, 1, False))


def test_wrong_result_consumes_the_match():
    """A wrong result uses its gold step up: a later right step finds it taken and F1 is 0."""
    s = srmr(steps("FAIL", "PASS"), steps("PASS"), table([0.5], [0.9]))
    assert s.pairs == ((0, 0, False),) and s.f1 == 0.0


def test_threshold_is_inclusive():
    """A cosine of exactly .45 matches; one just below does not."""
    assert srmr(steps("PASS"), steps("PASS"), table([0.45])).f1 == 1.0
    assert srmr(steps("PASS"), steps("PASS"), table([np.nextafter(0.45, 0)])).f1 == 0.0


def test_ties_go_to_the_lowest_index():
    """Of two equally similar gold steps the first is taken."""
    assert greedy(table([0.7, 0.7])) == [(0, 0)]


def test_duplicates_are_penalised():
    """[s, s] against [s]: one match, P = 1/2, R = 1, F1 = 2/3 (hard input L09)."""
    s = srmr(steps("PASS", "PASS"), steps("PASS"), table([1.0], [1.0]))
    assert (s.precision, s.recall, s.f1) == (0.5, 1.0, pytest.approx(2 / 3))


def test_order_of_model_steps_matters_only_for_greedy():
    """Step 0 (.6 to gold 0, .5 to gold 1) first takes gold 0 and leaves step 1 (.9 to gold 0 only) without.

    Greedy matches one pair; the optimal assignment matches two: .5 + .9 > .6.
    """
    cosines = table([0.6, 0.5], [0.9, 0.1])
    assert greedy(cosines) == [(0, 0)]
    assert optimal(cosines, 0.45, np.zeros((2, 2), dtype=bool)) == [(0, 1), (1, 0)]
    assert srmr(steps("PASS", "PASS"), steps("PASS", "PASS"), cosines, matching="optimal").f1 == 1.0
    assert srmr(steps("PASS", "PASS"), steps("PASS", "PASS"), cosines).f1 == 0.5


@pytest.mark.parametrize(
    ("model", "gold", "same"),
    [
        ("1005", "1000", True),  # 0.5 % off
        ("1010", "1000", True),  # exactly 1 % of the gold value
        ("1010.2", "1000", False),
        ("1020", "1000", False),  # 2 % off
        ("990", "1000", True),
        ("989.9", "1000", False),
        ("-1000", "1000", False),
        ("0", "0", True),
        ("0.001", "0", False),
        ("RMB 1300", "1300", True),
        ("1300 yuan", "RMB 1,300", True),
        ("1300 USD", "RMB 1300", False),
        ("60%", "0.6", True),
        ("60%", "60", False),
        ("Passed", "PASS", True),
        ("1", "PASS", False),
        ("NaN", "1300", False),
        ("", "PASS", False),
        ("", "", True),
        ("Full_Approval", "Full Approval", True),
        ("Rejection", "Full Approval", False),
    ],
)
def test_strict_results(model, gold, same):
    """Typed results: booleans and labels exactly, numbers within 1 % of the gold value, units compatible."""
    assert same_result(read_result(model), read_result(gold)) is same


@pytest.mark.parametrize(
    ("model", "gold", "same"),
    [
        ("NaN", "1300", True),
        ("1", "PASS", True),
        ("RMB 1300", "1300", False),
        ("Passed", "PASS", False),
        ("Pass.", "PASS", True),
        ("false", "FAIL", True),
        ("", "PASS", False),
        ("1010", "1000", True),
        ("1010.2", "1000", False),
    ],
)
def test_authors_results(model, gold, same):
    """The authors' comparison is reproduced with its oddities, as an option."""
    assert authors_result(read_result(model), read_result(gold)) is same


@pytest.mark.parametrize("arguments", [{"matching": "best"}, {"results": "loose"}, {"tau": 2.0}])
def test_unknown_options(arguments):
    """An unknown option is refused by name."""
    with pytest.raises(InputError, match=next(iter(arguments))):
        srmr(steps("PASS"), steps("PASS"), table([1.0]), **arguments)


def test_shape():
    """Similarities of another shape are refused."""
    with pytest.raises(InputError, match="shape"):
        srmr(steps("PASS"), steps("PASS"), table([1.0, 1.0]))


def test_nothing():
    """No model step, or no gold step, scores 0."""
    assert srmr([], steps("PASS"), np.zeros((0, 1))).f1 == 0.0
    assert srmr(steps("PASS"), [], np.zeros((1, 0))).f1 == 0.0
    assert srmr([], [], np.zeros((0, 0))).f1 == 0.0


cosines = (
    st.integers(0, 6)
    .flatmap(lambda n: st.integers(0, 6).map(lambda m: (n, m)))
    .flatmap(
        lambda nm: st.tuples(
            st.just(nm),
            st.lists(st.integers(-100, 100), min_size=nm[0] * nm[1], max_size=nm[0] * nm[1]),
            st.lists(st.booleans(), min_size=nm[0], max_size=nm[0]),
            st.lists(st.booleans(), min_size=nm[1], max_size=nm[1]),
        )
    )
)


@settings(max_examples=300, deadline=None)
@given(cosines)
def test_matching_is_one_to_one(drawn):
    """Both matchings use each step at most once and no pair below tau; F1 lies in [0, 1]."""
    (n, m), values, left, right = drawn
    cosine = np.array(values, dtype=np.float64).reshape(n, m) / 100
    for matching in ("greedy", "optimal"):
        s = srmr(steps(*left), steps(*right), cosine, matching=matching)
        assert len({i for i, _, _ in s.pairs}) == len({j for _, j, _ in s.pairs}) == len(s.pairs)
        assert all(cosine[i, j] >= 0.45 for i, j, _ in s.pairs)
        assert 0.0 <= s.f1 <= 1.0


@settings(max_examples=300, deadline=None)
@given(cosines, st.integers(0, 5))
def test_a_duplicate_never_helps_once_all_gold_is_matched(drawn, which):
    """Where every gold step is matched, one more copy of a step never raises F1."""
    (n, m), values, left, right = drawn
    cosine = np.array(values, dtype=np.float64).reshape(n, m) / 100
    before = srmr(steps(*left), steps(*right), cosine)
    if n and m and len(before.pairs) == m:
        copy = which % n
        after = srmr(steps(*left, left[copy]), steps(*right), np.concatenate([cosine, cosine[copy : copy + 1]]))
        assert after.f1 <= before.f1


@settings(max_examples=200, deadline=None)
@given(cosines)
def test_optimal_is_at_least_as_similar(drawn):
    """The optimal assignment matches no fewer pairs than greedy, and with equal count no less similarity."""
    (n, m), values, left, right = drawn
    cosine = np.array(values, dtype=np.float64).reshape(n, m) / 100
    same = np.array([[a == b for b in right] for a in left], dtype=bool).reshape(n, m)
    one, two = greedy(cosine), optimal(cosine, 0.45, same)
    total = lambda pairs: sum(cosine[i, j] for i, j in pairs)  # noqa: E731
    assert len(two) > len(one) or (len(two) == len(one) and total(two) >= total(one) - 1e-6)
