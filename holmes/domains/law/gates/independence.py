"""Gate 5: the answer goes with nothing on the surface: tier, lengths, counts, names, phrasing, order."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from holmes.audit.independence import p_value
from holmes.cases import Case
from holmes.domains.law.gates.sample import Sample
from holmes.logic.language import model as m
from holmes.logic.narrative.render import statements
from holmes.results import Gate, at_least

LEVEL = 0.0001  # chance of a false alarm in one bundle, all traits together: one in a thousand audits of ten bundles
BINS = 4


def independence(fresh: Sample) -> Iterator[Gate]:
    """Yield one gate for a bundle: the smallest p value of the answer against any trait, times the number of traits.

    fresh: rendered cases. Both the answer asked for and the answer as written are tested (chi-square, quartiles).
    """
    found = {
        f"{name}, {kind}": p_value(values, answers)
        for name, values in traits(fresh).items()
        for kind, answers in (("asked", fresh.final), ("written", fresh.answers))
    }
    worst = min(found, key=lambda name: found[name])
    yield at_least(
        f"5 answer against surface, p ({worst})", fresh.rulebase.name, min(1.0, found[worst] * len(found)), LEVEL
    )


def traits(sample: Sample) -> Mapping[str, npt.NDArray[np.int64]]:
    """Return the surface traits of the cases, each as small integers."""
    cases = sample.cases
    plans = [json.loads(case.plan) for case in cases]
    stated = [len(case.facts) - len(plan["omitted"]) for case, plan in zip(cases, plans, strict=True)]
    negative = [
        sum(f.value == "false" for f in case.facts) - len(plan["omitted"])
        for case, plan in zip(cases, plans, strict=True)
    ]
    numbers: dict[str, list[int]] = {
        "words": [len(case.case.split()) for case in cases],
        "characters": [len(case.case) for case in cases],
        "sentences": [case.case.count(".") for case in cases],
        "facts stated": stated,
        "denials": negative,
        "phrasings": [_phrasings(sample.rulebase, c, p) for c, p in zip(cases, plans, strict=True)],
        "place of a decisive fact": [_decisive(sample.rulebase, c, p) for c, p in zip(cases, plans, strict=True)],
        "conflicts": [case.difficulty.conflicts for case in cases],
    }
    names: dict[str, list[str]] = {
        "tier": [case.difficulty.tier for case in cases],
        "initial of the name": [case.question.split(" for ")[-1][:1] for case in cases],
        "variant": [str(plan["variant"]) for plan in plans],
    }
    result = {name: _bins(np.array(values, dtype=np.int64)) for name, values in numbers.items()}
    for name, words in names.items():
        known = sorted(set(words))
        result[name] = np.array([known.index(word) for word in words], dtype=np.int64)
    return result


def _phrasings(base: m.RuleBase, case: Case, plan: Mapping[str, Any]) -> int:
    """Return the sum of the numbers of the phrasings chosen: high where the later ones of each fact were drawn."""
    text, total = case.case.lower(), 0
    for fact in case.facts:
        declared = base.facts[fact.name]
        for number, sentence in enumerate(declared.denies if fact.value == "false" else declared.says):
            for key, value in {**plan["names"], "v": fact.value}.items():
                sentence = sentence.replace(f"{{{key}}}", value)
            if sentence.lower().rstrip(".") in text:
                total += number
                break
    return total


def _decisive(base: m.RuleBase, case: Case, plan: Mapping[str, Any]) -> int:
    """Return the place, in the order of the text, of the deciding fact that the rule base names first; -1 if none does.

    Not of the one that the text names first: its place would tell how many facts decide, which no reader sees.
    """
    order = list(statements(base, case.case, names=plan["names"]))
    return next((order.index(name) for name in plan["decisive"] if name in order), -1)


def _bins(values: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    edges = np.unique(np.quantile(values, [i / BINS for i in range(1, BINS)]))
    return np.searchsorted(edges, values, side="left").astype(np.int64)
