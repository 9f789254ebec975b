"""The case planner: which records to ask, how often, so that no shortcut pays (design section 8, gates 2, 3, 5).

A plan fixes tier, answer, number of conflicts and of true facts first, and the articles and conflicts follow from the
record drawn. The record weights are raked once a rule base: starting from equal weights inside each group of records
with the same triggered and defeated policies, they are scaled until the answer tells nothing about the profile, each
ablated engine fails often enough, and no policy, exemption or fact gives the answer away. Only + * / and sqrt are
used, in a fixed order, so that the weights are the same on every machine; they are rounded to integers at the end.
"""

from __future__ import annotations

import random
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from holmes.errors import InputError
from holmes.logic.engine.record_space import Bools, Codes, Space, scatter, space
from holmes.logic.engine.vectorized import ABLATIONS, Decided, Engine, decide, exemptions
from holmes.logic.language import model as m

Floats = npt.NDArray[np.float64]
Margin = tuple[Bools, Codes, float, float, bool]

TIERS = ("basic", "medium", "hard", "very hard")
TIER_SHARES = (8, 9, 9, 4)  # of 30
DEPTHS = range(3, 21)
BROKEN = {  # least share of cases that an ablated engine must get wrong
    "no_priorities": 0.38,
    "no_exceptions": 0.34,
    "first_triggered": 0.34,
    "gravest_triggered": 0.34,
    "no_rebuttals": 0.23,
    "one_pass": 0.23,
    "no_negation": 0.25,
}
BLOCK = 30
ROUNDS = 40
POOL = 1 << 15  # records kept, spread over the groups of equal triggered and defeated policies
SCALE = 1 << 20
TOP = 8  # conflicts are told apart up to here when the profile is chosen


def tier(depth: int, conflicts: int) -> str:
    """Return the tier of a case. depth: triggered concepts and policies; conflicts: override pairs, both triggered."""
    if conflicts <= 1 and depth <= 8:
        return TIERS[0]
    if conflicts <= 3 and depth <= 11:
        return TIERS[1]
    if conflicts <= 5 and depth <= 14:
        return TIERS[2]
    return TIERS[3]


@dataclass(frozen=True, slots=True)
class Profile:
    """What is fixed before the answer: tier, conflicts (8 stands for more), half the number of true facts."""

    tier: str
    conflicts: int
    bucket: int


@dataclass(frozen=True, slots=True)
class Plans:
    """All plans of a rule base: the records, what follows from each, and the integer weights of profiles and rows."""

    rulebase: m.RuleBase
    records: Space
    decided: Decided
    depth: Codes
    conflicts: Codes
    broken: Mapping[str, Bools]
    profiles: Mapping[str, tuple[tuple[Profile, ...], tuple[int, ...]]]  # tier -> profiles, cumulative weights
    rows: Mapping[tuple[Profile, int], tuple[Codes, Codes]]  # (profile, answer code) -> rows, cumulative weights
    decisive: Bools  # (rules, records): the answer changes without the rule
    signature: Codes  # equal for records with the same triggered and defeated policies

    def draw(self, tier_name: str, answer: str, rng: random.Random) -> tuple[Profile, int]:
        """Draw a profile of a tier and a row with the answer. The profile does not depend on the answer."""
        profiles, cumulative = self.profiles[tier_name]
        profile = profiles[bisect_right(cumulative, rng.randrange(cumulative[-1]))]
        rows, sums = self.rows[profile, self.decided.labels.index(answer)]
        return profile, int(rows[int(np.searchsorted(sums, rng.randrange(int(sums[-1])), side="right"))])


def _columns(columns: list[Any]) -> Codes:
    """Return for each row the number of its group: rows equal in all columns share a group."""
    group = np.zeros(len(columns[0]), dtype=np.int64)
    for column in columns:
        codes = np.asarray(column, dtype=np.int64)
        _, group = np.unique(group * (int(codes.max()) + 1) + codes, return_inverse=True)
    return np.asarray(group, dtype=np.int64).reshape(-1)


