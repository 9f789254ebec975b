"""Habits of SWI-Prolog that decide scores, each with the output it must give."""

from __future__ import annotations

import pytest

from holmes.prolog import Limits, Runner, RunOutcome, read_output
from holmes.registry import program_contract


@pytest.fixture(scope="module")
def runner():
    with Runner() as one:
        yield one


@pytest.mark.parametrize(
    ("program", "stdout"),
    [
        (
            "pay('Ann', 7).\n"
            ":- ( pay(\"Ann\", X) -> format('Result: ~w~n', [X]) ; format('Result: none~n') ).\n:- halt.\n",
            "Result: none\n",
        ),
        (":- X is 7 rdiv 2, format('Tax result: ~w~n', [X]).\n:- halt.\n", "Tax result: 7r2\n"),
        (
            "goal_expansion(A =< B, A < B).\nok(X) :- X =< 3.\n"
            ":- ( ok(3) -> format('Result: yes~n') ; format('Result: no~n') ).\n:- halt.\n",
            "Result: no\n",
        ),
        (
            "due(T) :- T is 0.5 * 20.\n:- ( due(10) -> writeln(same) ; writeln(different) ).\n:- halt.\n",
            "different\n",
        ),
        ("due(ann, 7).\n:- due(ann, T), format('Tax result: ~w~n', [T]).", "Tax result: 7\n\n"),
        (":- initialization(main, main).\nmain :- writeln(once).\n", "once\n"),
        (
            ":- initialization(main).\n:- writeln(one).\nmain :- writeln(two), halt.\n:- writeln(three).\n",
            "one\nthree\ntwo\n",
        ),
        (
            "double([X, Y]) :- maplist([A, B]>>(B is A * 2), [1, 2], [X, Y]).\n:- double(L), writeln(L).\n:- halt.\n",
            "[2,4]\n",
        ),
        (
            "p(L, Z) :- maplist([X]>>(Z = X), L).\n:- p([1], Z), ( var(Z) -> writeln(free) ; writeln(Z) ).\n:- halt.\n",
            "free\n",
        ),
    ],
)
def test_language_is_left_as_it_is(runner: Runner, program: str, stdout: str) -> None:
    """Strings are no atoms, 10.0 is no 10, expansion and lambda copying work as in plain swipl, main runs once."""
    assert runner.run(program).stdout == stdout


def test_rationals_are_exact_amounts(runner: Runner) -> None:
    """7r2 is read as 3.5."""
    run = runner.run(":- X is 7 rdiv 2, format('Tax result: ~w~n', [X]).\n:- halt.\n")
    assert read_output(run.stdout, program_contract("deontic_sara_numeric")).answer == "3.5"


def test_a_protected_predicate_keeps_its_meaning(runner: Runner) -> None:
    """A clause for a built-in is refused and reported; loading goes on."""
    run = runner.run("length(_, 99).\n:- length([a], N), format('Total: ~w~n', [N]).\n:- halt.\n")
    assert (run.stdout, run.exit_code, run.outcome) == ("Total: 1\n", 0, RunOutcome.ERROR)
    assert "No permission" in run.load_errors[0]


def test_a_timeout_does_not_depend_on_unfinished_lines(runner: Runner) -> None:
    """With or without a finished line before the loop, the outcome is a timeout."""
    for line in ("format('Tax result: 7')", "format('Tax result: 7~n')"):
        run = runner.run(f":- {line}.\np :- p.\n:- p.\n", Limits(timeout=0.4))
        assert run.outcome is RunOutcome.TIMEOUT


def test_a_thread_and_a_native_library_are_refused_by_name(runner: Runner) -> None:
    """The message says what was refused."""
    threads = runner.run(":- thread_create(true, _).\n:- halt.\n")
    assert threads.outcome is RunOutcome.ERROR and "thread_create/3" in threads.stderr
    native = runner.run(":- use_module(library(socket)).\n:- halt.\n")
    assert native.outcome is RunOutcome.ERROR and "socket" in native.stderr


def test_packaged_json_and_constraints_work(runner: Runner) -> None:
    """A preloaded native library and a large pure one load inside the containment."""
    json = ":- use_module(library(http/json)).\n:- atom_json_term('{\"a\": 1}', T, []), print(T), nl.\n:- halt.\n"
    assert runner.run(json).stdout == "json([a=1])\n"
    constraints = ":- use_module(library(clpfd)).\n:- X #> 3, X #< 5, print(X), nl.\n:- halt.\n"
    assert runner.run(constraints).stdout == "4\n"
