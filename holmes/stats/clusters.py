"""Intervals where cases come in clusters (rule bases, statutes, counterfactual families) that are alike within."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence

import numpy as np
from scipy.stats import t

from holmes.errors import InputError
from holmes.stats.bootstrap import REPLICATES
from holmes.stats.intervals import Estimate, undefined

METHOD = "cluster-bootstrap"
_FEW = 20  # below this many clusters a bootstrap of them is known to be too narrow


def cluster_bootstrap(
    values: Sequence[float],
    clusters: Sequence[Hashable],
    *,
    replicates: int = REPLICATES,
    seed: int = 0,
    level: float = 0.95,
) -> Estimate:
    """Return the mean of per-case values with the interval of a bootstrap that draws whole clusters.

    values: one finite number a case (generations averaged). clusters: which cluster each case belongs to.
    replicates: B, at least 1. seed: of the generator. level: coverage. The estimand is that of new clusters: the mean
    over cases, Σ sums / Σ sizes. Percentiles are stretched about the mean by √(G/(G−1)) · t/z, since G clusters
    estimate their own spread; with one cluster there is no interval.
    Returns the Estimate; its note names the number of clusters where it is small. Raises InputError where the lengths
    differ or a value is not finite.
    """
    if len(values) != len(clusters):
        raise InputError(
            f"cluster bootstrap: found {len(clusters)} clusters for {len(values)} values, expected as many"
        )
    if not len(values):
        return undefined(METHOD, level)
    data = np.asarray(values, dtype=float)
    if not np.isfinite(data).all():
        raise InputError("cluster bootstrap: found a value that is not finite, expected a number a case")
    names = {name: place for place, name in enumerate(dict.fromkeys(clusters))}
    own = np.array([names[name] for name in clusters])
    sums, sizes = np.bincount(own, weights=data), np.bincount(own).astype(float)
    number, value = len(names), float(data.mean())
    if number < 2:
        return Estimate(value, None, None, len(data), len(data), METHOD, level, "one cluster: no interval")
    generator = np.random.default_rng(seed)
    drawn = generator.multinomial(number, np.full(number, 1 / number), size=replicates)
    means = (drawn @ sums) / (drawn @ sizes)
    edge = (1 - level) / 2
    low, high = np.quantile(means, [edge, 1 - edge])
    stretch = math.sqrt(number / (number - 1)) * float(t.ppf(1 - edge, number - 1)) / float(t.ppf(1 - edge, 10**6))
    note = f"{number} clusters" + (": few, so the interval is rough" if number < _FEW else "")
    low, high = value - (value - low) * stretch, value + (high - value) * stretch
    if np.abs(data).max() <= 1:  # shares, or differences of shares
        low, high = max(0.0 if data.min() >= 0 else -1.0, low), min(1.0, high)
    return Estimate(value, float(low), float(high), len(data), len(data), METHOD, level, note)
