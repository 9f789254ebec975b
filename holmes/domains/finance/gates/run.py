"""The quality gates of the finance cases (design, section 8: gates 2 to 7 and 9)."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from holmes.audit.derivation_gates import families
from holmes.audit.gate import report
from holmes.audit.independence import p_value
from holmes.audit.partial_input import contrast_pairs
from holmes.cases import Case
from holmes.domains.finance.difficulty import failing
from holmes.domains.finance.gates.shortcuts import (
    FRESH,
    Rows,
    Words,
    companion_baseline,
    elsewhere,
    fresh,
    majority,
    trees,
)
from holmes.domains.finance.generate import components, item
from holmes.domains.finance.handbook import NAMES, clause, clause_text, handbook
from holmes.domains.finance.parts import parts_of, read_back
from holmes.domains.finance.planner.composition import order, slot_of
from holmes.domains.finance.planner.search import planner
from holmes.domains.finance.splits import content
from holmes.domains.finance.tally import NOISE, decisive, engines, rules
from holmes.domains.finance.text import Part, single
from holmes.errors import InputError
from holmes.logic.engine.evaluate import Evaluation, evaluate
from holmes.logic.english.render import rules_text
from holmes.logic.english.roundtrip import differences
from holmes.results import Gate, at_least, at_most
from holmes.store import load_cases

AUDIT_SEED = 9_2611  # of the records on which shortcuts are fitted
LEAST_CASES = 50  # fewer say nothing about independence
DIFFICULTIES = (
    "omission from a list",
    "rank look-up",
    "look-alike category",
    "exclusive clauses",
    "whole-claim gate",
    "fails 0",
    "fails 1",
    "fails 2",
    "fails 3+",
)


def audit(*, seed: int | None, n: int, bundle: str) -> dict[str, Any]:
    """Audit the shipped test split, or n fresh cases of a seed.

    bundle: one clause by name, or "" for all. Returns the JSON document of `holmes audit`.
    """
    if bundle and bundle not in NAMES:
        raise InputError(f"--bundle: found {bundle!r}, expected one of {', '.join(NAMES)}")
    cases = load_cases("finance") if seed is None else [item(seed, index) for index in range(n)]
    return report(gates(cases, bundle=bundle, seed=seed))


def gates(cases: Sequence[Case], *, bundle: str = "", seed: int | None = None, learn: int = FRESH) -> list[Gate]:
    """Return every gate of some cases.

    seed: that of a fresh build, None for the shipped cases. learn: fresh records a clause on which shortcuts are
    fitted, and as many more on which they are tried, 0 for none of these gates.
    """
    shipped = seed is None
    parts = [(part, evaluate(part.stated.base, part.facts)) for case in cases for part in parts_of(case).parts]
    found = [*_makeup(cases)] if shipped else []
    words = Words()
    for name in (bundle,) if bundle else NAMES:
        own = [(part, result) for part, result in parts if part.clause == name]
        if learn and own:
            drawn, more = fresh(name, AUDIT_SEED, learn), fresh(name, f"{AUDIT_SEED}/{seed}", learn)
            own_rows = rows(name, own)
            found += majority(name, own_rows, shipped=shipped)
            for source, test in (("", own_rows), (" fresh", more)) if shipped else ((" fresh", more),):
                found += trees(name, drawn, test, source)
            words.judge(drawn, own_rows, more)
            found += decisive(name, own, evaluated(name, drawn))
            found += rules(name, own, "") if shipped else ()
            found += rules(name, evaluated(name, more), " fresh")
    found += words.gates()
    if not bundle:
        found += [
            *_amounts(cases, shipped),
            *engines(parts, shipped=shipped),
            *_clones(cases, parts),
            *_independence(cases),
            *_texts(cases),
        ]
        found += families(cases, "finance")
        if learn:
            several = [i for i in range(len(order())) if slot_of(i).span > 1 and not slot_of(i).clause]
            others = (item(seed, i) for seed in (AUDIT_SEED, AUDIT_SEED + 1) for i in several)
            found += elsewhere(cases, AUDIT_SEED)
            found += companion_baseline(cases, itertools.chain(others, load_cases("finance", "train")))
        found += contrast_pairs(cases, "finance")
    return found


def rows(name: str, parts: Sequence[tuple[Part, Evaluation]]) -> Rows:
    """Return the parts of one clause as rows; their texts are written anew, alone, so that all are alike in form."""
    import random

    texts = [single(part, random.Random(f"audit/{name}/{i}")) for i, (part, _) in enumerate(parts)]
    return Rows([part.facts for part, _ in parts], texts, [str(result.answer) for _, result in parts])


def evaluated(name: str, drawn: Rows) -> list[tuple[Part, Evaluation]]:
    """Return drawn records of a clause as parts with their results."""
    base = clause(name).base
    return [(Part(name, "", "", facts), evaluate(base, facts)) for facts in drawn.facts]


def _makeup(cases: Sequence[Case]) -> Iterator[Gate]:
    """The make-up of the paper, and every difficulty that it found real in it."""
    spans = Counter(case.difficulty.components for case in cases)
    yield at_least("0 atomic cases", "finance", spans[1], 679)
    for span in (2, 3, 4, 5):
        for family in ("parallel", "compositional"):
            yield at_least(
                f"0 {family} cases", f"span {span}", sum(c.task == f"finance_{family}_{span}" for c in cases), 50
            )
    tags = Counter(tag for case in cases for tag in case.tags)
    for tag in (*DIFFICULTIES, "twin"):
        yield at_least(f"0 cases: {tag}", "finance", tags[tag], 20)


def _amounts(cases: Sequence[Case], shipped: bool) -> Iterator[Gate]:
    amounts = [case for case in cases if case.answer_type == "amount"]
    if not amounts:
        return
    most = max(Counter(case.answer for case in amounts).values()) / len(amounts)
    copied = [
        Fraction(case.answer) in {Fraction(found) for found in re.findall(r"\d+(?:\.\d+)?", case.case)}
        for case in amounts
    ]
    slack = 0.0 if shipped else NOISE * (0.09 / len(amounts)) ** 0.5
    yield at_most("2 most frequent amount", "finance_amount", most, 0.10 + slack)
    yield at_most("2 copied amount", "finance_amount", sum(copied) / len(copied), 0.10 + slack)


def _clones(cases: Sequence[Case], parts: Sequence[tuple[Part, Evaluation]]) -> Iterator[Gate]:
    yield at_most("4 clones", "finance", len(cases) - len({content(case) for case in cases}), 0)
    signatures = {
        (p.clause, r.answer, *r.concepts.values(), *failing(r.rulebase, r)) for p, r in parts
    }  # amounts among the concepts are part of what a case comes to
    yield at_least("4 distinct signatures", "finance", len(signatures) / max(len(parts), 1), 0.60)
    least = min((part["irrelevant"] for case in cases for part in components(case)), default=2)
    yield at_least("4 irrelevant facts stated", "finance", least, 2)
    incoherent = sum(planner(part.clause).found(part.facts) is None for part, _ in parts)
    yield at_most("4 incoherent", "finance", incoherent, 0)
    left_out = sum(part.facts[name] is not False for part, _ in parts for name in part.silent)
    yield at_most("4 needed but left out", "finance", left_out, 0)


def _independence(cases: Sequence[Case]) -> Iterator[Gate]:
    """Gate 5: the best verdict of a clause goes with nothing on the surface of its atomic cases."""
    single_part = [case for case in cases if case.answer_type == "label"]
    answers = np.array([case.answer not in case.choices[:1] for case in single_part], dtype=np.int64)
    noted = [components(case)[0] for case in single_part]
    traits: dict[str, list[int]] = {
        "words": [len(case.case.split()) for case in single_part],
        "sentences": [case.case.count(".") for case in single_part],
        "facts stated": [len(c.facts) - len(n["silent"]) for c, n in zip(single_part, noted, strict=True)],
        "denials": [sum(f.value == "false" for f in c.facts) - len(n["silent"])
                    for c, n in zip(single_part, noted, strict=True)],
        "initial": [ord(n["name"][0]) for n in noted],
        "first letter": [ord(case.case[0]) for case in single_part],
    }  # fmt: skip
    found = {}
    for name, values in traits.items():
        clauses_ = [n["clause"] for n in noted]
        inside = {c: np.median([v for v, o in zip(values, clauses_, strict=True) if o == c]) for c in set(clauses_)}
        binned = np.array([int(v > inside[c]) for v, c in zip(values, clauses_, strict=True)], dtype=np.int64)
        found[name] = p_value(binned, answers) if len(single_part) > LEAST_CASES else 1.0
    worst = min(found, key=lambda name: found[name])
    yield at_least(f"5 answer against surface, p ({worst})", "finance", min(1.0, found[worst] * len(found)), 0.001)


def _texts(cases: Sequence[Case]) -> Iterator[Gate]:
    """Gate 6: texts and rules are read back exactly, and no symbol of the rule bases stands in them."""
    wrong = sum([dict(p.facts) for p in parts_of(case).parts] != read_back(case) for case in cases)
    yield at_most("6 case texts not read back", "finance", wrong, 0)
    codes = sum(bool(re.search(r"\w_\w", case.case + case.question)) for case in cases)
    yield at_most("6 symbols in the text", "finance", codes, 0)
    for name in NAMES:
        base = clause(name).base
        same = clause_text(handbook(), name) == rules_text(base) and not list(differences(base))
        yield at_most("6 rule texts not read back", name, 0 if same else 1, 0)
    stated = {
        (case.rules, part.clause, part.edition) for case in cases for part in parts_of(case).parts if part.edition
    }
    wrong = 0
    for text, name, edition in stated:
        base = clause(name, edition).base
        wrong += clause_text(text, name) != rules_text(base) or bool(list(differences(base)))
    yield at_most("6 rule texts not read back", "editions", wrong, 0)
