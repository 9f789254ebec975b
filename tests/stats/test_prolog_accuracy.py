"""The `evaluate` module prolog_accuracy, loaded by path as users load it."""

from __future__ import annotations

import pytest

import holmes
from holmes.errors import InputError


def fenced(printed):
    return f"```prolog\n:- writeln('{printed}').\n:- halt.\n```"


@pytest.fixture(scope="module")
def metric():
    return holmes.load_metric("prolog_accuracy")


def test_one_reply_a_case(metric):
    """Right, within one, wrong, and no program: 2/4 right, 1/4 wrong, 1/4 abstained."""
    replies = [fenced("Tax result: 10"), fenced("Tax result: $1,166.40"), fenced("Tax result: 7"), "I think 5."]
    found = metric.compute(predictions=replies, references=["10", "1167", "5", "5"], task="sara_numeric", replicates=50)
    assert (found["accuracy"], found["wrong"], found["abstained"], found["n"]) == (0.5, 0.25, 0.25, 4)
    assert found["accuracy_low"] <= 0.5 <= found["accuracy_high"]
    assert "macro_f1" not in found and found["signature"].startswith("program")


def test_k_replies_a_case_and_macro_f1(metric):
    """Gold yes: one right, one abstained; gold no: right twice. Yes: TP 1/2, FN 1/2: 2/3; no: TP 1, FP 1/2: 4/5."""
    yes, no = fenced("housing_answer(yes)"), fenced("housing_answer(no)")
    found = metric.compute(predictions=[[yes, "?"], [no, no]], references=["yes", "no"], task="housing", replicates=50)
    assert found["accuracy"] == 0.75
    assert found["macro_f1"] == pytest.approx((2 / 3 + 4 / 5) / 2)


def test_no_replies_at_all():
    """An empty batch, given at once or added, scores zeros over no cases."""
    metric = holmes.load_metric("prolog_accuracy")
    at_once = metric.compute(predictions=[], references=[])
    metric.add_batch(predictions=[], references=[])
    for found in (at_once, metric.compute()):
        assert (found["n"], found["accuracy"], found["signature"]) == (0, 0.0, "")


def test_answers_can_be_read_from_text(metric):
    """The mode for direct prompts reads the reply itself; a number typed as float equals the integer."""
    found = metric.compute(predictions=["Answer: 1166.0"], references=["1166"], mode="answer", replicates=2)
    assert found["accuracy"] == 1


def test_unknown_tasks_are_refused(metric):
    """A task without an answer line is an error, not a score."""
    with pytest.raises(InputError, match="found 'gsm8k'"):
        metric.compute(predictions=["x"], references=["1"], task="gsm8k")
