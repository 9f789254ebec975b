"""What the engine finds on one finance component."""

from __future__ import annotations

from dataclasses import dataclass

FULL, PARTIAL, REJECT, UNKNOWN = "Full_Approval", "Partial_Approval", "Rejection", "Unknown"


@dataclass(frozen=True, slots=True)
class Word:
    """A trace value that is a word of the release (a verdict, a category, a rank); key: the engine's name for it.

    amount: shown behind the word as the approved amount, where there is one.
    """

    key: str
    amount: int | None = None


Value = bool | int | Word


@dataclass(frozen=True, slots=True)
class Finding:
    """The values of a trace's steps in order (check -> bool, computed number -> int), the verdict and the amount."""

    values: tuple[Value, ...]
    verdict: str
    amount: int | None = None


def graded(mandatory: bool, standard: bool) -> str:
    """Return the verdict of two groups of gates: rejection, partial or full approval."""
    return FULL if mandatory and standard else PARTIAL if mandatory else REJECT