def plans(rulebase: m.RuleBase) -> Plans:
    """Work out all plans of a law rule base.

    Returns the plans. Raises InputError when a tier cannot be asked with every answer (the base is too shallow).
    """
    records = space(rulebase)
    decided = decide(rulebase, records)
    depth = np.zeros(len(records), dtype=np.int64)
    for column in (*decided.concepts.values(), *decided.triggered.values()):
        depth += column
    keep = (depth >= DEPTHS.start) & (depth < DEPTHS.stop)
    keep[keep] = _spread(_columns([*decided.triggered.values(), *decided.applies.values()])[keep])
    records, depth = records.keep(keep), depth[keep]
    decided = decide(rulebase, records)
    conflicts = np.zeros(len(records), dtype=np.int64)
    for column in decided.clashes.values():
        conflicts += column
    true_facts = np.zeros(len(records), dtype=np.int64)
    for name in records.facts:
        if rulebase.facts[name].type.kind == "bool":
            true_facts += records.codes[name]
    tiers = np.array([TIERS.index(tier(int(d), int(c))) for d, c in zip(depth, conflicts, strict=True)], dtype=np.int64)
    bucket = true_facts // 2
    broken = {name: decide(rulebase, records, engine).answer != decided.answer for name, engine in ABLATIONS.items()}
    level = np.minimum(conflicts, TOP)
    group = _columns([tiers, level, bucket])
    shares = _profile_shares(rulebase, tiers, level, group, decided)
    decisive = np.stack(
        [
            decide(rulebase, records, Engine(drop=frozenset({rule}))).answer != decided.answer
            for rule in numbers(rulebase)
        ]
    )
    signature = _columns([*decided.triggered.values(), *decided.applies.values()])
    margins = [*_margins(rulebase, decided, broken, decisive, records), *_many(conflicts, decided)]
    weights = _rake(decided, margins, signature, group, shares)
    profiles, rows = _pack(decided, level, tiers, bucket, group, shares, weights)
    return Plans(rulebase, records, decided, depth, conflicts, broken, profiles, rows, decisive, signature)


