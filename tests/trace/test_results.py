"""The typed result of a step."""

from fractions import Fraction

import pytest

from holmes.reading.step_results import ResultKind, read_number, read_result


@pytest.mark.parametrize(
    ("value", "kind", "expected", "unit"),
    [
        ("PASS", "boolean", "true", ""),
        ("**Pass.**", "boolean", "true", ""),
        ("passed", "boolean", "true", ""),
        (True, "boolean", "true", ""),
        ("false", "boolean", "false", ""),
        ("not met", "boolean", "false", ""),
        ("Not applicable", "boolean", "false", ""),
        ("FAIL - the form is unsigned", "boolean", "false", ""),
        ("✗", "boolean", "false", ""),
        (1, "number", "1", ""),
        ("RMB 1,300", "number", "1300", "cny"),
        ("1300 yuan", "number", "1300", "cny"),
        ("¥1,300.50", "number", "2601/2", "cny"),
        ("1.166,00 EUR", "number", "1166", "eur"),
        ("60%", "number", "3/5", "%"),
        ("12 days", "number", "12", "day"),
        ("-5", "number", "-5", ""),
        ("１１６６元", "number", "1166", "cny"),
        ("3/4", "number", "3/4", ""),
        (0.1, "number", "1/10", ""),
        ({"value": 5, "unit": "days"}, "number", "5", "day"),
        (["PASS"], "boolean", "true", ""),
        ("Full_Approval", "label", "full approval", ""),
        ("No Further Measure", "label", "no further measure", ""),
        ("2017-02-03", "label", "2017 02 03", ""),
        ("Unknown", "label", "unknown", ""),
        (None, "none", "", ""),
        ("", "none", "", ""),
        ("N/A", "none", "", ""),
        ("NaN", "none", "", ""),
        (float("nan"), "none", "", ""),
        (float("inf"), "none", "", ""),
        ([], "none", "", ""),
    ],
)
def test_typed(value, kind, expected, unit):
    """A result is boolean, number with unit, label or none, by one table for every way of writing it."""
    result = read_result(value)
    assert (result.kind, result.value, result.unit) == (kind, expected, unit)


def test_one_is_not_pass():
    """The number 1 and the word PASS are of different types."""
    assert read_result(1).kind is not read_result("PASS").kind


def test_exact():
    """Numbers are exact: a tenth is 1/10, and a huge exponent is no number."""
    assert read_result("0.1").number == Fraction(1, 10)
    assert read_number("1e999999999") is None
    assert read_result(10**5000).kind is ResultKind.NONE


def test_kinds():
    """The four kinds are all there are."""
    assert {k.value for k in ResultKind} == {"boolean", "number", "label", "none"}
