"""Quality checks of the baggage cases (design section 8): engines, amounts, clones, texts, derivations."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from holmes.audit.derivation_gates import families
from holmes.audit.gate import report
from holmes.cases import Case
from holmes.domains.baggage.engines import misled, names
from holmes.domains.statutes.gates import sizes_and_words
from holmes.errors import InputError
from holmes.generation.disjoint_splits import nameless
from holmes.interfaces import Document, Generator
from holmes.interventions.coherence import coherent
from holmes.logic.language.model import Value
from holmes.registry import domain_of
from holmes.results import Gate, at_least, at_most
from holmes.store import load_cases

ENGINE = 0.60  # most that an engine which overlooks something gets right of `hard`, or of the cases tagged with it
SEVERAL, LEAST_SEVERAL = "7 cases with several derivations", 0.10
CONCLUSIONS = re.compile(
    r"\b(?:free (?:piece|allowance)|exempt|cargo|overweight|oversize|surcharge|leading leg|band [123]|tariff|peak|"
    r"discount|eligible|charged piece|break)\b"
)


def audit(generator: Generator, *, seed: int | None, n: int, bundle: str) -> Document:
    """Return the document of `holmes audit`: the shipped test split, or n fresh cases of a seed."""
    if bundle and bundle != "baggage":
        raise InputError(f"--bundle: found {bundle!r}, expected baggage")
    name = "deontic_airline"
    cases = load_cases(name) if seed is None else [generator.item(seed, index) for index in range(n)]
    train = load_cases(name, "train")
    hard = load_cases(name, "hard") if seed is None else [case for case in cases if len(case.tags) >= 4]
    return report([*gates(cases, hard), *sizes_and_words(train, cases)])


def gates(cases: Sequence[Case], hard: Sequence[Case]) -> Iterator[Gate]:
    """Yield the gates of cases and of those among them that are hard."""
    scope = f"baggage ({len(cases)} cases)"
    yield at_least("0 cases looked at", scope, len(cases), 1)
    common = Counter(case.answer for case in cases).most_common(1)[0][1] / max(1, len(cases))
    yield at_most("2 most frequent amount", scope, common, 0.10)
    yield at_most("2 amount copied from the text", scope, sum(map(_copied, cases)) / max(1, len(cases)), 0.10)
    led = {case.id: misled(_facts(case)) for case in (*cases, *hard)}
    for engine in names():
        right = sum(engine not in led[case.id] for case in hard) / max(1, len(hard))
        yield at_most(f"3 engine {engine}", f"hard ({len(hard)} cases)", right, ENGINE)
        yield at_least(f"3 cases that mislead {engine}", scope, sum(engine in led[case.id] for case in cases), 5)
    yield at_most("4 clones", scope, len(cases) - len({nameless(case) for case in cases}), 0)
    incoherent = sum(not coherent(part.base, part.facts) for case in cases for part in domain_of(case).parts(case))
    yield at_most("4 incoherent records", scope, incoherent, 0)
    unread = sum(any(True for _ in domain_of(case).verify_text(case)) for case in cases)
    yield at_most("6 texts that do not read back", scope, unread, 0)
    yield at_most("6 texts that state a conclusion", scope, sum(bool(CONCLUSIONS.search(c.case)) for c in cases), 0)
    for gate in families(cases, scope):
        if gate.gate == SEVERAL:  # an amount rests on nearly all that is told: few cases have two ways to it
            yield at_least(SEVERAL, scope, gate.value, LEAST_SEVERAL)
        else:
            yield gate


def _facts(case: Case) -> Mapping[str, Value]:
    (part,) = domain_of(case).parts(case)
    return part.facts


def _copied(case: Case) -> bool:
    numbers = re.findall(r"\d[\d,]*\d|\d", case.case)
    return Fraction(case.answer) in {Fraction(number.replace(",", "")) for number in numbers}
