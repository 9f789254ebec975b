"""Scores of cited rules, ours and the authors', every value worked out by hand."""

from __future__ import annotations

import dataclasses

import pytest

from holmes.cases import Case, Step
from holmes.domains.law.rulebases import rulebase_of
from holmes.logic.language.rule_order import rule_order
from holmes.logic.language.uses import uses
from holmes.registry import parts_of
from holmes.scoring.answers import _order
from holmes.scoring.citations import authors_rules, score_rules
from holmes.store import load_cases

GOLD = (
    (1, "concept"),
    (2, "concept"),
    (8, "concept"),
    (14, "policy"),
    (17, "policy"),
    (20, "conflict"),
    (17, "decision"),
)
CHAIN = Case(
    "law/2", "law", "law", "holmes-release", "\n".join(f"{n}. text" for n in range(1, 31)), "", "", "warning", "label",
    choices=("warning", "exclusion"),
    trace=tuple(Step("", str(n), k) for n, k in GOLD),
)  # fmt: skip


def lines(*numbers):
    return "\n".join(f"{i}. so [Rule {n}]" for i, n in enumerate(numbers, 1)) + "\nAnswer: warning"


def test_the_gold_trace_scores_one():
    """Citing exactly the gold rules in the gold order gives 1 everywhere, ours and the authors'."""
    text = lines(1, 2, 8, 14, 17, 20, 17)
    ours, theirs = score_rules(CHAIN, text), authors_rules(CHAIN, text, True)
    assert (ours.precision, ours.recall, ours.f1, ours.order, ours.coverage, ours.broken) == (1, 1, 1, 1, 1, "")
    assert (theirs.f1, theirs.order, theirs.stage, theirs.reasoning, theirs.overall, theirs.shortcut) == (
        1,
        1,
        1,
        1,
        1,
        0,
    )


def test_independent_rules_may_come_in_any_order():
    """Ours rewards no arbitrary order (2 before 1); the authors' longest common subsequence loses one of seven."""
    text = lines(2, 1, 8, 14, 17, 20, 17)
    assert score_rules(CHAIN, text).order == 1
    assert authors_rules(CHAIN, text, True).order == pytest.approx(6 / 7)


def test_a_rule_before_what_it_needs_is_out_of_order():
    """The conflict cited first breaks its five pairs (with 1, 2, 8, 14, 17) of the eleven that depend: 6/11.

    Pairs by stage: concepts 1, 2, 8 before triggers 14, 17 (6), and both before conflict 20 (5).
    """
    assert score_rules(CHAIN, lines(20, 1, 2, 8, 14, 17)).order == pytest.approx(6 / 11)


def test_declared_needs_replace_the_stages():
    """With known premises only those pairs count: 8 needs 1 and 2, and 1 comes too late: 1/2."""
    assert score_rules(CHAIN, lines(2, 8, 1), needs={8: {1, 2}}).order == 0.5


def test_negative_steps_are_optional():
    """A rule that the trace only records as not triggered may be cited (P 1) and need not be (R 1)."""
    trace = (*CHAIN.trace, Step("", "21", "triggered", "false"), Step("", "21", "applies", "false"))
    case = dataclasses.replace(CHAIN, trace=trace)
    for extra in ((), (21,)):
        ours = score_rules(case, lines(1, 2, 8, 14, 17, 20, 17, *extra))
        assert (ours.precision, ours.recall, ours.f1, ours.coverage, ours.broken) == (1, 1, 1, 1, "")
    assert score_rules(case, lines(21)).f1 == 0


@pytest.fixture(scope="module")
def own():
    return load_cases("law", "test")[:60:7]


def test_our_own_gold_traces_score_one(own):
    """Every law case of ours, its trace cited in order, is whole in every part."""
    for case in own:
        ours = score_rules(
            case,
            lines(*(s.rule for s in case.trace if s.rule and s.result != "false")),
            rule_order(parts_of(case)[0].base),
        )
        assert (ours.f1, ours.order, ours.coverage, ours.broken) == (1, 1, 1, ""), case.id


def test_our_own_rule_bases_tell_what_needs_what(own):
    """A definition needs those that it names; the decision needs every policy; releases have none at hand."""
    base = rulebase_of(own[0])
    needs = rule_order(parts_of(own[0])[0].base)
    chained = [
        (c.rule, base.concepts[n].rule) for c in base.concepts.values() for k, n in uses(c.body, {}) if k == "concept"
    ]
    assert chained and all(needed in needs[rule] for rule, needed in chained)
    assert {p.rule for p in base.policies.values()} <= needs[base.decision.rule]
    assert _order(CHAIN) is None
    assert _order(dataclasses.replace(own[0], rulebase="another version")) is None
