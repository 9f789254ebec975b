"""Gates of the deontic tasks: what can be scored without reading the rules, and families of derivations (gate 7)."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from holmes.audit.derivation_gates import families
from holmes.audit.gate import report
from holmes.cases import Case
from holmes.domains.deontic.generate import BINARY, TASKS, Generator
from holmes.domains.deontic.splits import embedded
from holmes.results import Gate, at_most

FRESH = 800
"""Fresh cases on which single facts and bags of words are fitted."""
_FRESH_SEED = 77001


def audit(*, seed: int | None, n: int, bundle: str) -> dict[str, Any]:
    """Audit the deontic tasks: the shipped test and hard splits, or n fresh cases of each task with a seed.

    bundle: one task by name, or "" for both. Returns the JSON document of `holmes audit`.
    """
    tasks = (bundle,) if bundle else TASKS
    found: list[Gate] = []
    for task in tasks:
        sets = {split: list(embedded(task, split)) for split in ("test", "hard")} if seed is None else {
            f"seed {seed}": [Generator(task).item(seed, index) for index in range(n)]
        }  # fmt: skip
        for name, cases in sets.items():
            found += [replace(gate, scope=f"{gate.scope} {name}") for gate in gates(cases)]
    return report(found)


def gates(cases: Sequence[Case], seed: int = _FRESH_SEED, fresh: int = FRESH) -> list[Gate]:
    """Return the gates of one task's cases.

    cases: of one task. seed, fresh: of the fresh cases on which the fitted shortcuts learn; they never see `cases`.
    """
    if not cases:
        return []
    scope = cases[0].task
    if cases[0].answer_type == "amount":
        return [
            at_most("most frequent value", scope, _majority(cases), 0.10),
            at_most("copied number", scope, copied(cases), 0.10),
            *families(cases, scope),
        ]
    train = [Generator(BINARY).item(seed, index) for index in range(fresh)]
    majority = _majority(cases)
    texts: dict[str, Callable[[Case], str]] = {"case": lambda c: c.case, "question": lambda c: _unnamed(c.question)}
    bags = [
        at_most(f"bag of words, {part} only", scope, bag_of_words(train, cases, text), majority + 0.10)
        for part, text in texts.items()
    ]
    return [
        at_most("majority label", scope, majority, 0.60),
        at_most("best single fact", scope, single_fact(train, cases), 0.75),
        *bags,
        *families(cases, scope),
    ]


def _majority(cases: Sequence[Case]) -> float:
    return max(Counter(case.answer for case in cases).values()) / len(cases)


def copied(cases: Iterable[Case]) -> float:
    """Return the share of cases whose answer is a number that stands in case text or question."""
    number = re.compile(r"\d[\d,]*(?:\.\d+)?")
    hits = [
        Fraction(case.answer) in {_number(found) for found in number.findall(f"{case.case} {case.question}")}
        for case in cases
    ]
    return sum(hits) / len(hits) if hits else 0.0


def _number(text: str) -> Fraction:
    return Fraction(text.replace(",", ""))


def _features(case: Case) -> dict[str, str]:
    """Return each fact as a coarse value: lists by length, numbers by band."""
    found = {}
    for fact in case.facts:
        if fact.type == "list":
            found[fact.name] = str(len(json.loads(fact.value)))
        elif fact.type == "money":
            found[fact.name] = str(int(Fraction(fact.value)) // 10_000)
        elif fact.type == "int":
            found[fact.name] = str(int(Fraction(fact.value)) // 10)
        else:
            found[fact.name] = fact.value
    return found


def single_fact(train: Sequence[Case], test: Sequence[Case]) -> float:
    """Return the accuracy on `test` of the best rule "fact value → label" fitted on `train` (best on `test`)."""
    default = Counter(case.answer for case in train).most_common(1)[0][0]
    learn, check = [_features(case) for case in train], [_features(case) for case in test]
    best = 0.0
    for name in learn[0]:
        table: dict[str, Counter[str]] = {}
        for case, row in zip(train, learn, strict=True):
            table.setdefault(row[name], Counter())[case.answer] += 1
        label = {value: counts.most_common(1)[0][0] for value, counts in table.items()}
        hits = sum(label.get(row[name], default) == case.answer for case, row in zip(test, check, strict=True))
        best = max(best, hits / len(test))
    return best


def _unnamed(text: str) -> str:
    return re.sub(r"\d[\d,]*", lambda found: f"{'9' * len(found.group())}", text)


def bag_of_words(train: Sequence[Case], test: Sequence[Case], text: Callable[[Case], str]) -> float:
    """Return the accuracy on `test` of logistic regression on word counts of `text`, fitted on `train`."""
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.linear_model import LogisticRegression

    words = CountVectorizer(ngram_range=(1, 2), min_df=2)
    model = LogisticRegression(C=0.1, max_iter=500)
    model.fit(words.fit_transform([text(case) for case in train]), [case.answer for case in train])
    return float(model.score(words.transform([text(case) for case in test]), [case.answer for case in test]))
