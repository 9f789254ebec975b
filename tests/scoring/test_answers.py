"""Scores of answers read from text: every outcome, every answer type, every option."""

from __future__ import annotations

import dataclasses
from fractions import Fraction

import pytest

from holmes.cases import Alias, Case, Step
from holmes.errors import InputError
from holmes.scoring import Outcome, score
from holmes.scoring.answers import score_answer

TRACE = (
    Step("the vault was opened", "1", "concept", "true"),
    Step("the article is triggered", "2", "policy", "true"),
    Step("the exemption wins", "3", "conflict", "true"),
    Step("hence a warning", "4", "decision", "warning"),
)
LAW = Case(
    "law/1", "law", "law", "holmes", "1. a\n2. b\n3. c\n4. d\n5. e", "", "?", "warning", "label",
    choices=("warning", "exclusion"), aliases=(Alias("warning", ("a formal warning",)),), trace=TRACE,
)  # fmt: skip
BINARY = Case("d/1", "deontic", "deontic_sara_binary", "holmes", "", "", "", "Entailment", "label",
              choices=("Entailment", "Contradiction"))  # fmt: skip
NUMERIC = Case("d/2", "deontic", "deontic_sara_numeric", "holmes", "", "", "", "1166", "amount")
FINANCE = dataclasses.replace(NUMERIC, id="f/1", domain="finance", answer="1166.50")
REPORT = Case(
    "f/2", "finance", "finance", "holmes", "", "", "", '{"verdict": "Full_Approval", "amount": 650}', "report"
)


@pytest.mark.parametrize(
    ("text", "options", "outcome", "value"),
    [
        ("[Rule 1] x\nAnswer: warning", {}, Outcome.RIGHT, 1),
        ("Answer: a formal warning", {}, Outcome.RIGHT, 1),
        ("Answer: exclusion", {}, Outcome.WRONG, 0),
        ("I cannot say.", {}, Outcome.ABSTAINED, 0),
        ("", {}, Outcome.ABSTAINED, 0),
        ("Answer: banana", {}, Outcome.MALFORMED, 0),
        ("Answer: warning and exclusion", {}, Outcome.MALFORMED, 0),
        ("I cannot s", {"truncated": True}, Outcome.TRUNCATED, 0),
        ("<think>Answer: warning", {}, Outcome.TRUNCATED, 0),
        ("Answer: warning\nand then [cut", {"truncated": True}, Outcome.RIGHT, 1),
        ("<think>Answer: exclusion</think>Answer: warning", {}, Outcome.RIGHT, 1),
        ("Answer: exclusion\nAnswer: warning", {}, Outcome.RIGHT, 1),
        ("Answer: ban", {"truncated": True}, Outcome.TRUNCATED, 0),
        (None, {}, Outcome.FAILED, 0),
        (None, {"truncated": True}, Outcome.FAILED, 0),
    ],
)
def test_every_outcome_of_a_label(text, options, outcome, value):
    """The table of outcomes holds; the later outcome wins; abstained marks every output without a usable answer."""
    result = score(LAW, text, **options)
    assert (result.outcome, result.value) == (outcome, value)
    assert result.parts["accuracy"] == value
    assert result.parts["abstained"] == (0 if outcome.answered else 1)
    assert result.reason and result.signature


@pytest.mark.parametrize(
    ("text", "right"),
    [("Answer: $1,166.00", True), ("Tax result: 2333r2", True), ("Answer: 1167.4", True), ("Answer: 1168", False),
     ("Answer: 1164.4", False), ("Answer: -1166", False), ("\\boxed{1165}", True), ("Answer: 166", False),
     ("Answer: 21166", False)],
)  # fmt: skip
def test_amounts_are_right_within_one(text, right):
    """Paper B.3: the amount, rounded, may differ from the whole gold by at most one."""
    assert score_answer(NUMERIC, text).value == right


def test_abstention_is_never_right():
    """No sentinel lies near a gold of zero: an unreadable output scores 0 there too."""
    zero = dataclasses.replace(NUMERIC, answer="$0")
    assert score_answer(zero, "no idea").outcome is Outcome.ABSTAINED
    assert score_answer(zero, "Answer: -1").value == 1
    assert score_answer(zero, "Answer: unknown").outcome is Outcome.MALFORMED


def test_a_draft_amount_of_a_cut_reply_is_no_answer():
    """A generation cut in its calculation is truncated, even where a draft happens to equal the gold."""
    cut = score_answer(NUMERIC, "The bags cost $1,166", truncated=True)
    assert (cut.outcome, cut.value) == (Outcome.TRUNCATED, 0)
    assert score_answer(NUMERIC, "Answer: $1,166", truncated=True).outcome is Outcome.TRUNCATED
    assert score_answer(NUMERIC, "Answer: $1,166.\nBecause", truncated=True).value == 1


