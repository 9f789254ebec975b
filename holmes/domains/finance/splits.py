"""The finance source for the builder, and the splits that are shipped."""

from __future__ import annotations

import functools
import itertools
import random
from collections.abc import Callable, Iterator, Mapping

from holmes.cases import Case
from holmes.domains.finance.generate import edition_of, item
from holmes.domains.finance.handbook import NAMES, fingerprint
from holmes.domains.finance.parts import parts_of
from holmes.domains.finance.planner import composition
from holmes.domains.finance.tally import tally
from holmes.errors import CheckFailed
from holmes.logic.engine.evaluate import evaluate

SEEDS = {"test": 20261129, "dev": 20261130, "train": 20261201}
SIZES = {"dev": 54, "train": 400}
HARD = 4  # of each kind of case one in so many, the hardest, is in the split `hard`
SMOKE = 2  # of each kind in the split `smoke`
EXCHANGES = 400  # tries
AMOUNTS = 52  # rounds after which an amount case has the same verdict again (`drawing.PAID`)
SPARE = 40  # items that another split may have passed over


def kind(case: Case) -> tuple[str, str]:
    """Return what kind of case it is: its task, and its clause where it has one part."""
    return case.task, case.bundle if case.difficulty.components == 1 else ""


def content(case: Case) -> tuple[object, ...]:
    """Return what makes a case a clone of another: task, clauses, edition of the policy, and facts, names aside."""
    return (case.task, case.bundle, edition_of(case), *((fact.name, fact.value) for fact in case.facts))


def _hardest(case: Case) -> tuple[int, int, int]:
    return -len(set(case.tags) - {"twin"}), -case.difficulty.steps, case.index


def _even(
    name: str,
    cases: list[Case],
    rounds: Callable[[int, int], Iterator[Case]],
    seen: set[tuple[object, ...]],
) -> None:
    """Exchange cases of a clause for later ones with the same verdict until gate 3 holds for its single rules.

    cases: of all clauses; changed. rounds: (place, step) -> its cases. seen: what no case may be a clone of; changed.
    """
    rng = random.Random(f"finance/even/{name}")
    own = [place for place, case in enumerate(cases) if kind(case)[1] == name and not case.pair.family]

    def beyond() -> float:
        parts = [(p, evaluate(p.stated.base, p.facts)) for c in cases if name in c.bundle.split("+")
                 for p in parts_of(c).parts if p.clause == name]  # fmt: skip
        return tally(name, parts).beyond

    worst = beyond()
    later = {place: rounds(cases[place].index, len(cases[place].choices) or AMOUNTS) for place in own}
    for _ in range(EXCHANGES):
        if not worst:
            return
        place = rng.choice(own)
        before = cases[place]
        cases[place] = next(case for case in later[place] if content(case) not in seen)
        if (now := beyond()) < worst:
            worst = now
            seen.add(content(cases[place]))
        else:
            cases[place] = before
    raise CheckFailed(f"{name}: found no cases that hold gate 3, expected some")


class FinanceSource:
    """Every task of the domain, in the proportions of the paper's make-up."""

    @property
    def fingerprint(self) -> str:
        """Return one fingerprint for all clauses."""
        return fingerprint()

    def item(self, seed: int, index: int) -> Case:
        """Return item `index` of `seed`."""
        return item(seed, index)

    def tier(self, seed: int, index: int) -> str:
        """Return the tier of an item without building it."""
        return composition.tier(composition.slot_of(index))

    def embedded(self) -> Mapping[str, Callable[[], Iterator[Case]]]:
        """Return the shipped splits: test, hard and smoke within it, dev and train apart from it."""
        return {
            "test": lambda: iter(self.test()),
            "hard": lambda: iter(self.chosen(HARD)),
            "smoke": lambda: iter(self.smoke()),
            "dev": lambda: self.fresh("dev", ()),
            "train": lambda: self.fresh("train", ("dev",)),
        }

    @functools.lru_cache(maxsize=1)  # noqa: B019 - one source a build
    def test(self) -> tuple[Case, ...]:
        """Return the test split in the order of the make-up: atomic cases, then parallel, then compositional ones.

        A case that is a clone gives way to that of the same place in a later round. So does one of a clause where, with
        so few cases, a rule goes with one verdict too often or a waiver too seldom acts in vain (gate 3).
        """
        places = sorted(range(len(composition.order())), key=lambda index: composition.order()[index])
        seen: set[tuple[object, ...]] = set()
        result = []
        for index in places:
            result.append(next(case for case in self._rounds(index, 1) if content(case) not in seen))
            seen.add(content(result[-1]))
        for name in NAMES:
            _even(name, result, self._rounds, seen)
        return tuple(result)

    def _rounds(self, index: int, step: int) -> Iterator[Case]:
        """Yield the cases of a place in this and later rounds, each `step` rounds after the one before."""
        return (self.item(SEEDS["test"], i) for i in itertools.count(index, step * len(composition.order())))

    def chosen(self, share: int) -> list[Case]:
        """Return the hardest cases of each kind, one in `share`: most tags of difficulty, then most steps."""
        groups: dict[tuple[str, str], list[Case]] = {}
        for case in self.test():
            groups.setdefault(kind(case), []).append(case)
        hardest = {case.id for cases in groups.values() for case in sorted(cases, key=_hardest)[: len(cases) // share]}
        return [case for case in self.test() if case.id in hardest]

    def smoke(self) -> list[Case]:
        """Return the first two hard cases of each kind."""
        taken: dict[tuple[str, str], int] = {}
        result = []
        for case in self.chosen(HARD):
            taken[kind(case)] = taken.get(kind(case), 0) + 1
            if taken[kind(case)] <= SMOKE:
                result.append(case)
        return result

    def fresh(self, split: str, others: tuple[str, ...]) -> Iterator[Case]:
        """Yield the cases of dev or train, none a clone of a case of test, of another split, or before it."""
        seen = {content(case) for case in self.test()}
        for other in others:
            seen |= {content(self.item(SEEDS[other], index)) for index in range(SIZES[other] + SPARE)}
        index = made = 0
        while made < SIZES[split]:
            case = self.item(SEEDS[split], index)
            index += 1
            if content(case) not in seen:
                seen.add(content(case))
                made += 1
                yield case


def source() -> FinanceSource:
    """Return the source of the finance cases."""
    return FinanceSource()
