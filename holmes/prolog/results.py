"""What a run is given and what it gives back."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from holmes.errors import EnvironmentFailure, InputError


@dataclass(frozen=True, slots=True)
class Limits:
    """What one program may use.

    timeout: seconds from the start of the program, queueing not counted (paper B.1: 20). memory: bytes of address
    space. output: bytes of stdout and stderr together. stack: bytes of the Prolog stacks; plain `swipl` has 1 GiB.
    """

    timeout: float = 20.0
    memory: int = 3 << 30
    output: int = 1_000_000
    stack: int = 1 << 30

    def __post_init__(self) -> None:
        if not (math.isfinite(self.timeout) and 0 < self.timeout <= 86_400):
            raise InputError(f"timeout: found {self.timeout!r}, expected seconds above 0 and at most 86400")
        for name, least, most in (("memory", 64 << 20, 1 << 50), ("output", 1, 1 << 30), ("stack", 1 << 20, 1 << 50)):
            value = getattr(self, name)
            if not least <= value <= most:
                raise InputError(f"{name}: found {value!r}, expected bytes, from {least} to {most}")

    def signature(self) -> str:
        """Return the limits as a short text for signatures and cache keys."""
        return f"timeout:{self.timeout:g}|memory:{self.memory}|output:{self.output}|stack:{self.stack}"


class RunOutcome(StrEnum):
    """How a run ended; every one but `ok` and `error` means that the runner stopped the program."""

    OK = "ok"
    ERROR = "error"
    TIMEOUT = "timeout"
    OUTPUT_LIMIT = "output_limit"
    MEMORY_LIMIT = "memory_limit"
    VIOLATION = "violation"


@dataclass(frozen=True, slots=True)
class Run:
    """What one program did.

    outcome: `error` when the exit code is not 0 or SWI-Prolog reported an error, a failed directive or a directive
    that threw, although the program may have gone on. load_errors: those messages. warnings: the milder ones
    (singletons, discontiguous clauses). seconds: wall time of the program alone. note: what is unusual about the run.
    """

    outcome: RunOutcome
    stdout: str
    stderr: str
    seconds: float
    exit_code: int
    note: str = ""
    load_errors: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    @property
    def clean(self) -> bool:
        """True when the program ended well and SWI-Prolog had nothing to say."""
        return self.outcome is RunOutcome.OK and not self.warnings

    def to_dict(self) -> dict[str, Any]:
        """Return plain JSON values."""
        return {
            "outcome": self.outcome.value,
            "stdout": self.stdout,
            "stderr": self.stderr,
            "seconds": self.seconds,
            "exit_code": self.exit_code,
            "note": self.note,
            "load_errors": list(self.load_errors),
            "warnings": list(self.warnings),
        }

    @classmethod
    def from_dict(cls, row: Mapping[str, Any]) -> Run:
        """Return the run that `to_dict` wrote."""
        values = dict(row)
        values["outcome"] = RunOutcome(values["outcome"])
        for name in ("load_errors", "warnings"):
            values[name] = tuple(values[name])
        return cls(**values)


class BatchFailure(EnvironmentFailure):
    """The machine failed for good within a batch.

    runs: one a program, in order; None for those that were not run.
    """

    def __init__(self, text: str, runs: Sequence[Run | None]) -> None:
        super().__init__(text)
        self.runs = tuple(runs)


_PREFIX = re.compile(r"^(ERROR|Warning):( -g|)(?P<text>.*)$")
_FATAL_WARNING = re.compile(r"Goal \((?:directive|initialization)\) (?:failed|raised)|\[WARNING: |unhandled exception")


def messages(stderr: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Split what SWI-Prolog printed into errors and warnings, one text a message.

    A message begins with ``ERROR:`` or ``Warning:``; its further lines repeat the word and are indented.
    """
    found: list[tuple[str, list[str]]] = []
    previous = ""
    for line in stderr.splitlines():
        match = _PREFIX.match(line)
        if match is None:
            previous = ""
            if line.startswith(("[FATAL ERROR", "[WARNING")):
                found.append(("ERROR", [line]))
            continue
        kind, text = match.group(1), match.group("text")
        if kind == previous and text.startswith("    "):
            found[-1][1].append(text.strip())
        else:
            found.append((kind, [text.strip()]))
        previous = kind
    errors: list[str] = []
    warnings: list[str] = []
    for kind, lines in found:
        text = " ".join(lines)
        (errors if kind == "ERROR" or _FATAL_WARNING.search(text) else warnings).append(text)
    return tuple(errors), tuple(warnings)
