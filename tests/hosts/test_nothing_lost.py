"""Nothing generated is lost: what is missing is said before the first request, and a killed run goes on."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from holmes.errors import EnvironmentFailure, InputError
from holmes.hosts.needs import check_judge, check_output, check_run
from holmes.hosts.replies import Replies, key_of
from holmes.options import Options
from tests.chatserver import chat_server

ROOT = Path(__file__).resolve().parents[2]


def start(url: str, folder: Path, *more: str, tasks="holmes_law,deontic_sara_numeric", limit=2, **environment: str):
    """`holmes eval` on a loopback API, in a process of its own."""
    command = [
        *(sys.executable, "-m", "holmes", "eval", "--k", "2", "--model", "local-chat-completions", "--model_args"),
        *(f"model=m,base_url={url},num_concurrent=1,max_retries=1", "--apply_chat_template", "--tasks", tasks),
        *("--limit", str(limit), "--log_samples", "--output_path", str(folder / "out"), *more),
    ]
    env = os.environ | {"PYTHONPATH": str(ROOT), "HOLMES_CACHE": str(folder / "cache")} | environment
    return subprocess.Popen(command, cwd=folder, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def finish(process) -> tuple[int, str]:
    _, told = process.communicate(timeout=500)
    return process.returncode, told


def reply(prompt: str, request: dict) -> str:
    """A reply that depends on prompt and seed alone, right or wrong."""
    if "```" in prompt or "Prolog" in prompt:
        return f"```prolog\n:- writeln('Tax result: {len(prompt) + request['seed'] % 2}'), halt.\n```"
    return f"[Rule 1] first.\nAnswer: {'pardon' if request['seed'] % 2 else 'no measure'}"


def figures(folder: Path) -> dict:
    """What a finished run says, without its times."""
    path = sorted(folder.rglob("results_*.json"))[-1]
    return json.loads(path.read_text())["results"]


def one_line(told: str, text: str) -> None:
    assert "Traceback" not in told, told
    last = told.strip().splitlines()[-1]
    assert last.startswith("holmes: ") and text in last, told


def killed_and_resumed(folder: Path, kills: int, seed: int, limit: int) -> None:
    """Kill runs at random points of generation and scoring; the one that ends has the scores of one never killed."""
    rng = random.Random(seed)
    with chat_server(reply) as server:
        code, told = finish(start(server.url, folder / "whole", limit=limit))
        assert code == 0, told
        expected, asked = figures(folder / "whole"), len(server.requests)
        assert asked == 2 * 2 * limit  # tasks, generations, cases
        killed = folder / "killed"
        points = []
        for _ in range(kills):
            before, kept, point = len(server.requests), _kept(killed), rng.randint(0, 5)
            process = start(server.url, killed, limit=limit)
            while process.poll() is None and len(server.requests) - before < point and _kept(killed) == kept:
                time.sleep(0.02)
            time.sleep(rng.random() * (2.0 if _kept(killed) > kept else 0.05))
            process.send_signal(signal.SIGKILL)
            process.communicate()
            points.append((len(server.requests) - before, _kept(killed) - kept, process.returncode))
        code, told = finish(start(server.url, killed, limit=limit))
    assert code == 0, told
    assert figures(killed) == expected
    assert any(returncode == -signal.SIGKILL for *_, returncode in points), points
    ended = len(list(killed.rglob("results_*.json")))
    # a run that ended leaves nothing to go on from; a kill may lose the one reply that was on its way
    assert len(server.requests) <= asked * (1 + ended) + kills, points


def _kept(folder: Path) -> int:
    """How many tasks' outputs have been written down to be scored."""
    return sum(1 for _ in (folder / "cache").rglob("samples_*"))


@pytest.mark.parametrize("seed", [5])
def test_a_killed_run_goes_on_and_ends_with_the_same_scores(tmp_path, seed):
    """A kill at a random point: what was answered is not asked again, and the scores are those of a whole run."""
    for name in ("whole", "killed"):
        (tmp_path / name).mkdir()
    killed_and_resumed(tmp_path, 1, seed, limit=2)


