"""Fitting the weights anew: iterative scaling on drawn records; see `weights`."""

from __future__ import annotations

import json
import math
import random
import sys
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from typing import Any

from holmes.domains.finance.handbook import clause, clauses
from holmes.domains.finance.planner.search import Planner
from holmes.domains.finance.weights import DRAWS, FILE, LARGEST, ROUNDS, STRENGTH, features, kept_weights, meaning
from holmes.logic.language.model import RuleBase
from holmes.util.files import whole


def fit(base: RuleBase) -> dict[str, dict[str, dict[str, float]]]:
    """Return label -> fact -> feature -> weight for one clause; the same on any machine."""
    labels = base.decision.type.values
    weights: dict[str, dict[str, dict[str, float]]] = {label: {name: {} for name in base.facts} for label in labels}
    plan = Planner(base, weights)
    look = features(base)
    kept = 1 - STRENGTH.get(len(labels), 1.0)
    first: dict[tuple[str, str, str], float] = {}  # by how much a share differs from the mean without weights
    for turn in range(ROUNDS):
        rate = 1.0 if turn < ROUNDS / 3 else 6.0 / turn
        counts: dict[str, dict[str, Counter[str]]] = {}
        for label in labels:
            rng = random.Random(f"balance/{base.name}/{label}/{turn}")
            counts[label] = {name: Counter() for name in base.facts}
            for _ in range(DRAWS):
                for name, value in plan.draw(rng, label).items():
                    counts[label][name][look[name](value)] += 1
        for name in base.facts:
            for part in sorted(set().union(*(counts[label][name] for label in labels))):
                shares = {label: (counts[label][name][part] + 1) / (DRAWS + 2) for label in labels}
                mean = sum(shares.values()) / len(labels)
                for label in labels:
                    own = weights[label][name]
                    apart = first.setdefault((label, name, part), kept * (shares[label] - mean) if turn == 0 else 0.0)
                    target = min(max(mean + apart, 0.01), 0.99)
                    moved = own.get(part, 0.0) + rate * math.log(target / shares[label])
                    own[part] = max(-LARGEST, min(LARGEST, moved))
    return {
        label: {name: {k: round(w, 2) for k, w in own.items()} for name, own in facts.items()}
        for label, facts in weights.items()
    }


def _fitted(name: str) -> dict[str, Any]:
    base = clause(name).base
    return {"meaning": meaning(base), "weights": fit(base)}


def main(names: list[str]) -> None:
    """Fit the clauses named, or those whose weights are of another version, and write the file."""
    kept = dict(kept_weights())
    stale = [name for name, c in clauses().items() if kept.get(name, {}).get("meaning") != meaning(c.base)]
    with ProcessPoolExecutor(2) as pool:
        kept |= dict(zip(names or stale, pool.map(_fitted, names or stale), strict=True))
    with whole(FILE) as out:
        out.write(json.dumps({name: kept[name] for name in clauses()}, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
