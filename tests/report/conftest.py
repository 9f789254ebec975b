"""One report of two planted runs, made once."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import pytest

from holmes.commands.main import run as holmes
from tests.report import planted


@dataclass(frozen=True)
class Planted:
    """The files of the report, its document, and which case errs how."""

    page: Path
    told: dict
    plans: dict[str, dict[str, str]]
    folders: dict[str, Path]


@pytest.fixture(scope="session")
def report(tmp_path_factory) -> Planted:
    """Twelve law cases, two runs, written by the command as users call it."""
    folder = tmp_path_factory.mktemp("report")
    cases = planted.law_cases()
    ids = [case.id for case in cases]
    first = dict(zip(ids, ["right"] * 5 + ["wrong"] * 2 + ["term"] * 2 + ["silent", "silent", "failed"], strict=True))
    second = dict(zip(ids, ["wrong"] * 4 + ["right"] * 8, strict=True))
    usage = {"prompt_tokens": 100, "completion_tokens": 20, "seconds": 1.5}
    folders = {
        "slow": planted.write_run(folder / "slow", first, cases, {"thinking": "yes"}, usage),
        "quick": planted.write_run(folder / "quick", second, cases, {"thinking": "no"}),
    }
    page = folder / "out" / "report.html"
    done = holmes(["report", str(folders["slow"]), str(folders["quick"]), "--out", str(page), "--workers", "1"])
    assert done == 0
    told = json.loads(page.with_suffix(".json").read_text(encoding="utf-8"))
    return Planted(page, told, {"slow": first, "quick": second}, folders)
