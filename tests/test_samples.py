"""Logged outputs that are damaged are refused in one line; nothing logged is lost without a word."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from holmes.commands.main import run
from holmes.store import load_cases

ID = next(iter(load_cases("law", "test"))).id


def line(*outputs: object) -> bytes:
    """One logged line of the first law case."""
    return json.dumps({"id": ID, "outputs": list(outputs)}).encode() + b"\n"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "found no samples, expected at least one line"),
        (b'{"id": "law', "line 1: found unterminated string"),
        (line("a") + b"\xff\xfe\n", "line 2: found bytes that are not UTF-8"),
        (b"[" * 100_000, "line 1: found endless nesting"),
        (line("a") + line("b"), "again with other outputs, expected each case once"),
        (b'{"id": "nope", "outputs": []}', "field id: found 'nope', expected a case of law"),
    ],
)
def test_damaged_samples(content: bytes, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each kind of damage gives exit code 2, one line on stderr and nothing on stdout."""
    path = tmp_path / "samples.jsonl"
    path.write_bytes(content)
    assert run(["score", "--samples", str(path), "--task", "holmes_law", "--json"]) == 2
    captured = capsys.readouterr()
    assert captured.out == "" and message in captured.err and captured.err.count("\n") == 1


def test_a_folder_is_no_samples_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A folder in place of the file is told in one line."""
    assert run(["score", "--samples", str(tmp_path), "--task", "holmes_law"]) == 2
    assert "found a folder, expected a JSON Lines file" in capsys.readouterr().err


def test_the_same_outputs_again_count_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """lm_eval logs a case once a filter: the same line twice is one case."""
    path = tmp_path / "samples.jsonl"
    path.write_bytes(line("Answer: x") * 2)
    assert run(["score", "--samples", str(path), "--task", "holmes_law", "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)["cases"]) == 1
