"""What a generation is worth beyond its answer: its class, its claims about steps, the layer of its first false one.

Scores are read here and nowhere else in the report, so that new parts of a score show up without change elsewhere.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from holmes.cases import Case
from holmes.errors import InputError
from holmes.report.labels import layer
from holmes.report.runs import number
from holmes.results import Outcome, Score
from holmes.scoring.derivation import DerivationScore, has_derivations, score_derivation


@dataclass(frozen=True, slots=True)
class ClaimView:
    """A statement of a reply as it was taken: its words, the step it is about, and what is to be said of it.

    verdict: right, leap (right but not yet supported), wrong or unknown.
    """

    text: str
    label: str
    verdict: str


def class_of(score: Score) -> str:
    """Return the class of a generation, a key of `labels.CLASSES`."""
    if score.outcome is Outcome.FAILED:
        return "failed"
    if score.outcome is Outcome.WRONG:
        return "wrong"
    if score.outcome is not Outcome.RIGHT:
        return "unanswered"
    parts = {name: number(value) for name, value in score.parts.items()}
    if not any(name.startswith("deriv_") for name in parts):
        return "unmeasured"
    if parts.get("deriv_none") or parts.get("deriv_read") == 0:
        return "unread"
    return "unsound" if parts.get("deriv_error") or parts.get("shortcut") else "sound"


@functools.lru_cache(maxsize=20_000)
def reasoning(case: Case, text: str | None) -> DerivationScore | None:
    """Return the score of a reply's reasoning; None where there is nothing to hold it against."""
    if not has_derivations(case):
        return None
    try:
        return score_derivation(case, text)
    except InputError:
        return None


def claims(case: Case, text: str | None) -> tuple[ClaimView, ...]:
    """Return the claims of a reply in its order; empty where there is nothing to hold them against."""
    found = reasoning(case, text)
    return () if found is None else tuple(_view(claim) for claim in found.claims)


def _view(claim: Any) -> ClaimView:
    right = getattr(claim, "right", None)
    verdict = getattr(claim, "verdict", None)
    if verdict is not None and str(verdict) in ("unknown", "not_understood", "undefined", "unread"):
        return ClaimView(claim.text, claim.label, "unknown")
    if right is None:
        return ClaimView(claim.text, claim.label, "unknown")
    named = "wrong" if not right else "right" if getattr(claim, "supported", True) else "leap"
    return ClaimView(claim.text, claim.label, named)


def first_fault(case: Case, text: str | None) -> str:
    """Return the layer of the first false step of a reply; ``unread`` where no step was read, empty where none is."""
    found = claims(case, text)
    if not found:
        return "unread"
    return next((layer(claim.label) for claim in found if claim.verdict == "wrong"), "")


def weak_reading(score: Score) -> str:
    """Return by what cue an answer was read where it was not the contract's answer line; empty where it was, or untold.

    A score tells it as `read_as` (contract, cue, inferred), by itself or among its parts.
    """
    told: object = getattr(score, "read_as", None)
    if told is None:
        raw: Mapping[str, object] = dict(score.parts)
        told = raw.get("read_as")
    if told is None or told in ("", "contract", 1, 1.0):
        return ""
    return str(told)
