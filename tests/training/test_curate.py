"""Curation: a loopback model that fails in each way, one second attempt, resumption, exemplars."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from holmes.cases import Case, Difficulty, read_cases
from holmes.errors import InputError
from holmes.hosts.rewards import case_from
from holmes.prolog import Limits, Runner
from holmes.store import load_cases
from holmes.training import curation
from holmes.training.curate import CATEGORIES, Artifact, Verdict, curate, judge
from holmes.training.exemplars import exemplars
from holmes.util.chat import ChatReply
from tests.chatserver import chat_host

ROOT = Path(__file__).resolve().parents[2]
CASE = case_from("deontic_sara_numeric", "10", id="c/1")
GOOD = ":- format('Tax result: ~w~n', [10]).\n:- halt."
BAD = {
    "missing_code": "The tax is 10.",
    "import_error": ":- use_module(library(no_such_thing)).\n" + GOOD,
    "error": "tax(.\n" + GOOD,
    "warning": "tax(X, 1).\n" + GOOD,
    "timeout": "p :- p.\n:- p.",
    "limit": "p(N) :- writeln(N), M is N + 1, p(M).\n:- p(0).",
    "missing_output": ":- halt.",
    "extra_output": ":- writeln(hello).\n" + GOOD,
    "wrong_answer": GOOD.replace("10", "11"),
    "no_reply": "",
}


def fenced(program):
    return program if program in ("", BAD["missing_code"]) else f"```prolog\n{program}\n```"


@pytest.fixture(scope="module")
def runner():
    with Runner(Limits(timeout=2, output=20_000), cache=True) as shared:
        yield shared


@pytest.mark.parametrize("category", sorted(BAD))
def test_each_failure_has_its_category(runner, category):
    """Every way to fail is told apart; nothing of it passes."""
    assert judge(CASE, fenced(BAD[category]), runner).category == category


def test_every_category_is_tested():
    """The table above holds all categories but the one for success."""
    assert {*BAD, "passed"} == set(CATEGORIES)


@pytest.mark.parametrize("printed", ["10", "10.2", "$10.00", "20r2"])
def test_what_passes(runner, printed):
    """A clean program with exactly its answer line passes; amounts are compared as numbers."""
    assert judge(CASE, fenced(f":- writeln('Tax result: {printed}').\n:- halt."), runner).passed


def test_answers_off_by_one_do_not_pass(runner):
    """The tolerance of scoring is no excuse for a reference."""
    assert judge(CASE, fenced(GOOD.replace("10", "9")), runner).category == "wrong_answer"


@pytest.mark.parametrize("category", sorted(BAD))
def test_the_second_attempt_sees_the_first(runner, category):
    """After any failure the model gets its program and SWI-Prolog's words, but never the gold; then it may pass."""
    asked = []
    replies = [fenced(BAD[category]), fenced(GOOD)]

    def ask(messages):
        asked.append(list(messages))
        return ChatReply(replies[len(asked) - 1], False)

    artifact = curate(CASE, ask, "the prompt", runner)
    assert [v.category for v in artifact.verdicts] == [category, "passed"]
    assert artifact.program.strip() == GOOD
    assert [m["role"] for m in asked[1]] == ["user", "assistant", "user"]
    assert asked[1][0]["content"] == "the prompt"
    assert BAD[category].strip() in asked[1][1]["content"]
    if category in ("wrong_answer", "missing_output", "no_reply", "timeout"):  # the others print the gold themselves
        assert "10" not in asked[1][2]["content"]


def test_a_second_failure_discards(runner):
    """Two failures and the case is given up; the last reason counts."""
    replies = iter([fenced(BAD["warning"]), fenced(BAD["wrong_answer"])])
    artifact = curate(CASE, lambda _: ChatReply(next(replies), False), "p", runner)
    assert (artifact.program, artifact.verdicts[-1].category) == ("", "wrong_answer")


def cases(number):
    return [case_from("deontic_sara_numeric", "10", id=f"c/{i}") for i in range(number)]


def passed(case):
    return Artifact(case.id, (Verdict("passed", GOOD, ""),), ("r",))


def test_a_run_is_resumed_and_counts_categories(tmp_path):
    """A run that breaks keeps what was done, also a torn last line; the next start does only the rest."""
    calls = []

    def breaks(case):
        calls.append(case.id)
        if case.id == "c/2":
            raise RuntimeError("host down")
        return passed(case) if case.id != "c/1" else Artifact("c/1", (Verdict("warning", "x", "m"),) * 2, ("a", "b"))

    with pytest.raises(RuntimeError):
        curation.run(cases(4), breaks, tmp_path, {"model": "m"})
    assert not (tmp_path / "passed.jsonl").exists()
    with (tmp_path / "attempts.jsonl").open("a") as log:
        log.write('{"id": "c/3", "pro')
    calls.clear()
    summary = curation.run(cases(4), lambda c: calls.append(c.id) or passed(c), tmp_path, {"model": "m"}, shots=2)
    assert set(calls) <= {"c/2", "c/3"} and "c/2" in calls
    assert summary.to_dict() == {"cases": 4, "passed": 3, "first": 3, "failures": {"warning": 1}}
    kept = list(read_cases(tmp_path / "passed.jsonl"))
    assert [c.id for c in kept] == ["c/0", "c/2", "c/3"] and kept[0].program == GOOD
    assert len(list(read_cases(tmp_path / "exemplars.jsonl"))) == 2


