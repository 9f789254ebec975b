"""What a split holds: answers, higher-order types with their evidence, families of derivations."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from statistics import mean
from typing import Any

from holmes.cases import Case
from holmes.derivations.derive import is_fact
from holmes.derivations.operations import TYPES, Annotation
from holmes.errors import CheckFailed
from holmes.registry import domain_of


def overview(cases: Iterable[Case]) -> dict[str, Any]:
    """Return counts over some cases.

    cases, answers (labels only), steps (fewest, median, most); types: cases of each higher-order type, and `none`;
    operators: cases in which each piece of evidence occurs, named parts left out; derivations: cases with a stored
    family, with more than one member, with all members listed, the largest family, all members, the mean number of
    inference steps of a first member, and the mean share of these that are critical, in percent.
    """
    listed = list(cases)
    types: Counter[str] = Counter(kind for case in listed for kind in case.hol_types)
    operators: Counter[str] = Counter()
    for case in listed:
        record = json.loads(case.hol_evidence) if case.hol_evidence else {"evidence": []}
        operators.update({f"{e['type']} {e['operator'].partition(':')[0]}" for e in record["evidence"]})
    families = [case for case in listed if case.derivations]
    counts = [int(case.derivations_count) for case in families if case.derivations_count]
    steps = sorted(case.difficulty.steps for case in listed)
    return {
        "cases": len(listed),
        "answers": dict(sorted(Counter(case.answer for case in listed if case.answer_type == "label").items())),
        "steps": [steps[0], steps[len(steps) // 2], steps[-1]] if steps else [],
        "types": {**{kind: types[kind] for kind in TYPES}, "none": sum(not case.hol_types for case in listed)},
        "operators": dict(sorted(operators.items())),
        "derivations": {
            "stored": len(families),
            "several": sum(n > 1 for n in counts),
            "all_listed": sum(case.derivations_complete for case in families),
            "largest": max(counts, default=0),
            "members": sum(counts),
            **_sizes(families),
        },
    }


def _sizes(families: Sequence[Case]) -> dict[str, float]:
    """Return mean number of inference steps and mean critical share of first members; nothing where there are none."""
    steps = [sum(not is_fact(label) for label in case.derivations[0]) - _answers(case) for case in families]
    shares = [len(case.critical) / count for case, count in zip(families, steps, strict=True) if count]
    if not shares:
        return {}
    return {"steps": round(mean(steps), 1), "critical": round(100 * mean(shares), 1)}


def _answers(case: Case) -> int:
    """Return how many labels of a member are answers: amounts where one is asked for, else decisions."""
    kind = "amount" if case.answer_type == "amount" else "decision"
    return sum(re.match(rf"(?:\d+\.)?{kind}:", label) is not None for label in case.derivations[0])


def check(case: Case) -> Annotation:
    """Compare the annotation that a case stores with the one worked out again, and return it.

    Raises CheckFailed naming case, field, found and expected where they differ.
    """
    again = domain_of(case).operations(case)
    for field, expected in again.fields().items():
        found = getattr(case, field)
        if found != expected:
            shown = [str(v) if len(str(v)) <= 200 else f"{str(v)[:200]} …" for v in (found, expected)]
            raise CheckFailed(f"case {case.id!r}: field {field}: found {shown[0]}, expected {shown[1]}")
    return again