def test_other_domains_want_the_exact_amount():
    """Outside the statutes an amount is exact unless a tolerance is asked."""
    assert score_answer(FINANCE, "Answer: ¥1,166.50").value == 1
    assert score_answer(FINANCE, "Answer: 1166").value == 0
    assert score_answer(FINANCE, "Answer: 1166", tolerance=Fraction(1, 2)).value == 1


@pytest.mark.parametrize(
    ("text", "outcome", "fields"),
    [
        ('{"verdict": "Full_Approval", "amount": 650}', Outcome.RIGHT, 1),
        ('```json\n{"verdict": "full approval", "amount": "650元",}\n```', Outcome.RIGHT, 1),
        ('{"verdict": "Rejection", "amount": 650}', Outcome.WRONG, 0.5),
        ('{"verdict": "Full_Approval"}', Outcome.MALFORMED, 0),
        ("Full approval, 650", Outcome.ABSTAINED, 0),
    ],
)
def test_reports_are_compared_field_by_field(text, outcome, fields):
    """A report is right when every field of the gold is; amounts are compared as numbers, labels without case."""
    result = score_answer(REPORT, text)
    assert (result.outcome, result.parts["fields"]) == (outcome, fields)


def test_lists_are_compared_by_position_and_length():
    """A list gold is met by a list of the same length with equal members in order."""
    case = dataclasses.replace(REPORT, answer='["Rejection", "Full_Approval", 650]')
    assert score_answer(case, '{"answer": ["rejection", "Full_Approval", "650"]}').value == 1
    assert score_answer(case, '{"answer": ["Full_Approval", "Rejection", 650]}').value == 0
    assert score_answer(case, '{"answer": ["Rejection", "Full_Approval"]}').value == 0


@pytest.mark.parametrize(
    ("answer", "kind", "text", "ours", "theirs"),
    [
        ('["Rejection", "Full_Approval"]', "report", '{"answer": ["rejection", "full_approval"]}', 1, 1),
        ('["Rejection", "Full_Approval"]', "report", '{"answer": ["Rejection", "Full_Approval"],}', 1, 0),
        ('["Rejection", "Full_Approval"]', "report", '```json\n{"answer": ["Rejection", "Full_Approval"]}\n```', 1, 0),
        ('["Rejection", "Full_Approval"]', "report", '{"answer": ["Rejection"]}', 0, 0),
        ("650", "amount", '{"answer": 650.0}', 1, 1),
        ("650", "amount", "Answer: 650", 1, 0),
        ("650", "amount", '{"answer": 1e999999999}', 0, 0),
        ("Rejection", "label", '{"answer": "Rejection"}', 1, 1),
        ("Rejection", "label", '{"answer": "rejection"}', 1, 0),
    ],
)
def test_the_authors_finance_scoring_takes_only_json(answer, kind, text, ours, theirs):
    """Fences, prose and trailing commas cost them the report; single labels must be spelled exactly."""
    case = dataclasses.replace(REPORT, answer=answer, answer_type=kind)
    if kind == "label":
        case = dataclasses.replace(case, choices=("Rejection", "Full_Approval"))
    assert score_answer(case, text).value == ours
    released = dataclasses.replace(case, source="holmes-release", task="finance_approval")
    assert score_answer(released, text, compat="holmes-2026").value == theirs


@pytest.mark.parametrize(
    ("case", "options", "message"),
    [
        (LAW, {"colour": 1}, "option colour: found an unknown option"),
        (LAW, {"compat": "2020"}, "option compat: found '2020'"),
        (dataclasses.replace(NUMERIC, answer="many"), {}, "case 'd/2': field answer: found 'many', expected an amount"),
        (dataclasses.replace(REPORT, answer="{"), {}, "case 'f/2': field answer: found '{', expected JSON"),
    ],
)
def test_wrong_use_is_named(case, options, message):
    """An unknown option or an unreadable gold raises, naming option or case."""
    with pytest.raises(InputError, match="found") as error:
        score(case, "Answer: 1", **options)
    assert str(error.value).startswith(message)


def test_the_signature_tells_options_apart():
    """Two ways of scoring never share a signature."""
    assert score_answer(NUMERIC, "1").signature != score_answer(NUMERIC, "1", tolerance=0).signature
    assert score_answer(LAW, "").signature != score_answer(LAW, "", compat="holmes-2026").signature


def test_gold_answers_score_one():
    """Every gold answer, written as an answer line, is right."""
    for case in (LAW, BINARY, NUMERIC, FINANCE):
        assert score_answer(case, f"Answer: {case.answer}").value == 1
    assert score_answer(REPORT, REPORT.answer).value == 1
