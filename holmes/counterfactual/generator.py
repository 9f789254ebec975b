"""The counterfactual source: families of fresh cases, and the shipped splits out of the shipped cases."""

from __future__ import annotations

import functools
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from holmes.cases import Case
from holmes.counterfactual.families import ROBUST, ROLES, family
from holmes.counterfactual.members import MEMBERS
from holmes.derivations.operations import TYPES
from holmes.errors import CheckFailed, InputError
from holmes.interfaces import Generator
from holmes.logic.language.fingerprint import joined_fingerprint
from holmes.registry import config, domain_of
from holmes.scoring.counterfactual import type_of
from holmes.store import load_cases

Family = tuple[Case, Case, Case]
A_TYPE = {"test": 50, "dev": 4, "train": 40}  # families an operation type
SMOKE = 2  # of each type in the split `smoke`
TRIES, FAR = 40, 1_000_000  # cases tried for one family, and how far apart their indices lie


class CounterfactualSource:
    """Item i is row i % 3 (original, decisive, control) of family i // 3; domains take turns."""

    def __init__(self) -> None:
        self._family = functools.lru_cache(maxsize=16)(self._find)

    @property
    def fingerprint(self) -> str:
        """Return one fingerprint for the rule bases of all domains."""
        return joined_fingerprint({name: _source(name).fingerprint for name in MEMBERS})

    def item(self, seed: int, index: int) -> Case:
        """Return item `index` of `seed`."""
        return self._family(seed, index // len(ROLES))[index % len(ROLES)]

    def tier(self, seed: int, index: int) -> str:
        """Return the tier of an item: that of its original."""
        return self.item(seed, index).difficulty.tier

    def _find(self, seed: int, number: int) -> Family:
        names = tuple(MEMBERS)
        origin, index = _source(names[number % len(names)]), number // len(names)
        for attempt in range(TRIES):  # a case without a family gives way to one far off
            found = family(origin.item(seed, index + attempt * FAR), seed)
            if found is not None:
                return found
        raise CheckFailed(f"counterfactual seed {seed} family {number}: found none in {TRIES} cases, expected one")

    def embedded(self) -> Mapping[str, Callable[[], Iterator[Case]]]:
        """Return the shipped splits.

        test: 50 families an operation type out of the shipped test cases, each with a single decisive change; hard:
        those whose original is in the split hard of its config; smoke: two of them a type; dev and train: families of
        the shipped dev and train cases; every: each shipped test case that has a family, robust ones too.
        """
        return {
            "test": lambda: rows(chosen("test")),
            "hard": lambda: rows(hard()),
            "smoke": lambda: rows(smoke()),
            "dev": lambda: rows(chosen("dev")),
            "train": lambda: rows(chosen("train")),
            "every": lambda: rows(found for case in originals("test") if (found := family(case)) is not None),
        }


@functools.lru_cache(maxsize=len(MEMBERS))
def _source(name: str) -> Generator:
    found = config(name).generator
    if found is None:
        raise InputError(f"config {name!r}: found no generator, expected one: families are made of fresh cases")
    return found()


def rows(families: Iterator[Family] | Sequence[Family]) -> Iterator[Case]:
    """Yield the members of families, one family after the other."""
    return (member for found in families for member in found)


def originals(split: str) -> Iterator[Case]:
    """Yield the shipped cases of a split, domain by domain."""
    for configs in MEMBERS.values():
        for name in configs:
            yield from load_cases(name, split)


@functools.lru_cache(maxsize=3)
def chosen(split: str) -> tuple[Family, ...]:
    """Return the families of a split: as many an operation type, none twice, domains in turn within a type.

    The type that a family stands for is a tag of its rows (``type PR``). Rare types choose first; in the result types
    take turns, so that a run with a limit sees all of them.
    """
    by_type: dict[str, dict[str, list[Case]]] = {kind: {domain: [] for domain in MEMBERS} for kind in TYPES}
    for case in originals(split):
        for kind in case.hol_types or domain_of(case).operations(case).types:
            by_type[kind][case.domain].append(case)
    taken: set[str] = set()
    result: list[tuple[int, Family]] = []
    for kind in sorted(TYPES, key=lambda kind: sum(map(len, by_type[kind].values()))):
        rng = random.Random(f"counterfactual/{split}/{kind}")
        pools = [rng.sample(cases, len(cases)) for cases in by_type[kind].values() if cases]
        count = 0
        while count < A_TYPE[split] and any(pools):
            for pool in [pool for pool in pools if pool]:
                found = _next(pool, taken)
                if found is not None and count < A_TYPE[split]:
                    result.append((count, _standing_for(kind, found)))
                    count += 1
    result.sort(key=lambda entry: (entry[0], TYPES.index(type_of(entry[1][0]))))
    return tuple(found for _, found in result)


def _next(pool: list[Case], taken: set[str]) -> Family | None:
    """Take cases off a pool until one has a family with a single decisive change."""
    while pool:
        case = pool.pop()
        if case.id in taken:
            continue
        found = family(case)
        if found is not None and ROBUST not in found[0].tags:
            taken.add(case.id)
            return found
    return None


def _standing_for(kind: str, found: Family) -> Family:
    one, other, third = (replace(case, tags=(*case.tags, f"type {kind}")) for case in found)
    return one, other, third


def hard() -> list[Family]:
    """Return the test families whose original is hard in its own config."""
    ids = {f"counterfactual/{case.id}" for case in originals("hard")}
    return [found for found in chosen("test") if found[0].pair.family in ids]


def smoke() -> list[Family]:
    """Return the first two hard families of each type."""
    counts = dict.fromkeys(TYPES, 0)
    result = []
    for found in hard():
        kind = type_of(found[0])
        counts[kind] += 1
        if counts[kind] <= SMOKE:
            result.append(found)
    return result


@functools.lru_cache(maxsize=1)
def source() -> CounterfactualSource:
    """Return the source of the counterfactual families."""
    return CounterfactualSource()
