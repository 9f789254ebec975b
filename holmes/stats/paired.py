"""A paired test of two systems, and the interval that inverts it, so that the two never contradict each other."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.stats import binom, norm

Floats = NDArray[np.float64]
_EXACT = 14  # up to this many differing cases all sign patterns are counted
_BLOCK = 1 << 20  # signs held at once: memory stays bounded whatever n is
_FEW = 64  # distinct differences up to which signs are drawn by their number, not case by case


@dataclass(frozen=True, slots=True)
class SignFlip:
    """A two-sided sign-flip test of per-case differences, and the shifts that it does not reject.

    p: of no difference. low, high: ends of {δ : p(δ) > 1 − level}. note: what a reader must be told.
    """

    p: float
    low: float
    high: float
    note: str = ""


def sign_flip(differences: Sequence[float], *, flips: int = 10_000, seed: int = 0, level: float = 0.95) -> SignFlip:
    """Test whether per-case differences centre on zero, and invert the test.

    differences: one finite number a case, a − b of case means. flips: sign patterns drawn. seed: of the generator.
    level: coverage. p(δ) is the share of sign patterns s with |Σ sᵢ(dᵢ − δ)| ≥ |Σ (dᵢ − δ)|, the observed pattern
    among them; where few cases differ, all patterns of these are counted, so p is exact. With A = Σ sᵢdᵢ and B = Σ sᵢ a
    pattern counts for δ between (D − A)/(n − B) and (D + A)/(n + B), D = Σ dᵢ: the ends of the interval are order
    statistics of these, from the very patterns that give p. So p ≤ 1 − level exactly where the interval leaves out 0.
    Returns the SignFlip. No differing case: p = 1, and the interval is what n cases without one can still hide. All
    cases differing alike: the test inverts to a point, and the interval is widened by the same, on either side.
    """
    d = np.asarray(differences, dtype=float)
    n, alpha = len(d), 1 - level
    if n == 0:
        return SignFlip(1.0, math.nan, math.nan, "no case in common")
    moved = np.abs(d) > 1e-12
    if not moved.any():
        hidden = 1 - (alpha / 2) ** (1 / n)
        return SignFlip(
            1.0, -hidden, hidden, f"no case differs: {n} cases cannot exclude up to {hidden:.3f} either way"
        )
    if d.sum() < 0:  # one orientation, so that swapping the systems changes nothing but the sign
        turned = sign_flip(list(-d), flips=flips, seed=seed, level=level)
        return SignFlip(turned.p, -turned.high, -turned.low, turned.note)
    sums, signs, exact = _patterns(d, moved, flips, np.random.default_rng(seed))
    total = float(d.sum())
    counted = 0 if exact else 1  # drawn patterns count the observed one too, so that p is never 0
    size = len(sums) + counted
    p = float((np.abs(sums) >= abs(total) - 1e-9).sum() + counted) / size
    with np.errstate(divide="ignore", invalid="ignore"):
        one = np.where(n - signs > 0, (total - sums) / (n - signs), -np.inf)
        two = np.where(n + signs > 0, (total + sums) / (n + signs), np.inf)
    # a pattern of all +1 (or all −1) reaches every δ
    whole = (n - signs <= 0) | (n + signs <= 0)
    lows = np.where(whole, -np.inf, np.minimum(one, two))
    highs = np.where(whole, np.inf, np.maximum(one, two))
    # δ is kept where counted + #{reaching δ} > α·size: the (k+1)th pattern in order is the last that δ may lose
    keep = math.floor(alpha * size + 1e-9) - counted
    centre = total / n
    low = float(np.partition(lows, keep)[keep]) if 0 <= keep < len(lows) else centre
    high = float(-np.partition(-highs, keep)[keep]) if 0 <= keep < len(highs) else centre
    note = f"only {int(moved.sum())} of {n} cases differ" if moved.sum() < 6 else ""
    if np.ptp(d) < 1e-12:
        hidden = 1 - (alpha / 2) ** (1 / n)
        low, high = min(low, centre * (1 - 2 * hidden)), max(high, centre + 2 * hidden)
        note = "; ".join(filter(None, (note, f"all {n} cases differ alike: other ones cannot be excluded")))
    bound = 1.0 if np.abs(d).max() <= 1 else math.inf
    low, high = max(low, -bound), min(high, bound)
    # the same counts decide both; the ends are moved off 0 by less than rounding where the test says so
    if p <= alpha and low <= 0 <= high:
        low = math.ulp(0.0)
    elif p > alpha:
        low, high = min(low, 0.0), max(high, 0.0)
    return SignFlip(p, low, high, note)


def _patterns(
    d: Floats, moved: NDArray[np.bool_], flips: int, generator: np.random.Generator
) -> tuple[Floats, Floats, bool]:
    """Σ sᵢdᵢ and Σ sᵢ of each sign pattern, and whether the differing cases run through all of theirs."""
    few = d[moved]
    still = int((~moved).sum())
    if len(few) <= _EXACT:
        codes = np.arange(2 ** len(few))[:, np.newaxis] >> np.arange(len(few)) & 1
        signs = 2.0 * codes - 1
        copies = max(1, flips // len(signs))
        sums, own = np.tile(signs @ few, copies), np.tile(signs.sum(axis=1), copies)
        rest = 2.0 * generator.binomial(still, 0.5, size=len(sums)) - still
        rest[len(signs) - 1] = still  # the observed pattern: every sign +1
        return sums, own + rest, True
    values, counts = np.unique(d, return_counts=True)
    if len(values) <= _FEW:
        drawn = 2.0 * generator.binomial(counts, 0.5, size=(flips, len(values))) - counts
        return drawn @ values, drawn.sum(axis=1), False
    sums, own = np.empty(flips), np.empty(flips)
    step = max(1, _BLOCK // len(d))
    for start in range(0, flips, step):
        block = generator.integers(0, 2, size=(min(step, flips - start), len(d)), dtype=np.int8) * 2.0 - 1
        sums[start : start + len(block)], own[start : start + len(block)] = block @ d, block.sum(axis=1)
    return sums, own, False


@dataclass(frozen=True, slots=True)
class McNemar:
    """McNemar's test of two systems with one right-or-wrong generation a case.

    only_a, only_b: cases that only one has right. p: exact, two-sided. mid_p: the mid-p variant, less conservative.
    """

    only_a: int
    only_b: int
    p: float
    mid_p: float


def mcnemar(only_a: int, only_b: int) -> McNemar:
    """Test whether two systems are right equally often, from the cases that only one of them has right.

    only_a, only_b: counts, at least 0; none at all give p = 1. Source: McNemar 1947; Fagerland et al. 2013 (mid-p).
    """
    n, least = only_a + only_b, min(only_a, only_b)
    if n == 0:
        return McNemar(0, 0, 1.0, 1.0)
    tail, here = float(binom.cdf(least, n, 0.5)), float(binom.pmf(least, n, 0.5))
    p = min(1.0, 2 * tail)
    mid = 1.0 - here if only_a == only_b else 2 * tail - here
    return McNemar(only_a, only_b, p, mid)


def detectable(cases: int, spread: float, *, alpha: float = 0.05, power: float = 0.8) -> float | None:
    """Return the least true difference that a paired comparison finds with the given power.

    cases: N. spread: standard deviation of the per-case differences, in points of the score; for single right-or-wrong
    generations the root of the share of differing cases. alpha: two-sided level. power: chance to find it.
    Returns None where it cannot be told (no cases, or no case differs). Normal approximation.
    """
    if cases < 1 or spread <= 0:
        return None
    return float(norm.ppf(1 - alpha / 2) + norm.ppf(power)) * spread / math.sqrt(cases)


def holm(p_values: Sequence[float]) -> list[float]:
    """Return Holm's adjusted p of each of several tests, in their order. Source: Holm 1979."""
    order = sorted(range(len(p_values)), key=lambda i: p_values[i])
    adjusted = [0.0] * len(p_values)
    highest = 0.0
    for rank, place in enumerate(order):
        highest = max(highest, min(1.0, (len(p_values) - rank) * p_values[place]))
        adjusted[place] = highest
    return adjusted
