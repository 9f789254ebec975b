"""Rewards: the paper's three levels, every value worked out by hand, in the shapes of verl and TRL."""

from __future__ import annotations

import json
import logging
import os
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from holmes.errors import InputError
from holmes.hosts.rewards import (
    answer_reward,
    case_from,
    case_reward,
    compute_score,
    jaccard,
    prolog_reward,
    rewards,
)
from holmes.prolog import Runner
from holmes.store import load_cases
from holmes.tasks import gold_reply, task_of

PRINT = ":- tax(T), format('Tax result: ~w~n', [T])."
REFERENCE = f"income(5).\nrate(2).\ntax(T) :- income(I), rate(R), T is I*R.\n{PRINT}\n:- halt.\n"
TASK = "deontic_sara_numeric"
CASE = case_from(TASK, "10", REFERENCE)


def fenced(program):
    return f"Here it is.\n```prolog\n{program}\n```"


RIGHT = fenced(REFERENCE)
WRONG = fenced(REFERENCE.replace("income(5)", "income(7)"))
BROKEN = fenced(f"income(5).\nrate(2).\ntax(T) :- income(I), rate(R), T is I*R*missing(2).\nextra(1).\n{PRINT}")
LOOP = fenced("p :- p.\n:- p.")


@pytest.fixture(scope="module")
def runner():
    with Runner(workers=2, cache=True) as shared:
        yield shared


@pytest.mark.parametrize(
    ("text", "value", "outcome"),
    [
        (RIGHT, 1.0, "right"),
        (WRONG, 0.0, "wrong"),
        ("Tax result: 10", 0.0, "abstained"),
        ("", 0.0, "abstained"),
        (fenced("tax(10)."), 0.0, "abstained"),
        ("<think>" + RIGHT, 0.0, "truncated"),
        (None, None, "failed"),
    ],
)
def test_right_is_one_and_everything_else_that_ran_is_nothing(runner, text, value, outcome):
    """A right answer earns 1; a wrong one, no block, no answer line or an unfinished reply 0; no output nothing."""
    reward = rewards([(CASE, text)], runner=runner)[0]
    assert (reward.value, reward.outcome, reward.overlap) == (value, outcome, 0)


def test_a_program_that_does_not_execute_earns_its_overlap(runner):
    """It defines income/1, rate/1, tax/1 and extra/1, the reference the first three: Jaccard 3/4, reward 0.15."""
    reward = rewards([(CASE, BROKEN)], runner=runner)[0]
    assert reward.outcome == "error"
    assert (reward.overlap, reward.value) == (0.75, pytest.approx(0.15))
    assert reward.right == 0


def test_syntax_errors_leave_the_other_predicates(runner):
    """One of two clauses is broken and nothing prints: only rate/1 of 3 is defined: 1/3, reward 1/15."""
    reward = rewards([(CASE, fenced("income(5.\nrate(2).\n:- tax(T), print(T)."))], runner=runner)[0]
    assert (reward.overlap, reward.value) == (pytest.approx(1 / 3), pytest.approx(1 / 15))


def test_partial_credit_can_be_switched_off(runner):
    """Without partial credit a broken program never outscores a wrong one."""
    assert rewards([(CASE, BROKEN)], partial=False, runner=runner)[0].value == 0
    assert compute_score(TASK, BROKEN, "10", {"program": REFERENCE}, partial_credit=False)["score"] == 0
    assert answer_reward(completions=[BROKEN], task=[TASK], answer=["10"], program=[REFERENCE]) == [0]


def test_a_time_out_earns_nothing():
    """An endless program earns 0, overlap or not."""
    from holmes.prolog import Limits

    with Runner(Limits(timeout=1)) as quick:
        reward = rewards([(case_from(TASK, "10", "p :- p.\n"), LOOP)], runner=quick)[0]
    assert (reward.value, reward.outcome, reward.overlap) == (0, "timeout", 0)


def test_jaccard_by_hand():
    """Half of four in common, nothing in common, unknown, and both empty."""
    assert jaccard(frozenset("abc"), frozenset("bcd")) == 0.5
    assert jaccard(frozenset("a"), frozenset("b")) == 0
    assert jaccard(None, frozenset("b")) == 0 == jaccard(frozenset(), frozenset())


def test_verl_gets_a_dict_with_the_parts():
    """verl's call returns the reward under `score` and the parts beside it."""
    assert compute_score(TASK, RIGHT, "10", {"program": REFERENCE}, extra="ignored") == {
        "score": 1.0, "right": 1.0, "overlap": 0.0, "executed": 1.0, "outcome": "right",
    }  # fmt: skip
    broken = compute_score(TASK, BROKEN, "10", {"program": REFERENCE})
    assert (broken["score"], broken["overlap"], broken["executed"]) == (pytest.approx(0.15), 0.75, 0)
    assert compute_score(TASK, BROKEN, "10")["score"] == 0