def test_another_curations_folder_is_refused(tmp_path):
    """Settings that differ from the folder's are named."""
    curation.run(cases(1), passed, tmp_path, {"model": "m"})
    with pytest.raises(InputError, match="field model: found 'm', expected 'other'"):
        curation.run(cases(1), passed, tmp_path, {"model": "other"})


def test_workers_change_nothing(tmp_path):
    """One worker and four write the same results."""
    for workers in (1, 4):
        curation.run(cases(12), passed, tmp_path / str(workers), {}, workers=workers, shots=3)
    for name in ("passed.jsonl", "exemplars.jsonl", "summary.json"):
        assert (tmp_path / "1" / name).read_bytes() == (tmp_path / "4" / name).read_bytes()


def test_exemplars_are_balanced_and_seeded():
    """Answers take turns, tiers within an answer too; the choice depends on ids and seed, not on the order given."""
    pool = [
        Case(f"h/{i}", "deontic", "deontic_housing", "holmes", "", "", "", "yes" if i % 4 else "no", "label",
             choices=("yes", "no"), program="p.", difficulty=Difficulty(tier=f"t{i % 3}"))
        for i in range(40)
    ]  # fmt: skip
    chosen = exemplars(pool, 6)
    assert [c.answer for c in chosen].count("no") == 3
    assert {c.difficulty.tier for c in chosen if c.answer == "yes"} == {"t0", "t1", "t2"}
    assert exemplars(pool[::-1], 6) == chosen != exemplars(pool, 6, seed=1)
    assert len(exemplars(pool, 99)) == 40 and exemplars(pool, 0) == []


def command(*arguments, cache):
    environment = os.environ | {"HOLMES_CACHE": str(cache), "PYTHONPATH": str(ROOT)}
    return subprocess.run([sys.executable, "-m", "holmes", "curate", *arguments], cwd=ROOT, env=environment,
                          capture_output=True, text=True, timeout=300, check=False)  # fmt: skip


def test_the_command_end_to_end(tmp_path):
    """Real cases, a model that repairs its program on the second attempt, three HTTP 500s on the way."""
    programs = {c.case: c.program for c in load_cases("deontic_sara_binary", "train")[:3]}
    trouble = [(500, {})] * 3

    def answer(body):
        if trouble:
            return trouble.pop()
        said = body["messages"][0]["content"]
        program = next(p for key, p in programs.items() if key in said)
        return fenced(program) if len(body["messages"]) > 1 else fenced("oops(.\n" + program)

    with chat_host(answer) as (url, _):
        shared = ["--config", "deontic_sara_binary", "--limit", "3", "--url", url, "--model", "m", "--pause", "0.01"]
        done = command(*shared, "--out", str(tmp_path / "out"), "--json", cache=tmp_path / "cache")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == {"cases": 3, "passed": 3, "first": 0, "failures": {}}
    kept = list(read_cases(tmp_path / "out" / "passed.jsonl"))
    assert all(c.program.strip() in {p.strip() for p in programs.values()} for c in kept)


def test_a_host_that_keeps_failing_ends_the_command(tmp_path):
    """Exit code 1, one line, the attempts kept."""
    with chat_host(lambda body: (503, {"error": "down"})) as (url, _):
        done = command("--config", "deontic_sara_binary", "--limit", "2", "--url", url, "--model", "m", "--pause", "0",
                       "--retries", "1", "--out", str(tmp_path / "out"), cache=tmp_path / "cache")  # fmt: skip
    assert done.returncode == 1
    assert "failed 2 times, last with HTTP 503" in done.stderr and "Traceback" not in done.stderr
    assert (tmp_path / "out" / "attempts.jsonl").exists()


def test_wrong_use_of_the_command(tmp_path):
    """A bad address or an unknown config is one line and exit code 2."""
    for options in (["--config", "nope", "--url", "http://h"], ["--config", "deontic_sara_binary", "--url", "h"]):
        done = command(*options, "--model", "m", "--out", str(tmp_path / "x"), cache=tmp_path)
        assert done.returncode == 2 and "found" in done.stderr and "Traceback" not in done.stderr
    assert not (tmp_path / "x").exists()
