"""`holmes solve` on our own cases: from typed facts and rule base alone, in any file form."""

from __future__ import annotations

import dataclasses

import pytest

from holmes.cases import Fact, write_jsonl, write_parquet
from holmes.errors import InputError
from holmes.services.solve import solve
from holmes.store import load_cases

CONFIGS = ("law", "deontic_sara_numeric", "deontic_sara_binary")


@pytest.mark.parametrize("config", CONFIGS)
def test_embedded_cases_come_out_again(config):
    """Answer and every step of the trace are derived again from the facts."""
    report = solve(config=config, limit=40)
    assert report.cases > 0
    assert report.document()["disagreements"] == []
    assert report.agree == report.cases == report.fields["answer"] == report.fields["trace"]


@pytest.mark.parametrize("config", CONFIGS)
def test_a_changed_answer_and_a_changed_step_are_found(tmp_path, config):
    """A wrong gold is told from a wrong step, from Parquet and from JSON Lines."""
    first, second = load_cases(config)[:2]
    other = next((c for c in first.choices if c != first.answer), "999999")
    step = next(s for s in second.trace if s.kind == "triggered")
    flipped = dataclasses.replace(step, result="false" if step.result == "true" else "true")
    bad = [
        dataclasses.replace(first, answer=other),
        dataclasses.replace(second, trace=tuple(flipped if s is step else s for s in second.trace)),
    ]
    for write, name in ((write_parquet, "c.parquet"), (write_jsonl, "c.jsonl")):
        write(tmp_path / name, bad)
        document = solve(file=str(tmp_path / name)).document()
        assert [(d["id"], d["field"], d["odd"]) for d in document["disagreements"]] == [
            (first.id, "answer", "gold"),
            (second.id, "trace", "trace"),
        ]
        assert document["disagreements"][0]["derived"] == first.answer


def test_cases_that_cannot_be_solved_are_refused(tmp_path):
    """Another version's rule base, an unknown fact, a value of the wrong type, a released case: one line each."""
    case = load_cases("deontic_sara_numeric")[0]
    for change, message in (
        ({"rulebase": "0" * 16}, "the case was built by another version"),
        ({"facts": (*case.facts, Fact("colour", "bool", "true"))}, "found 'colour', expected a fact of"),
        ({"facts": (Fact(case.facts[0].name, "int", "many"),)}, "found 'many', expected"),
        ({"source": "deonticbench"}, "expected a case of ours"),
        ({"bundle": "nowhere"}, "field bundle: found 'nowhere'"),
    ):
        write_jsonl(tmp_path / "c.jsonl", [dataclasses.replace(case, **change)])
        with pytest.raises(InputError, match=message):
            solve(file=str(tmp_path / "c.jsonl"))
