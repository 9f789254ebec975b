"""Predicates by SWI-Prolog's reader, executing nothing."""

from __future__ import annotations

from holmes.prolog import predicates


def test_heads_of_every_shape_are_found() -> None:
    """Facts, rules, grammar rules, single-sided rules, quoted names, operators and module qualifiers count."""
    text = (
        "a(1).\nb :- c(X).\nd --> [x], e.\nz(A) => true.\n:- op(700, xfx, ===>).\nx ===> y.\n'A b'(1, 2).\nm:n(1).\n"
        "p(0'a, `abc`, \"it's\").\n"
    )
    assert predicates([text]) == [frozenset({"a/1", "b/0", "d/2", "z/1", "===>/2", "'A b'/2", "n/1", "p/3"})]


def test_reading_goes_on_after_a_syntax_error() -> None:
    """A broken clause costs itself only."""
    assert predicates(["a(1).\nbroken( .\nb(2) c(3).\nd(4).\n", ""]) == [frozenset({"a/1", "d/1"}), frozenset()]


def test_nothing_is_executed() -> None:
    """Directives, also initialization and expansion hooks, do not run."""
    text = ":- halt.\n:- initialization(halt).\nterm_expansion(_, []).\n:- repeat, fail.\n:- shell(x).\na.\n"
    assert predicates([text]) == [frozenset({"term_expansion/2", "a/0"})]


def test_constraint_operators_are_known_once_imported() -> None:
    """A clause with #> reads after use_module(library(clpfd)) and not before."""
    clause = "f(X) :- X #> 3.\n"
    assert predicates([":- use_module(library(clpfd)).\n" + clause, clause]) == [frozenset({"f/1"}), frozenset()]


def test_odd_text_is_read() -> None:
    """Non-ASCII names, NUL, backslashes, and a long text do no harm."""
    found = predicates(['税(é) :- "q\\n".\n', "a('\x00').\n", "b(\\ x).\n", "c(1).\n" * 20_000])
    assert found == [frozenset({"税/1"}), frozenset({"a/1"}), frozenset({"b/1"}), frozenset({"c/1"})]
