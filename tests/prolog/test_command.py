"""`holmes run-prolog`: its JSON, its exit codes, its one-line errors."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def holmes(tmp_path: Path):
    def call(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
        variables = {**os.environ, "HOLMES_CACHE": str(tmp_path / "cache"), "PYTHONPATH": str(ROOT), **environment}
        return subprocess.run(
            [sys.executable, "-m", "holmes", "run-prolog", *words],
            capture_output=True, text=True, check=False, env=variables, cwd=tmp_path,
        )  # fmt: skip

    return call


def test_files_give_one_json_list_in_order(holmes, tmp_path: Path) -> None:
    """Each file has its row; a broken program is a result and the exit code stays 0."""
    (tmp_path / "a.pl").write_text(":- writeln('Tax result: 1').\n:- halt.\n")
    (tmp_path / "b.pl").write_text(":- throw(x).\n")
    done = holmes("a.pl", "b.pl", "--json", "--workers", "2")
    rows = json.loads(done.stdout)
    assert done.returncode == 0 and [row["file"] for row in rows] == ["a.pl", "b.pl"]
    assert [row["outcome"] for row in rows] == ["ok", "error"] and rows[0]["stdout"] == "Tax result: 1\n"
    assert {"outcome", "stdout", "stderr", "seconds", "note"} <= set(rows[0])


def test_json_lines_keep_their_ids(holmes, tmp_path: Path) -> None:
    """A row's id names its result; without one the line number does."""
    (tmp_path / "p.jsonl").write_text(
        json.dumps({"id": "x1", "program": ":- writeln(1).\n:- halt."}) + "\n\n" + json.dumps({"program": ""}) + "\n"
    )
    rows = json.loads(holmes("--jsonl", "p.jsonl", "--json").stdout)
    assert [row["id"] for row in rows] == ["x1", 3] and rows[0]["stdout"] == "1\n"


def test_options_reach_the_runner(holmes, tmp_path: Path) -> None:
    """Time, output and memory limits stop the program, each with its own outcome."""
    (tmp_path / "loop.pl").write_text("p :- p.\n:- p.\n")
    (tmp_path / "print.pl").write_text("p :- writeln(x), p.\n:- p.\n")
    assert json.loads(holmes("loop.pl", "--timeout", "0.3", "--json").stdout)[0]["outcome"] == "timeout"
    assert json.loads(holmes("print.pl", "--output", "100", "--json").stdout)[0]["outcome"] == "output_limit"
    assert "timeout" in holmes("loop.pl", "--timeout", "0.3").stdout


def test_results_are_cached_unless_told_otherwise(holmes, tmp_path: Path) -> None:
    """The same program gives the stored run; --no-cache runs it again."""
    (tmp_path / "t.pl").write_text(":- get_time(T), writeln(T).\n:- halt.\n")
    first = holmes("t.pl", "--json").stdout
    assert holmes("t.pl", "--json").stdout == first
    assert json.loads(holmes("t.pl", "--json", "--no-cache").stdout)[0]["stdout"] != json.loads(first)[0]["stdout"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("nothing.pl",), "nothing.pl: found no such file"),
        ((".",), ".: found a folder"),
        (("latin.pl",), "latin.pl: byte 2: found bytes that are not UTF-8"),
        (("--jsonl", "cut.jsonl"), "cut.jsonl: line 1"),
        (("--jsonl", "number.jsonl"), "number.jsonl: line 1: field program: found program = 5"),
        (("--jsonl", "list.jsonl"), "list.jsonl: line 1: field program: found list"),
        (("ok.pl", "--timeout", "-1"), "timeout"),
        (("ok.pl", "--memory", "1"), "memory"),
        (("ok.pl", "--workers", "0"), "workers"),
        ((), "FILE"),
    ],
)
def test_wrong_input_gives_one_line_and_exit_code_2(holmes, tmp_path: Path, words, said: str) -> None:
    """The line names file, place, what was found and what was expected; nothing goes to stdout."""
    (tmp_path / "ok.pl").write_text(":- halt.\n")
    (tmp_path / "latin.pl").write_bytes(b"a(\xe9).\n")
    (tmp_path / "cut.jsonl").write_text('{"program": ":- ha')
    (tmp_path / "number.jsonl").write_text('{"program": 5}\n')
    (tmp_path / "list.jsonl").write_text("[1]\n")
    done = holmes(*words)
    assert done.returncode == 2 and done.stdout == "" and said in done.stderr


def test_a_missing_swipl_is_one_line_and_exit_code_1(holmes, tmp_path: Path) -> None:
    """The line holds the command that installs it."""
    (tmp_path / "ok.pl").write_text(":- halt.\n")
    done = holmes("ok.pl", "--no-cache", PATH=str(tmp_path))
    assert done.returncode == 1 and "apt-get install swi-prolog-nox" in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


@pytest.mark.parametrize(
    "locale", [{"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}, {"PYTHONIOENCODING": "latin-1"}]
)
def test_output_is_utf8_under_every_locale(tmp_path: Path, locale: dict[str, str]) -> None:
    """Where stdout is not UTF-8 the JSON is whole, text as it is; so is the plain output."""
    (tmp_path / "a.pl").write_text(
        ":- writeln('张三 ¥ \\x1F600\\'), format(user_error, 'é~n', []).\n:- halt.\n", encoding="utf-8"
    )
    (tmp_path / "b.jsonl").write_text('{"id": "\\ud800 é", "program": ":- halt."}\n')
    variables = {**os.environ, "HOLMES_CACHE": str(tmp_path / "cache"), "PYTHONPATH": str(ROOT), **locale}
    command = [sys.executable, "-m", "holmes", "run-prolog", "a.pl", "--jsonl", "b.jsonl"]
    as_json, plain = (
        subprocess.run(words, capture_output=True, check=True, env=variables, cwd=tmp_path).stdout.decode("utf-8")
        for words in ([*command, "--json"], command)
    )
    rows = json.loads(as_json)
    assert "张三 ¥ 😀" in as_json and "张三 ¥ 😀" in plain
    assert rows[0]["stdout"] == "张三 ¥ 😀\n" and rows[0]["stderr"] == "é\n" and rows[1]["id"] == "\ud800 é"


def test_doctor_says_what_serves(tmp_path: Path) -> None:
    """The last line of its section names the way that ran a program; a machine without swipl is exit code 1."""
    from click.testing import CliRunner

    from holmes.commands.doctor import doctor
    from holmes.errors import CheckFailed
    from holmes.prolog import Runner

    with Runner() as runner:
        engine = runner.engine
    done = CliRunner().invoke(doctor, ["prolog", "--json"])
    findings = json.loads(done.stdout)["prolog"]
    assert done.exit_code == 0 and findings[-1] == {"name": "serving", "found": engine, "fine": True}
    assert any(one["name"] == "available" for one in findings)
    without = CliRunner(env={"PATH": str(tmp_path)}).invoke(doctor, ["prolog"])
    assert isinstance(without.exception, CheckFailed) and "apt-get install swi-prolog-nox" in without.stdout
