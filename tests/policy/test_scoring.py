"""Scores: gold replies earn everything, constants no more than chance, hostile replies nothing they should not."""

from __future__ import annotations

import pytest

from holmes.derivations.operations import TYPES
from holmes.domains.policy.generate import stated
from holmes.domains.policy.gold import gold_reply
from holmes.domains.policy.questions.terms import universal
from holmes.options import Options
from holmes.results import Outcome
from holmes.scoring import run
from holmes.scoring.core import score
from holmes.tasks import build_prompt, task_spec


@pytest.fixture(scope="module")
def cases(shipped):
    """One case a form and answer."""
    found = {}
    for case in shipped["test"]:
        found.setdefault((case.tags[0], case.answer if case.choices == ("yes", "no") else ""), case)
    return found


def metrics(shipped, reply, name: str = "holmes_policy_direct"):
    """Metrics of a run over the test split."""
    spec = task_spec(name)
    rows = [
        run.case_metrics(c, spec, run.score_outputs(c, spec, Options(), [reply(c)]), Options()) for c in shipped["test"]
    ]
    return run.summarise(rows)


def test_gold_replies_score_one_in_every_metric(shipped) -> None:
    """With or without reasoning, each metric that is better when higher is 1."""
    for name, direct in (("holmes_policy", False), ("holmes_policy_direct", True)):
        found = metrics(shipped, lambda case, direct=direct: gold_reply(case, direct=direct), name)
        assert found.pop("abstained") == found.pop("failed") == 0
        reasons = {n: found.pop(n) for n in run.DERIVATION_PARTS if n in found}  # a whole trace holds more than needed
        assert bool(reasons) is not direct
        assert not reasons or (reasons["deriv_soundness"], reasons["deriv_coverage"], reasons["shortcut"]) == (1, 1, 0)
        assert [found.pop(share) for share in run.READ_SHARES] == [1, 0, 0]
        assert found.pop("acc_ci_lo") > 0.98  # the interval of 300 right answers is not [1, 1]
        assert set(found.values()) == {1.0}
        assert {"witness_acc", "both_acc", *(f"acc_{kind}" for kind in TYPES)} < set(found)


def test_constant_replies_score_no_more_than_chance(shipped) -> None:
    """Always the first choice, always yes, always no: at most half, and almost no witness."""
    for reply in (
        lambda case: f"Answer: {case.choices[0] if case.choices else 'none'}\nWitness: none",
        lambda case: "Answer: yes\nWitness: none",
        lambda case: "Answer: no\nWitness: all points = no",
    ):
        found = metrics(shipped, reply)
        assert found["acc"] <= 0.5 and found["witness_acc"] == 0
        assert max(found[f"acc_{kind}"] for kind in TYPES) <= 0.5


def test_any_valid_witness_counts_and_no_other(cases) -> None:
    """The smallest witness with a further fact that changes nothing counts; garbage, contradictions, others do not."""
    case = cases["subsumes", "no"]
    gold = gold_reply(case, direct=True)
    assert score(case, gold).parts["both"] == 1
    told = gold.split("Witness: ")[1]
    assert score(case, f"Witness:\n- {told.replace(', ', chr(10) + '- ')}\n\nAnswer: no").parts["both"] == 1
    first = told.split(" = ")[0]
    for bad in (
        "",
        "Witness: none",
        "Witness: everything",
        "Witness: Rule 5",
        f"Witness: {told}, {first} = no",
        f"Witness: {told} and the moon",
        f"Witness: {told.replace('= yes', '= no')}",
        "Witness: all points = no",
    ):
        found = score(case, f"Answer: no\n{bad}")
        assert (found.value, found.parts["witness"], found.parts["both"]) == (1, 0, 0), bad
        assert "not valid" in found.reason
    wrong = score(case, gold.replace("Answer: no", "Answer: yes"))
    assert (wrong.value, wrong.parts["witness"], wrong.parts["both"]) == (0, 1, 0)


