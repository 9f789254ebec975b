"""`holmes audit policy`: truth, shortcuts, twins, triviality, integrity and leakage of the policy questions."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from holmes.audit.gate import report
from holmes.cases import Case
from holmes.domains.policy.gates import shortcuts
from holmes.domains.policy.generate import asked_in, stated
from holmes.domains.policy.planner.name_baseline import name_baseline
from holmes.domains.policy.questions.terms import expression, universal, violations
from holmes.domains.policy.reasoning.decide import violators
from holmes.domains.policy.reasoning.solver import closed_terms
from holmes.domains.policy.splits import SIZES, TRAIN, TYPES, source
from holmes.domains.policy.verify import Listing, compared, reread
from holmes.errors import InputError
from holmes.results import Gate, at_least, at_most

MARGIN = 0.10
THIRD = 1 / 3


def audit(*, seed: int | None, n: int, bundle: str) -> dict[str, Any]:
    """Return the document of `holmes audit policy`: the shipped test split, or a fresh build of a seed.

    Word models are fitted on the shipped train split and tested on a fresh build; on the shipped cases they are tested
    fold by fold, fitted on the other folds of test and train. Raises InputError for a bundle, which is no option here.
    """
    from holmes.store import load_cases

    if bundle:
        raise InputError(f"audit policy: --bundle: found {bundle!r}, expected none: the questions mix all rule bases")
    train = load_cases("policy", "train")
    if seed is None:
        test = load_cases("policy", "test")
        splits = {"test": test, "dev": load_cases("policy", "dev"), "train": train}
    else:
        if seed == TRAIN:
            raise InputError(f"audit policy: --seed: found {seed}, the seed of the train split, expected another")
        test = [source().item(seed, index) for index in range(n)]
        splits = {"test": test, "train": train}
    return report(gates(test, train, splits, shipped=seed is None))


def gates(
    test: Sequence[Case], train: Sequence[Case], splits: dict[str, list[Case]], *, shipped: bool
) -> Iterator[Gate]:
    """Yield every gate.

    test: what is audited. train: what shortcuts are fitted on. splits: may not share questions. shipped: not a fresh
    build.
    """
    if shipped:
        yield at_least("cases", "all", len(test), 250)
        for kind in TYPES:
            yield at_least("cases", kind, sum(kind in case.hol_types for case in test), 50)
    yield from _shortcuts(test, train, shipped)
    yield from _contrast_pairs(test)
    yield from _substance(test)
    yield from _leakage(splits, shipped)


def _shortcuts(test: Sequence[Case], train: Sequence[Case], shipped: bool) -> Iterator[Gate]:
    for form in sorted({stated(case)[0].form for case in test} - {"which"}):
        own = [case for case in test if stated(case)[0].form == form]
        yield at_most("2 majority", form, shortcuts.majority(own), shortcuts.chance(own) + MARGIN)
    lists = Counter(case.answer for case in test if not case.choices)
    if lists:
        yield at_most("2 majority", "which", max(lists.values()) / lists.total(), 0.2)
    fields = {
        "question only": lambda case: case.question,
        "case only": lambda case: case.case,
        "rules only": lambda case: case.rules,
        "question and case": lambda case: f"{case.question}\n{case.case}",
        "all": lambda case: f"{case.rules}\n{case.case}\n{case.question}",
    }
    for scope, keep in (("yes or no", ("yes", "no")), ("governs", ("0", "1", "2"))):
        fit, own = ([c for c in part if shortcuts.target(c) in keep] for part in (train, test))
        limit = 1 / len(keep) + MARGIN
        for name, field in fields.items():
            right = shortcuts.folded(field, [*own, *fit]) if shipped else shortcuts.words(field, fit, own)
            yield at_most(f"9 words of the {name}", scope, right, limit)
        right = float(np.mean([name_baseline(*stated(c)) == shortcuts.target(c) for c in own]))
        yield at_most("2 subsets of the facts named", scope, right, limit)
        yield at_most("2 not the subsets of the facts named", scope, (1 - right) / (len(keep) - 1), limit)
    fit, own = ([c for c in part if shortcuts.target(c) in ("yes", "no")] for part in (train, test))
    yield at_most("5 length", "yes or no", shortcuts.lengths(fit, own), 0.5 + MARGIN)
    for name in ("applies", "triggered"):
        part = [case for case in own if name in case.tags]
        yield at_most("5 majority", name, shortcuts.majority(part), 0.5 + MARGIN)
    even = [case for case in own if case.index % 2 == 0]
    yield at_most("5 majority", "first of two twins", shortcuts.majority(even), 0.5 + MARGIN)


def _pairs(cases: Sequence[Case]) -> list[tuple[Case, Case]]:
    families: dict[str, list[Case]] = {}
    for case in cases:
        families.setdefault(case.pair.family, []).append(case)
    return [(pair[0], pair[1]) for pair in families.values() if len(pair) == 2]


def _contrast_pairs(test: Sequence[Case]) -> Iterator[Gate]:
    pairs = _pairs(test)
    yield at_most("9 cases without their twin", "all", len(test) - 2 * len(pairs), len(test) % 2)
    yield at_most("9 twins with one answer", "all", sum(a.answer == b.answer for a, b in pairs), 0)
    plain = [shortcuts.edit_size(a, b) for a, b in pairs]
    yield at_most("9 twins of different length", "all", sum(total != 0 for total, _ in plain), 0)
    yield at_most("9 most words that a twin exchanges", "all", max((differ // 2 for _, differ in plain), default=0), 2)
    kinds = Counter(json.loads(a.plan)["kind"] for a, _ in pairs)
    yield at_most("9 most frequent edit", "all", max(kinds.values()) / max(len(pairs), 1), 0.5)


def _substance(test: Sequence[Case]) -> Iterator[Gate]:
    shares: list[float] = []
    wrong = extreme = shallow = needy = rest = 0
    members: list[int] = []
    for case in test:
        question, mutant = asked_in(case)
        try:
            read = reread(case)
        except InputError:
            wrong += 1
            continue
        listing = Listing.of(read)
        wrong += any(True for _ in compared(case, read, listing))
        if question.record:
            continue
        if listing is not None:
            for term in question.terms:
                part = listing.share(expression(term, question.sense, listing.base))
                extreme += not 0 < part < 1
            if case.answer != universal(question.form):
                shares += [listing.share(claim) for claim in violations(question, listing.base)]
        if question.form == "every" and case.answer == "no":
            members.append(len(violators(question, mutant.solver)))
        claims = violations(question, mutant.base)
        if claims and case.answer == universal(question.form):
            given = [closed_terms(condition) for condition in question.given]
            shallow += not all(mutant.shallow.possible(closed_terms(claim), given) for claim in claims)
            if case.answer == "yes":
                rest += 1
                needy += all(mutant.solver.possible(claim, integrity=False) for claim in claims)
    yield at_most("1 text, answer or witness not confirmed by every path", "all", wrong, 0)
    yield at_most("policies that cover no case or every case", "all", extreme, 0)
    yield at_most("largest share of the cases that are witnesses", "all", max(shares, default=0.0), 0.25)
    yield at_most("yes without unfolding a concept", "all", shallow, 0)
    yield at_least("yes that integrity alone makes true", "all", needy / max(rest, 1), THIRD)
    if members:
        yield at_most("violators just one", "every", members.count(1) / len(members), 0.6)
    lists = [case.answer for case in test if not case.choices]
    if lists:
        short = sum(answer == "none" or "," not in answer for answer in lists) / len(lists)
        yield at_most("violators none or just one", "which", short, 0.6)


def _leakage(splits: dict[str, list[Case]], shipped: bool) -> Iterator[Gate]:
    seen: dict[str, set[str]] = {name: {_sign(case) for case in cases} for name, cases in splits.items()}
    names = list(seen)
    shared = sum(len(seen[a] & seen[b]) for place, a in enumerate(names) for b in names[place + 1 :])
    if shipped:
        yield at_most("questions that two splits share", "all", shared, 0)
        pairs = {(case.pair.family, _sign(case)) for case in splits["test"]}  # twins may differ in what is given alone
        yield at_most("questions asked twice", "test", len(pairs) - len(seen["test"]), 0)
        yield at_least("cases", "train", len(splits["train"]), SIZES["train"])


def _sign(case: Case) -> str:
    question = {**json.loads(case.plan)["question"], "given": []}
    return f"{case.rulebase} {json.dumps(question, sort_keys=True)}"
