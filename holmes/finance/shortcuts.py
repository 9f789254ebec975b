"""What a reader of single facts, of a small tree, or of words alone would score on one clause (gates 2 and 9)."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from holmes.audit.gate import Gate, at_most
from holmes.finance.planner import planner
from holmes.finance.text import Facts, Part, single
from holmes.logic.model import RuleBase

FRESH = 2000  # records a clause on which the shortcuts are fitted
LEAST = 20  # records a clause that must be there for a shortcut to be judged
NOISE = 2.0  # standard errors that a small sample may lie above a limit


@dataclass(frozen=True, slots=True)
class Rows:
    """Records of one clause with their texts and verdicts."""

    facts: Sequence[Facts]
    texts: Sequence[str]
    verdicts: Sequence[str]


def fresh(name: str, seed: int, count: int = FRESH) -> Rows:
    """Draw records of a clause, verdicts in turn, and write their texts. seed: apart from those of shipped cases."""
    plan = planner(name)
    labels = plan.base.decision.type.values
    facts, texts, verdicts = [], [], []
    for index in range(count):
        rng = random.Random(f"audit/{name}/{seed}/{index}")
        verdicts.append(labels[index % len(labels)])
        facts.append(plan.draw(rng, verdicts[-1]))
        who = rng.choice(plan.base.names["X"])
        texts.append(single(Part(name, who, who, facts[-1]), rng))
    return Rows(facts, texts, verdicts)


def shortcuts(name: str, learn: Rows, test: Rows, *, shipped: bool = True) -> Iterator[Gate]:
    """Yield the gates of one clause: majority, best single fact, tree of depth 2, bag of words of the case text.

    learn: fresh records. test: the records judged. The limit on words is widened by the noise of a sample this small,
    the others only where the records are not shipped ones.
    """
    count = len(test.verdicts)
    if count < LEAST:
        return
    labels = len(planner(name).base.decision.type.values)
    majority = max(Counter(test.verdicts).values()) / count
    slack = NOISE * (0.25 / count) ** 0.5
    more = 0.0 if shipped else slack
    yield at_most("2 majority", name, majority, 1 / labels + 0.10 + more)
    left, right = _columns(planner(name).base, learn.facts), _columns(planner(name).base, test.facts)
    yield at_most("2 best single fact", name, _tree(left, learn, right, test, 1), 0.75 + more)
    yield at_most("2 tree of depth 2", name, _tree(left, learn, right, test, 2), 0.75 + more)
    yield at_most("9 bag of words", name, _bag(learn, test), majority + 0.10 + slack)


def _columns(base: RuleBase, rows: Sequence[Facts]) -> npt.NDArray[np.float64]:
    columns = []
    for name, fact in base.facts.items():
        if fact.type.kind == "enum":
            columns += [[float(row[name] == value) for row in rows] for value in fact.type.values]
        else:
            columns.append([float(row[name]) for row in rows])  # type: ignore[arg-type]
    return np.array(columns).T


def _tree(left: npt.NDArray[np.float64], learn: Rows, right: npt.NDArray[np.float64], test: Rows, depth: int) -> float:
    from sklearn.tree import DecisionTreeClassifier

    model = DecisionTreeClassifier(max_depth=depth, random_state=0).fit(left, learn.verdicts)
    return float(model.score(right, test.verdicts))


def _bag(learn: Rows, test: Rows) -> float:
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.linear_model import LogisticRegression

    words = CountVectorizer(ngram_range=(1, 2), min_df=3, binary=True)
    model = LogisticRegression(C=0.1, max_iter=300).fit(words.fit_transform(learn.texts), learn.verdicts)
    return float(model.score(words.transform(test.texts), test.verdicts))
