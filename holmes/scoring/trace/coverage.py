"""Rule coverage: which of the gold rules a trace cites, and in what order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from holmes.reading.steps import TraceStep
from holmes.scoring.trace.srmr import harmonic


@dataclass(frozen=True, slots=True)
class RuleCoverage:
    """Precision, recall and F1 over sets of rule numbers, and the order: LCS of first citations / gold rules."""

    precision: float
    recall: float
    f1: float
    order: float


def rule_coverage(cited: Sequence[str], gold: Sequence[str]) -> RuleCoverage:
    """Compare the rules that a trace cites with the gold's.

    cited, gold: rule numbers as text ("7"), in order; repetitions count once, at their first place.
    Returns values in [0, 1]; nothing cited scores 0; no gold rule and nothing cited scores 1, since nothing is missing.
    """
    found, expected = list(dict.fromkeys(cited)), list(dict.fromkeys(gold))
    if not expected:
        value = 0.0 if found else 1.0
        return RuleCoverage(value, value, value, value)
    if not found:
        return RuleCoverage(0.0, 0.0, 0.0, 0.0)
    from rapidfuzz.distance import LCSseq

    common = len(set(found) & set(expected))
    precision, recall = common / len(found), common / len(expected)
    order = LCSseq.similarity(found, expected) / len(expected)
    return RuleCoverage(precision, recall, harmonic(precision, recall), order)


def rules_of(steps: Sequence[TraceStep]) -> tuple[str, ...]:
    """Return the rules that steps cite, in order of first citation."""
    return tuple(dict.fromkeys(rule for step in steps for rule in step.rules))
