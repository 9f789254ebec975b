"""What a reader of single facts, of a small tree, or of words alone would score on one clause (gates 2 and 9)."""

from __future__ import annotations

import functools
import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from holmes.answers.audit_report.gold import golds_of
from holmes.audit.partial_input import MARGIN, bag
from holmes.cases import Case
from holmes.domains.finance.generate import components, item
from holmes.domains.finance.handbook import clause_text
from holmes.domains.finance.planner.search import planner
from holmes.domains.finance.tally import NOISE
from holmes.domains.finance.text import Facts, Part, single
from holmes.logic.language.model import RuleBase
from holmes.results import Gate, at_most

CASES = 1500  # fresh cases on whose rules and questions words are fitted
FRESH = 2000  # records a clause on which the shortcuts are fitted
LEAST = 20  # records a clause that must be there for a shortcut to be judged


@dataclass(frozen=True, slots=True)
class Rows:
    """Records of one clause with their texts and verdicts."""

    facts: Sequence[Facts]
    texts: Sequence[str]
    verdicts: Sequence[str]


def fresh(name: str, seed: int | str, count: int = FRESH) -> Rows:
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


def majority(name: str, test: Rows, *, shipped: bool) -> Iterator[Gate]:
    """Yield the gate of the most frequent verdict of a clause; a fresh build may miss it by the noise of so few."""
    count = len(test.verdicts)
    if count >= LEAST:
        slack = 0.0 if shipped else NOISE * (0.25 / count) ** 0.5
        share = max(Counter(test.verdicts).values()) / count
        yield at_most("2 majority", name, share, 1 / len(planner(name).base.decision.type.values) + 0.10 + slack)


def trees(name: str, learn: Rows, test: Rows, source: str) -> Iterator[Gate]:
    """Yield the gates of the best single fact and of the best tree of depth 2 of a clause.

    learn: fresh records. test: the records judged, enough of them. source: named in the gate.
    """
    if len(test.verdicts) < LEAST:
        return
    left, right = _columns(planner(name).base, learn.facts), _columns(planner(name).base, test.facts)
    yield at_most(f"2 best single fact{source}", name, _tree(left, learn, right, test, 1), 0.75)
    yield at_most(f"2 tree of depth 2{source}", name, _tree(left, learn, right, test, 2), 0.75)


class Words:
    """What a bag of words of the case text learns, a classifier a clause, over all clauses together (as in law)."""

    def __init__(self) -> None:
        self.seen: dict[str, list[tuple[float, int, int]]] = {"": [], " fresh": []}  # right, most frequent verdict, all

    def judge(self, learn: Rows, own: Rows, more: Rows) -> None:
        """Count for one clause. learn: fresh records. own: those audited. more: other fresh ones."""
        tests = {"": own, " fresh": more}
        found = _words(learn.texts, learn.verdicts, *((test.texts, test.verdicts) for test in tests.values()))
        for (source, test), share in zip(tests.items(), found, strict=True):
            count = len(test.verdicts)
            self.seen[source].append((share * count, max(Counter(test.verdicts).values()), count))

    def gates(self) -> Iterator[Gate]:
        """Yield the gates: at most ten points above the majorities of the clauses."""
        for source, seen in self.seen.items():
            right, most, total = map(sum, zip(*seen, strict=True)) if seen else (0, 0, 0)
            if total >= LEAST:
                yield at_most(f"9 bag of words{source}", "finance", right / total, most / total + MARGIN)


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


def elsewhere(cases: Sequence[Case], seed: int) -> Iterator[Gate]:
    """Yield the other gates of partial input: words of the clause alone, words of question and subject alone.

    The words are learned from fresh cases of a seed, a classifier a clause, and every verdict of a part counts; the
    limit is ten points above the majorities of the clauses. Amounts are left out.
    """
    learn, test = _fresh(seed, CASES), _seen(cases)
    for place, gate in enumerate(("9 rules only", "9 question only")):
        right, most, total = 0.0, 0, 0
        for name, seen in test.items():
            texts, verdicts = [row[place] for row in seen], [row[2] for row in seen]
            known = [row[place] for row in learn[name]], [row[2] for row in learn[name]]
            right += len(seen) * _words(*known, (texts, verdicts))[0]
            most, total = most + max(Counter(verdicts).values()), total + len(seen)
        if total:
            yield at_most(gate, "finance", right / total, most / total + MARGIN)


def companion_baseline(cases: Sequence[Case], others: Iterable[Case]) -> Iterator[Gate]:
    """Yield the gate on what the clauses of a claim of several items tell of their verdicts.

    others: cases from which the most frequent verdict of each clause beside the same other clauses is learned.
    """
    known: dict[tuple[frozenset[str], str], Counter[str]] = defaultdict(Counter)
    for where, verdict in _beside(others):
        known[where][verdict] += 1
    test = list(_beside(cases))
    most: dict[str, Counter[str]] = defaultdict(Counter)
    for (_, name), verdict in test:
        most[name][verdict] += 1
    guesses = {name: verdicts.most_common(1)[0] for name, verdicts in most.items()}
    right = sum(
        (known[where].most_common(1)[0][0] if where in known else guesses[where[1]][0]) == verdict
        for where, verdict in test
    )
    if len(test) >= LEAST:
        limit = sum(count for _, count in guesses.values()) / len(test) + MARGIN
        yield at_most("9 clauses of a claim", "compositional", right / len(test), limit)


def _beside(cases: Iterable[Case]) -> Iterator[tuple[tuple[frozenset[str], str], str]]:
    for case in cases:
        if "compositional" in case.task:
            names = [part["clause"] for part in components(case)]
            yield from (((frozenset(names), n), v) for n, v in zip(names, golds_of(case).values(), strict=True))


@functools.cache
def _fresh(seed: int, count: int) -> dict[str, list[tuple[str, str, str]]]:
    return _seen(item(seed, index) for index in range(count))


def _seen(cases: Iterable[Case]) -> dict[str, list[tuple[str, str, str]]]:
    """Return clause -> for each part its printed rules, the question with the subject it is about, and the verdict."""
    found: dict[str, list[tuple[str, str, str]]] = defaultdict(list)
    for case in cases:
        if case.answer_type != "amount":
            for part, (subject, verdict) in zip(components(case), golds_of(case).items(), strict=True):
                name = part["clause"]
                found[name].append((_rules(case.rules, name), f"{case.question} {subject}", verdict))
    return found


@functools.lru_cache(maxsize=4096)
def _rules(policy: str, name: str) -> str:
    return clause_text(policy, name)


def _words(train: Sequence[str], answers: Sequence[str], *tests: tuple[Sequence[str], Sequence[str]]) -> list[float]:
    """Return the accuracy of a bag of words on each test: texts and verdicts."""
    labels = sorted({*answers, *(v for _, verdicts in tests for v in verdicts)})
    own, *codes = (
        np.array([labels.index(v) for v in each], dtype=np.int64) for each in (answers, *(v for _, v in tests))
    )
    return bag(train, own, *((texts, code) for (texts, _), code in zip(tests, codes, strict=True)))
