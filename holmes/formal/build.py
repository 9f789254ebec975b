"""Golds compiled by Isabelle, where it is installed: theories written, one build, what it refuses is reported."""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from holmes.cases import Case
from holmes.errors import EnvironmentFailure, InputError
from holmes.formal.export import SESSION, Export, write

MISSING = "isabelle is not on PATH: nothing was checked by Isabelle (skipped); theories are written by build-theories"


def compile_cases(cases: Sequence[Case], notify: Callable[[str], None] = lambda text: None) -> dict[str, str]:
    """Build the theories of cases; returns id -> what Isabelle or the export refused.

    A case whose theory Isabelle never reached is among them. Raises EnvironmentFailure where Isabelle is missing.
    """
    program = shutil.which("isabelle")
    if program is None:
        raise EnvironmentFailure(MISSING)
    made, names, refused = Export(), {}, {}
    for case in cases:
        try:
            names[case.id] = made.add(case)
        except InputError as error:
            refused[case.id] = str(error)
    if not names:
        return refused
    with tempfile.TemporaryDirectory(prefix="holmes-theories-") as folder:
        write(made.exported(), Path(folder))
        notify(f"isabelle: building {len(names)} theories of cases")
        ended = subprocess.run(
            [program, "build", "-v", "-D", folder], capture_output=True, text=True, errors="replace", check=False
        )
    if ended.returncode == 0:
        return refused
    text = ended.stdout + ended.stderr
    wrong = dict(re.findall(r'\*\*\* (?:.*?)"[^"]*?(\w+)\.thy"(.*)', text))
    for case_id, name in names.items():
        refused[case_id] = f"refused{wrong[name]}" if name in wrong else "not built: the session failed elsewhere"
    return refused


__all__ = ["MISSING", "SESSION", "compile_cases"]
