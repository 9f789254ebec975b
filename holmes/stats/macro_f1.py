"""Macro-F1 of two classes with abstention as the opposite class (DeonticBench B.3)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from holmes.errors import InputError
from holmes.stats.bootstrap import REPLICATES, Floats, Interval, bootstrap
from holmes.stats.checks import check_classes


def macro_f1(
    golds: Sequence[str],
    outputs: Sequence[Sequence[str | None]],
    classes: tuple[str, str],
    *,
    absent: str = "omit",
    replicates: int = REPLICATES,
    seed: int = 0,
) -> Interval:
    """Return macro-F1 over N cases with K outputs each, and its two-level bootstrap interval.

    golds: one class a case. outputs: the classes read, one row a case; None, or anything that is no class, is an
    abstention and counts as the class that the gold is not. classes: the two. absent: what a class is worth that
    neither the golds nor the predictions of a sample hold: "omit" leaves it out of the mean (so that a flawless sample
    of one class scores 1), "zero" counts 0 for it (``compat="deontic-2026"``: the paper's formula, 0/0 taken as 0).
    If every output abstains the score is 0. Returns the Interval. Raises InputError for another gold or option.
    Source: DeonticBench B.3.
    """
    if absent not in ("omit", "zero"):
        raise InputError(f"option absent: found {absent!r}, expected omit or zero")
    check_classes([("golds", golds)], "macro-F1")
    if len(set(classes)) != 2 or isinstance(classes, str):
        raise InputError(f"macro-F1: classes: found {classes!r:.40}, expected two")
    if len(golds) != len(outputs):
        raise InputError(f"macro-F1: found {len(outputs)} rows of outputs for {len(golds)} golds, expected as many")
    check_classes(enumerate(outputs), "macro-F1")
    codes = [[_code(gold, output, classes, place) for output in row]
             for place, (gold, row) in enumerate(zip(golds, outputs, strict=True))]  # fmt: skip
    return bootstrap(codes, partial(_macro, omit=absent == "omit"), replicates=replicates, seed=seed)


def _code(gold: str, output: str | None, classes: tuple[str, str], place: int) -> float:
    """2 × gold class + predicted class."""
    if gold not in classes:
        raise InputError(f"macro-F1: case {place}: field gold: found {gold!r}, expected {' or '.join(classes)}")
    truth = classes.index(gold)
    predicted = classes.index(output) if output in classes else 1 - truth
    return 2.0 * truth + predicted


def _macro(values: Floats, frequencies: Floats, omit: bool) -> Floats:
    """Macro-F1 of each row of confusion frequencies."""
    table = np.zeros((len(frequencies), 4))
    table[:, values.astype(int)] = frequencies
    tn, fp, fn, tp = table.T
    scores, present = [], []
    for hits in (tp, tn):
        total = 2 * hits + fp + fn
        present.append(total > 0)
        scores.append(np.divide(2 * hits, total, out=np.zeros_like(total), where=total > 0))
    number = np.sum(present, axis=0) if omit else np.full(len(frequencies), 2)
    return np.asarray(np.sum(scores, axis=0) / np.maximum(number, 1), dtype=np.float64)
