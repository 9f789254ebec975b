"""Deterministic scoring of a reasoning trace against the minimal sufficient derivations of its case."""

from __future__ import annotations

from dataclasses import replace

from holmes.cases import Case
from holmes.reading.report import read_reports, without_reports
from holmes.reading.step_objects import embedded_json
from holmes.reading.thinking import final_reply
from holmes.scoring.derivation.claims import Claim, claims_of
from holmes.scoring.derivation.clauses import Clause, clauses_of
from holmes.scoring.derivation.documents import reported
from holmes.scoring.derivation.measure import PARTS, DerivationScore, Judgement, measured
from holmes.scoring.derivation.reference import Reference, has_derivations, reference_of

__all__ = ["PARTS", "Claim", "DerivationScore", "Judgement", "has_derivations", "read_claims", "score_derivation"]
VERSION = 1


def score_derivation(case: Case, text: str | None) -> DerivationScore:
    """Score the trace in a model's output against the derivations of a case.

    case: one of ours (`has_derivations`). text: the raw output, thinking included, which is not read; None for none.
    Returns the DerivationScore; never raises on any text. Source: derivations.md, Scoring a trace; HOLogicBench 4.3.
    """
    return score_against(reference_of(case), text)


def score_against(reference: Reference, text: str | None) -> DerivationScore:
    """Score the trace in an output against a reference at hand, as `score_derivation` does for a case."""
    return measured(reference, claims_in(reference, text))


def read_claims(case: Case, text: str | None) -> list[Claim]:
    """Return the claims that an output makes about the steps of a case, in order."""
    return claims_in(reference_of(case), text)


def claims_in(reference: Reference, text: str | None) -> list[Claim]:
    """Return the claims that an output makes about the steps of a reference, in order."""
    return claims_of(reference, _clauses(reference, final_reply(text or "").text))


def _clauses(reference: Reference, reply: str) -> list[Clause]:
    """Return the clauses of a reply: of its prose, then of what its reports hold."""
    texts = [without_reports(reply)]
    if (document := embedded_json(reply)) is not None:
        texts = [""]
        texts += reported(document)
    else:
        for report in read_reports(reply):
            texts += reported(report.value)
    found: list[Clause] = []
    for text in texts:
        found += clauses_of(text, reference.subjects, reference.sections)
    return [replace(clause, step=place) for place, clause in enumerate(found)]
