"""The judge against a loopback chat server: a test of the plumbing, which says nothing about any model's judgement."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from holmes.commands.score import score as score_command
from holmes.errors import EnvironmentFailure
from holmes.scoring.derivation import score_against
from holmes.scoring.derivation.judge import Judge, nearest, problem
from holmes.util.chat import Chat
from tests.chatserver import chat_server
from tests.derivation.labelled import judge_agreement, read_traces
from tests.derivation.made import sample, written


def rows(prompt):
    """The numbered reference and generated steps of a prompt."""
    parts = re.search(r"Reference steps:\n(.*?)\n\nGenerated steps:\n(.*?)\n\nA generated step", prompt, re.DOTALL)
    return [[line.partition(". ")[2] for line in part.split("\n")] for part in parts.groups()]


def same_text(prompt, _):
    """Align steps of the same text."""
    reference, generated = rows(prompt)
    return json.dumps(
        {
            "generated": {
                str(i): [j for j, r in enumerate(reference, 1) if r == g] for i, g in enumerate(generated, 1)
            },
            "reference": {
                str(j): [i for i, g in enumerate(generated, 1) if r == g] for j, r in enumerate(reference, 1)
            },
        }
    )


def judge(server, folder, **options):
    return Judge(Chat(server.url, "loopback", attempts=1), folder, **options)


def inferences(trace):
    return [trace.lines[place] for place in trace.inferences]


def test_scores_follow_from_the_alignment_and_the_best_reference_counts(tmp_path):
    """The last of several members, with one step too many: precision n/(n+1), everything else 1."""
    case = next(c for c in sample("law", 1) if written(c).derivations.family.count() in (2, 3))
    trace = written(case, 2)
    lines = inferences(trace)
    with chat_server(same_text) as server:
        found = judge(server, tmp_path).score(case, "\n".join([*lines, "The moon is green."]))
    assert found.valid and found.coverage == found.critical == 1
    assert found.precision == pytest.approx(len(lines) / (len(lines) + 1))
    assert found.numbers()["judge_f1"] == pytest.approx(2 * found.precision / (1 + found.precision))


def test_at_most_three_references_the_nearest_first():
    """The member the trace is made of leads."""
    case = max(sample("finance", 40), key=lambda c: min(50, written(c).derivations.family.count() or 0))
    trace = written(case, 5)
    chosen = nearest(case, trace.text(), list(trace.lines))
    found = trace.derivations
    assert len(chosen) == 3 == len(set(chosen))
    assert set(found.inferences(chosen[0])) == set(found.inferences(trace.member))


def test_answers_are_cached_on_disk_by_model_and_prompt(tmp_path):
    """A second run asks nothing; another model does."""
    case = sample("law")[0]
    text = "\n".join(inferences(written(case))[:5])
    with chat_server(same_text) as server:
        first = judge(server, tmp_path).score(case, text)
        asked = len(server.requests)
        assert judge(server, tmp_path).score(case, text) == first and len(server.requests) == asked > 0
        Judge(Chat(server.url, "another", attempts=1), tmp_path).score(case, text)
        assert len(server.requests) == 2 * asked
        for file in tmp_path.rglob("*.json"):
            file.write_text('{"generated": {}, "reference": {}}')  # a spoilt entry is asked for again
        assert judge(server, tmp_path).score(case, text) == first and len(server.requests) == 3 * asked


def test_unusable_answers_are_tried_again_with_what_was_wrong(tmp_path):
    """One bad answer, then a good one; three bad ones leave the case invalid at 0."""
    case = sample("deontic_sara_numeric")[0]
    text = "\n".join(inferences(written(case))[:4])

    def second_time(_, request):
        first, *more = request["messages"]
        return same_text(first["content"], request) if more else '{"generated": {}}'

    with chat_server(second_time) as server:
        assert judge(server, tmp_path).score(case, text).valid
        assert "cannot be used: there is no JSON object" in server.requests[1]["messages"][-1]["content"]
        assert [r["seed"] for r in server.requests[:2]] == [0, 1]
    with chat_server(lambda *_: "no idea") as server:
        found = judge(server, tmp_path / "other").score(case, text)
        assert not found.valid and found.f1 == 0 and found.numbers()["judge_invalid"] == 1
        assert len(server.requests) == 3


def test_no_steps_score_zero_without_a_request_and_a_dead_host_is_an_error(tmp_path):
    """Nothing to judge is no failure of the judge; no host is."""
    case = sample("law")[0]
    with chat_server(same_text) as server:
        found = judge(server, tmp_path).score(case, "Answer: no sentence")
        assert found.valid and found.f1 == 0 and not server.requests
    with pytest.raises(EnvironmentFailure, match="failed 1 times"):
        judge(server, tmp_path).score(case, "Rule 12 is not triggered.")


def test_the_command_line_adds_the_figures_of_a_judge(tmp_path):
    """`holmes score --judge URL --judge-model NAME`; without it, none."""
    cases = sample("law")[:2]
    file = tmp_path / "samples.jsonl"
    texts = ["\n".join(inferences(written(case))) for case in cases]
    file.write_text("".join(json.dumps({"id": c.id, "outputs": [t]}) + "\n" for c, t in zip(cases, texts, strict=True)))
    given = ["--samples", str(file), "--task", "holmes_law", "--json"]
    with chat_server(same_text) as server:
        more = ["--judge", server.url, "--judge-model", "loopback", "--judge-cache", str(tmp_path / "cache")]
        document = json.loads(CliRunner().invoke(score_command, [*given, *more]).output)
        assert document["summary"]["judge_f1"] == 1 and document["summary"]["judge_invalid"] == 0
        assert "judge=loopback" in document["signature"]
        asked = len(server.requests)
        assert "judge_f1" not in json.loads(CliRunner().invoke(score_command, given).output)["summary"]
        assert len(server.requests) == asked
    assert "--judge-model" in CliRunner().invoke(score_command, [*given, "--judge", "http://127.0.0.1:1"]).output


GOOD = {"generated": {"1": [2], "2": []}, "reference": {"1": [], "2": [1], "3": []}}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"generated": {"1": [2]}}, "exactly the keys 1 to 2"),
        ({"generated": {"1": [2], "2": [4]}}, "numbers from 1 to 3"),
        ({"generated": {"1": ["2"], "2": []}}, "numbers from 1 to 3"),
        ({"generated": {"1": [True], "2": []}}, "numbers from 1 to 3"),
        ({"generated": {"1": 2, "2": []}}, "must be a list"),
        ({"generated": {"1": [], "2": []}}, "two directions differ"),
        ({"reference": []}, "reference is no object"),
    ],
)
def test_an_alignment_must_be_whole_in_range_and_the_same_both_ways(change, message):
    """What is refused, and why."""
    assert problem(GOOD, 2, 3) == ""
    assert message in problem({**GOOD, **change}, 2, 3)


def test_the_agreement_of_a_judge_with_the_scorer_on_the_labelled_traces(tmp_path):
    """A judge that aligns nothing is usable and far off; one that answers nonsense is counted as unusable."""
    traces = [trace for trace in read_traces(Path(__file__).with_name("unseen.txt")) if trace.case.domain != "finance"][
        :4
    ]

    def nothing(prompt, _):
        reference, generated = rows(prompt)
        empty = [{str(place): [] for place in range(1, len(side) + 1)} for side in (generated, reference)]
        return json.dumps(dict(zip(("generated", "reference"), empty, strict=True)))

    with chat_server(nothing) as server:
        figures = judge_agreement(traces, judge(server, tmp_path / "a"))
    told = [score_against(trace.reference, trace.text).f1 for trace in traces]
    assert figures["usable answers"] == figures["traces judged"] == 4
    assert figures["mean difference of f1"] == f"{sum(told) / 4:.3f}" != "0.000"
    assert figures["rank correlation of f1"] == "undefined"
    with chat_server(lambda *_: "no idea") as server:
        assert judge_agreement(traces, judge(server, tmp_path / "b"))["usable answers"] == 0
