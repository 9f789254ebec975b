"""Gate 4: no clones, distinct signatures, irrelevant facts, coherent records, nothing needed left out."""

from __future__ import annotations

import json
from collections.abc import Iterator

import numpy as np

from holmes.domains.law.gates.sample import Sample
from holmes.logic.engine.record_space import Space, truth
from holmes.logic.engine.vectorized import decide
from holmes.results import Gate, at_least, at_most

SMALL = 1000


def clones(sample: Sample) -> Iterator[Gate]:
    """Yield the gates of one bundle's cases."""
    scope, cases = sample.rulebase.name, sample.cases
    keys = {(case.answer, case.rulebase, *((f.name, f.value) for f in case.facts)) for case in cases}
    double = len(cases) - len(keys)
    if len(cases) <= SMALL:
        yield at_most("4 clones", scope, double, 0)
    decided = sample.decided
    columns = [*decided.triggered.values(), *decided.applies.values(), sample.final]
    signatures = len(np.unique(np.stack([np.asarray(c, dtype=np.int64) for c in columns], axis=1), axis=0))
    possible = min(len(cases), 200)  # a bundle has no endless supply of signatures
    yield at_least("4 distinct signatures", scope, min(1.0, signatures / possible), 0.60)
    plans = [json.loads(case.plan) for case in cases]
    yield at_least("4 irrelevant facts", scope, min((len(p["irrelevant"]) for p in plans), default=0), 2)
    coherent = np.ones(len(sample), dtype=np.bool_)
    for rule in sample.rulebase.integrity:
        coherent &= truth(rule, sample.records, {})
    yield at_most("4 incoherent", scope, int((~coherent).sum()), 0)
    yield at_most("4 needed but left out", scope, _needed(sample, [p["omitted"] for p in plans]), 0)


def _needed(sample: Sample, omitted: list[list[str]]) -> int:
    """Count the cases whose answer some value of the facts left out would change."""
    count = 0
    for row, names in enumerate(omitted):
        if not names:
            continue
        size = 1 << len(names)
        codes = {n: np.full(size, c[row], dtype=np.int64) for n, c in sample.records.codes.items()}
        for place, name in enumerate(names):
            codes[name] = (np.arange(size) >> place) & 1
        near = Space(sample.records.facts, sample.records.cells, codes)
        coherent = np.ones(size, dtype=np.bool_)
        for rule in sample.rulebase.integrity:
            coherent &= truth(rule, near, {})
        count += bool((decide(sample.rulebase, near).answer[coherent] != sample.answers[row]).any())
    return count
