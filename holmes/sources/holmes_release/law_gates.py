"""The law gates measured on the authors' imported release, to stand beside ours.

Answers are those that the recovered rules entail (closure). The release has thirty cases a bundle and no generator, so
what ours fits on fresh cases is fitted here on the other cases of the bundle.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from holmes.audit.partial_input import bag
from holmes.audit.predictors import best, tree
from holmes.cases import Case
from holmes.domains.law.gates.ablations import FREQUENT
from holmes.errors import InputError
from holmes.logic.engine.evaluate import Evaluation, evaluate
from holmes.logic.engine.record_space import Codes
from holmes.sources.holmes_release.names import LAW
from holmes.store import import_command, import_dir, load_cases, original

RELEASE = "holmes-release"
CONFIG = LAW
FOLDS = 5
# gate -> ablation of the engine of holmes.logic; one_pass is how the authors define defeat, so it takes nothing away
ABLATED = {
    "no_priorities": "no_priorities",
    "no_exceptions": "no_exceptions",
    "no_rebuttals": "no_exceptions_to_exceptions",
    "no_negation": "no_negation",
    "first_triggered": "first_triggered",
    "gravest_triggered": "gravest_triggered",
}
Columns = Mapping[str, Codes]


@dataclass(frozen=True, slots=True)
class Lot:
    """One recovered bundle: its evaluations, answers as codes of its labels, columns of facts and of articles."""

    labels: tuple[str, ...]
    evaluations: tuple[Evaluation, ...]
    cases: tuple[Case, ...]
    answers: Codes
    facts: Columns
    articles: Columns

    def __len__(self) -> int:
        return len(self.answers)


def beside(document: dict[str, Any]) -> dict[str, Any]:
    """Add the authors' figures to the audit document of our law cases.

    document: as of `holmes.audit.gate.report`. Returns it with a key `authors` in every gate that has a figure, and
    `notes`: what the figures are, or how to import the release.
    """
    if not import_dir(RELEASE).is_dir():
        return document | {"notes": [f"authors: not imported; to see their figures: {import_command(RELEASE)}"]}
    try:
        found, fitted = figures()
    except InputError as error:  # a damaged import is no fault of our own cases
        return document | {"notes": [f"authors: not computed: {error}"]}
    gates = [gate | ({"authors": found[key]} if (key := key_of(gate["gate"])) in found else {})
             for gate in document["gates"]]  # fmt: skip
    told = ", ".join(f"{name.removeprefix('2 ')} {value:g}" for name, value in fitted.items())
    notes = [
        "authors: their law release under the recovered rules, mean over its bundles; clones and symbol names: sums;"
        " given a policy, exemption: worst bundle; facts, rules and trees: one case left out; words: five folds",
        f"authors, predictors fitted and tested on the same cases: {told}",
    ]
    return document | {"gates": gates, "notes": notes}


def key_of(gate: str) -> str:
    """Return the name of a gate without what was found, which stands in brackets."""
    return re.split(r" [(\[]", gate)[0]


def figures() -> tuple[dict[str, float], dict[str, float]]:
    """Measure the imported law release.

    Returns gate name -> value, and the gates of single predictors fitted and tested on the same cases. Raises
    InputError where the release is not imported or its rules cannot be recovered.
    """
    every = lots()
    found: dict[str, float] = {}
    found["2 majority"] = found["2 majority final"] = _mean(every, _majority)
    found["2 best fact"] = _mean(every, lambda lot: _left_out(lot, lot.facts, best))
    found["2 best rule"] = _mean(every, lambda lot: _left_out(lot, lot.articles, best))
    found["2 tree"] = _mean(every, lambda lot: _left_out(lot, lot.facts, tree))
    for name, ablation in ABLATED.items():
        found[f"3 {name}"] = _mean(every, lambda lot, a=ablation: _ablated(lot, a))  # type: ignore[misc]
    given = max(_given(lot) for lot in every)
    found["3 answer given a policy"] = found["3 answer given a policy final"] = given
    found["3 exemption defeated"] = min(_exemption(lot) for lot in every)
    found["4 clones"] = sum(len(lot) - len(_distinct([*lot.facts.values(), lot.answers])) for lot in every)
    found["4 distinct signatures"] = _mean(every, lambda lot: len(_distinct(_signature(lot))) / len(lot))
    depths = {case.difficulty.steps for lot in every for case in lot.cases}
    found["4 depths of 3..20 that occur"] = len(depths & set(range(3, 21)))
    found["6 symbol names"] = sum(_leaks(lot) for lot in every)
    found["9 case only"] = _mean(every, _words)
    fitted = {
        "2 best fact": _mean(every, lambda lot: best(lot.facts, lot.answers, lot.facts, lot.answers)),
        "2 best rule": _mean(every, lambda lot: best(lot.articles, lot.answers, lot.articles, lot.answers)),
        "2 tree": _mean(every, lambda lot: tree(lot.facts, lot.answers, lot.facts, lot.answers)),
    }
    return ({name: round(float(value), 4) for name, value in found.items()},
            {name: round(value, 4) for name, value in fitted.items()})  # fmt: skip


def lots() -> list[Lot]:
    """Recover the bundles of the imported release and evaluate their cases; raises InputError."""
    from holmes.sources.holmes_release.law_import import find_root
    from holmes.sources.holmes_release.law_rulebases import recover

    texts = {case.id: case for case in load_cases(CONFIG)}
    result = []
    for bundle in recover(find_root(original(RELEASE))):
        base, labels = bundle.rulebase, bundle.rulebase.decision.type.values
        missing = [case.id for case in bundle.cases if case.id not in texts]
        if missing:
            raise InputError(f"{CONFIG}: found no case {missing[0]!r}, expected one; import the release again")
        found = tuple(evaluate(base, case.theory.assignment()) for case in bundle.cases)
        result.append(Lot(
            labels,
            found,
            tuple(texts[case.id] for case in bundle.cases),
            np.array([labels.index(str(e.answer)) for e in found], dtype=np.int64),
            {n: np.array([e.facts[n] for e in found], dtype=np.int64) for n in base.facts},
            {n: np.array([e.triggered[n] for e in found], dtype=np.int64) for n in base.policies},
        ))  # fmt: skip
    return result


def _mean(every: Sequence[Lot], measure: Callable[[Lot], float]) -> float:
    return sum(measure(lot) * len(lot) for lot in every) / sum(len(lot) for lot in every)


def _majority(lot: Lot) -> float:
    return float(np.bincount(lot.answers).max() / len(lot))


def _left_out(lot: Lot, columns: Columns, predict: Callable[[Columns, Codes, Columns, Codes], float]) -> float:
    """Return the accuracy of a predictor on each case in turn, fitted on the others."""
    right = 0.0
    for place in range(len(lot)):
        rest = np.arange(len(lot)) != place
        train, test = ({n: c[keep] for n, c in columns.items()} for keep in (rest, ~rest))
        right += predict(train, lot.answers[rest], test, lot.answers[~rest])
    return right / len(lot)


def _ablated(lot: Lot, ablation: str) -> float:
    """Return the share of cases that keep their answer without one operator."""
    without = (evaluate(e.rulebase, e.facts, ablate=frozenset({ablation})).answer for e in lot.evaluations)
    return sum(answer == e.answer for answer, e in zip(without, lot.evaluations, strict=True)) / len(lot)


def _given(lot: Lot) -> float:
    """Return the largest share of one answer among the cases that trigger an article, of those triggered often."""
    seen = [lot.answers[column == 1] for column in lot.articles.values()]
    return max((float(np.bincount(s).max() / len(s)) for s in seen if len(s) >= FREQUENT), default=0.0)


def _exemption(lot: Lot) -> float:
    """Return the least share of its triggers in which an exemption is defeated; 1 without exemptions."""
    base, shares = lot.evaluations[0].rulebase, []
    for name, policy in base.policies.items():
        there = [e for e in lot.evaluations if e.triggered[name]]
        if policy.consequence == base.decision.otherwise and there:
            shares.append(sum(not e.applies[name] for e in there) / len(there))
    return min(shares, default=1.0)


def _distinct(columns: Sequence[Codes]) -> set[tuple[int, ...]]:
    return set(zip(*(column.tolist() for column in columns), strict=True))


def _signature(lot: Lot) -> list[Codes]:
    applies = [np.array([e.applies[n] for e in lot.evaluations], dtype=np.int64) for n in lot.articles]
    return [*lot.articles.values(), *applies, lot.answers]


def _leaks(lot: Lot) -> int:
    base = lot.evaluations[0].rulebase
    symbols = {n for n in (*base.facts, *base.concepts, *base.policies, *lot.labels) if "_" in n}
    return sum(bool(symbols & set(re.findall(r"\w+", f"{c.rules}\n{c.case}\n{c.question}"))) for c in lot.cases)


def _words(lot: Lot) -> float:
    """Return the accuracy of a bag of words of the case text, over five folds: one left out at a time is slow."""
    texts, right = np.array([case.case for case in lot.cases], dtype=object), 0.0
    for fold in range(min(FOLDS, len(lot))):
        out = np.arange(len(lot)) % FOLDS == fold
        right += bag(texts[~out], lot.answers[~out], (texts[out], lot.answers[out]))[0] * out.sum()
    return float(right / len(lot))
