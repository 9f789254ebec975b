"""Traces that reason nothing out, and what they earn: everything denied, affirmed, triggered; no conflict resolved."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from statistics import mean

from holmes.cases import Case
from holmes.scoring.derivation import claims_in
from holmes.scoring.derivation.claims import Reading
from holmes.scoring.derivation.measure import DerivationScore, measured
from holmes.scoring.derivation.reference import Reference, reference_of
from tests.derivation.made import written


def _every(case: Case, *sayings: str) -> str:
    rules = sorted({n for part in reference_of(case).parts for n in part.by_rule})
    return "\n".join(saying.format(n=n) for n in rules for saying in sayings)


def denied(case: Case) -> str:
    """Everything denied."""
    return _every(
        case, "Rule {n} is not triggered.", "Rule {n} does not apply.", "By Rule {n}, the condition does not hold."
    )


def affirmed(case: Case) -> str:
    """Everything affirmed."""
    return _every(case, "Rule {n} is triggered.", "Rule {n} applies.", "By Rule {n}, the condition holds.")


def triggered(case: Case) -> str:
    """Every rule triggered, and nothing else said."""
    return _every(case, "Rule {n} is triggered.")


def unresolved(case: Case) -> str:
    """The reference trace without conflicts and without what applies: concepts and triggers alone."""
    trace = written(case)
    kept = [
        line
        for line, label in zip(trace.lines, trace.labels, strict=True)
        if "conflict:" not in label and ":applies=" not in label
    ]
    return "\n".join(kept)


EMPTY: dict[str, Callable[[Case], str]] = {
    "nothing said": lambda case: "",
    "everything denied": denied,
    "everything affirmed": affirmed,
    "every rule triggered": triggered,
    "no conflict resolved": unresolved,
}


def score(case: Case, text: str) -> DerivationScore:
    """Return the score of a text."""
    made_of = reference_of(case)
    claims = tuple(claims_in(made_of, text))
    return measured(made_of, Reading(claims, len(claims), len(claims), 0))


def unimplied(made_of: Reference, found: DerivationScore) -> float:
    """Return the coverage of what is claimed alone, nothing implied."""
    wanted = set(made_of.derivations.inferences(found.member))
    given = {claim.label for claim in found.claims if claim.right}
    return len(given & wanted) / len(wanted)


def floor(cases: Sequence[Case], name: str) -> dict[str, float]:
    """Return the means over cases for one of `EMPTY`: coverage with and without what is implied, f1, critical."""
    rows = []
    for case in cases:
        found = score(case, EMPTY[name](case))
        rows.append((found.coverage, unimplied(reference_of(case), found), found.f1, found.critical or 0.0))
    names = ("coverage", "coverage, nothing implied", "f1", "critical")
    return {key: mean(row[place] for row in rows) for place, key in enumerate(names)}
