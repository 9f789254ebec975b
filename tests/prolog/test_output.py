"""Answer lines and amounts."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holmes.errors import InputError
from holmes.logic.language.unparse import number_text
from holmes.prolog.output import read_amount, read_output
from holmes.registry import program_contract


@pytest.mark.parametrize(
    ("domain", "line", "answer"),
    [
        ("deontic_sara_numeric", "Tax result: 1166", "1166"),
        ("deontic_sara_numeric_release", "Tax result: $1,166.00", "1166"),
        ("sara_numeric", "Tax result: 2333r2", "1166.5"),
        ("deontic_sara_numeric", "Tax result: 1.0e16", "10000000000000000"),
        ("deontic_airline", "Total cost: -3.50", "-3.5"),
        ("deontic_airline", "  total cost:5  ", "5"),
        ("deontic_sara_binary", "Result: Entailment", "Entailment"),
        ("deontic_sara_binary", "Result: contradiction.", "Contradiction"),
        ("deontic_uscis", "Accepted", "Accepted"),
        ("deontic_uscis", "'Dismissed'.", "Dismissed"),
        ("deontic_housing", "housing_answer(yes).", "yes"),
        ("deontic_housing", "housing_answer( no )", "no"),
        ("law", "Answer: benefit denied", "benefit denied"),
    ],
)
def test_each_domain_has_its_answer_line(domain: str, line: str, answer: str) -> None:
    """The line is found between others, and the answer is canonical."""
    reading = read_output(f"Label: 7\n{line}\n\n", program_contract(domain))
    assert (reading.answer, reading.kind, reading.extra_lines) == (answer, "answer", ("Label: 7",))


@pytest.mark.parametrize(
    ("domain", "stdout"),
    [
        ("deontic_sara_numeric", "Tax: 5\n"),
        ("deontic_sara_numeric", "Total cost: 5\n"),
        ("deontic_uscis", "The appeal is Accepted\n"),
        ("deontic_housing", "yes\n"),
        ("deontic_sara_binary", "Entailment\n"),
        ("deontic_airline", ""),
    ],
)
def test_another_line_is_no_answer(domain: str, stdout: str) -> None:
    """A line outside the contract is not an answer line."""
    assert read_output(stdout, program_contract(domain)).kind == "none"


@pytest.mark.parametrize("value", ["_123", "_G12", "_", "inf", "nan", "1.0Inf", "foo", "", "1,16", "7/2", "0r0", "5r0"])
def test_what_is_no_number_is_unreadable(value: str) -> None:
    """An unbound variable, infinity and words on the answer line are no amounts."""
    reading = read_output(f"Tax result: {value}\n", program_contract("deontic_sara_numeric"))
    assert (reading.answer, reading.kind) == (None, "unreadable")


def test_two_different_answers_are_a_conflict_and_two_equal_ones_are_not() -> None:
    """1166 and 1166.0 are one answer; 1166 and 1167 are two; an answer and an unbound variable are two."""
    assert (
        read_output("Tax result: 1166\nTax result: 1166.0\n", program_contract("deontic_sara_numeric")).answer == "1166"
    )
    assert (
        read_output("Tax result: 1166\nTax result: 1167\n", program_contract("deontic_sara_numeric")).kind == "conflict"
    )
    assert (
        read_output("Tax result: 1166\nTax result: _5\n", program_contract("deontic_sara_numeric")).kind == "conflict"
    )
    assert (
        read_output("Result: Entailment\nResult: Contradiction\n", program_contract("deontic_sara_binary")).kind
        == "conflict"
    )


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1166", Fraction(1166)), ("1,166.00", Fraction(1166)), ("$1,166.00", Fraction(1166)),
        ("1.0e16", Fraction(10**16)),
        ("2333r2", Fraction(2333, 2)), ("-2333r2", Fraction(-2333, 2)), ("-$5", Fraction(-5)), ("$-5", Fraction(-5)),
        ("($5)", Fraction(-5)), ("0.1", Fraction(1, 10)), ("1e-2", Fraction(1, 100)), ("5.", Fraction(5)),
        ("1166.0000000000002", Fraction(11660000000000002, 10**13)), ("'5'", Fraction(5)), ("5 dollars", Fraction(5)),
    ],
)  # fmt: skip
def test_amounts_are_exact(text: str, value: Fraction) -> None:
    """Integers, floats, grouped digits, currency, scientific notation and rationals become fractions."""
    assert read_amount(text) == value


@given(st.fractions(max_denominator=10**6))
def test_a_shown_amount_reads_back(value: Fraction) -> None:
    """number_text is inverse to read_amount wherever the value has a finite decimal."""
    shown = number_text(value)
    assert Fraction(shown) == value
    if "/" not in shown:
        assert read_amount(shown) == value


def test_endless_digits_are_refused_and_do_no_harm() -> None:
    """An integer of a hundred thousand digits is not read as an amount."""
    assert read_output("Tax result: " + "9" * 100_000, program_contract("deontic_sara_numeric")).kind == "unreadable"


def test_an_unknown_task_is_refused() -> None:
    """A task without answer line names what was found and expected."""
    with pytest.raises(InputError, match="'medicine'"):
        program_contract("medicine")
