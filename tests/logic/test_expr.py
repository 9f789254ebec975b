"""The expression notation: what it accepts, what it refuses and where, and that it round-trips."""

from __future__ import annotations

from datetime import date
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holmes.logic.language.expr import ExprError, parse
from holmes.logic.language.model import (
    BOOL,
    INT,
    And,
    Arith,
    Compare,
    Const,
    Expr,
    Field,
    If,
    Implies,
    Lookup,
    Not,
    Or,
    PolicyTest,
    Quant,
    Ref,
    Type,
)
from holmes.logic.language.unparse import number_text, unparse


def n(value: int | str) -> Const:
    return Const(Fraction(value), INT)


def r(name: str) -> Ref:
    return Ref(name, "name")


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("a and b and c or d", Or((And((r("a"), r("b"), r("c"))), r("d")))),
        ("a implies b implies c", Implies(r("a"), Implies(r("b"), r("c")))),
        ("not a == b", Not(Compare("==", r("a"), r("b")))),
        ("x - y - z", Arith("-", (Arith("-", (r("x"), r("y"))), r("z")))),
        ("x + 2 * y", Arith("+", (r("x"), Arith("*", (n(2), r("y")))))),
        ("70 %", n("7/10")),
        ("0.7", n("7/10")),
        ("1/3", n("1/3")),
        ("-3", n(-3)),
        ("2017-02-03", Const(date(2017, 2, 3), Type("date"))),
        ("cap[grade, city]", Lookup("cap", (r("grade"), r("city")))),
        ("every p in crew: p.papers", Quant("every", "p", "crew", "", Field(Ref("p", "variable"), "papers"))),
        ("some g in checks: not passes(g)", Quant("some", "g", "checks", "", Not(PolicyTest("passes", "g", True)))),
        (
            "every h in policies that override a: not applies(h)",
            Quant("every", "h", "policies that override a", "", Not(PolicyTest("applies", "h", True))),
        ),
        ("if a then 1 else 2 + 3", If(r("a"), n(1), Arith("+", (n(2), n(3))))),
        ("sum(a, b)", Arith("+", (r("a"), r("b")))),
    ],
)
def test_notation(text: str, tree: Expr) -> None:
    """Each construct of the notation parses to its tree."""
    assert parse(text) == tree


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("a b", 3),
        ("a <", 4),
        ("1 < 2 < 3", 7),
        ("a $ b", 3),
        ("min(1)", 5),
        ("(((", 4),
        ("2017-13-01", 1),
        ("3x", 1),
        ("", 1),
        ("a and", 6),
        ("every in x: a", 7),
        ("triggered(1)", 11),
        ("x = 3", 3),
        ("__import__('os').system('true')", 11),
        ("1/0", 1),
        ("a and and b", 7),
        ("count(crew)", 7),
    ],
)
def test_refusals_name_the_column(text: str, column: int) -> None:
    """A text that is no expression is refused with the column at which it stops making sense."""
    with pytest.raises(ExprError) as caught:
        parse(text)
    assert caught.value.column == column


@pytest.mark.parametrize("text", ["(" * 5000 + "a" + ")" * 5000, "not " * 5000 + "a", "-" * 5000 + "1"])
def test_bottomless_nesting_is_refused(text: str) -> None:
    """Nesting without end is refused as an expression, not by the interpreter's stack."""
    with pytest.raises(ExprError):
        parse(text)


names = st.sampled_from(["a", "b_1", "rise_cm", "fine"])
leaves = st.one_of(
    st.builds(r, names),
    st.builds(lambda v: Const(v, BOOL), st.booleans()),
    st.builds(lambda v: Const(v, INT), st.fractions(-50, 50, max_denominator=40)),
    st.builds(lambda d: Const(d, Type("date")), st.dates(date(1000, 1, 1))),
    st.builds(lambda k, p: PolicyTest(k, p), st.sampled_from(["triggered", "applies", "passes", "consequence"]), names),
    st.builds(lambda v: Const(v, Type("enum")), st.sampled_from(["first class", "x", "it's"])),
)


def _minus(arg: Expr) -> Expr:
    return Arith("neg", (arg,)) if not (isinstance(arg, Const) and isinstance(arg.value, Fraction)) else arg


def _grow(inner: st.SearchStrategy[Expr]) -> st.SearchStrategy[Expr]:
    many = st.lists(inner, min_size=2, max_size=4).map(tuple)
    return st.one_of(
        st.builds(And, many),
        st.builds(Or, many),
        st.builds(Not, inner),
        st.builds(_minus, inner),
        st.builds(Implies, inner, inner),
        st.builds(Compare, st.sampled_from(["==", "!=", "<", "<=", ">", ">="]), inner, inner),
        st.builds(Arith, st.sampled_from(["+", "*", "min", "max"]), many),
        st.builds(lambda a, b: Arith("-", (a, b)), inner, inner),
        st.builds(lambda a, b: Arith("days_between", (a, b)), inner, inner),
        st.builds(If, inner, inner, inner),
        st.builds(lambda k, b: Quant(k, "v", "crew", "", b), st.sampled_from(["every", "some", "count", "sum"]), inner),
        st.builds(lambda ks: Lookup("cap", ks), st.lists(inner, min_size=1, max_size=2).map(tuple)),
    )


@given(st.recursive(leaves, _grow, max_leaves=25))
@settings(max_examples=400, deadline=None)
def test_round_trip(tree: Expr) -> None:
    """Writing a tree and reading it back gives the same tree."""
    assert parse(unparse(tree)) == tree


@given(st.fractions(max_denominator=10**6))
@settings(deadline=None)
def test_numbers_are_written_exactly(value: Fraction) -> None:
    """The text of a number is that number, whatever its denominator."""
    assert Fraction(number_text(value)) == value
