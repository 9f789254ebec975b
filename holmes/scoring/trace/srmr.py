"""SRMR, the Step Result Matching Rate (HOLMES, appendix B): steps matched by meaning, then checked by result."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

import numpy as np

from holmes.errors import InputError
from holmes.reading.step_results import Result, ResultKind
from holmes.reading.steps import TraceStep
from holmes.scoring.trace.vectors import Matrix

TAU = 0.45
TOLERANCE = Fraction(1, 100)
Matching = Literal["greedy", "optimal"]
Results = Literal["strict", "authors"]


@dataclass(frozen=True, slots=True)
class Srmr:
    """Precision, recall and F1 in [0, 1], and the matched pairs (model step, gold step, result right)."""

    precision: float
    recall: float
    f1: float
    pairs: tuple[tuple[int, int, bool], ...] = ()

    @property
    def order(self) -> tuple[float, float, float]:
        """Return the key by which the best of several references is chosen."""
        return (self.f1, self.precision, self.recall)


def srmr(
    model: Sequence[TraceStep],
    gold: Sequence[TraceStep],
    similarity: Matrix,
    *,
    tau: float = TAU,
    matching: Matching = "greedy",
    results: Results = "strict",
) -> Srmr:
    """Score one trace against one gold trace.

    similarity: cosines of the descriptions, shape (len(model), len(gold)). tau: least cosine of a match, in [-1, 1].
    matching: "greedy", the paper's, in the order of the model's steps; or "optimal", one-to-one with the greatest
    total similarity. results: "strict" compares typed results; "authors" compares as their release does.
    Returns the score; no model step or no gold step scores 0. Raises InputError for an unknown option, another shape,
    or a similarity that is no number.
    Source: HOLMES, appendix B, equations 8 and 9.
    """
    if similarity.shape != (len(model), len(gold)):
        raise InputError(f"srmr: similarity: found shape {similarity.shape}, expected {(len(model), len(gold))}")
    if not np.isfinite(similarity).all():
        raise InputError("srmr: similarity: found NaN or an infinity, expected cosines")
    if not -1.0 <= tau <= 1.0:
        raise InputError(f"srmr: tau: found {tau}, expected a cosine in [-1, 1]")
    same = _comparison(results)
    if matching == "greedy":
        pairs = greedy(similarity, tau)
    elif matching == "optimal":
        right = np.array([[same(m.result, g.result) for g in gold] for m in model], dtype=bool)
        pairs = optimal(similarity, tau, right.reshape(similarity.shape))
    else:
        raise InputError(f"srmr: matching: found {matching!r}, expected greedy or optimal")
    checked = tuple((i, j, same(model[i].result, gold[j].result)) for i, j in pairs)
    correct = sum(ok for _, _, ok in checked)
    precision = correct / len(model) if model else 0.0
    recall = correct / len(gold) if gold else 0.0
    return Srmr(precision, recall, harmonic(precision, recall), checked)


def greedy(similarity: Matrix, tau: float = TAU) -> list[tuple[int, int]]:
    """Match each model step in order to the most similar gold step still free, if at least tau.

    The lowest gold index wins ties. A match is made before any result is looked at: a wrong result consumes it.
    """
    free = np.ones(similarity.shape[1], dtype=bool)
    pairs: list[tuple[int, int]] = []
    for i in range(similarity.shape[0]):
        if not free.any():
            break
        j = int(np.argmax(np.where(free, similarity[i], -np.inf)))
        if similarity[i, j] >= tau:
            free[j] = False
            pairs.append((i, j))
    return pairs


def optimal(similarity: Matrix, tau: float, right: Matrix | np.ndarray) -> list[tuple[int, int]]:
    """Match one to one with the greatest total similarity over pairs of at least tau; right results settle ties."""
    if not similarity.size:
        return []
    from scipy.optimize import linear_sum_assignment

    allowed = similarity >= tau
    # Similarity is at most 1; +2 makes every allowed pair worth more than none, 1e-9 only breaks ties.
    worth = np.where(allowed, similarity + 2.0 + 1e-9 * right, 0.0)
    rows, columns = linear_sum_assignment(worth, maximize=True)
    return [(int(i), int(j)) for i, j in zip(rows, columns, strict=True) if allowed[i, j]]


def same_result(model: Result, gold: Result) -> bool:
    """Compare typed results: booleans and labels exactly, numbers within 1 % of the gold value and in one unit."""
    if model.kind is not gold.kind:
        return False
    if model.kind is not ResultKind.NUMBER or model.number is None or gold.number is None:
        return model.value == gold.value
    if model.unit and gold.unit and model.unit != gold.unit:
        return False
    return abs(model.number - gold.number) <= TOLERANCE * abs(gold.number)


def authors_result(model: Result, gold: Result) -> bool:
    """Compare as the authors' release does: PASS/FAIL words, else floats within 1 %, else equal text.

    Kept with its oddities: "NaN" matches every number, 1 equals PASS, "RMB 1300" and "Passed" match nothing else.
    """
    left, right = _authors_value(model), _authors_value(gold)
    if left in _AUTHORS_TRUTH and right in _AUTHORS_TRUTH:
        return _AUTHORS_TRUTH[left] == _AUTHORS_TRUTH[right]
    try:
        found, expected = float(left), float(right)
    except ValueError:
        return bool(left) and left == right
    if math.isnan(found) or math.isnan(expected):
        return True
    return not abs(found - expected) > 0.01 * abs(expected)


_AUTHORS_TRUTH = {"PASS": True, "TRUE": True, "1": True, "FAIL": False, "FALSE": False, "0": False}


def _authors_value(result: Result) -> str:
    if not result.raw and result.kind is ResultKind.BOOLEAN:
        return "PASS" if result.value == "true" else "FAIL"
    return result.raw.strip().rstrip(".").strip().upper()


def _comparison(results: str) -> Callable[[Result, Result], bool]:
    if results == "strict":
        return same_result
    if results == "authors":
        return authors_result
    raise InputError(f"srmr: results: found {results!r}, expected strict or authors")


def harmonic(precision: float, recall: float) -> float:
    """Return the harmonic mean, 0 when both are 0 or their sum is not positive."""
    return 2 * precision * recall / (precision + recall) if precision + recall > 0 else 0.0
