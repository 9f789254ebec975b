"""Hostile programs: each is contained, touches nothing outside, and leaves the server alive."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.attacks.harness import attacks

ROOT = Path(__file__).resolve().parents[2]
NAMES = sorted(attacks())
NOBODY = 65534


def _python_for(account: int) -> str | None:
    """A Python that this account can start: an interpreter below /root is closed to others."""
    for candidate in (sys.executable, "/usr/bin/python3", "/usr/local/bin/python3"):
        tried = subprocess.run(["true"], check=False)
        try:
            tried = subprocess.run(
                [candidate, "-c", "import sys; sys.exit(sys.version_info < (3, 11))"],
                user=account, group=account, extra_groups=[], cwd="/", check=False, capture_output=True,
            )  # fmt: skip
        except OSError:
            continue
        if tried.returncode == 0:
            return candidate
    return None


def _run(account: str, mode: str, folder: Path) -> dict[str, dict[str, Any]]:
    scratch, root = folder / "scratch", folder / "root"
    scratch.mkdir()
    python, switch = sys.executable, {}
    if account == "nobody":
        found = _python_for(NOBODY)
        if found is None:
            pytest.skip("no Python 3.11 that an ordinary user can start")
        python, switch = found, {"user": NOBODY, "group": NOBODY, "extra_groups": []}
    # A copy, since the checkout may lie in a folder that is closed to others.
    shutil.copytree(ROOT / "holmes", root / "holmes", ignore=shutil.ignore_patterns("data", "__pycache__"))
    shutil.copytree(ROOT / "tests" / "attacks", root / "attacks", ignore=shutil.ignore_patterns("__pycache__"))
    if switch:
        os.chown(scratch, NOBODY, NOBODY)
        for parent in (folder, *list(folder.parents)[:-2]):
            if parent.stat().st_uid == os.getuid() and parent.name.startswith(("pytest-", "popen-", "attacks")):
                parent.chmod(0o755)
    done = subprocess.run(
        [python, str(root / "attacks" / "harness.py"), str(root), mode, str(scratch)],
        capture_output=True, text=True, check=False, cwd="/", timeout=500, **switch,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return {row["name"]: row for row in json.loads(done.stdout)}


@pytest.fixture(scope="module", params=["own account", "nobody"])
def sealed(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    account = str(request.param)
    if account == "nobody" and os.getuid() != 0:
        pytest.skip("only root can change to another account")
    return _run(account, "seccomp", tmp_path_factory.mktemp("attacks"))


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_an_attack_is_contained(sealed: dict[str, dict[str, Any]], name: str) -> None:
    """The outcome is one of those the program names; no secret, file or port was reached; the server lives on."""
    row = sealed[name]
    assert row["outcome"] in row["expected"], row
    assert not row["opened"], row
    assert not row["leaked"] and not row["touched"] and not row["called"] and row["alive"], row


@pytest.mark.nightly
def test_bubblewrap_contains_every_attack(tmp_path: Path) -> None:
    """Below bubblewrap outcomes differ (a shell may start, and finds nothing); nothing outside is reached."""
    if shutil.which("bwrap") is None:
        pytest.skip("bubblewrap is not installed")
    for row in _run("own account", "bwrap", tmp_path).values():
        assert not row["leaked"] and not row["touched"] and not row["called"] and row["alive"], row


def test_there_are_enough_attacks() -> None:
    """At least forty hostile programs, each with what it does and what is expected."""
    assert len(NAMES) >= 40 and all(expected for expected, _ in attacks().values())
