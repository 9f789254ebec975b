"""Weights under which each single fact of a clause is as frequent with one verdict as with another; fitted and kept.

A claim that is approved has more good signs than one that is rejected: a reader who only counts words would do well.
Where rules have alternatives and waivers the records of a verdict can be weighted so that this is not so: the weights
are those of the maximum-entropy distribution with equal marginals, found by iterative scaling on drawn records.
`python -m holmes.domains.finance.fit_weights` fits them again for every clause that has changed.
"""

from __future__ import annotations

import bisect
import functools
import hashlib
import json
import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

from holmes.errors import CheckFailed
from holmes.logic.language.model import Compare, Const, Ref, RuleBase, Type
from holmes.logic.language.walk import walk

Weights = Mapping[str, Mapping[str, float]]  # fact -> feature of its value -> weight
FILE = Path(__file__).parent / "weights.json"
ROUNDS, DRAWS = 36, 150  # rounds of fitting, records a verdict in each
FEW = 8  # whole numbers of so few values have a weight a value
LARGEST = 3.0
# How much of the difference is taken away, by the number of verdicts: where only the second of two verdicts has rules
# that fail, all of it would leave that each pair of alternatives tells the verdict instead.
STRENGTH = {2: 0.75}


Feature = Callable[[Any], str]


def features(base: RuleBase) -> dict[str, Feature]:
    """Return, for each fact, what of its value is weighted: the value, or for numbers on which side of limits it lies.

    The limits are the numbers that the rules compare the fact with; whole numbers of few values are taken as they are.
    """
    exprs = [c.body for c in base.concepts.values()]
    exprs += [e for p in base.policies.values() for e in (p.when, p.unless) if e is not None]
    limits: dict[str, set[int]] = {name: {1} for name in base.facts}  # zero stands apart
    for part in (part for expr in exprs for part in walk(expr)):
        match part:
            case Compare(op=op, left=Ref(kind="fact", name=name), right=Const(value=Fraction() as value)):
                limits[name].add(math.ceil(value) if op in ("<", ">=") else math.floor(value) + 1)
    return {name: _feature(fact.type, sorted(limits[name])) for name, fact in base.facts.items()}


def _feature(type_: Type, limits: list[int]) -> Feature:
    if type_.kind == "bool":
        return lambda value: "true" if value else "false"
    if type_.kind == "enum":
        return str
    low, high = int(type_.low or 0), int(type_.high or 0)
    if high - low < FEW:
        return str
    middle = low + (high - low) // (2 if type_.kind == "int" else 4)
    cuts = sorted({limit for limit in limits if low < limit <= high} | {middle})
    return lambda value: str(bisect.bisect_right(cuts, value))


def meaning(base: RuleBase) -> str:
    """Return a fingerprint of what decides which records are drawn: types and formulas, not the wording."""
    parts = (
        [(name, fact.type) for name, fact in base.facts.items()],
        base.integrity,
        [(c.name, c.body) for c in base.concepts.values()],
        [(t.name, t.keys, t.rows) for t in base.tables.values()],
        [(p.name, p.gate, p.when, p.base, p.unless, p.parts, p.selector, p.branches) for p in base.policies.values()],
        base.families,
        [(r.kind, r.winner, r.losers) for r in base.relations],
        (base.decision.type, base.decision.pick, base.decision.order, base.decision.gates),
    )
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:16]


@functools.lru_cache(maxsize=1)
def kept_weights() -> dict[str, Any]:
    """Return what the file holds: clause -> meaning and weights."""
    found: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}
    return found


def weights_of(base: RuleBase) -> Mapping[str, Weights]:
    """Return the weights fitted for a clause; raises CheckFailed where they are those of another version of it."""
    kept = kept_weights().get(base.name, {"meaning": "none"})
    if kept["meaning"] != (expected := meaning(base)):
        raise CheckFailed(
            f"{FILE.name}: {base.name}: found weights of {kept['meaning']}, expected {expected}:"
            " run python -m holmes.domains.finance.fit_weights"
        )
    weights: Mapping[str, Weights] = kept["weights"]
    return weights
