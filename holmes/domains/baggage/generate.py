"""The cases of `deontic_airline`: records that mislead engines which overlook something, told as accounts."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Protocol

from holmes.cases import Case, Difficulty, Fact, Step
from holmes.derivations.derive import derive, root_of
from holmes.derivations.operations import annotate
from holmes.derivations.parts import Part, canonical
from holmes.derivations.trace import told as in_full
from holmes.domains.baggage.engines import misled, names, rulebase
from holmes.domains.baggage.program import reference
from holmes.domains.baggage.records import Facts, draw, pieces, redrawn
from holmes.domains.baggage.statute import statute
from holmes.domains.baggage.text import Account, person
from holmes.errors import InputError
from holmes.logic.engine.evaluate import Evaluation, evaluate
from holmes.logic.explain.explain import explain
from holmes.logic.language.unparse import number_text

TASK = "deontic_airline"
TIERS = {"basic": (0, 1), "medium": (2, 3), "hard": (4, 5), "very hard": (6, 99)}
"""Tier -> how many of the engines that overlook something get another amount, from and to."""
_SHARES = (3, 4, 4, 2)
_STEPS, _STARTS = 80, 40
_QUESTIONS = (
    "What is the total that {X} owes for the ticket and the checked baggage under these Conditions?",
    "Ticket and checked pieces taken together, how much does {X} owe under these Conditions?",
    "How many dollars does {X} owe in all, for the ticket and for everything checked in?",
)


class _Domain(Protocol):
    def verbalize(self, part: Part, step: Step) -> Step: ...


class Generator:
    """Cases of one domain: an item depends on the rule base, the seed and the index alone."""

    def __init__(self, domain: _Domain) -> None:
        self.domain, self.base = domain, rulebase()

    @property
    def fingerprint(self) -> str:
        """Return the fingerprint of the rule base."""
        return self.base.fingerprint

    def tier(self, seed: int, index: int) -> str:
        """Return the tier of an item, which is drawn first."""
        rng = random.Random(f"{self.base.name}/{seed}/{index}/tier")
        return rng.choices(tuple(TIERS), _SHARES)[0]

    def item(self, seed: int, index: int) -> Case:
        """Return the case of a seed and an index (0, 1, …); raises InputError where no record of its tier is found."""
        key, tier = f"{self.base.name}/{seed}/{index}", self.tier(seed, index)
        rng = random.Random(f"{key}/record")
        for _ in range(_STARTS):
            record = self._planned(rng, *TIERS[tier])
            if record is None:
                continue
            text = Account(key, record).text()
            if not _told(text, evaluate(self.base, record)):
                return self.case(seed, index, record, text)
        raise InputError(f"{TASK} seed {seed} index {index}: found no record of tier {tier}, expected one")

    def _planned(self, rng: random.Random, low: int, high: int) -> Facts | None:
        """Return a record that misleads the engines of a plan, `high` at most; found by changing a part at a time."""
        wanted = frozenset(rng.sample(names(), low))
        record = draw(rng)
        found = frozenset(misled(record))
        for _ in range(_STEPS):
            if wanted <= found and len(found) <= high:
                return record
            other = redrawn(rng, record)
            now = frozenset(misled(other))
            if _merit(now, wanted, high) >= _merit(found, wanted, high):
                record, found = other, now
        return None

    def case(self, seed: int, index: int, record: Facts, text: str) -> Case:
        """Return the case of a record that `text` tells."""
        key = f"{self.base.name}/{seed}/{index}"
        who = person(key)
        solved, graph = evaluate(self.base, record), explain(self.base, record)
        part = Part(self.base, record, {"X": who.name})
        explained = derive((part,), "amount", self.domain.verbalize, (graph,), where=key)
        steps = in_full(self.base, graph, part.names, root_of(graph, "amount"))
        engines = misled(record)
        assert solved.amount is not None
        return Case(
            id=f"{TASK}/{seed}/{index}",
            domain="baggage",
            task=TASK,
            source="holmes",
            rules=statute(self.base),
            case=text,
            question=random.Random(f"{key}/question").choice(_QUESTIONS).format(X=who.name),
            answer=number_text(solved.amount),
            answer_type="amount",
            bundle=self.base.name,
            trace=tuple(self.domain.verbalize(part, step) for step in steps),
            **explained.fields(),
            **annotate(explained).fields(),
            difficulty=_difficulty(solved, len(steps), len(engines)),
            facts=tuple(Fact(n, decl.type.kind, canonical(record[n])) for n, decl in self.base.facts.items()),
            program=reference(self.base, record),
            tags=tuple(f"misleads {name}" for name in engines),
            plan=json.dumps({"key": key, "names": part.names}, sort_keys=True),
            seed=seed,
            index=index,
            rulebase=self.base.fingerprint,
        )

    def embedded(self) -> Mapping[str, Callable[[], Iterator[Case]]]:
        """Return the shipped splits."""
        from holmes.domains.statutes.splits import Shipped

        return Shipped(self, SIZES, hard).embedded()


SIZES = {"test": 300, "hard": 80, "smoke": 8, "dev": 30, "train": 300}


def hard(case: Case) -> int:
    """Return how many engines that overlook something are misled by a case."""
    return len(case.tags)


def retold(domain: _Domain, case: Case, record: Facts, text: str) -> Case:
    """Return a case anew about another record, under its own id."""
    made = Generator(domain).case(case.seed, case.index, record, text)
    return replace(made, id=case.id, question=case.question)


def _merit(found: frozenset[str], wanted: frozenset[str], high: int) -> int:
    return 2 * len(found & wanted) - max(0, len(found) - high)


def _told(text: str, solved: Evaluation) -> bool:
    """Tell whether the amount stands in the text."""
    numbers = {Fraction(n.replace(",", "")) for n in re.findall(r"\d[\d,]*\d|\d", text)}
    return solved.amount in numbers


def _difficulty(solved: Evaluation, steps: int, engines: int) -> Difficulty:
    listed = list(pieces(solved.facts))
    tier = next(name for name, (low, high) in TIERS.items() if low <= engines <= high)
    return Difficulty(
        steps=steps,
        height=14,  # the longest chain: legs, leading leg, band, allowance, weight limit, …, part fees, total
        concepts=len(solved.rulebase.concepts),
        policies=sum(solved.triggered.values()),
        conflicts=len(solved.conflicts),
        scopes=len(listed),
        tier=tier,
    )
