"""The choice of containment, its fallbacks, and what the user is told."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from holmes.errors import EnvironmentFailure, InputError
from holmes.prolog import Limits, Runner, RunOutcome

HELLO = ":- writeln(hello).\n:- halt.\n"


def _bwrap_runs() -> bool:
    """Whether bubblewrap can make namespaces here; in a chroot and in some containers it cannot."""
    if shutil.which("bwrap") is None:
        return False
    return subprocess.run(["bwrap", "--ro-bind", "/", "/", "true"], capture_output=True).returncode == 0


needs_bwrap = pytest.mark.skipif(not _bwrap_runs(), reason="bubblewrap does not run here")


def test_the_best_containment_is_chosen_and_named() -> None:
    """Here that is seccomp with Landlock; the engine says so, with SWI-Prolog's version."""
    with Runner() as runner:
        assert runner.engine.startswith("swipl-") and "seccomp+landlock" in runner.engine
        assert runner.version == runner.engine.split()[0]


@needs_bwrap
def test_bubblewrap_is_the_fallback_with_the_same_results() -> None:
    """Output, limits and errors are those of the first choice."""
    with Runner(Limits(timeout=20.0, output=10_000, memory=512 << 20), containment="bwrap") as runner:
        assert "bubblewrap" in runner.engine
        assert runner.run(HELLO).stdout == "hello\n"
        assert runner.run(HELLO).note == ""
        assert runner.run(":- writeln(a), foo.\n").outcome is RunOutcome.ERROR
        assert runner.run(":- halt(3).\n").exit_code == 3
        assert runner.run("p :- p.\n:- p.\n", Limits(timeout=0.5)).outcome is RunOutcome.TIMEOUT
        assert runner.run("p :- writeln(x), p.\n:- p.\n").outcome is RunOutcome.OUTPUT_LIMIT
        assert runner.run("nm('张三').\n:- nm(X), writeln(X).\n:- halt.\n").stdout == "张三\n"


@needs_bwrap
def test_bubblewrap_leaves_nothing_running(tmp_path: Path) -> None:
    """Background processes of a program die with it."""
    with Runner(containment="bwrap") as runner:
        runner.run(":- shell('sleep 987 & sleep 987 & true').\n:- halt.\n")
        found = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True).stdout
        assert "sleep 987" not in found


def test_nothing_runs_uncontained_without_the_override(monkeypatch: pytest.MonkeyPatch) -> None:
    """Insisting on no containment is refused; with the override it runs, and every result says so."""
    monkeypatch.delenv("HOLMES_UNSAFE_PROLOG", raising=False)
    with Runner(containment="unsafe") as refused, pytest.raises(EnvironmentFailure, match="HOLMES_UNSAFE_PROLOG=1"):
        refused.run(HELLO)
    monkeypatch.setenv("HOLMES_UNSAFE_PROLOG", "1")
    with Runner(containment="unsafe") as allowed:
        run = allowed.run(HELLO)
        assert run.stdout == "hello\n" and "not contained" in run.note and "NOT CONTAINED" in allowed.engine
        assert allowed.run("p :- p.\n:- p.\n", Limits(timeout=0.5)).outcome is RunOutcome.TIMEOUT
    with Runner() as normal:
        assert normal.run(HELLO).note == ""


def test_a_machine_that_can_contain_nothing_refuses_with_the_reasons(monkeypatch: pytest.MonkeyPatch, tmp_path) -> None:
    """Without Landlock and without bubblewrap one line names both, and the ways out."""
    monkeypatch.setattr(sys.modules["holmes.prolog.worker"], "_ROOT", str(_crippled(tmp_path)))
    swipl = shutil.which("swipl")
    assert swipl is not None
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "swipl").symlink_to(swipl)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    with Runner() as runner, pytest.raises(EnvironmentFailure) as caught:
        runner.run(HELLO)
    text = str(caught.value)
    assert "the kernel has no Landlock" in text and "bubblewrap is not installed" in text
    assert "apt-get install bubblewrap" in text and "\n" not in text


@needs_bwrap
def test_a_kernel_without_landlock_falls_back_to_bubblewrap(monkeypatch: pytest.MonkeyPatch, tmp_path) -> None:
    """The choice goes on by itself to the next way that works."""
    monkeypatch.setattr(sys.modules["holmes.prolog.worker"], "_ROOT", str(_crippled(tmp_path)))
    with Runner() as runner:
        assert runner.run(HELLO).stdout == "hello\n" and "bubblewrap" in runner.engine


@needs_bwrap
def test_an_engine_that_does_not_run_programs_falls_back_to_bubblewrap(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Another SWI-Prolog version may embed differently: the canary notices, and plain swipl below bubblewrap runs."""
    copy = tmp_path / "root"
    shutil.copytree(Path(__file__).resolve().parents[2] / "holmes" / "prolog", copy / "holmes" / "prolog")
    file = copy / "holmes" / "prolog" / "engine.py"
    assert "'$toplevel':version" in file.read_text()
    file.write_text(file.read_text().replace("catch(ensure_loaded(", "catch(no_such_predicate("))
    monkeypatch.setattr(sys.modules["holmes.prolog.worker"], "_ROOT", str(copy))
    with Runner() as runner:
        assert runner.run(HELLO).stdout == "hello\n" and "bubblewrap" in runner.engine
    with Runner(containment="seccomp") as strict, pytest.raises(EnvironmentFailure, match="prints 42"):
        strict.run(HELLO)


def _crippled(folder: Path) -> Path:
    """A copy of the package for a server that finds no Landlock."""
    copy = folder / "root"
    shutil.copytree(Path(__file__).resolve().parents[2] / "holmes" / "prolog", copy / "holmes" / "prolog")
    file = copy / "holmes" / "prolog" / "landlock.py"
    text = file.read_text()
    assert "return max(0, int(" in text
    file.write_text(text.replace("return max(0, int(", "return 0 * max(0, int("))
    return copy


def test_an_unknown_containment_is_refused() -> None:
    """The message names what was found and what exists."""
    with pytest.raises(InputError, match="'docker'"):
        Runner(containment="docker")


def test_the_servers_folder_descriptors_and_environment_are_not_inherited(monkeypatch: pytest.MonkeyPatch) -> None:
    """A secret in the caller's environment and an open file of the caller never reach the server."""
    monkeypatch.setenv("HOLMES_SECRET", "token-4711")
    read, write = os.pipe()
    os.set_inheritable(read, True)
    with Runner() as runner:
        runner.run(HELLO)
        (worker,) = runner._idle
        environment = Path(f"/proc/{worker.pid}/environ").read_bytes()
        assert b"token-4711" not in environment
        links = [str(link.readlink()) for link in Path(f"/proc/{worker.pid}/fd").iterdir()]
        assert str(Path(f"/proc/self/fd/{write}").readlink()) not in links
        assert str(Path(f"/proc/{worker.pid}/cwd").readlink()) == "/"
    os.close(read)
    os.close(write)


def test_the_server_stays_small() -> None:
    """The server imports none of the modules that would make each fork dearer."""
    from holmes.prolog.worker import _ROOT, _START

    code = _START.split("from holmes.prolog.server")[0] + "import holmes.prolog.server\nprint(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code, _ROOT], capture_output=True, text=True, check=True, cwd="/"
    )
    heavy = {"re", "enum", "typing", "dataclasses", "subprocess", "threading", "json", "logging", "socket", "signal"}
    assert not heavy & set(done.stdout.split())
