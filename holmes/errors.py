"""The two ways a command ends other than well: wrong input (exit code 2) and a failed check or environment (1)."""

from __future__ import annotations


class InputError(ValueError):
    """Wrong use or bad input; the one-line message names file or case id, field, found, expected (exit code 2)."""


class EnvironmentFailure(RuntimeError):
    """The machine cannot do it: disk full, prover missing, containment unavailable (exit code 1)."""


class CheckFailed(RuntimeError):
    """A check ran and did not hold (exit code 1)."""
