"""Odd machines: programs still run, or one line says what is missing; no private exception leaves the package."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from holmes.prolog import seccomp
from tests.prolog.modes import need

ROOT = Path(__file__).resolve().parents[2]
# Runs a program three times in a process on which something was done before; prints the engine, or the one error.
ASK = """
import ctypes, os, resource, struct, sys
{before}
from holmes.errors import EnvironmentFailure
from holmes.prolog import Runner
try:
    with Runner(containment={walls!r}, server={server!r}) as runner:
        runs = [runner.run(f":- writeln({{n}}).\\n:- halt.\\n") for n in range(3)]
        print(runner.engine)
        assert [run.stdout for run in runs] == ["0\\n", "1\\n", "2\\n"], runs
        assert runner.run(":- halt(137).\\n").exit_code == 137
        assert runner.run("p :- p.\\n:- p.\\n", {limits}).outcome == "timeout"
except EnvironmentFailure as error:
    print("refused:", error)
"""
LIMITS = "__import__('holmes.prolog', fromlist=['Limits']).Limits(timeout=0.3)"


def ask(before: str, walls: str = "auto", server: str = "auto", **switch: object) -> str:
    """Return the one line that such a process prints."""
    code = ASK.format(before=before, walls=walls, server=server, limits=LIMITS)
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=ROOT, timeout=120,
        env={**os.environ, "PYTHONPATH": str(ROOT)}, **switch,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("\n") == 1, done.stdout
    return done.stdout.strip()


def without(*names: str) -> str:
    """Python that makes the kernel answer ENOSYS to these calls from here on, in every process it starts."""
    machine = os.uname().machine
    code = seccomp._op(seccomp._LOAD, 0)
    numbers = [seccomp.ARCHITECTURES[machine][1][name] for name in names]
    code += seccomp._group(numbers, seccomp.MISSING) + seccomp._answer(seccomp.ALLOW)
    return f"""
code = ctypes.create_string_buffer(bytes.fromhex("{code.hex()}"), {len(code)})
program = struct.pack("HxxxxxxQ", {len(code) // 8}, ctypes.addressof(code))
libc = ctypes.CDLL(None, use_errno=True)
assert libc.prctl(38, 1, 0, 0, 0) == 0 and libc.prctl(22, 2, program, 0, 0) == 0
"""


@pytest.mark.parametrize("server", ["compiled", "interpreted"])
@pytest.mark.parametrize("names", [("pidfd_open",), ("close_range",), ("pidfd_open", "close_range")], ids="+".join)
def test_kernels_without_new_calls_run_programs(server: str, names: tuple[str, ...]) -> None:
    """Without pidfd_open and close_range everything works as it does with them."""
    assert server in ask(without(*names), "seccomp", server)


@pytest.mark.parametrize("server", ["compiled", "interpreted"])
def test_a_kernel_without_memfd_create_says_so_or_uses_bubblewrap(server: str) -> None:
    """Landlock's way needs it and says so in one line."""
    assert "memfd_create: Function not implemented" in ask(without("memfd_create"), "seccomp", server)


def test_bubblewrap_needs_no_memfd_create() -> None:
    """Below bubblewrap the program lies in a file, so the choice goes on to it."""
    need(("bwrap", "compiled"))
    assert "bubblewrap" in ask(without("memfd_create", "pidfd_open", "close_range"))


@pytest.mark.parametrize("server", ["compiled", "interpreted", "plain"])
@pytest.mark.parametrize("most", [20, 12, 8])
def test_few_descriptors_do_or_are_named(server: str, most: int) -> None:
    """With `ulimit -n 20` programs run; with fewer they run, or one line says what is short."""
    need(("seccomp", server))
    said = ask(
        f"import holmes.prolog.runner\nresource.setrlimit(resource.RLIMIT_NOFILE, ({most}, {most}))", "seccomp", server
    )
    assert server in said if most == 20 else server in said or "Too many open files" in said


def test_few_processes_are_named() -> None:
    """An ordinary user without processes left gets one line."""
    if os.getuid() != 0:
        pytest.skip("only root can change to another account")
    before = "import holmes.prolog.runner\nos.setgid(65534); os.setuid(65534)\n"
    before += "resource.setrlimit(resource.RLIMIT_NPROC, (0, 0))"
    if not _open_to_all():
        pytest.skip("the checkout or this Python is closed to other accounts")
    said = ask(before)
    assert said.startswith("refused: ")


def _open_to_all() -> bool:
    done = subprocess.run(
        [sys.executable, "-c", "import holmes.prolog.runner"], cwd="/", check=False, capture_output=True,
        user=65534, group=65534, extra_groups=[], env={**os.environ, "PYTHONPATH": str(ROOT)},
    ) if _startable() else None  # fmt: skip
    return done is not None and done.returncode == 0  # what is closed to others cannot be tried by them


def _startable() -> bool:
    try:
        return not subprocess.run(
            [sys.executable, "-c", ""], user=65534, group=65534, extra_groups=[], cwd="/", check=False
        ).returncode
    except OSError:
        return False


def test_without_proc_one_line_says_so(tmp_path: Path) -> None:
    """In a root without /proc, Landlock's way is refused by name; nothing else leaves the package."""
    if os.getuid() != 0:
        pytest.skip("only root can hide /proc")
    if shutil.which("unshare") is None or subprocess.run(["unshare", "-m", "true"], check=False).returncode:
        pytest.skip("no mount namespace here")
    code = ASK.format(before="", walls="seccomp", server="auto", limits=LIMITS)
    done = subprocess.run(
        ["unshare", "-m", "sh", "-c", 'mount -t tmpfs none /proc && exec "$0" -c "$1"', sys.executable, code],
        capture_output=True, text=True, check=False, cwd=ROOT, timeout=120, env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "/proc is not mounted" in done.stdout and done.stdout.count("\n") == 1


@pytest.mark.parametrize("what", ["engine", "run", "run_many"])
def test_only_public_errors_leave_the_package(what: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A `swipl` that is a broken script, or no program at all, is an EnvironmentFailure of one line."""
    from holmes.errors import EnvironmentFailure
    from holmes.prolog import Runner

    for text, mode in (("#!/bin/sh\nexit 3\n", 0o755), ("no program", 0o755), ("#!/no/such/shell\n", 0o755)):
        (tmp_path / "swipl").write_text(text)
        (tmp_path / "swipl").chmod(mode)
        monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
        with Runner() as runner, pytest.raises(EnvironmentFailure) as caught:
            runner.engine if what == "engine" else getattr(runner, what)(":- halt." if what == "run" else [":- halt."])
        assert "\n" not in str(caught.value) and "swipl" in str(caught.value)
