"""The derivation scores of an output under the names that results use, beside the score of its answer."""

from __future__ import annotations

from dataclasses import replace

from holmes.cases import Case
from holmes.errors import InputError
from holmes.results import Outcome, Score
from holmes.scoring.derivation import VERSION, DerivationScore, has_derivations, score_derivation
from holmes.scoring.derivation.reference import reference_of
from holmes.version import __version__

__all__ = ["VERSION", "named", "signature", "with_derivation"]


def with_derivation(case: Case, text: str | None, score: Score, given: str = "") -> Score:
    """Return the score of an output with its derivation scores among its parts and its first faults in the reason.

    given: the level of steps that the prompt gave as settled; see `score_derivation`.
    Unchanged for a case whose rule base is not at hand (another source, or built by another version), that tells no
    case (a policy question about all cases), or whose answer follows from facts, and what was given, alone.
    """
    if not has_derivations(case):
        return score
    try:
        if not reference_of(case, given).inferences:
            return score
        found = score_derivation(case, text, given)
    except InputError:
        return score
    reason = score.reason
    if found.first_error is not None:
        reason += f"; first error: {found.first_error.text!r:.80} ({found.first_error.label})"
    if found.first_leap is not None:
        reason += f"; first leap: {found.first_leap.text!r:.80} ({found.first_leap.label})"
    parts = {**score.parts, **named(found, score.outcome is Outcome.RIGHT)}
    return replace(score, parts=parts, reason=reason)


def signature() -> str:
    """Return how derivation scores were made."""
    return f"derivations:{VERSION}|holmes:{__version__}"


def named(found: DerivationScore, answered_right: bool) -> dict[str, float]:
    """Return the numbers of a derivation score by name; deriv_critical and shortcut only where they are defined.

    deriv_error, deriv_leap: there is a wrong claim, a right one without support. deriv_none: no claim was aligned.
    deriv_undefined: the case has no critical step. deriv_read, deriv_contract: share of the step lines that were
    understood, that are in the stated form; left out where no line is a step. deriv_weak: under one half was read.
    """
    parts = {f"deriv_{name}": value for name, value in found.numbers().items()}
    parts |= {
        "deriv_error": float(found.first_error is not None),
        "deriv_leap": float(found.first_leap is not None),
        "deriv_none": float(not found.claims),
        "deriv_undefined": float(found.critical is None),
        "deriv_weak": float(found.weak),
    }
    shares = {"deriv_read": found.read, "deriv_contract": found.contract}
    parts |= {name: float(value) for name, value in shares.items() if value is not None}
    shortcut = found.shortcut(answered_right)
    return parts if shortcut is None else parts | {"shortcut": float(shortcut)}
