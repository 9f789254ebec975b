"""What words and sizes alone tell of the answer of a statute case (design section 8, gate 9)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np

from holmes.audit.partial_input import MARGIN
from holmes.cases import Case
from holmes.results import Gate, at_most

_NUMBER = re.compile(r"\d+")


def sizes(case: Case) -> list[float]:
    """Return sizes of a case text: characters, words, sentences, numbers, their sum, least, mean and greatest."""
    numbers = [float(n) for n in _NUMBER.findall(case.case)] or [0.0]
    text = case.case
    counts = [len(text), len(text.split()), text.count("."), text.count(","), len(numbers), len(case.question)]
    return [*map(float, counts), sum(numbers), min(numbers), sum(numbers) / len(numbers), max(numbers)]


def sizes_and_words(train: Sequence[Case], cases: Sequence[Case]) -> Iterator[Gate]:
    """Yield how often predictors fitted on `train` get an answer from the words of a text, or from sizes, alone.

    An amount counts as right within one unit, the scorer's tolerance.
    """
    scope = f"{len(cases)} cases, fitted on {len(train)}"
    limit = Counter(case.answer for case in cases).most_common(1)[0][1] / max(1, len(cases)) + MARGIN
    for what, right in (("words", _words(train, cases)), ("sizes, boosted", _boosted(train, cases))):
        yield at_most(f"9 {what}", scope, float(right), limit)


def _words(train: Sequence[Case], cases: Sequence[Case]) -> float:
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.linear_model import LogisticRegression, Ridge
    from sklearn.pipeline import make_pipeline

    amount = train[0].answer_type == "amount"
    head = Ridge() if amount else LogisticRegression(C=0.1, max_iter=300)
    model = make_pipeline(CountVectorizer(ngram_range=(1, 2), min_df=3, binary=True), head)
    model.fit([case.case for case in train], _gold(train, amount))
    return _right(model.predict([case.case for case in cases]), _gold(cases, amount), amount)


def _boosted(train: Sequence[Case], cases: Sequence[Case]) -> float:
    from sklearn.ensemble import GradientBoostingClassifier, GradientBoostingRegressor

    amount = train[0].answer_type == "amount"
    model = (GradientBoostingRegressor if amount else GradientBoostingClassifier)(random_state=0)
    model.fit([sizes(case) for case in train], _gold(train, amount))
    return _right(model.predict([sizes(case) for case in cases]), _gold(cases, amount), amount)


def _gold(cases: Sequence[Case], amount: bool) -> list[float] | list[str]:
    return [float(case.answer) for case in cases] if amount else [case.answer for case in cases]


def _right(found: object, gold: Sequence[object], amount: bool) -> float:
    told = np.asarray(found)
    right = np.abs(told - np.asarray(gold)) <= 1 if amount else told == np.asarray(gold)
    return float(np.mean(right))
