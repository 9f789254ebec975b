"""The paper's samples over our cases: so many of each higher-order type, by seed (HOLogicBench 4.3, 4.4)."""

from __future__ import annotations

import functools
import random
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from holmes.cases import Case
from holmes.derivations.operations import TYPES
from holmes.errors import InputError
from holmes.interfaces import Config, tasks
from holmes.registry import operations_of

CONFIGS = ("law", "finance")
"""The configs whose test splits are drawn from, those of the paper."""
WRONG = "wrong gold"
"""The tag of a released case whose gold its facts do not entail."""
SPLITS: Mapping[str, int] = {"test": 100, "half": 50}
"""Split -> cases a type: 500 and 250 in all."""


@dataclass(frozen=True, slots=True)
class Sample:
    """Cases drawn by type.

    cases: in the order of the types, each once. drawn: id -> the type that it was drawn for; it may have others too.
    short: type -> how many cases are missing, for types that have too few.
    """

    cases: tuple[Case, ...]
    drawn: Mapping[str, str]
    short: Mapping[str, int]


def types_of(case: Case) -> tuple[str, ...]:
    """Return the higher-order types of a case, worked out where it does not record them."""
    return case.hol_types if case.hol_types or case.hol_evidence else operations_of(case).types


def sample(cases: Iterable[Case], each: int, seed: int = 0) -> Sample:
    """Draw `each` cases of every type, no case twice.

    cases: the pool; its order does not matter. each: at least 1. The type with the fewest cases draws first, so that
    a common one does not use up what a rare one needs.
    Returns the Sample; where a type has too few cases left it takes them all, and `short` says how many are missing.
    """
    pool: dict[str, list[Case]] = {kind: [] for kind in TYPES}
    for case in sorted(cases, key=lambda case: case.id):
        for kind in types_of(case):
            pool[kind].append(case)
    drawn: dict[str, str] = {}
    chosen: dict[str, list[Case]] = {}
    short: dict[str, int] = {}
    for kind in sorted(TYPES, key=lambda kind: (len(pool[kind]), kind)):
        free = [case for case in pool[kind] if case.id not in drawn]
        chosen[kind] = random.Random(f"subset/{seed}/{kind}").sample(free, min(each, len(free)))
        drawn |= {case.id: kind for case in chosen[kind]}
        if len(free) < each:
            short[kind] = each - len(free)
    return Sample(tuple(case for kind in TYPES for case in chosen[kind]), drawn, short)


@functools.lru_cache(maxsize=4)
def by_type(split: str = "test", seed: int = 0, configs: tuple[str, ...] = CONFIGS) -> Sample:
    """Return the sample of a split: test (100 cases a type, 500) or half (50 a type, 250) of law and finance.

    configs: those drawn from; a case whose gold is known to be wrong is left out. Raises InputError for another split.
    """
    from holmes.store import load_cases  # the store asks the registry, which names this config

    if split not in SPLITS:
        raise InputError(f"types: found no split {split!r}, expected one of {', '.join(SPLITS)}")
    pool = (case for config in configs for case in load_cases(config) if WRONG not in case.tags)
    return sample(pool, SPLITS[split], seed)


CONFIG = Config(
    "types",
    tasks=tasks("holmes_types", "types", {"": "domain"}, mode="domain", metrics=("derivations",), mixed=True),
    draw=lambda split, seed: by_type(split, seed).cases,
    members=CONFIGS,
    splits=tuple(SPLITS),
)
