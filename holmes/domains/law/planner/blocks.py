"""Plans in blocks of thirty: drawn together, and again until even so small a sample gives no shortcut away."""

from __future__ import annotations

import functools
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from holmes.domains.law.planner.block_checks import Checks
from holmes.domains.law.planner.plans import BLOCK, TIER_SHARES, TIERS, Plans, Profile
from holmes.domains.law.planner.variants import Variant
from holmes.logic.engine.record_space import Codes

TRIES = 400
REDRAWN = 4  # places drawn anew at a time
LOTS = 4  # lots of records; block b draws from lot b % LOTS
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
    contrast_pairs: Mapping[int, int]


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


def draw_block(
    plans: Plans,
    checks: Checks,
    variants: Sequence[Variant],
    key: str,
    block: int,
    banned: frozenset[int] = frozenset(),
) -> Block:
    """Draw the thirty plans of a block.

    plans, checks, variants: of the rule base. key: rule base and seed. block: index // 30. banned: rows not to use.
    A few places are drawn anew, and kept if that leaves no more faults, until none is left (or TRIES times).
    Returns the draws; they depend on the arguments alone.
    """
    rng = random.Random(f"{key}/block/{block}")
    tier_names = tiers(key, block)
    pairs = answers(key, block, plans.decided.labels, plans.rulebase.decision.otherwise)
    asked = [answer for answer, _ in pairs]
    written = asked if len(variants) == 1 else [base for _, base in pairs]
    omit = [rng.randrange(3) for _ in range(BLOCK)]
    chosen = [
        rng.choice([v.number for v in variants if v.to[base] == answer])
        for answer, base in zip(asked, written, strict=True)
    ]
    contrast_pairs = _contrast_pairs(plans, variants, tier_names, pairs, rng)
    followers = {max(a, b): min(a, b) for a, b in contrast_pairs.items()}
    for place, first in followers.items():
        omit[place] = omit[first]
        chosen[place] = _exchange(variants, chosen[first], asked[first], asked[place])
    free = [place for place in range(BLOCK) if place not in followers]

    def draw(place: int) -> tuple[Profile, int]:
        for _ in range(LOTS * 8):  # blocks in a row draw from different lots of the records, so that none comes twice
            found = plans.draw(tier_names[place], written[place], rng)
            if found[1] % LOTS == block % LOTS:
                break
        return found

    drawn = {place: draw(place) for place in free}

    def rows(now: Mapping[int, tuple[Profile, int]]) -> Codes:
        return np.array([now[followers.get(place, place)][1] for place in range(BLOCK)], dtype=np.int64)

    def faults(now: Mapping[int, tuple[Profile, int]]) -> int:
        return checks.faults(rows(now), len(followers)) + 3 * sum(row in banned for _, row in now.values())

    least = faults(drawn)
    for _ in range(TRIES):
        if not least:
            break
        places = rng.sample(free, REDRAWN)
        other = drawn | {place: draw(place) for place in places}
        found = faults(other)
        if found <= least:
            drawn, least = other, found
    return Block(
        tuple(
            Draw(tier_names[place], asked[place], *drawn[followers.get(place, place)], omit[place], chosen[place])
            for place in range(BLOCK)
        ),
        contrast_pairs,
    )


def _contrast_pairs(
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
    contrast_pairs: dict[int, int] = {}
    for a, b in fit:
        if len(contrast_pairs) < 2 * TWINS and a not in contrast_pairs and b not in contrast_pairs:
            contrast_pairs |= {a: b, b: a}
    return contrast_pairs


def _exchange(variants: Sequence[Variant], number: int, one: str, other: str) -> int:
    """Return the variant that differs from variant `number` by exchanging two of its measures."""
    swap = {one: other, other: one}
    wanted = {written: swap.get(here, here) for written, here in variants[number].to.items()}
    return next(v.number for v in variants if v.to == wanted)
