"""What a score is (design section 6), and the one function that every host calls."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from holmes.cases import Case
from holmes.errors import InputError


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
    """The score of one output: value in [0, 1], its outcome, the answer read, the reason, named parts, signature."""

    value: float
    outcome: Outcome
    answer: str | None
    reason: str
    parts: Mapping[str, float] = field(default_factory=dict)
    signature: str = ""


MODES: dict[str, str] = {
    "answer": "holmes.scoring.answers:score_answer",  # the answer is read from the text
    "prolog": "holmes.answers.program:score_program",  # a program is read from the text, run, and its output read
}


def score(case: Case, text: str | None, mode: str = "answer", **options: object) -> Score:
    """Score one model output for one case.

    case: the case with its gold. text: the raw output, thinking included; None when the host returned nothing.
    mode: ``"answer"`` or ``"prolog"``. options: see the function the mode names; ``truncated=True`` says that
    the host cut the generation.
    Returns a Score. Raises InputError for an unknown mode or option.
    """
    import importlib

    if mode not in MODES:
        raise InputError(f"mode: found {mode!r}, expected one of {', '.join(MODES)}")
    module, name = MODES[mode].split(":")
    function: Callable[..., Score] = getattr(importlib.import_module(module), name)
    return function(case, text, **options)


def mean_of(scores: Iterable[Score], part: str | None = None) -> float:
    """Return the mean value, or the mean of one named part; nothing is dropped; 0.0 for no scores."""
    values = [s.value if part is None else s.parts.get(part, 0.0) for s in scores]
    return sum(values) / len(values) if values else 0.0
