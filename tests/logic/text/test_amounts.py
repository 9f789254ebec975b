"""Amounts, tables and operators in words."""

import random
from fractions import Fraction

import pytest

from holmes.logic.english.formula import read_formula, write_formula
from holmes.logic.english.lexicon import lexicon
from holmes.logic.english.reader import read_line
from holmes.logic.english.rule_lines import Line, ReadError, Reading
from holmes.logic.language.model import INT, Arith, Const, Ref
from holmes.logic.language.unparse import unparse
from holmes.logic.sat.equivalence import same_number
from tests.logic.bases import base

GUILD, FERRY = lexicon(base("guild_travel")), lexicon(base("ferry_company"))


def amount(text, words=GUILD):
    """Read `What is paid is …` and return the expression in the notation of the files."""
    reading = Reading()
    read_line(words, Line(9, "", f"What is paid is {text}."), reading)
    return unparse(reading.amount.value)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("the sum of lodging and meals", "lodging + meals"),
        ("the sum of lodging, meals and 5 crowns", "lodging + meals + 5"),
        ("lodging plus meals", "lodging + meals"),
        ("lodging and meals", "lodging + meals"),
        ("lodging minus 20 crowns", "lodging - 20"),
        ("lodging less meals", "lodging - meals"),
        ("3 times lodging", "3 * lodging"),
        ("twice the lodging", "2 * lodging"),
        ("half of the lodging", "0.5 * lodging"),
        ("a third of the lodging", "1/3 * lodging"),
        ("70 % of the lodging", "0.7 * lodging"),
        ("7.5 percent of the meals", "0.075 * meals"),
        ("the smaller of lodging and meals", "min(lodging, meals)"),
        ("the larger of lodging and 1,200 crowns", "max(lodging, 1200)"),
        ("lodging up to the lodging limit", "min(lodging, lodging_limit)"),
        ("lodging, but not more than 300 crowns", "min(lodging, 300)"),
        ("lodging, but at least 10 crowns", "max(lodging, 10)"),
        ("lodging beyond 100 crowns", "max(lodging - 100, 0)"),
        ("100 crowns a night", "100 * nights"),
        ("100 crowns for each night", "100 * nights"),
        ("100 crowns per night up to 20", "100 * min(nights, 20)"),
        ("meals up to 100 crowns a night", "min(meals, 100 * nights)"),
        ("lodging for each night and 70 % of it for each night beyond 20", None),
        ("the cap per night (Rule 1) for each night", "cap_per_night[] * nights"),
        ("lodging if the grant is open, otherwise nothing", "if grant_open then lodging else 0"),
        ("lodging unless the grant is open, otherwise meals", "if grant_open then meals else lodging"),
        ("lodging; nothing after a rejection", "if decision == Rejection then 0 else lodging"),
        ("lodging; meals if there is no invoice", "if not invoice then meals else lodging"),
    ],
)
def test_amounts_in_words(text, value):
    """Each wording of the document gives its arithmetic, exactly."""
    value = value or "lodging * nights + 0.7 * lodging * max(nights - 20, 0)"
    assert amount(text).replace("(0.7 * lodging)", "0.7 * lodging") == value


@pytest.mark.parametrize(
    "text",
    ["lodging lodging", "up to 20", "the sum of lodging", "lodging if the grant is open", "the smaller of", "wood"],
)
def test_words_that_are_no_amount_are_refused(text):
    """Nothing is guessed."""
    with pytest.raises(ReadError, match="rule 9"):
        amount(text)


def formula(rng, depth):
    """Draw a formula of all operators."""
    if depth == 0 or rng.random() < 0.2:
        names = ("nights", "lodging", "meals")
        number = Fraction(rng.randrange(-50, 200), rng.choice([1, 1, 2, 3, 100]))
        return Ref(rng.choice(names), "fact") if rng.random() < 0.5 else Const(number, INT)
    op = rng.choice(["+", "-", "*", "min", "max", "neg"])
    return Arith(op, tuple(formula(rng, depth - 1) for _ in range(1 if op == "neg" else rng.choice([2, 2, 3]))))


def test_formulas_in_table_cells_read_back():
    """Brackets, signs and exact numbers survive print."""
    for index in range(1500):
        expr = formula(random.Random(f"formula/{index}"), index % 4)
        text = write_formula(expr, GUILD)
        assert same_number(read_formula(text, GUILD), expr), text


@pytest.mark.parametrize(
    ("text", "operator", "detail"),
    [
        ("A waiver of the bursar replaces the invoice of Rule 3.", "transform", ("rule_3", "waiver")),
        ("Rule 3 is waived if there is a waiver of the bursar.", "transform", ("rule_3", "waiver")),
        ("Rule 3, unless there is a waiver of the bursar.", "transform", ("rule_3", "waiver")),
        ("Where there is a waiver of the bursar, Rule 3 is not needed.", "transform", ("rule_3", "waiver")),
        ("The core review asks for Rules 7, 4 and 5.", "compose", ("all", ("rule_7", "rule_4", "rule_5"))),
        ("The core review needs any of Rules 7 and 4.", "compose", ("any", ("rule_7", "rule_4"))),
        ("The grant review requires the core review and Rule 6.", "compose", ("all", ("core_review", "rule_6"))),
        ("The fund decides which review applies.", "select", (("core", "core_review"), ("grant", "grant_review"))),
        ("Depending on the fund, core: Rule 8; grant: Rule 9.", "select", (("core", "rule_8"), ("grant", "rule_9"))),
    ],
)
def test_operators_over_policies_in_words(text, operator, detail):
    """Transformation, composition and selection name their policies by rule or by name."""
    reading = Reading()
    read_line(GUILD, Line(10, "", text), reading)
    policy = reading.policies[10]
    assert policy.operator == operator
    if operator == "transform":
        assert (policy.base, unparse(policy.unless)) == detail
    elif operator == "compose":
        assert (policy.mode, policy.parts) == detail
    else:
        assert policy.branches == detail


@pytest.mark.parametrize(
    ("text", "when"),
    [
        ("Whoever passes every check is clear.", "every g in checks: passes(g)"),
        ("Whoever fails some check is clear.", "some g in checks: not passes(g)"),
        ("Whoever fails no check is clear.", "not (some g in checks: not passes(g))"),
        ("Where every check is passed, the company is clear.", "every g in checks: passes(g)"),
        ("Where some member has handed in papers, the company is clear.", "some p in crew: p.papers"),
        ("Where no member is a mate, the company is clear.", "not (some p in crew: p.rank == mate)"),
        (
            "Where every member of the crew is a mate or has handed in papers, the company is clear.",
            "every p in crew: p.rank == mate or p.papers",
        ),
        (
            "Where some member joined before 3 May 2017, the company is clear.",
            "some p in crew: p.joined < 2017-05-03",
        ),
        (
            "Where every member joined at least 10 days before the day of sailing, the company is clear.",
            "every p in crew: days_between(p.joined, sailed_on) >= 10",
        ),
        ("Where income is between 10 and 20 crowns, the company is clear.", "income >= 10 and income <= 20"),
        ("Where the day of sailing is after 3 May 2017, the company is clear.", "sailed_on > 2017-05-03"),
    ],
)
def test_quantifiers_and_days_in_words(text, when):
    """Over records and over families of policies; dates and spans of days."""
    reading = Reading()
    read_line(FERRY, Line(10, "", text), reading)
    assert unparse(reading.policies[10].when) == when