def test_verl_may_call_from_many_threads():
    """Forty calls from eight threads give what single calls give."""
    texts = [RIGHT, WRONG, BROKEN, ""] * 10
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda t: compute_score(TASK, t, "10", {"program": REFERENCE})["score"], texts))
    assert found == pytest.approx([1, 0, 0.15, 0] * 10)


def test_trl_gets_a_list(caplog):
    """TRL's call takes texts or conversations and columns, returns floats or None, and logs the parts."""
    metrics, extras = {}, {}
    completions = [RIGHT, [{"role": "assistant", "content": WRONG}], BROKEN, None, []]
    with caplog.at_level(logging.INFO, "holmes.hosts.rewards"):
        found = prolog_reward(
            prompts=["p"] * 5, completions=completions, task=[TASK] * 5, answer=[10] * 5, program=[REFERENCE] * 5,
            trainer_state=None, log_metric=metrics.__setitem__, log_extra=extras.__setitem__,
        )  # fmt: skip
    assert found == [1, 0, pytest.approx(0.15), None, None]
    assert metrics["prolog/right"] == 0.2 and metrics["prolog/overlap"] == pytest.approx(0.15)
    assert extras["prolog/outcome"] == ["right", "wrong", "error", "failed", "failed"]
    assert "rewards of 5 programs" in caplog.text


@pytest.mark.parametrize(
    "columns", [{}, {"task": [TASK]}, {"task": [TASK], "answer": ["1", "2"]}, {"task": "x", "answer": ["1"]}]
)
def test_missing_columns_are_named(columns):
    """A column that is missing or has another length is named with its expected length."""
    with pytest.raises(InputError, match=r"column (task|answer): found .*expected 1 values"):
        prolog_reward(completions=[RIGHT], **columns)


def test_an_unknown_task_is_named():
    """A data source without an answer line cannot be rewarded."""
    with pytest.raises(InputError, match="found 'gsm8k'"):
        compute_score("gsm8k", RIGHT, "10")


def test_a_batch_never_forks_the_trainer(monkeypatch):
    """512 different programs are rewarded in parallel while os.fork is forbidden in this process."""

    def forbidden():
        raise AssertionError("forked")

    monkeypatch.setattr(os, "fork", forbidden)
    pairs = [
        (case_from(TASK, str(i)), fenced(f":- format('Tax result: ~w~n', [{i + i % 2 * 5}]).")) for i in range(512)
    ]
    before = threading.active_count()
    with Runner(workers=2) as own:
        found = rewards(pairs, runner=own)
    assert [r.value for r in found] == [1.0, 0.0] * 256
    assert threading.active_count() <= before + 1


def test_labels_are_rewarded_too(runner):
    """A binary task compares labels."""
    case = case_from("deontic_housing", "no")
    assert rewards([(case, fenced(":- writeln('housing_answer(no)')."))], runner=runner)[0].value == 1
    assert rewards([(case, fenced(":- writeln('housing_answer(yes)')."))], runner=runner)[0].value == 0


def parts(text):
    return [{"role": "user", "content": "?"}, {"role": "assistant", "content": [{"type": "text", "text": text}]}]


def test_content_in_parts_is_read():
    """A message whose content comes in parts earns what its text earns; what is no message is named, not scored 0."""
    halves = [{"type": "text", "text": RIGHT[:20]}, {"type": "text", "text": RIGHT[20:]}]
    completions = [parts(RIGHT), [{"role": "assistant", "content": halves}], parts(WRONG)]
    assert prolog_reward(completions=completions, task=[TASK] * 3, answer=["10"] * 3) == [1, 1, 0]
    for odd in ([{"type": "text", "text": RIGHT}], [{"role": "assistant", "content": ["x"]}], 7):
        with pytest.raises(InputError, match="reward: completion"):
            prolog_reward(completions=[odd], task=[TASK], answer=["10"])


@pytest.mark.parametrize("config", ["law", "finance", "policy"])
def test_answered_cases_are_rewarded(config):
    """A case that travels as JSON earns 1 for its gold reply and 0 for none, in the shapes of verl and TRL."""
    case = load_cases(config, "train")[0]
    told, gold = json.dumps(case.to_dict()), gold_reply(case, task_of(case))
    verl = compute_score(case.task, gold, case.answer, {"case": told})
    assert (verl["score"], verl["right"], verl["outcome"]) == (1, 1, "right")
    assert compute_score(case.task, "", case.answer, {"case": told})["score"] == 0
    texts = [gold, parts(gold), "I do not know.", None]
    assert case_reward(completions=texts, case=[told] * 4) == [1, 1, 0, None]
    with pytest.raises(InputError, match="row 1: found 'x', expected a case as JSON"):
        case_reward(completions=[gold, gold], case=[told, "x"])
