"""Hostile programs: each is contained, touches nothing outside, and leaves the server alive; one file for every way."""

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
from tests.prolog.modes import FAST, SLOW, name, need

ROOT = Path(__file__).resolve().parents[2]
NOBODY = 65534


def _python_for(account: int) -> str | None:
    """A Python that this account can start: an interpreter below /root is closed to others."""
    for candidate in (sys.executable, "/usr/bin/python3", "/usr/local/bin/python3"):
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


def _run(account: str, way: tuple[str, str], folder: Path) -> list[dict[str, Any]]:
    scratch, root = folder / "scratch", folder / "root"
    scratch.mkdir()
    python, switch = sys.executable, {}
    if account == "nobody":
        if os.getuid() != 0:
            pytest.skip("only root can change to another account")
        found = _python_for(NOBODY)
        if found is None:
            pytest.skip("no Python 3.11 that an ordinary user can start")
        python, switch = found, {"user": NOBODY, "group": NOBODY, "extra_groups": []}
    # A copy, since the checkout may lie in a folder that is closed to others.
    shutil.copytree(ROOT / "holmes", root / "holmes", ignore=shutil.ignore_patterns("data", "__pycache__"))
    shutil.copytree(ROOT / "tests" / "attacks", root / "attacks", ignore=shutil.ignore_patterns("__pycache__"))
    if spec := __import__("importlib.util", fromlist=["util"]).find_spec("pyswip"):
        shutil.copytree(spec.submodule_search_locations[0], root / "pyswip")
    if switch:
        os.chown(scratch, NOBODY, NOBODY)
        for parent in (folder, *list(folder.parents)[:-2]):
            if parent.stat().st_uid == os.getuid() and parent.name.startswith(
                ("pytest-", "popen-", "attacks", "test_")
            ):
                parent.chmod(0o755)
    cache = folder / "cache"
    cache.mkdir()
    if switch:
        os.chown(cache, NOBODY, NOBODY)
    done = subprocess.run(
        [python, str(root / "attacks" / "harness.py"), str(root), *way, str(scratch)],
        capture_output=True, text=True, check=False, cwd="/", timeout=500,
        env={**os.environ, "HOLMES_CACHE": str(cache)}, **switch,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    rows: list[dict[str, Any]] = json.loads(done.stdout)
    for row in rows:
        if way[1] == "plain" and row["name"] in NO_THREAD:
            row["expected"] = ["error"]
    return rows


# An own `swipl` keeps alarms by a thread, which the filter refuses: library(time) then crashes (docs/prolog.md).
NO_THREAD = {"alarm"}


def _wrong(row: dict[str, Any]) -> bool:
    reached = row["opened"] or row["leaked"] or row["touched"] or row["called"]
    return bool(reached or row["outcome"] not in row["expected"] or not row["alive"])


_OFTEN = [("own account", FAST[0]), ("nobody", FAST[0]), ("own account", FAST[1]), ("own account", FAST[2])]
_ALL = [(account, way) for way in (*FAST, *SLOW) for account in ("own account", "nobody")]
_PARAMETERS = [
    pytest.param(
        account, way, id=f"{account}-{name(way)}", marks=[] if (account, way) in _OFTEN else pytest.mark.nightly
    )
    for account, way in _ALL
]


@pytest.mark.slow
@pytest.mark.parametrize(("account", "way"), _PARAMETERS)
def test_every_attack_is_contained(account: str, way: tuple[str, str], tmp_path: Path) -> None:
    """Outcomes are those the programs name; no secret, file, port or process was reached; the server lives on."""
    need(way)
    rows = _run(account, way, tmp_path)
    assert len(rows) == len(attacks())
    assert [row for row in rows if _wrong(row)] == []


def test_there_are_enough_attacks() -> None:
    """At least a hundred hostile programs, each with what it does and what is expected."""
    assert len(attacks()) >= 100 and all(expected for expected, _ in attacks().values())
