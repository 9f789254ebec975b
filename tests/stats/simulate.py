"""Simulated models of known accuracy, shared by the coverage tests and the benchmark."""

from __future__ import annotations

import numpy as np

NUMBERS = (20, 35, 50, 100, 300, 1079)
SHARES = (0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99)
MODELS = {"K = 1": (1, None), "K = 4, alike": (4, 0.2), "K = 4, mixed": (4, 1.0), "K = 4, free": (4, None)}
"""Generations a case, and how much of the accuracy lies in the case: Beta(ps, (1-p)s) a case; None: none of it."""


def outputs(generator, n: int, p: float, k: int, sameness: float | None) -> np.ndarray:
    """Return an n × k table of right (1) and wrong (0) of a model whose accuracy over all cases is p."""
    chance = np.full(n, p) if sameness is None else generator.beta(p * sameness, (1 - p) * sameness, n)
    return (generator.random((n, k)) < chance[:, np.newaxis]).astype(float)


def tables(generator, n: int, p: float, k: int, sameness: float | None, share: float) -> np.ndarray:
    """Return n rows of shares of true negatives, false positives, false negatives, true positives."""
    right = outputs(generator, n, p, k, sameness).mean(axis=1)
    yes = generator.random(n) < share
    return np.stack([~yes * right, ~yes * (1 - right), yes * (1 - right), yes * right], axis=1)


def true_macro_f1(p: float, share: float) -> float:
    """Return macro-F1 of a model of accuracy p where a share of the golds is affirming."""
    cells = (1 - share) * p, (1 - share) * (1 - p), share * (1 - p), share * p
    tn, fp, fn, tp = cells
    return (2 * tp / (2 * tp + fp + fn) + 2 * tn / (2 * tn + fp + fn)) / 2


def true_ratio(p: float) -> float:
    """Return the pooled share that `pairs` has in the long run."""
    return p


def pairs(generator, n: int, p: float, k: int) -> tuple[np.ndarray, np.ndarray]:
    """Return numerators and denominators of a share: of k things a case, those that count, and those of them right."""
    below = generator.binomial(k, 0.6, n).astype(float)
    return generator.binomial(below.astype(int), p).astype(float), below