def _spread(signature: Codes) -> Bools:
    """Choose at most POOL rows, so that rare groups stay whole and common ones are thinned."""
    mixed = scatter(len(signature), 1 << 62)
    order = np.lexsort((mixed, signature))
    starts = np.searchsorted(signature[order], np.arange(int(signature.max()) + 1))
    rank = np.empty(len(signature), dtype=np.int64)
    rank[order] = np.arange(len(signature)) - starts[signature[order]]
    cap = len(signature)
    while int((rank < cap).sum()) > POOL:
        cap = max(1, cap * 4 // 5) if cap > 1 else 0
    return np.asarray(rank < cap)


def _profile_shares(rulebase: m.RuleBase, tiers: Codes, conflicts: Codes, group: Codes, decided: Decided) -> Floats:
    """Return the share of each profile: only profiles with every answer, flat over conflicts, by room over facts."""
    groups, answers = int(group.max()) + 1, len(decided.labels)
    count = np.bincount(group * answers + decided.answer, minlength=groups * answers).reshape(groups, answers)
    room = count.min(axis=1).astype(np.float64)
    room[room < 10] = 0
    first = np.zeros(groups, dtype=np.int64)
    first[group] = np.arange(len(group))
    shares = np.zeros(groups, dtype=np.float64)
    for number, name in enumerate(TIERS):
        inside = [g for g in range(groups) if tiers[first[g]] == number and room[g] > 0]
        if not inside:
            lacking = ", ".join(
                label for a, label in enumerate(decided.labels) if not count[tiers[first] == number, a].any()
            )
            raise InputError(
                f"{rulebase.path}: tier {name}: found no profile with every answer"
                f"{f' (never: {lacking})' if lacking else ''}, expected some"
            )
        levels = sorted({int(conflicts[first[g]]) for g in inside})
        for level in levels:
            same = [g for g in inside if conflicts[first[g]] == level]
            total = sum(float(np.sqrt(room[g])) for g in same)
            for g in same:
                shares[g] = TIER_SHARES[number] / 30 / len(levels) * float(np.sqrt(room[g])) / total
    return shares


def _margins(
    rulebase: m.RuleBase, decided: Decided, broken: Mapping[str, Bools], decisive: Bools, records: Space
) -> Iterator[Margin]:
    """Yield (event, condition codes, least, greatest, relative): the share of the event in each condition is bounded.

    relative: the bounds are multiples of the share over all conditions.
    """
    answers = len(decided.labels)
    everything = np.zeros(len(records), dtype=np.int64)
    for name in records.facts:
        for code in range(len(records.cells[name])):
            if code == 0 and rulebase.facts[name].type.kind == "bool":
                continue
            even = 1 / len(records.cells[name])
            yield records.codes[name] == code, everything, 0.78 * even, 1.22 * even, False
            yield records.codes[name] == code, decided.answer, 0.95, 1.05, True
    for mask in decided.triggered.values():
        where = np.where(mask, 0, -1)
        for a in range(answers):
            yield decided.answer == a, where, 0.0, 0.52, False
    for name in exemptions(rulebase):
        where = np.where(decided.triggered[name], 0, -1)
        yield ~decided.applies[name], where, 0.46, 0.75, False
    for mask in decisive:
        yield mask, everything, 0.1, 1.0, False
    for name, least in BROKEN.items():
        yield broken[name], everything, least, 1.0, False


def _many(conflicts: Codes, decided: Decided) -> Iterator[Margin]:
    """Yield the bounds that keep many conflicts from being rare, or from going with an answer, above TOP."""
    where = np.where(conflicts >= TOP, decided.answer, -1)
    for least, share in ((TOP + 2, 0.5), (TOP + 3, 0.35), (TOP + 4, 0.2)):
        yield conflicts >= least, where, share, share + 0.1, False


def numbers(rulebase: m.RuleBase) -> tuple[int, ...]:
    """Return the rule numbers of a law base in order."""
    found = {c.rule for c in rulebase.concepts.values()} | {p.rule for p in rulebase.policies.values()}
    found |= {r.rule for r in rulebase.relations} | {rulebase.decision.rule}
    return tuple(sorted(found))


def _rake(decided: Decided, margins: list[Margin], signature: Codes, group: Codes, shares: Floats) -> Floats:
    answers = len(decided.labels)
    cell = group * answers + decided.answer
    cells = (int(group.max()) + 1) * answers
    target = np.repeat(shares / answers, answers)
    usable = shares[group] > 0
    size = np.bincount(signature, weights=usable.astype(np.float64))
    weights = usable / np.sqrt(np.maximum(size[signature], 1.0))

    def level(values: Floats) -> Floats:
        sums = np.bincount(cell, weights=values, minlength=cells)
        result: Floats = values * np.divide(target, sums, out=np.zeros(cells), where=sums > 0)[cell]
        return result

    weights = level(weights)
    codes = []
    for event, condition, least, greatest, relative in margins:
        kinds = int(condition.max()) + 1
        codes.append((np.where(condition >= 0, condition * 2 + event, 2 * kinds), kinds, least, greatest, relative))
    for _ in range(ROUNDS):
        settled = True
        for code, kinds, least, greatest, relative in codes:
            sums = np.bincount(code, weights=weights, minlength=2 * kinds + 1)
            factor = np.ones(2 * kinds + 1)
            usual = float(sums[1:-1:2].sum() / sums[:-1].sum()) if relative else 1.0
            for k in range(kinds):
                absent, present = float(sums[2 * k]), float(sums[2 * k + 1])
                if present <= 0 or absent <= 0:
                    continue
                share = present / (absent + present)
                goal = min(max(share, least * usual), greatest * usual)
                if goal != share:
                    factor[2 * k] = np.sqrt((1 - goal) / (1 - share))
                    factor[2 * k + 1] = np.sqrt(goal / share)
                    settled = settled and abs(goal - share) < 0.002
            if (factor != 1).any():
                weights = weights * factor[code]
        weights = level(weights)
        if settled:
            break
    return weights


def _pack(
    decided: Decided, conflicts: Codes, tiers: Codes, bucket: Codes, group: Codes, shares: Floats, weights: Floats
) -> tuple[dict[str, tuple[tuple[Profile, ...], tuple[int, ...]]], dict[tuple[Profile, int], tuple[Codes, Codes]]]:
    rows: dict[tuple[Profile, int], tuple[Codes, Codes]] = {}
    by_tier: dict[str, tuple[list[Profile], list[int]]] = {name: ([], []) for name in TIERS}
    order = np.argsort(group, kind="stable")
    starts = np.searchsorted(group[order], np.arange(int(group.max()) + 2))
    for g, share in enumerate(shares):
        if share <= 0:
            continue
        members = order[starts[g] : starts[g + 1]]
        one = int(members[0])
        profile = Profile(TIERS[int(tiers[one])], int(conflicts[one]), int(bucket[one]))
        for answer in range(len(decided.labels)):
            chosen = members[decided.answer[members] == answer]
            scaled = weights[chosen] / weights[chosen].max() * SCALE
            rounded = np.maximum(scaled.astype(np.int64), 1)
            rows[profile, answer] = (chosen, np.cumsum(rounded))
        profiles, sums = by_tier[profile.tier]
        profiles.append(profile)
        sums.append((sums[-1] if sums else 0) + max(1, int(share * SCALE)))
    return {name: (tuple(p), tuple(s)) for name, (p, s) in by_tier.items()}, rows
