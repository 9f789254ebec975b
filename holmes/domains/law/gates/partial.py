"""Gate 9: a bag of words of the case alone, the rules alone, the question alone tells no answer; twins do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from holmes.audit.partial_input import MARGIN, bag
from holmes.domains.law.gates.sample import Sample
from holmes.results import Gate, at_most


def partial(samples: Sequence[tuple[Sample, Sample]], scope: str) -> Iterator[Gate]:
    """Yield the gates of partial input over all bundles.

    samples: (fresh cases to fit on, cases to test on) a bundle; a classifier a bundle, the accuracy over all together.
    """
    majority = _mean([(_majority(test), len(test)) for _, test in samples])
    for name in ("case", "rules", "question"):
        right = _mean([(_bag(fit, test, name), len(test)) for fit, test in samples])
        yield at_most(f"9 {name} only", scope, right, majority + MARGIN)


def _mean(parts: Sequence[tuple[float, int]]) -> float:
    return sum(value * count for value, count in parts) / max(sum(count for _, count in parts), 1)


def _majority(sample: Sample) -> float:
    return float(np.bincount(sample.final).max() / len(sample))


def _bag(fit: Sample, test: Sample, field: str) -> float:
    texts, tests = ([getattr(case, field) for case in sample.cases] for sample in (fit, test))
    return bag(texts, fit.final, (tests, test.final))[0]
