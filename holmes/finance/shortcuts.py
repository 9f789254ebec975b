"""What a reader of single facts, of a small tree, or of words alone would score on one clause (gates 2 and 9)."""

from __future__ import annotations

import functools
import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from holmes.audit.gate import Gate, at_most
from holmes.audit.partial import MARGIN, bag
from holmes.cases import Case
from holmes.finance.generate import components, item
from holmes.finance.planner import planner
from holmes.finance.text import Facts, Part, single
from holmes.logic.model import RuleBase
from holmes.scoring.reports import golds_of

QUESTIONS = 1500  # fresh cases on whose questions the words are fitted
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
    words = _words(learn.texts, learn.verdicts, test.texts, test.verdicts)
    yield at_most("9 bag of words", name, words, majority + MARGIN + slack)


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


def questions(cases: Sequence[Case], seed: int) -> Iterator[Gate]:
    """Yield the other gates of partial input: the rule texts, and a bag of words of question and subject.

    Rules alone tell nothing where they are the same text in every case, so this is what is asked of them. The words of
    the questions are learned from fresh cases of a seed, a classifier a clause, and every verdict of a part counts; the
    limit is that of the law cases, ten points above the majorities of the clauses. Amounts are left out.
    """
    yield at_most("9 different rule texts", "finance", len({case.rules for case in cases}), 1)
    learn, test = _fresh_questions(seed, QUESTIONS), _asked(cases)
    right, most, total = 0.0, 0, 0
    for name, (texts, verdicts) in test.items():
        count = len(verdicts)
        right += count * _words(*learn[name], texts, verdicts)
        most, total = most + max(Counter(verdicts).values()), total + count
    if total:
        yield at_most("9 question only", "finance", right / total, most / total + MARGIN)


@functools.cache
def _fresh_questions(seed: int, count: int) -> dict[str, tuple[list[str], list[str]]]:
    return _asked(item(seed, index) for index in range(count))


def _asked(cases: Iterable[Case]) -> dict[str, tuple[list[str], list[str]]]:
    """Return clause -> questions with the subject they are about, and the verdicts."""
    found: dict[str, tuple[list[str], list[str]]] = defaultdict(lambda: ([], []))
    for case in cases:
        if case.answer_type != "amount":
            for part, (subject, verdict) in zip(components(case), golds_of(case).items(), strict=True):
                texts, verdicts = found[part["clause"]]
                texts.append(f"{case.question} {subject}")
                verdicts.append(verdict)
    return found


def _words(train: Sequence[str], answers: Sequence[str], test: Sequence[str], gold: Sequence[str]) -> float:
    labels = sorted({*answers, *gold})
    codes = [np.array([labels.index(label) for label in each], dtype=np.int64) for each in (answers, gold)]
    return bag(train, codes[0], test, codes[1])
