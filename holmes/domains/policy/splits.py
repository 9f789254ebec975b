"""The source of policy questions for the builder: items 2i and 2i + 1 are twins, one edit apart."""

from __future__ import annotations

import functools
import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from holmes.cases import Case
from holmes.domains.policy.generate import build, tier_of
from holmes.domains.policy.members import member
from holmes.domains.policy.planner.search import Asked, Pair, Plan, find
from holmes.domains.policy.planner.variants import names
from holmes.domains.policy.questions.terms import FORMS, to_json
from holmes.logic.language.fingerprint import joined_fingerprint

TEST, DEV, TRAIN = 20261205, 20261206, 20261207  # seeds of the shipped splits
SIZES = {"test": 300, "dev": 50, "train": 1000}
NEEDY = 0.4  # of the claims about all cases: those that fail without integrity
HITS = {"governs": (5, 4, 1), "": (0, 1, 1)}  # how often at most 0, 1, 2 of two twins may be guessed from names alone
TYPES = tuple(FORMS)


def plan_of(seed: int, number: int) -> Plan:
    """Return what is decided about a pair before the search: types and forms in turn, coins balanced in blocks."""
    kind = TYPES[number % len(TYPES)]
    turn = number // len(TYPES)
    forms = FORMS[kind]
    form = forms[turn % len(forms)]
    block = turn // len(forms)
    shift = random.Random(f"policy/{seed}/{kind}/{form}/{block // 2}").random() < 0.5
    rng = random.Random(f"policy/{seed}/plan/{number}")
    needy = form not in ("accepts", "governs", "which") and rng.random() < NEEDY
    target = rng.choice((1, 2, 3))
    if form == "governs":
        target = random.Random(f"policy/{seed}/branches/{number}").randrange(6)
    hits = rng.choices((0, 1, 2), HITS["governs" if form == "governs" else ""])[0]
    return Plan(kind, form, needy, (block % 2 == 0) is shift, target, hits)


class PolicySource:
    """Questions over all law bundles and those beyond law."""

    @property
    def fingerprint(self) -> str:
        """Return one fingerprint for all rule bases."""
        return joined_fingerprint({name: member(name).fingerprint for name in names()})

    def pair(self, seed: int, number: int) -> tuple[Pair, bool]:
        """Return pair `number` of a seed, and whether its second member comes first."""
        return _pair(seed, number)

    def _member(self, seed: int, index: int) -> tuple[Pair, int]:
        found, turned = self.pair(seed, index // 2)
        return found, (index % 2) ^ turned

    def item(self, seed: int, index: int) -> Case:
        """Return item `index` of `seed`."""
        found, member = self._member(seed, index)
        # twins are worded alike, so that the edit is all that tells them apart
        return build(found, member, seed, index, random.Random(f"policy/{seed}/{index // 2}/text"))

    def tier(self, seed: int, index: int) -> str:
        """Return the tier of an item without building it."""
        found, member = self._member(seed, index)
        asked = (found.first, found.second)[member]
        return tier_of(asked.question, asked.mutant)

    def embedded(self) -> Mapping[str, Callable[[], Iterator[Case]]]:
        """Return the shipped splits: test, hard and smoke within it, dev and train apart from it."""
        return {
            "test": self.test,
            "hard": lambda: (case for case in self.test() if hard(case)),
            "smoke": self.smoke,
            "dev": lambda: self.fresh(DEV, SIZES["dev"], (TEST,)),
            "train": lambda: self.fresh(TRAIN, SIZES["train"], (TEST, DEV)),
        }

    def test(self) -> Iterator[Case]:
        """Yield the test split."""
        return self.fresh(TEST, SIZES["test"], ())

    def smoke(self) -> Iterator[Case]:
        """Yield the first pair of each type of which both members are hard."""
        taken: set[str] = set()
        waiting: list[Case] = []
        for case in self.test():
            waiting = [*waiting[-1:], case] if case.index % 2 else [case]
            if len(waiting) == 2 and all(map(hard, waiting)) and case.hol_types[0] not in taken:
                taken.add(case.hol_types[0])
                yield from waiting

    def fresh(self, seed: int, n: int, others: tuple[int, ...]) -> Iterator[Case]:
        """Yield n items of a seed, pair by pair, none asking what an item of another split or one before it asks."""
        taken = {sign for other in others for number in self.numbers(other) for sign in self.signs(other, number)}
        number = made = 0
        while made < n:
            signs = self.signs(seed, number)
            if not signs & taken:
                taken |= signs
                for index in (2 * number, 2 * number + 1):
                    if made < n:
                        made += 1
                        yield self.item(seed, index)
            number += 1

    def numbers(self, seed: int) -> range:
        """Return the numbers of the pairs that a shipped split may hold."""
        size = next(SIZES[split] for split, own in zip(SIZES, (TEST, DEV, TRAIN), strict=True) if own == seed)
        return range(size // 2 + 20)

    def signs(self, seed: int, number: int) -> frozenset[str]:
        """Return what the members of a pair ask, whatever they take as given: rule base, edit, policies, case told."""
        found, _ = self.pair(seed, number)
        return frozenset(_sign(asked) for asked in (found.first, found.second))


def _sign(asked: Asked) -> str:
    return f"{asked.mutant.base.fingerprint} {to_json(replace(asked.question, given=()))}"


@functools.lru_cache(maxsize=512)
def _pair(seed: int, number: int) -> tuple[Pair, bool]:
    rng = random.Random(f"policy/{seed}/{number}")
    turned = rng.random() < 0.5
    return find(rng, plan_of(seed, number)), turned


def hard(case: Case) -> bool:
    """Tell whether a case belongs to the split `hard`."""
    return case.difficulty.tier in ("hard", "very hard")


@functools.lru_cache(maxsize=1)
def source() -> PolicySource:
    """Return the source of policy questions; one a process."""
    return PolicySource()
