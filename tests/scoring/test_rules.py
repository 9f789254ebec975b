"""Scores of cited rules, ours and the authors', every value worked out by hand."""

from __future__ import annotations

import dataclasses

import pytest

from holmes.cases import Case, Step
from holmes.domains.law.rulebases import rulebase_of
from holmes.logic.language.rule_order import needs_of
from holmes.logic.language.uses import uses
from holmes.scoring.answers import score_answer
from holmes.scoring.citations import authors_rules, score_rules
from holmes.store import load_cases
from tests.scoring.test_answers import LAW

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
        ours = score_rules(case, lines(*(s.rule for s in case.trace if s.rule and s.result != "false")), needs_of(case))
        assert (ours.f1, ours.order, ours.coverage, ours.broken) == (1, 1, 1, ""), case.id


def test_our_own_rule_bases_tell_what_needs_what(own):
    """A definition needs those that it names; the decision needs every policy; releases have none at hand."""
    base = rulebase_of(own[0])
    needs = needs_of(own[0])
    chained = [
        (c.rule, base.concepts[n].rule) for c in base.concepts.values() for k, n in uses(c.body, {}) if k == "concept"
    ]
    assert chained and all(needed in needs[rule] for rule, needed in chained)
    assert {p.rule for p in base.policies.values()} <= needs[base.decision.rule]
    assert needs_of(CHAIN) is None
    assert needs_of(dataclasses.replace(own[0], rulebase="another version")) is None


def test_a_chain_cited_backwards_is_out_of_order(own):
    """The last rule first loses order, though every rule is cited."""
    case = max(own, key=lambda c: len(c.trace))
    cited = [s.rule for s in case.trace if s.rule and s.result != "false"]
    backwards = score_rules(case, lines(*dict.fromkeys(reversed(cited))), needs_of(case))
    assert backwards.f1 == 1 and backwards.order == 0


def test_partial_citations_by_hand():
    """Cited {1, 14, 30} of gold {1, 2, 8, 14, 17, 20}: P 2/3, R 2/6, F1 4/9; stages 1/3, 1/2, 0, 0; order 1/11.

    The only dependent pair cited is (1, 14).
    """
    ours = score_rules(CHAIN, lines(1, 14, 30))
    assert ours.precision == pytest.approx(2 / 3)
    assert ours.recall == pytest.approx(1 / 3)
    assert ours.f1 == pytest.approx(4 / 9)
    assert dict(ours.stages) == pytest.approx({"concept": 1 / 3, "trigger": 1 / 2, "conflict": 0, "conclusion": 0})
    assert ours.order == pytest.approx(1 / 11)
    assert ours.broken == "concept"


def test_the_authors_numbers_by_hand():
    """Same citations, authors' way: F1 4/9, order LCS(1,14)=2 of 7, stages trigger {1,2,8,14,17} 2/5, conflict 0,
    conclusion 0, mean 2/15; reasoning .4*4/9 + .3*2/7 + .3*2/15; below .35 with a right answer: a shortcut.
    """
    theirs = authors_rules(CHAIN, lines(1, 14, 30), True)
    reasoning = 0.4 * 4 / 9 + 0.3 * 2 / 7 + 0.3 * 2 / 15
    assert theirs.stage == pytest.approx(2 / 15)
    assert theirs.reasoning == pytest.approx(reasoning)
    assert theirs.overall == pytest.approx(0.7 + 0.3 * reasoning)
    assert theirs.shortcut == 1
    assert authors_rules(CHAIN, lines(1, 14, 30), False).shortcut == 0


def test_the_first_broken_layer():
    """The layer that lacks a rule first is named, and stands in the parts of the score."""
    text = "[Rule 1] [Rule 2]\nAnswer: warning"
    assert score_rules(LAW, text).broken == "conflict"
    result = score_answer(LAW, text)
    assert result.parts["broken_conflict"] == 1 and result.parts["broken_concept"] == 0
    assert "conflict" in result.reason


def test_no_citation_scores_nothing():
    """Without citations precision, recall, order and coverage are 0; a case without gold rules is met by none."""
    ours = score_rules(CHAIN, "Answer: warning")
    assert (ours.precision, ours.recall, ours.f1, ours.order, ours.coverage) == (0, 0, 0, 0, 0)
    bare = dataclasses.replace(CHAIN, trace=())
    assert score_rules(bare, "Answer: warning").f1 == 1
    assert score_rules(bare, "[Rule 1]").f1 == 0


def test_thinking_cites_nothing():
    """Only the reply's citations count, not those of the reasoning."""
    result = score_answer(LAW, "<think>[Rule 1][Rule 2][Rule 3][Rule 4]</think>Answer: warning")
    assert result.parts["rule_recall"] == 0


def test_grouped_steps_count_for_us_and_not_for_the_authors():
    """A line that cites two rules counts fully for us; the authors drop it."""
    text = "1. so [Rule 1] [Rule 2]\nAnswer: warning"
    assert score_rules(CHAIN, text).recall == pytest.approx(2 / 6)
    assert authors_rules(CHAIN, text, True).recall == 0


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Answer: warning\nAnswer: exclusion", 1),
        ("**Answer:** warning", 0),
        ("Answer: not a warning", 1),
        ("<think>Answer: warning</think>Answer: exclusion", 0),
        ("<think>\nAnswer: warning\n</think>Answer: exclusion", 1),
        ("Answer: the warning", 1),
        ("Answer: a formal warning, no exclusion", 1),
        ("no line", 0),
    ],
)
def test_the_authors_reading_of_answers(text, value):
    """The first answer line counts, bold hides it, negation is not seen, reasoning is read, articles dropped."""
    assert score_answer(LAW, text, compat="holmes-2026").value == value
