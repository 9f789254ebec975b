"""What services return: scores of outputs, gates of data, defects of releases, cases solved again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


class Outcome(StrEnum):
    """What became of one model output; where several hold, the later in this list wins."""

    RIGHT = "right"
    WRONG = "wrong"
    ABSTAINED = "abstained"
    MALFORMED = "malformed"
    ERROR = "error"
    TIMEOUT = "timeout"
    OUTPUT_LIMIT = "output_limit"
    MEMORY_LIMIT = "memory_limit"
    VIOLATION = "violation"
    TRUNCATED = "truncated"
    FAILED = "failed"

    @property
    def answered(self) -> bool:
        """True when a usable answer was read (right or wrong)."""
        return self in (Outcome.RIGHT, Outcome.WRONG)


@dataclass(frozen=True, slots=True)
class Score:
    """The score of one output: value in [0, 1], its outcome, the answer read, the reason, named parts, signature.

    read_as: how the answer was read: contract, cue or inferred; "" where none was, or where a program printed it.
    """

    value: float
    outcome: Outcome
    answer: str | None
    reason: str
    parts: Mapping[str, float] = field(default_factory=dict)
    signature: str = ""
    read_as: str = ""


@dataclass(frozen=True, slots=True)
class Judged:
    """A reply held against the gold: outcome, answer read, reason, and the named parts of the score."""

    outcome: Outcome
    answer: str | None
    reason: str
    parts: Mapping[str, float] = field(default_factory=dict)
    read_as: str = ""


@dataclass(frozen=True, slots=True)
class Gate:
    """A measured value and its limit. limit reads ``<= 0.75`` or ``>= 0.25``."""

    gate: str
    scope: str
    value: float
    limit: str
    ok: bool


def at_most(gate: str, scope: str, value: float, limit: float) -> Gate:
    """Return a gate that holds if value <= limit."""
    return Gate(gate, scope, round(float(value), 4), f"<= {limit:g}", bool(value <= limit + 1e-9))


def at_least(gate: str, scope: str, value: float, limit: float) -> Gate:
    """Return a gate that holds if value >= limit."""
    return Gate(gate, scope, round(float(value), 4), f">= {limit:g}", bool(value >= limit - 1e-9))


@dataclass(frozen=True, slots=True)
class Defect:
    """One defect. kind: what is wrong; source: the config; id, field: where; evidence: how it shows.

    right_value: what should stand there, as text, empty where that cannot be told.
    """

    kind: str
    source: str
    id: str
    field: str
    evidence: str
    right_value: str = ""


@dataclass(frozen=True, slots=True)
class Disagreement:
    """One field that came out differently. odd: conditions, trace, gold or text, where it can be told."""

    id: str
    field: str
    gold: Any
    derived: Any
    odd: str = ""


@dataclass(frozen=True, slots=True)
class Solved:
    """One case solved: the fields compared, those that differ, and the derived answer and trace.

    beside: fields that stand beside the gold (the released narratives); they do not count for `agrees`.
    """

    id: str
    fields: tuple[str, ...]
    differences: tuple[Disagreement, ...]
    answer: str
    trace: list[Any]
    beside: tuple[str, ...] = ()

    @property
    def agrees(self) -> bool:
        """True when every field of the gold came out."""
        return all(difference.field in self.beside for difference in self.differences)
