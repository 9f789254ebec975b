"""Gate 2: what a reader gets right who looks at one label, one fact, one rule, or a tree of depth two."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from holmes.audit.gate import Gate, at_most
from holmes.domains.law.gates.sample import Sample
from holmes.logic.engine.record_space import Codes

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
