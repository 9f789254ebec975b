"""Shallow predictors for dataset artifacts: the best single column, a tree of depth two."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from holmes.logic.engine.record_space import Codes


def best(train: Mapping[str, Codes], answers: Codes, test: Mapping[str, Codes], gold: Codes) -> float:
    """Return the accuracy on `test` against `gold` of the single column that predicts `answers` best in training."""
    best, result = -1.0, 0.0
    for name, column in train.items():
        guess = {int(v): int(np.bincount(answers[column == v]).argmax()) for v in np.unique(column)}
        usual = int(np.bincount(answers).argmax())
        fitted = float(np.mean([guess[int(v)] for v in column] == answers))
        if fitted > best:
            best = fitted
            result = float(np.mean(np.array([guess.get(int(v), usual) for v in test[name]]) == gold))
    return result


def tree(train: Mapping[str, Codes], answers: Codes, test: Mapping[str, Codes], gold: Codes) -> float:
    """Return the accuracy on `test` against `gold` of a tree of depth two fitted on `train` and `answers`."""
    from sklearn.tree import DecisionTreeClassifier

    names = list(train)
    tree = DecisionTreeClassifier(max_depth=2, random_state=0)
    tree.fit(np.stack([train[n] for n in names], axis=1), answers)
    return float(tree.score(np.stack([test[n] for n in names], axis=1), gold))
