"""Deterministic scoring of a reasoning trace against the minimal sufficient derivations of its case."""

from __future__ import annotations

from holmes.cases import Case
from holmes.reading.thinking import final_reply
from holmes.scoring.derivation.claims import Claim, Reading, read_lines
from holmes.scoring.derivation.documents import texts_of
from holmes.scoring.derivation.measure import PARTS, DerivationScore, Judgement, measured
from holmes.scoring.derivation.reference import Reference, has_derivations, reference_of
from holmes.scoring.derivation.subjects import subjects_of

__all__ = ["PARTS", "Claim", "DerivationScore", "Judgement", "has_derivations", "read_claims", "score_derivation"]
VERSION = 2


def score_derivation(case: Case, text: str | None, given: str = "") -> DerivationScore:
    """Score the trace in a model's output against the derivations of a case.

    case: one of ours (`has_derivations`). text: the raw output, thinking included, which is not read; None for none.
    given: the level of steps that the prompt gave as settled (option ``given``): these need not be claimed, and
    claiming them earns nothing; "" for none.
    Returns the DerivationScore; never raises on any text. Source: derivations.md, Scoring a trace; HOLogicBench 4.3.
    """
    return score_against(reference_of(case, given), text)


def score_against(reference: Reference, text: str | None) -> DerivationScore:
    """Score the trace in an output against a reference at hand, as `score_derivation` does for a case."""
    return measured(reference, reading_in(reference, text))


def read_claims(case: Case, text: str | None) -> list[Claim]:
    """Return the claims that an output makes about the steps of a case, in order."""
    return claims_in(reference_of(case), text)


def claims_in(reference: Reference, text: str | None) -> list[Claim]:
    """Return the claims that an output makes about the steps of a reference, in order."""
    return list(reading_in(reference, text).claims)


def reading_in(reference: Reference, text: str | None) -> Reading:
    """Return what is read of an output: its claims, its step lines, how many of them were understood."""
    reply = final_reply(text or "").text
    blocks: list[tuple[str | None, str]] = []
    for one in texts_of(reply):
        blocks += subjects_of(one, reference.subjects)
    return read_lines(reference, blocks)
