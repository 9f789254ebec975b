"""Nothing generated is lost: what scoring needs is tried first, and outputs are kept before they are scored."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from holmes.errors import EnvironmentFailure
from holmes.options import Options
from holmes.services import readiness
from holmes.services.samples import read_samples
from holmes.tasks import task_spec
from tests.chatserver import chat_server
from tests.hosts.test_lm_eval import evaluate

ROOT = Path(__file__).resolve().parents[2]
TASK = "holmes_law_direct"


@pytest.fixture(autouse=True)
def forgotten(monkeypatch):
    monkeypatch.setattr(readiness, "_TRIED", set())


@pytest.mark.parametrize(
    ("task", "options", "environment"),
    [
        ("deontic_sara_numeric", {}, {"PATH": "/nowhere"}),
        ("holmes_counterfactual", {}, {"PATH": "/nowhere"}),
        (TASK, {"trace_metrics": "srmr", "encoder": "/no/such/model"}, {}),
    ],
)
def test_what_is_missing_is_one_line_before_a_model_is_asked(task, options, environment) -> None:
    """Without swipl, or without the encoder, the first request never goes out."""
    with chat_server(lambda prompt, _: "Answer: nothing") as server:
        arguments = [sys.executable, "-m", "holmes", "eval", "--tasks", task, "--limit", "2"]
        arguments += ["--model", "local-chat-completions", "--apply_chat_template"]
        arguments += ["--model_args", f"model=m,base_url={server.url},num_concurrent=1"]
        arguments += [text for name, value in options.items() for text in ("--option", f"{name}={value}")]
        env = os.environ | {"PYTHONPATH": str(ROOT), "OPENAI_API_KEY": "none", "HOLMES_SWIPL": ""} | environment
        done = subprocess.run(arguments, capture_output=True, text=True, env=env, timeout=300)
    assert done.returncode == 1, done.stderr[-2000:]
    assert not server.requests
    last = done.stderr.strip().splitlines()[-1]
    assert task in last and "nothing was run" in last
    assert "Traceback" not in done.stderr


def test_an_output_folder_that_cannot_be_written_is_an_error(tmp_path) -> None:
    """A file stands where the folder should be."""
    (tmp_path / "taken").write_text("")
    with pytest.raises(EnvironmentFailure, match=r"expected a folder that can be written; nothing was run"):
        readiness.writable(tmp_path / "taken" / "results")
    readiness.writable(tmp_path / "fresh" / "results")
    assert not list((tmp_path / "fresh" / "results").iterdir())


def test_outputs_are_kept_before_they_are_scored(tmp_path, monkeypatch) -> None:
    """A scorer that fails after generation loses nothing: the file is read and scored later."""
    monkeypatch.setenv(readiness.FOLDER, str(tmp_path / "kept"))

    def broken(*args, **kwargs):
        raise RuntimeError("the scorer broke")

    with chat_server(lambda prompt, _: "Answer: reward") as server:
        monkeypatch.setattr("holmes.hosts.lm_eval.process_results", broken)
        monkeypatch.setattr("holmes.scoring.run.score_outputs", _after_the_trial(broken))
        with pytest.raises(RuntimeError, match="the scorer broke"):
            evaluate(server.url, [TASK], limit=3)
    monkeypatch.undo()
    (kept,) = (tmp_path / "kept").iterdir()
    found = list(read_samples(kept, task_spec(TASK)))
    assert [sample.texts for sample in found] == [("Answer: reward",)] * 3
    assert all(json.loads(line)["doc"]["prompt"] for line in kept.read_text().splitlines())


def _after_the_trial(broken):
    from holmes.scoring import run

    real = run.score_outputs
    return lambda case, spec, options, texts: (
        real(case, spec, options, texts) if "prolog" in str(texts[0]) else broken()
    )


def test_the_cache_keeps_the_newest_files(tmp_path, monkeypatch) -> None:
    """Older ones go, so that a cache does not grow without an end."""
    monkeypatch.setenv("HOLMES_CACHE", str(tmp_path))
    monkeypatch.delenv(readiness.FOLDER, raising=False)
    monkeypatch.setattr(readiness, "MOST", 2)
    for number in range(4):
        path = readiness.keep(f"{TASK}{number}", [({"id": "a"}, ["x"])])
        os.utime(path, (number, number))
    assert [path.name.split("_")[3][:7] for path in sorted((tmp_path / "generated").iterdir())] == [
        "direct2",
        "direct3",
    ]


def test_trying_is_done_once_a_task_and_options(monkeypatch) -> None:
    """The second time costs nothing; other options are tried again."""
    tried = []
    monkeypatch.setattr("holmes.scoring.run.prepare", lambda items: tried.append(items))
    for options in (Options(), Options(), Options(rules_order="shuffled")):
        readiness.try_scoring(task_spec(TASK), options)
    assert len(tried) == 2
