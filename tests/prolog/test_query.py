"""`holmes.prolog.query`: the solutions of a goal over a program, contained, as Python values."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest

from holmes.errors import CheckFailed, InputError
from holmes.prolog import Limits, Term, Unbound, query
from holmes.store import load_cases

PROGRAM = """
p(1, a).
p(2.5, "s").
p(X, f(X, Y, Y, [1|T])).
p('张三 ¥', 'it''s "q" \\\\ \\n\\x01\\').
p([], '[]').
:- dynamic extra/1.
:- assertz(extra(7)).
:- writeln('noise on stdout').
:- halt.
:- initialization(main).
main :- writeln(started), halt.
"""


def test_values_come_back_as_python_values() -> None:
    """Numbers, texts, lists, compounds and free variables keep their kind; equal variables keep one name."""
    rows = query(PROGRAM, "p(A, B).")
    assert rows[:2] == [{"A": 1, "B": "a"}, {"A": 2.5, "B": "s"}]
    x, y, t = Unbound("_1"), Unbound("_2"), Unbound("_3")
    assert rows[2] == {"A": x, "B": Term("f", (x, y, y, Term("[|]", (1, t))))}
    assert rows[3] == {"A": "张三 ¥", "B": 'it\'s "q" \\ \n\x01'}
    assert rows[4]["A"] == [] and rows[4]["B"] == "[]" and type(rows[0]["A"]) is int
    (row,) = query("", "A is 2 rdiv 6, B is 10**30, C is inf, D = [x, [y]], E = -3")
    assert row == {"A": Fraction(1, 3), "B": 10**30, "C": math.inf, "D": ["x", ["y"]], "E": -3}


def test_truth_failure_and_limits() -> None:
    """A ground goal that holds gives one empty solution, one that does not none; `limit` stops an endless one."""
    assert query(PROGRAM, "p(1, a)") == [{}] and query(PROGRAM, "p(9, a)") == []
    assert query(PROGRAM, "extra(X)") == [{"X": 7}]
    assert query(PROGRAM, "between(1, inf, N)", limit=3) == [{"N": 1}, {"N": 2}, {"N": 3}]
    assert query("", "member(X, [1, 2])", limit=2) == [{"X": 1}, {"X": 2}]


@pytest.mark.parametrize(
    "program",
    [":- main.\nmain :- halt.\np(1).\n", "p(1).\n:- forall(p(X), writeln(X)), halt(3).\n", "p(1).\n:- halt(1).\n"],
)
def test_a_program_that_halts_can_be_asked(program: str) -> None:
    """Halting from a directive, at once or deep inside, does not end the query."""
    assert query(program, "p(X)") == [{"X": 1}]


def test_solutions_printed_by_the_program_are_not_taken_for_ours() -> None:
    """What the program prints, of any form, is no solution."""
    noisy = "p(1).\np(2) :- writeln('{\"X\":9}'), format('solution {\"X\":9}~n').\n"
    assert query(noisy, "p(X)") == [{"X": 1}, {"X": 2}]


@pytest.mark.parametrize("goal", ["p(", "X", "1", "p(X). p(Y)", ""])
def test_what_is_no_goal_is_named(goal: str) -> None:
    """The error holds the goal and what was expected."""
    with pytest.raises(InputError, match="expected one Prolog goal"):
        query(PROGRAM, goal)


@pytest.mark.parametrize(
    ("goal", "said"),
    [("throw(oops)", "oops"), ("nosuch(1)", "nosuch"), ("repeat, fail", "timeout"), ("shell(ls)", "violation")],
)
def test_a_goal_that_does_not_end_well_is_a_failed_check(goal: str, said: str) -> None:
    """An exception, a limit or a violation names the goal and what came of it."""
    with pytest.raises(CheckFailed, match=said):
        query(PROGRAM, goal, limits=Limits(timeout=1.0))


def test_a_case_is_asked_by_its_program() -> None:
    """The facts of a shipped case are there; a case without a program is refused by its id."""
    case = next(case for case in load_cases("deontic_sara_numeric", "smoke") if case.program)
    years = query(case, "value(tax_year, Year)")
    assert len(years) == 1 and isinstance(years[0]["Year"], int)
    with pytest.raises(InputError, match="limit"):
        query(case, "true", limit=0)
