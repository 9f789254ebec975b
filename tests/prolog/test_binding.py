"""The contained engine against an independent binding (pyswip), each program in a process of its own."""

from __future__ import annotations

import subprocess
import sys

import pytest

from holmes.prolog import default_runner
from holmes.store import load_cases

SCRIPT = """
import sys
from pyswip import Prolog
prolog = Prolog()
prolog.consult(sys.argv[1])
list(prolog.query("main"))
"""


@pytest.mark.parametrize("config", ["law", "deontic_sara_numeric", "deontic_sara_binary"])
def test_an_independent_binding_prints_the_same(config, tmp_path):
    """Consulted and asked through pyswip, a reference program prints what the contained run prints."""
    program = load_cases(config, "smoke")[0].program
    path = tmp_path / "program.pl"
    path.write_text(program, encoding="utf-8")
    command = [sys.executable, "-c", SCRIPT, str(path)]
    bound = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=60)
    assert bound.stdout == default_runner().run(program).stdout != "", bound.stderr
