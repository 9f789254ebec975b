"""Gate 2: what a reader gets right who looks at one label, one fact, one rule, or a tree of depth two."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from holmes.audit.predictors import best, tree
from holmes.domains.law.gates.sample import Sample
from holmes.logic.engine.record_space import Codes
from holmes.results import Gate, at_most

LIMIT = 0.75


def shortcuts(shipped: Sample, fresh: Sample) -> Iterator[Gate]:
    """Yield the gates of one bundle; predictors are fitted on `fresh` and tested on `shipped` (design 8.2).

    The answers are those under the rules as written: a reader of the rules undoes an exchange of measures.
    """
    scope, labels = shipped.rulebase.name, len(shipped.decided.labels)
    for name, answers in (("majority", shipped.answers), ("majority final", shipped.final)):
        most = np.bincount(answers, minlength=labels).max() / len(shipped)
        yield at_most(f"2 {name}", scope, most, 1 / labels + 0.10)
    facts, rules = _facts(shipped), _rules(shipped)
    yield at_most("2 best fact", scope, best(_facts(fresh), fresh.answers, facts, shipped.answers), LIMIT)
    yield at_most("2 best rule", scope, best(_rules(fresh), fresh.answers, rules, shipped.answers), LIMIT)
    yield at_most("2 tree", scope, tree(_facts(fresh), fresh.answers, facts, shipped.answers), LIMIT)


def _facts(sample: Sample) -> dict[str, Codes]:
    return dict(sample.records.codes)


def _rules(sample: Sample) -> dict[str, Codes]:
    return {name: mask.astype(np.int64) for name, mask in sample.decided.triggered.items()}
