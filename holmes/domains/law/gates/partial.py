"""Gate 9: a bag of words of the case alone, the rules alone, the question alone tells no answer; twins do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from holmes.audit.gate import Gate, at_least, at_most
from holmes.cases import Case
from holmes.domains.law.gates.sample import Sample
from holmes.logic.engine.record_space import Codes

MARGIN = 0.10


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


def bag(train: Sequence[str], answers: Codes, *tests: tuple[Sequence[str], Codes]) -> list[float]:
    """Return the accuracy on each test (texts, answers) of a logistic regression over words and pairs of words.

    It is fitted on the texts `train` with their `answers`.
    """
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline

    words = CountVectorizer(ngram_range=(1, 2), min_df=3, binary=True)
    model = make_pipeline(words, LogisticRegression(C=0.1, max_iter=300)).fit(train, answers)
    return [float(model.score(texts, gold)) for texts, gold in tests]


def twins(cases: Sequence[Case], scope: str) -> Iterator[Gate]:
    """Yield the gates about twins: the set holds them, and the answers of two twins are exchanged."""
    families: dict[str, list[Case]] = {}
    for case in cases:
        if case.pair.family and "twin" in case.tags:
            families.setdefault(case.pair.family, []).append(case)
    pairs = [pair for pair in families.values() if len(pair) == 2]
    yield at_least("9 twins", scope, len(pairs), min(1, len(cases) // 30))
    same = sum(a.answer == b.answer or a.case != b.case or a.rules == b.rules for a, b in pairs)
    yield at_most("9 twins whose answers are not exchanged", scope, same, 0)