@pytest.mark.nightly
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("seed", [11, 12, 13])
def test_killed_at_thirty_points(tmp_path, seed):
    """The same with ten kills, three times: while it generates, until all is answered, then while it scores."""
    for name in ("whole", "killed"):
        (tmp_path / name).mkdir()
    killed_and_resumed(tmp_path, 10, seed, limit=5)


def test_what_is_missing_stops_a_run_before_the_first_request(tmp_path):
    """No swipl, no encoder, no writable output: one line, exit code 1, and not one request."""
    (tmp_path / "file").write_text("")
    paths = os.pathsep.join(p for p in os.environ["PATH"].split(os.pathsep) if not (Path(p) / "swipl").exists())
    empty = {"PATH": paths or "/nonexistent"}
    with chat_server(reply) as server:
        runs = [
            (start(server.url, tmp_path, tasks="deontic_sara", **empty), "its programs cannot be run"),
            (
                start(server.url, tmp_path, "--option", "trace_metrics=srmr", "--option", f"encoder={tmp_path}/none"),
                "encoder",
            ),
            (start(server.url, tmp_path, "--output_path", str(tmp_path / "file" / "out")), "cannot be written"),
        ]
        for process, text in runs:
            code, told = finish(process)
            assert code == 1, told
            one_line(told, text)
        assert not server.requests


@pytest.mark.nightly
def test_the_bare_harness_stops_before_the_first_request_too(tmp_path):
    """The bare lm_eval says in one line what is missing; the model has not been asked anything."""
    (tmp_path / "file").write_text("")
    with chat_server(reply) as server:
        command = [sys.executable, "-m", "lm_eval", "run", "--model", "local-chat-completions", "--apply_chat_template"]
        command += ["--model_args", f"model=m,base_url={server.url}", "--include_path", str(ROOT / "holmes_tasks")]
        command += ["--tasks", "holmes_law", "--limit", "1", "--output_path", str(tmp_path / "file" / "out")]
        env = os.environ | {"PYTHONPATH": str(ROOT), "HOLMES_CACHE": str(tmp_path / "cache")}
        done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, timeout=500)
        assert done.returncode == 1
        one_line(done.stderr, "cannot be written")
        assert not server.requests


def test_output_and_judge_are_tried(tmp_path):
    """An output below a file, a judge where nobody listens, and an address that is none are refused."""
    (tmp_path / "file").write_text("")
    with pytest.raises(EnvironmentFailure, match=r"output: .*cannot be written"):
        check_output(tmp_path / "file" / "x")
    check_output(tmp_path / "new" / "results.json")
    assert [p.name for p in (tmp_path / "new").iterdir()] == []
    with pytest.raises(EnvironmentFailure, match=r"judge: 127\.0\.0\.1:1:"):
        check_judge("http://127.0.0.1:1/v1")
    with pytest.raises(InputError, match="expected http"):
        check_judge("127.0.0.1")
    with pytest.raises(InputError, match="metrics: found 'nonsense'"):
        check_run(["holmes_law"], Options(trace_metrics="nonsense"))


def test_a_half_written_line_is_passed_over(tmp_path):
    """What a killed process left half-written is no reply, and the next reply starts a line of its own."""
    replies = Replies(tmp_path / "r.jsonl")
    replies.add("a", "one\ntwo")
    with replies.path.open("ab") as handle:
        handle.write(b'["b", "ha')
    replies.add("c", "é")
    assert {k: list(v) for k, v in replies.read().items()} == {"a": ["one\ntwo"], "c": ["é"]}


def test_many_writers_lose_nothing(tmp_path):
    """Eight writers at once: every reply is there."""
    path = tmp_path / "r.jsonl"

    def write(name: int) -> None:
        for i in range(50):
            Replies(path).add("k", f"{name}.{i}" * 200)

    threads = [threading.Thread(target=write, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(Replies(path).read()["k"])) == 400


def test_a_key_tells_prompts_and_arguments_apart():
    """Another prompt, seed or temperature is another request."""
    keys = {key_of(p, {"seed": s, "temperature": t}) for p in "ab" for s in (1, 2) for t in (0, 1)}
    assert len(keys) == 8
    assert key_of("a", {"x": 1, "y": 2}) == key_of("a", {"y": 2, "x": 1})
