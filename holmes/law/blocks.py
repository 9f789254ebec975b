"""Plans in blocks of thirty: drawn together, and again until even so small a sample gives no shortcut away."""

from __future__ import annotations

import functools
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from holmes.law.engine import exemptions
from holmes.law.planner import BLOCK, TIER_SHARES, TIERS, Plans, Profile
from holmes.law.space import Bools, Codes
from holmes.law.variants import Variant

TRIES = 60
TWINS = 2  # pairs a block
LEAST = {"no_priorities": 0.25, "no_exceptions": 0.25, "first_triggered": 0.25, "gravest_triggered": 0.25}
LEAST_OTHER = 0.15  # no_rebuttals, one_pass, no_negation


@dataclass(frozen=True, slots=True)
class Draw:
    """What the schedule and the draw fix for one item.

    answer: in the variant; row: of the planner's records; omit: how many facts the text should leave out.
    """

    tier: str
    answer: str
    profile: Profile
    row: int
    omit: int
    variant: int


@dataclass(frozen=True, slots=True)
class Block:
    """Thirty draws; twins: places that share a record under exchanged measures, each pointing to the other."""

    draws: tuple[Draw, ...]
    twins: Mapping[int, int]


@functools.lru_cache(maxsize=4096)
def tiers(key: str, block: int) -> tuple[str, ...]:
    """Return the tiers of a block: 8 basic, 9 medium, 9 hard, 4 very hard, shuffled."""
    slots = [name for name, share in zip(TIERS, TIER_SHARES, strict=True) for _ in range(share)]
    random.Random(f"{key}/tiers/{block}").shuffle(slots)
    return tuple(slots)


def answers(key: str, block: int, labels: Sequence[str], default: str) -> tuple[tuple[str, str], ...]:
    """Return (answer asked for, answer under the rules as written) for each place of a block.

    Both are as even as thirty items allow, the odd ones by lot; the default answer is the same in both.
    """
    rng = random.Random(f"{key}/answers/{block}")

    def even(names: Sequence[str], count: int) -> list[str]:
        each, left = divmod(count, len(names))
        return list(names) * each + rng.sample(list(names), left)

    asked = even(labels, BLOCK)
    rng.shuffle(asked)
    others = [label for label in labels if label != default]
    written = even(others, BLOCK - asked.count(default))
    rng.shuffle(written)
    return tuple((label, default if label == default else written.pop()) for label in asked)


def draw_block(plans: Plans, variants: Sequence[Variant], key: str, block: int) -> Block:
    """Draw the thirty plans of a block.

    plans, variants: of the rule base. key: rule base and seed. block: index // 30. Returns the draws; they depend on
    the arguments alone. Up to TRIES times a block with fewer faults replaces the one before it.
    """
    rng = random.Random(f"{key}/block/{block}")
    tier_names = tiers(key, block)
    pairs = answers(key, block, plans.decided.labels, plans.rulebase.decision.otherwise)
    answer_names = [asked for asked, _ in pairs]
    omit = [rng.randrange(3) for _ in range(BLOCK)]
    written = [base for _, base in pairs]
    if len(variants) == 1:
        written = answer_names
    chosen = [
        rng.choice([v.number for v in variants if v.to[base] == asked])
        for asked, base in zip(answer_names, written, strict=True)
    ]
    twins = _twins(plans, variants, tier_names, pairs, rng)
    for first, second in twins.items():
        if first < second:
            omit[second] = omit[first]
            chosen[second] = _exchange(variants, chosen[first], answer_names[first], answer_names[second])
    best: tuple[Draw, ...] = ()
    least = 1 << 30
    for _ in range(TRIES):
        drawn: list[Draw] = []
        used: set[int] = set()
        for place, (tier, answer) in enumerate(zip(tier_names, answer_names, strict=True)):
            if twins.get(place, place) < place:
                profile, row = drawn[twins[place]].profile, drawn[twins[place]].row
            else:
                for _ in range(8):
                    profile, row = plans.draw(tier, written[place], rng)
                    if row not in used:
                        break
            used.add(row)
            drawn.append(Draw(tier, answer, profile, row, omit[place], chosen[place]))
        found = faults(plans, np.array([d.row for d in drawn], dtype=np.int64), sum(a < b for a, b in twins.items()))
        if found < least:
            best, least = tuple(drawn), found
        if not found:
            break
    return Block(best, twins)


def _twins(
    plans: Plans,
    variants: Sequence[Variant],
    tier_names: Sequence[str],
    pairs: Sequence[tuple[str, str]],
    rng: random.Random,
) -> dict[int, int]:
    """Choose places of equal tier and equal answer as written whose answers asked for are different measures."""
    if len(variants) == 1:
        return {}
    default = plans.rulebase.decision.otherwise
    fit = [
        (a, b)
        for a in range(BLOCK)
        for b in range(a + 1, BLOCK)
        if tier_names[a] == tier_names[b] and pairs[a][1] == pairs[b][1] != default and pairs[a][0] != pairs[b][0]
    ]
    rng.shuffle(fit)
    twins: dict[int, int] = {}
    for a, b in fit:
        if len(twins) < 2 * TWINS and a not in twins and b not in twins:
            twins |= {a: b, b: a}
    return twins


def _exchange(variants: Sequence[Variant], number: int, one: str, other: str) -> int:
    """Return the variant that differs from variant `number` by exchanging two of its measures."""
    swap = {one: other, other: one}
    wanted = {written: swap.get(here, here) for written, here in variants[number].to.items()}
    return next(v.number for v in variants if v.to == wanted)


def faults(plans: Plans, rows: Codes, twins: int = 0) -> int:
    """Count in how many ways a small sample of rows gives something away (gates 3 and 4 on the sample itself)."""
    size, decided = len(rows), plans.decided
    labels = len(decided.labels)
    answer = decided.answer[rows]
    count = size - twins - len(np.unique(rows))
    count += max(0, -(-size * 3 // 5) - len(np.unique(plans.signature[rows])))
    for name, wrong in plans.broken.items():
        count += max(0, int(np.ceil(LEAST.get(name, LEAST_OTHER) * size)) - int(wrong[rows].sum()))
    for mask in decided.triggered.values():
        seen = answer[mask[rows]]
        if len(seen) >= 10:
            count += bool(np.bincount(seen, minlength=labels).max() > 0.78 * len(seen))
    for name in exemptions(plans.rulebase):
        there = decided.triggered[name][rows]
        total = int(there.sum())
        count += total > 0 and int((there & ~decided.applies[name][rows]).sum()) * 10 < 3 * total
    count += int((~plans.decisive[:, rows].any(axis=1)).sum())
    for name in plans.records.facts:
        for code in range(len(plans.records.cells[name])):
            share: Bools = plans.records.codes[name][rows] == code
            kinds = len(plans.records.cells[name])
            count += int(share.sum()) * kinds < 0.54 * size
    return count
