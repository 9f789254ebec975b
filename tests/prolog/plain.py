"""What plain SWI-Prolog does with a program: ``swipl -q -f FILE < /dev/null``."""

from __future__ import annotations

import os
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

_VARIABLE = re.compile(r"\b_G?\d+\b")


@dataclass(frozen=True)
class Plain:
    """stdout and stderr with printed variable names made equal, and the exit code."""

    stdout: str
    stderr: str
    exit_code: int


def plain(program: str, folder: Path) -> Plain:
    """Run a program the plain way."""
    file = folder / "program.pl"
    file.write_bytes(program.encode())
    done = subprocess.run(
        ["timeout", "-s", "KILL", "120", "swipl", "-q", "-f", str(file)],
        stdin=subprocess.DEVNULL, capture_output=True, check=False,
        env={"LANG": "C.UTF-8", "LC_ALL": "C.UTF-8", "PATH": os.environ["PATH"]},
    )  # fmt: skip
    stderr = done.stderr.decode("utf-8", "replace").replace(str(file), "/program.pl")
    return Plain(same_names(done.stdout.decode("utf-8", "replace")), same_names(stderr), done.returncode)


def same_names(text: str) -> str:
    """Replace printed names of unbound variables (``_123``, ``_G12``), which differ from run to run."""
    return _VARIABLE.sub("_", text)
