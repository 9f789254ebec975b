"""What runs Prolog on this machine: which server, behind which walls, and what is missing for a better way."""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass

from holmes.errors import EnvironmentFailure
from holmes.prolog import compiled, engine
from holmes.prolog.contain import OVERRIDE, plans
from holmes.prolog.results import RunOutcome
from holmes.prolog.runner import Runner

_PROBE = ":- X is 6 * 7, writeln(X).\n:- halt.\n"


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of a report: what was looked at, what was found, and whether that is as it should be."""

    name: str
    found: str
    fine: bool


def prolog_state() -> list[Finding]:
    """Return what is installed, which way serves by running a program in it, and why each better one does not."""
    try:
        where = engine.find()
    except EnvironmentFailure as error:
        return [Finding("swipl", str(error), False)]
    found = [
        Finding("swipl", f"{where.version} at {where.executable}", True),
        Finding(
            "library",
            where.library or "found no libswipl, so only an own swipl a program can serve",
            bool(where.library),
        ),
        _tool("C compiler", compiled.compiler(), "apt-get install gcc libc6-dev"),
        _tool(
            "bubblewrap", shutil.which("bwrap"), "apt-get install bubblewrap; needed where the kernel has no Landlock"
        ),
    ]
    override = os.environ.get(OVERRIDE) == "1"
    if override:
        found.append(Finding(OVERRIDE, "1: programs may run without containment", False))
    ways = list(plans("auto", "auto", override))
    for way in ways:
        if isinstance(way, str):
            found.append(Finding("not available", way, False))
        else:
            found.append(Finding("available", way.name, True))
    return [*found, _serving()]


def _serving() -> Finding:
    """Say what serves, from a program that was run."""
    try:
        with Runner() as runner:
            run = runner.run(_PROBE)
            name = runner.plan.name
    except EnvironmentFailure as error:
        return Finding("serving", str(error), False)
    fine = run.outcome is RunOutcome.OK and run.stdout == "42\n"
    return Finding("serving", name if fine else f"{name}: found {run.stdout!r} of a program that prints 42", fine)


def _tool(name: str, place: str | None, advice: str) -> Finding:
    return Finding(name, place or f"found none ({advice})", place is not None)
