"""SA-P, SA-R and SA-F1: how well the steps of one trace are covered by the steps of another, by cosine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from holmes.errors import InputError
from holmes.scoring.trace.srmr import harmonic
from holmes.scoring.trace.vectors import Matrix


@dataclass(frozen=True, slots=True)
class Alignment:
    """Mean best cosine of the model's steps (precision), of the gold steps (recall), and their harmonic mean."""

    precision: float
    recall: float
    f1: float


@dataclass(frozen=True, slots=True)
class FamilyAlignment:
    """Alignment with a family of references: each figure's own maximum, and the reference of the best F1."""

    precision: float
    recall: float
    f1: float
    coherent: Alignment


NOTHING = Alignment(0.0, 0.0, 0.0)


def align(similarity: Matrix) -> Alignment:
    """Align one trace with one reference.

    similarity: cosines in [-1, 1], shape (model steps, gold steps). Returns raw means in [-1, 1]; 0 where a side has
    no step. This is what both papers print ("ROSCOE" in HOLMES, SA-P in HOLogicBench 4.1); the real suite's
    reasoning_alignment is (1 + precision) / 2. Raises InputError for a similarity that is no number.
    """
    if not similarity.size:
        return NOTHING
    if not np.isfinite(similarity).all():
        raise InputError("alignment: similarity: found NaN or an infinity, expected cosines")
    precision = float(similarity.max(axis=1).mean())
    recall = float(similarity.max(axis=0).mean())
    return Alignment(precision, recall, harmonic(precision, recall))


def align_family(similarities: Sequence[Matrix]) -> FamilyAlignment:
    """Align one trace with every reference of a family; the order of the references is irrelevant.

    Returns for precision, recall and F1 the maximum, taken for each by itself (HOLogicBench 4.1), and the coherent
    variant: precision and recall of the one reference with the best F1. No reference gives 0.
    """
    each = [align(s) for s in similarities] or [NOTHING]
    best = max(each, key=lambda a: (a.f1, a.precision, a.recall))
    return FamilyAlignment(max(a.precision for a in each), max(a.recall for a in each), max(a.f1 for a in each), best)