def test_a_witness_that_cannot_occur_is_none(shipped) -> None:
    """A record that breaks what holds of all cases is no witness even where it shows the difference."""
    for case in shipped["test"]:
        question, base = stated(case)
        if "needs integrity" in case.tags and case.answer == "yes" and universal(question.form) == "yes":
            from dataclasses import replace

            from holmes.domains.policy.questions.english import witness_text
            from holmes.domains.policy.reasoning.decide import decide
            from holmes.domains.policy.reasoning.solver import Solver

            free = Solver(replace(base, integrity=(), fingerprint="free"))
            record = decide(replace(question, given=()), free).witnesses[0]
            twin = replace(case, answer="no")
            found = score(twin, f"Answer: no\nWitness: {witness_text(record, base)}")
            assert found.parts["witness"] == 0 and ("cannot occur" in found.reason or "missing" in found.reason)
            return
    raise AssertionError("found no case that needs integrity")


def test_a_needless_witness_costs_the_point_for_both(cases) -> None:
    """Who says that no case shows it and then gives one contradicts himself: right, but not both."""
    case = cases["subsumes", "yes"]
    for tail, both in (("", 1), ("Witness: none", 1), ("Witness: n/a (see above)", 1), ("Witness: all points = no", 0)):
        found = score(case, f"Answer: yes\n{tail}")
        assert (found.value, found.parts["both"], "witness" in found.parts) == (1, both, False)


def test_both_witnesses_of_incomparable_policies_are_needed(cases) -> None:
    """Each direction has its own witness; exchanged or one alone they show nothing."""
    case = cases["comparable", "no"]
    gold = gold_reply(case, direct=True)
    assert score(case, gold).parts["both"] == 1
    swapped = gold.replace("Witness 1", "W").replace("Witness 2", "Witness 1").replace("W:", "Witness 2:")
    for bad in (swapped, gold.split("Witness 2")[0]):
        assert score(case, bad).parts["witness"] == 0 and score(case, bad).value == 1


def test_lists_of_rules_are_read_whole(cases) -> None:
    """Order, `and`, brackets do not matter; one rule more or less is wrong; prose is malformed."""
    case = cases["which", ""]
    rules = case.answer.split(", ")
    for text in (
        case.answer,
        f"Rules {' and '.join(rules[::-1])}",
        f"[{case.answer}]",
        f"**{case.answer}**.",
        f"Rules {case.answer} of F",
    ):
        assert score(case, f"Answer: {text}").value == 1, text
    for text in ("none", f"{case.answer}, 99", *(["".join(rules[:1])] if len(rules) > 1 else [])):
        assert score(case, f"Answer: {text}").outcome is Outcome.WRONG
    for text in ("12 but not 13", "12-14", "123456"):
        assert score(case, f"Answer: {text}").outcome is Outcome.MALFORMED, text


def test_two_answers_and_none(cases) -> None:
    """The last answer line counts; two answers in one line are malformed; silence abstains; no output fails."""
    case = cases["exclusive", "yes"]
    assert score(case, "Answer: no\nAnswer: yes").value == 1
    assert score(case, "Answer: yes and no").outcome is Outcome.MALFORMED
    assert score(case, "I cannot tell.").outcome is Outcome.ABSTAINED
    assert score(case, None).outcome is Outcome.FAILED
    lost = score(cases["exclusive", "no"], None)
    assert (lost.outcome, lost.parts["witness"], lost.parts["both"]) == (Outcome.FAILED, 0, 0)
    assert score(case, "<think>Answer: yes").outcome is Outcome.TRUNCATED
    told = cases["accepts", "yes"]
    assert score(told, "Answer: yes").parts["both"] == 1
    assert score(cases["governs", ""], f"Answer: {cases['governs', ''].answer.split()[1]}").value == 1


def test_prompts_hold_the_contract_and_no_answer(shipped) -> None:
    """Rules, meaning, what can occur, question, form of the reply; ids, names and traces stay out."""
    for case in shipped["test"]:
        long, short = (build_prompt(case, task_spec(n), Options()) for n in ("holmes_policy", "holmes_policy_direct"))
        for text in (long, short):
            assert case.rules in text and case.case in text and case.question in text and "Answer: <" in text
            assert case.id not in text and case.trace[-1].text not in text
            assert ("What the case leaves unsaid did not happen." in text) is (case.tags[0] in ("accepts", "governs"))
        shuffled = build_prompt(case, task_spec("holmes_policy"), Options(rules_order="shuffled"))
        assert shuffled != long and sorted(shuffled.splitlines()) == sorted(long.splitlines())
        assert "Reasoning:" in long and "Reasoning:" not in short
        assert ("Witness" in long) is (case.tags[0] not in ("accepts", "governs", "which"))
