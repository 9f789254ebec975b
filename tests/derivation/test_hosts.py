"""Derivation scores where results are made: the run, logged samples, the command line, groups of cases."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from click.testing import CliRunner

from holmes.commands.score import score as score_command
from holmes.errors import InputError
from holmes.options import Options, read_options
from holmes.report.breakdown import BY, breakdown
from holmes.scoring import run
from holmes.scoring.derivation import has_derivations, score_derivation
from holmes.scoring.derivation.reference import reference_of
from holmes.tasks import cases_of, task_spec
from tests.derivation.made import written


def output(case):
    """A reference trace with the answer below it, as the prompt of the case asks."""
    if case.domain == "law":
        spoken = next(a.text[0] for a in case.aliases if a.label == case.answer)
        return f"Reasoning:\n{written(case).text()}\nAnswer: {spoken}"
    spoken = next((a.text[0] for a in case.aliases if a.label == case.answer), case.answer)
    return written(case).text() + "\n" + json.dumps({"failing_rules": [], "verdict": spoken, "amount": spoken})


@pytest.mark.parametrize("task", ["holmes_law", "holmes_finance_approval", "holmes_finance_amount"])
def test_reference_traces_score_one_in_a_run_and_bare_answers_are_shortcuts(task):
    """All derivation metrics of a run, faults included."""
    spec, options = task_spec(task), Options()
    cases = cases_of(spec)[:6]
    rows = [run.case_metrics(c, spec, run.score_outputs(c, spec, options, [output(c)]), options) for c in cases]
    found = run.summarise(rows)
    for name in run.DERIVATION_PARTS:
        if name != "deriv_contract":  # reference traces are sentences
            assert found[name] == (name not in run.FAULTS), name
    assert found["acc"] == 1
    bare = [output(c).splitlines()[-1] for c in cases]
    rows = [
        run.case_metrics(c, spec, run.score_outputs(c, spec, options, [t]), options)
        for c, t in zip(cases, bare, strict=True)
    ]
    found = run.summarise(rows)
    assert found["acc"] == found["deriv_none"] == 1 and "shortcut" not in found
    assert found["deriv_soundness"] == found["deriv_f1"] == found["deriv_critical"] == 0


def test_policy_questions_about_a_told_case_have_derivation_scores_the_others_none():
    """Does P cover the case, which policy governs it: reference traces score 1; questions about all cases have none."""
    spec, options = task_spec("holmes_policy"), Options()
    told = quantified = 0
    for case in cases_of(spec)[::4]:
        if not has_derivations(case):
            quantified += 1
            row = run.case_metrics(case, spec, run.score_outputs(case, spec, options, ["Rule 3 applies."]), options)
            assert "deriv_f1" not in row
        elif reference_of(case).inferences:
            told += 1
            text = f"{written(case).text()}\nAnswer: {case.answer}"
            row = run.case_metrics(case, spec, run.score_outputs(case, spec, options, [text]), options)
            assert row["deriv_undefined"] == ("deriv_critical" not in row) and row["shortcut"] == 0
            there = set(row) & set(run.DERIVATION_PARTS) - {"deriv_undefined", "deriv_contract"}
            assert all(row[name] == (name not in run.FAULTS) for name in there), case.id
            own = "\n".join(step.text for step in case.trace)
            score = score_derivation(case, own)
            assert score.soundness == score.coverage == 1, (case.id, score.first_error)
    assert told >= 10 and quantified >= 10


@pytest.mark.parametrize("task", ["holmes_law_direct", "holmes_law_direct_release", "deontic_sara_numeric"])
def test_where_no_reasoning_is_asked_for_there_are_no_derivation_scores(task):
    """Direct prompts, programs, and cases whose rule base is not at hand."""
    assert not run.scores_derivations(task_spec(task), Options())


def test_the_option_turns_them_off_and_the_signature_says_so():
    """holmes_derivations=false."""
    spec = task_spec("holmes_law")
    off = read_options({"holmes_derivations": "false"})
    case = cases_of(spec)[0]
    row = run.case_metrics(case, spec, run.score_outputs(case, spec, off, [output(case)]), off)
    assert not [name for name in row if name.startswith("deriv_")]
    assert "derivations=False" in run.signature(spec, off) and "derivations=2" in run.signature(spec, Options())


def test_a_case_of_another_version_has_no_derivation_scores():
    """Its answer is scored all the same."""
    spec, options = task_spec("holmes_law"), Options()
    case = cases_of(spec)[0]
    text, case = output(case), replace(case, rulebase="another")
    row = run.case_metrics(case, spec, run.score_outputs(case, spec, options, [text]), options)
    assert row["acc"] == 1 and "deriv_soundness" not in row


def test_logged_samples_give_the_same_numbers_broken_down(tmp_path):
    """`holmes score --by`: the groups of a key hold all cases once, those of `type` each case once a type."""
    spec = task_spec("holmes_law")
    cases = cases_of(spec)[:8]
    file = tmp_path / "samples.jsonl"
    file.write_text("".join(json.dumps({"id": c.id, "outputs": [output(c)]}) + "\n" for c in cases))
    keys = [f"--by={key}" for key in ("type", "height", "conflicts", "scopes")]
    result = CliRunner().invoke(score_command, ["--samples", str(file), "--task", "holmes_law", *keys, "--json"])
    assert result.exit_code == 0, result.output
    document = json.loads(result.output)
    rows = [run.case_metrics(c, spec, run.score_outputs(c, spec, Options(), [output(c)])) for c in cases]
    assert document["summary"] == pytest.approx(run.summarise(rows))
    assert document["cases"][0]["metrics"]["deriv_soundness"] == 1
    for key in ("height", "conflicts", "scopes"):
        groups = document["breakdown"][key]
        assert sum(group["cases"] for group in groups.values()) == len(cases)
        assert all(group["deriv_f1"] == 1 for group in groups.values())
    types = document["breakdown"]["type"]
    assert types["PQ"]["cases"] == len(cases)
    shown = CliRunner().invoke(score_command, ["--samples", str(file), "--task", "holmes_law", "--by", "type"])
    assert "type PQ: 8 cases" in shown.output


def test_an_unknown_key_is_refused():
    """The message lists the known ones."""
    with pytest.raises(InputError, match="found 'colour', expected one of type, height"):
        breakdown([], [], "colour")
    assert set(BY) >= {"type", "height", "conflicts", "scopes"}
