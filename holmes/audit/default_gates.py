"""Quality checks of a domain that brings none (design section 8, gates 2 to 7 and 9), rule base by rule base.

Each gate says how many cases it looked at; one that looked at none fails.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from holmes.audit.derivation_gates import families
from holmes.audit.gate import report
from holmes.audit.independence import p_value
from holmes.audit.partial_input import bag
from holmes.audit.predictors import best, tree
from holmes.cases import Case
from holmes.errors import InputError
from holmes.generation.default_generator import OPERATORS
from holmes.generation.disjoint_splits import nameless
from holmes.interfaces import Document, Generator
from holmes.logic.engine.evaluate import evaluate
from holmes.logic.engine.record_space import Codes
from holmes.logic.english.roundtrip import differences
from holmes.logic.language.model import Not, RuleBase, Value
from holmes.logic.language.walk import walk
from holmes.registry import domain_of
from holmes.results import Gate, at_least, at_most
from holmes.store import load_cases

FRESH, FRESH_SEED = 400, 90_2612  # cases a rule base on which predictors are fitted, and their seed
ENGINES = {  # ablated engine -> the most it may get right (gate 3)
    "no_priorities": 0.75,
    "no_exceptions": 0.75,
    "first_triggered": 0.75,
    "gravest_triggered": 0.75,
    "no_exceptions_to_exceptions": 0.85,
    "one_pass": 0.85,
    "no_negation": 0.85,
}
P = 1e-3  # least probability of an association that counts as chance


def audit(
    name: str, generator: Generator, bases: Mapping[str, RuleBase], *, seed: int | None, n: int, bundle: str
) -> Document:
    """Return the document of `holmes audit`: the shipped test split, or n fresh cases of a seed.

    name: of the config. bundle: one rule base by name, or "" for all; a file is checked by the loader and not audited.
    """
    if bundle and bundle not in bases:
        what = "a file" if Path(bundle).exists() else repr(bundle)
        raise InputError(f"--bundle: found {what}, expected one of {', '.join(bases)}")
    cases = load_cases(name) if seed is None else [generator.item(seed, index) for index in range(n)]
    fresh = [generator.item(FRESH_SEED, index) for index in range(FRESH * len(bases))]
    chosen = [bundle] if bundle else list(bases)
    found: list[Gate] = []
    for own in chosen:
        shipped, drawn = ([c for c in some if c.bundle == own] for some in (cases, fresh))
        found += gates(bases[own], shipped, drawn)
    return report(found)


def gates(base: RuleBase, cases: Sequence[Case], fresh: Sequence[Case]) -> Iterator[Gate]:
    """Yield the gates of the cases of one rule base; predictors are fitted on fresh cases."""
    scope = f"{base.name} ({len(cases)} cases)"
    yield at_least("0 cases looked at", scope, len(cases), 1)
    if not cases or not fresh:
        return
    answers, gold = _classes([c.answer for c in fresh], [c.answer for c in cases])
    kinds = len({c.answer for c in (*fresh, *cases)})
    if base.amount is None:
        most = float(np.bincount(gold).max()) / len(gold)
        yield at_most("2 majority", scope, most, 1 / max(len(base.decision.type.values), 1) + 0.10)
        yield from _shallow(base, cases, fresh, answers, gold, scope)
        words = bag([c.case for c in fresh], answers, ([c.case for c in cases], gold))[0] if kinds > 1 else 1.0
        yield at_most("9 case only", scope, words, most + 0.10 + 0.5 / max(len(cases), 1) ** 0.5)
    else:
        common = Counter(c.answer for c in cases).most_common(1)[0][1] / len(cases)
        yield at_most("2 most frequent amount", scope, common, 0.10)
        copied = sum(_copied(c) for c in cases) / len(cases)
        yield at_most("2 amount copied from the text", scope, copied, 0.10)
    yield from _ablated(base, cases, scope)
    clones = len(cases) - len({nameless(case) for case in cases})
    yield at_most("4 clones", scope, clones, 0)
    yield from _independent(fresh, answers, f"{base.name} ({len(fresh)} fresh cases)")
    unread = sum(any(True for _ in domain_of(case).verify_text(case)) for case in cases)
    yield at_most("6 texts that do not read back", scope, unread, 0)
    yield at_most("6 rules that do not read back", base.name, len(list(differences(base))), 0)
    yield from families(cases, scope)


def _facts(case: Case) -> Mapping[str, Value]:
    return domain_of(case).parts(case)[0].facts


def _classes(*lists: Sequence[str]) -> list[Codes]:
    known = {answer: place for place, answer in enumerate(sorted({a for one in lists for a in one}))}
    return [np.array([known[answer] for answer in one], dtype=np.int64) for one in lists]


def _shallow(
    base: RuleBase, cases: Sequence[Case], fresh: Sequence[Case], answers: Codes, gold: Codes, scope: str
) -> Iterator[Gate]:
    """Yield how far single facts, single triggered rules and a tree of depth two get."""
    own = [name for name, decl in base.facts.items() if decl.type.kind in ("bool", "int", "money", "enum")]
    told = [_facts(case) for case in (*fresh, *cases)]
    columns = {name: _column([facts[name] for facts in told]) for name in own}
    rules = [evaluate(base, facts).triggered for facts in told]
    triggered = {name: np.array([row[name] for row in rules], dtype=np.int64) for name in base.policies}
    cut = len(fresh)
    for what, found in (("best fact", columns), ("best rule", triggered)):
        split = [{n: column[part] for n, column in found.items()} for part in (slice(0, cut), slice(cut, None))]
        yield at_most(f"2 {what}", scope, best(split[0], answers, split[1], gold), 0.75)
    split = [{n: column[part] for n, column in columns.items()} for part in (slice(0, cut), slice(cut, None))]
    yield at_most("2 tree", scope, tree(split[0], answers, split[1], gold), 0.75)


def _column(values: Sequence[Any]) -> Codes:
    """Return values as small integers: numbers by tenths of their range, everything else by its name."""
    if not isinstance(values[0], bool | str):
        numbers = np.array([float(value) for value in values])
        edges = np.quantile(numbers, np.linspace(0.1, 0.9, 9))
        return np.searchsorted(edges, numbers).astype(np.int64)
    return _classes([str(value) for value in values])[0]


def _copied(case: Case) -> bool:
    from holmes.reading.amounts import amount

    words = case.case.replace(",", "").replace("$", " ").split()
    return any(amount(word.strip(".;:")) == amount(case.answer) for word in words if word[:1].isdigit())


def _ablated(base: RuleBase, cases: Sequence[Case], scope: str) -> Iterator[Gate]:
    """Yield how often an engine that lacks an operator still gets the answer; operators the rules lack are left out."""
    domain = domain_of(cases[0])
    for engine, most in ENGINES.items():
        right = [
            domain.part_answer(case, evaluate(base, _facts(case), ablate=frozenset({engine}))) == case.answer
            for case in cases
        ]
        if _has(base, engine):
            yield at_most(f"3 engine {engine}", scope, sum(right) / len(right), most)
    for tag in OPERATORS:
        if _has(base, OPERATORS[tag]):
            yield at_least(f"3 cases that {tag} decides", scope, sum(tag in case.tags for case in cases), 1)


def _has(base: RuleBase, engine: str) -> bool:
    """Tell whether a rule base has the operator that an engine lacks."""
    kinds = {relation.kind for relation in base.relations}
    winners = {relation.winner for relation in base.relations if relation.kind == "exception"}
    rebutted = any(relation.kind == "exception" and winners & set(relation.losers) for relation in base.relations)
    if engine in ("no_priorities",):
        return "stronger" in kinds
    if engine in ("no_exceptions_to_exceptions", "one_pass"):
        return rebutted
    if engine in ("first_triggered", "gravest_triggered"):
        return bool(kinds) and base.decision.pick in ("gravest", "first_of", "first")
    if engine == "no_negation":
        bodies = [c.body for c in base.concepts.values()] + [
            p.when for p in base.policies.values() if p.when is not None
        ]
        exempt = any(policy.unless is not None for policy in base.policies.values())
        return exempt or any(isinstance(part, Not) for body in bodies for part in walk(body))
    return "exception" in kinds


def _independent(fresh: Sequence[Case], answers: Codes, scope: str) -> Iterator[Gate]:
    """Yield how likely the associations of the answer with sizes of the text are by chance."""
    sizes = {
        "length of the text": [len(case.case.split()) for case in fresh],
        "number of sentences": [case.case.count(".") for case in fresh],
        "name": [sum(map(ord, case.question)) % 97 for case in fresh],
    }
    for what, values in sizes.items():
        yield at_least(f"5 {what} and answer, p", scope, p_value(_column(values), answers), P)
