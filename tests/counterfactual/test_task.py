"""The task through lm_eval: models that are right, rigid or silent; the same figures offline; a tiny real model."""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
from pathlib import Path

import pytest

from holmes.cases import Case
from holmes.options import Options
from holmes.scoring.counterfactual import AGGREGATIONS, METRICS
from holmes.store import load_cases
from holmes.tasks import build_prompt, own_spec, task_spec
from tests.chatserver import chat_server
from tests.hosts.test_lm_eval import evaluate
from tests.hosts.tiny import save_tiny_model

ROOT = Path(__file__).resolve().parents[2]
TASK = "holmes_counterfactual"
SMOKE = {"holmes_split": "smoke"}


@pytest.fixture(scope="module")
def prompts() -> dict[str, Case]:
    """Every prompt of the smoke split with its case."""
    return {build_prompt(case, task_spec(TASK), Options()): case for case in load_cases("counterfactual", "smoke")}


@pytest.fixture(scope="module")
def golds(prompts: dict[str, Case]) -> dict[str, Case]:
    """The original of each family."""
    return {case.pair.family: case for case in prompts.values() if case.pair.role == "original"}


def reply(case: Case, gold: Case) -> str:
    """What a model writes for `case` whose answer is that of `gold`."""
    if own_spec(case, task_spec(TASK)).mode == "prolog":
        return f"```prolog\n{gold.program}\n```"
    if case.answer_type == "report":
        return json.dumps({"items": json.loads(gold.answer)})
    shown = {alias.label: alias.text[0] for alias in case.aliases if alias.text}
    return f"Answer: {shown.get(gold.answer, gold.answer)}"


def figures(results) -> dict[str, float]:
    """The value of each family metric of a run."""
    return {name: results["results"][TASK][f"{name},all"] for name in (*METRICS, "crs_families", "abstained")}


def test_no_two_rows_have_one_prompt(prompts: dict[str, Case]) -> None:
    """The members of a family differ in what a model sees."""
    assert len(prompts) == len(load_cases("counterfactual", "smoke"))


def test_gold_answers_score_one(prompts: dict[str, Case]) -> None:
    """A model that answers from the gold is right in all three members of every family and steady under controls."""
    with chat_server(lambda prompt, _: reply(prompts[prompt], prompts[prompt])) as server:
        results = evaluate(server.url, [TASK], holmes=SMOKE, limit=None)
    count = len(prompts) // 3
    expected = {"o_acc": 1, "cf_acc": 1, "crs": 1, "ctrl_fail": 0, "all_3": 1, "crs_families": count, "abstained": 0}
    assert figures(results) == expected


def test_a_model_that_never_changes_its_mind(prompts: dict[str, Case], golds: dict[str, Case]) -> None:
    """The original's gold always: right on originals and controls, never on decisive members, no control failure."""
    with chat_server(lambda p, _: reply(prompts[p], golds[prompts[p].pair.family])) as server:
        results = evaluate(server.url, [TASK], holmes=SMOKE, limit=None)
    found = figures(results)
    assert (found["o_acc"], found["cf_acc"], found["crs"], found["ctrl_fail"], found["all_3"]) == (1, 0, 0, 0, 0)


def test_silence_leaves_crs_undefined(prompts: dict[str, Case]) -> None:
    """No reply: every control fails, everything is an abstention, and CRS is undefined, not 0."""
    with chat_server(lambda *_: "") as server:
        results = evaluate(server.url, [TASK], holmes=SMOKE, limit=None)
    found = figures(results)
    assert math.isnan(found.pop("crs"))
    assert found == {"o_acc": 0, "cf_acc": 0, "ctrl_fail": 1, "all_3": 0, "crs_families": 0, "abstained": 1}


def holmes(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run the command line."""
    env = os.environ | {"PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "holmes", *arguments]
    return subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True, timeout=500)


def test_a_run_and_its_logged_outputs_agree(tmp_path: Path) -> None:
    """A tiny random model through `holmes eval`, K = 2, and `holmes score` on its samples: the same figures."""
    model = save_tiny_model(tmp_path / "tiny")
    done = holmes(
        "eval", "--k", "2", "--truncate", "--option", "split=smoke", "--model", "hf",
        "--model_args", f"pretrained={model}",
        "--tasks", TASK, "--limit", "4", "--gen_kwargs", "max_gen_toks=8", "--log_samples",
        "--output_path", str(tmp_path / "out"), cwd=tmp_path,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    results = json.loads(next((tmp_path / "out").rglob("results_*.json")).read_text())["results"][TASK]
    samples = next((tmp_path / "out").rglob("samples_*.jsonl"))
    offline = holmes("score", "--samples", str(samples), "--task", TASK, "--json", cwd=tmp_path)
    assert offline.returncode == 0, offline.stderr[-2000:]
    summary = json.loads(offline.stdout)["summary"]
    assert set(AGGREGATIONS) < set(summary) and summary["crs"] is None
    for name, value in summary.items():
        run = results[f"{name},all"]
        assert (value is None and math.isnan(run)) or value == pytest.approx(run), name
    shown = holmes("score", "--samples", str(samples), "--task", TASK, cwd=tmp_path)
    assert "crs undefined" in shown.stdout and "ctrl_fail 1.000" in shown.stdout
