"""What answers policy questions without reasoning: constant answers, words, lengths."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np

from holmes.audit.partial_input import bag
from holmes.cases import Case
from holmes.domains.policy.generate import stated


def target(case: Case) -> str:
    """Return what a shortcut has to guess: universal or not, yes or no, the place of the branch; "" for a list."""
    question, _ = stated(case)
    if question.form == "governs":
        rules = [f"Rule {rule}" for _, rule in question.branches]
        return str(rules.index(case.answer))
    return "" if question.form == "which" else case.answer


def chance(cases: Sequence[Case]) -> float:
    """Return the accuracy of guessing at random among the answers of each case."""
    return float(np.mean([1 / len(case.choices) for case in cases])) if cases else 0.0


def majority(cases: Sequence[Case]) -> float:
    """Return the share of the most frequent answer."""
    return max(Counter(map(target, cases)).values()) / len(cases) if cases else 0.0


def folded(field: Callable[[Case], str], cases: Sequence[Case], folds: int = 5) -> float:
    """Return the accuracy of `words` on all cases, each judged by a regression fitted on other folds.

    Twins stay in one fold, so that none is guessed from the other.
    """
    families = {family: place % folds for place, family in enumerate(dict.fromkeys(c.pair.family for c in cases))}
    right = 0.0
    for fold in range(folds):
        fit, own = ([c for c in cases if (families[c.pair.family] == fold) is inside] for inside in (False, True))
        right += words(field, fit, own) * len(own)
    return right / len(cases)


def words(field: Callable[[Case], str], fit: Sequence[Case], test: Sequence[Case]) -> float:
    """Return the accuracy on `test` of a regression over words and pairs of words, fitted on `fit`."""
    classes = sorted({target(case) for case in fit})
    codes = [np.array([classes.index(target(c)) if target(c) in classes else -1 for c in part]) for part in (fit, test)]
    return bag([field(c) for c in fit], codes[0], ([field(c) for c in test], codes[1]))[0]


def lengths(fit: Sequence[Case], test: Sequence[Case]) -> float:
    """Return the accuracy on `test` of the best threshold on the length of the question, the case or the rules."""
    best = (0.0, 0.0)
    for field in ("question", "case", "rules"):
        sizes, sizes_test = ([len(getattr(case, field)) for case in part] for part in (fit, test))
        for cut in np.quantile(sizes, np.linspace(0.05, 0.95, 19)):
            for low, high in (("yes", "no"), ("no", "yes")):
                right, right_test = (
                    float(np.mean([(low if z < cut else high) == c.answer for z, c in zip(s, p, strict=True)]))
                    for s, p in ((sizes, fit), (sizes_test, test))
                )
                best = max(best, (right, right_test))
    return best[1]


def edit_size(one: Case, two: Case) -> tuple[int, int]:
    """Return the difference of two twins: in words altogether, and in the words that one has and the other has not."""
    bags = [Counter(re.findall(r"\w+", f"{c.rules} {c.case} {c.question}")) for c in (one, two)]
    return abs(bags[0].total() - bags[1].total()), ((bags[0] - bags[1]) + (bags[1] - bags[0])).total()
