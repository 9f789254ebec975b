"""Partial input: what words alone tell; contrast pairs whose answers are exchanged."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from holmes.cases import Case
from holmes.logic.engine.record_space import Codes
from holmes.results import Gate, at_least, at_most

MARGIN = 0.10
"""How far words alone may lie above the majority."""


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


def contrast_pairs(cases: Sequence[Case], scope: str) -> Iterator[Gate]:
    """Yield the gates about twins: the set holds them, and the answers of two twins are exchanged."""
    families: dict[str, list[Case]] = {}
    for case in cases:
        if case.pair.family and "twin" in case.tags:
            families.setdefault(case.pair.family, []).append(case)
    pairs = [pair for pair in families.values() if len(pair) == 2]
    yield at_least("9 twins", scope, len(pairs), min(1, len(cases) // 30))
    same = sum(a.answer == b.answer or a.case != b.case or a.rules == b.rules for a, b in pairs)
    yield at_most("9 twins whose answers are not exchanged", scope, same, 0)
