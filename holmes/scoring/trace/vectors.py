"""All strings of a run embedded once, and similarities that do not depend on where a string stands."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from holmes.scoring.trace.encoder import Encoder, Progress

Matrix = NDArray[np.float64]
_DECIMALS = 12  # far above the last bits in which two orders of summation differ, far below any real difference


class Embedded:
    """The vectors of a set of texts, each embedded exactly once, in float64."""

    def __init__(self, encoder: Encoder, texts: Iterable[str], progress: Progress | None = None) -> None:
        """Embed the unique texts in sorted order, so that no input order can matter."""
        self._texts = sorted(set(texts))
        self._place = {text: i for i, text in enumerate(self._texts)}
        rows = encoder.encode(self._texts, progress) if self._texts else np.zeros((0, 1), dtype=np.float32)
        self._rows: Matrix = unit_rows(np.asarray(rows, dtype=np.float64))

    def similarity(self, left: Sequence[str], right: Sequence[str]) -> Matrix:
        """Return the cosine similarities, shape (len(left), len(right)); equal pairs of strings give equal values."""
        lefts, rights = sorted(set(left)), sorted(set(right))
        if not lefts or not rights:
            return np.zeros((len(left), len(right)), dtype=np.float64)
        table = self._rows[[self._place[t] for t in lefts]] @ self._rows[[self._place[t] for t in rights]].T
        table = rounded(table)
        row = {text: i for i, text in enumerate(lefts)}
        column = {text: i for i, text in enumerate(rights)}
        picked: Matrix = table[np.ix_([row[t] for t in left], [column[t] for t in right])]
        return picked


def unit_rows(rows: Matrix) -> Matrix:
    """Return the rows scaled to length 1; a zero row stays zero."""
    lengths: Matrix = np.linalg.norm(rows, axis=-1, keepdims=True)
    scaled: Matrix = rows / np.where(lengths > 0, lengths, 1.0)
    return scaled


def rounded(table: Matrix) -> Matrix:
    """Return similarities rounded to 12 decimals and clipped to [-1, 1], so that a string equals itself exactly."""
    result: Matrix = np.clip(np.round(table, _DECIMALS), -1.0, 1.0)
    return result
