"""The command line: exit codes, one clear line, nothing half-written."""

from __future__ import annotations

import importlib
import subprocess
import sys
from pathlib import Path

import click
import pytest

from holmes.commands.main import COMMANDS, run
from holmes.errors import CheckFailed, EnvironmentFailure, InputError

ROOT = Path(__file__).resolve().parents[1]


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help(name, capsys):
    """Each entry of the table names a real command, whose help says what it does."""
    module, attribute = COMMANDS[name][0].split(":")
    assert isinstance(getattr(importlib.import_module(module), attribute), click.Command)
    assert run([name, "--help"]) == 0
    assert "Usage: holmes " + name in capsys.readouterr().out


@pytest.mark.parametrize(
    ("error", "code"), [(InputError("a\nb"), 2), (EnvironmentFailure("a b"), 1), (CheckFailed("a b"), 1)]
)
def test_errors_are_one_line_with_their_exit_code(monkeypatch, capsys, error, code):
    """Whatever a command raises of our own is one line on stderr, nothing on stdout."""
    import holmes.commands.link as module

    def fails():
        raise error

    monkeypatch.setattr(module, "tasks_path", click.Command("tasks-path", callback=fails))
    assert run(["tasks-path"]) == code
    out, err = capsys.readouterr()
    assert (out, err) == ("", "holmes: a b\n")


@pytest.mark.parametrize("words", [["nonsense"], ["link", "--nonsense"], ["score", "--samples", "x"]])
def test_wrong_use_is_exit_code_two(words, capsys):
    """Unknown commands, unknown options and missing options are wrong use."""
    assert run(words) == 2
    assert capsys.readouterr().out == ""


def test_a_closed_pipe_is_no_traceback():
    """`holmes … | head` ends quietly."""
    command = f"{sys.executable} -m holmes --help | head -n 1"
    done = subprocess.run(["bash", "-c", command], cwd=ROOT, capture_output=True, text=True)
    assert done.stdout.startswith("Usage")
    assert "Traceback" not in done.stderr
