"""The choice of containment, its fallbacks, and what the user is told."""

from __future__ import annotations

import dataclasses
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from holmes.errors import EnvironmentFailure, InputError
from holmes.prolog import Limits, Runner, RunOutcome, compiled, contain, engine

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


@pytest.fixture
def no_landlock(monkeypatch: pytest.MonkeyPatch) -> None:
    """A kernel without Landlock."""
    monkeypatch.setattr(contain.landlock, "abi", lambda: 0)


def test_a_machine_that_can_contain_nothing_refuses_with_the_reasons(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, no_landlock: None
) -> None:
    """Without Landlock and without bubblewrap one line names both, and the ways out."""
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
def test_a_kernel_without_landlock_falls_back_to_bubblewrap(no_landlock: None) -> None:
    """The choice goes on by itself to the next way that works."""
    with Runner() as runner:
        assert runner.run(HELLO).stdout == "hello\n" and "bubblewrap" in runner.engine


def test_an_unknown_machine_is_refused_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where there is no filter, nothing runs: a fallback never contains less than the first choice."""
    monkeypatch.setattr(contain.seccomp, "ARCHITECTURES", {})
    with Runner() as runner, pytest.raises(EnvironmentFailure, match="no seccomp filter for") as caught:
        runner.run(HELLO)
    assert "\n" not in str(caught.value)


def test_an_engine_that_does_not_run_programs_falls_back_to_plain_swipl(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another SWI-Prolog version may embed differently: the canary notices, and an own swipl a program runs."""
    assert "'$toplevel':version" in engine._RUN
    monkeypatch.setattr(engine, "_RUN", engine._RUN.replace("catch(ensure_loaded(", "catch(no_such_predicate("))
    with Runner() as runner:
        assert runner.run(HELLO).stdout == "hello\n" and runner.engine.endswith("plain")
    with Runner(server="compiled") as strict, pytest.raises(EnvironmentFailure, match="prints 42"):
        strict.run(HELLO)


@pytest.mark.parametrize("what", ["compiler", "headers", "cache", "source", "home"])
def test_where_the_server_cannot_be_compiled_the_interpreted_one_serves(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, what: str
) -> None:
    """No compiler, no headers, no place to write, a compiler that fails: each is named, and programs still run."""
    monkeypatch.setenv("HOLMES_CACHE", str(tmp_path / "cache"))
    if what == "compiler":
        monkeypatch.setattr(compiled, "compiler", lambda: None)
    elif what == "headers":
        monkeypatch.setattr(compiled, "build", _without_headers(tmp_path))
    elif what == "home":

        def homeless() -> Path:
            raise RuntimeError("Could not determine home directory.")

        monkeypatch.setattr(compiled, "cache_dir", homeless)
    elif what == "cache":
        (tmp_path / "cache").write_text("a file in the way")
    else:
        (tmp_path / "broken.c").write_text("this is no C\n")
        monkeypatch.setattr(compiled, "SOURCE", tmp_path / "broken.c")
    reason = {
        "compiler": "no C compiler",
        "headers": "SWI-Prolog.h",
        "cache": "cannot be written",
        "source": "error",
    } | {"home": "home directory"}
    found = list(contain.plans("seccomp", "compiled", False))
    assert len(found) == 1 and isinstance(found[0], str) and reason[what] in found[0] and "\n" not in found[0]
    with Runner() as runner:
        assert runner.run(HELLO).stdout == "hello\n" and runner.engine.endswith("interpreted")


def _without_headers(folder: Path):
    build = compiled.build
    return lambda where: build(dataclasses.replace(where, home=str(folder)))


def test_the_compiled_server_is_built_once_and_trusted_only_if_nobody_else_can_write_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Two builds give one file; a file that others may write is made anew; another version is another file."""
    monkeypatch.setenv("HOLMES_CACHE", str(tmp_path))
    where = engine.find()
    first = compiled.build(where)
    made = first.stat().st_ino
    assert compiled.build(where) == first and first.stat().st_ino == made
    assert [path.name for path in first.parent.iterdir()] == [first.name]
    first.chmod(0o777)
    assert compiled.build(where).stat().st_ino != made
    assert compiled.place(dataclasses.replace(where, version="9.9.9")) != first


def test_without_pyswip_and_compiler_plain_swipl_serves(monkeypatch: pytest.MonkeyPatch) -> None:
    """The last way needs neither."""
    monkeypatch.setattr(compiled, "compiler", lambda: None)
    monkeypatch.setattr(compiled, "place", lambda where: Path("/nowhere/at/all"))
    monkeypatch.setattr(contain.importlib.util, "find_spec", lambda name: None)
    with Runner() as runner:
        assert runner.run(HELLO).stdout == "hello\n" and runner.engine.endswith("plain")


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
