"""Checks of what statistics are computed from: rows of finite numbers, rows of classes."""

from __future__ import annotations

import math
import numbers
from collections.abc import Iterable, Sequence

from holmes.errors import InputError


def check_rows(rows: Iterable[tuple[object, Sequence[float]]], what: str) -> None:
    """Check rows of scores, one a case.

    rows: (case id or place, its scores). what: named in messages. Raises InputError naming case, found, expected for a
    row that is no list, an empty row, or an entry that is no finite number: NaN would pass every comparison unseen.
    """
    for case, row in rows:
        where = f"{what}: case {case!r}"
        if isinstance(row, str | bytes) or not hasattr(row, "__len__"):
            raise InputError(f"{where}: found {row!r:.40}, expected a list of numbers")
        if not len(row):
            raise InputError(f"{where}: found no output, expected at least one (a failed one scores 0)")
        for value in row:
            if not isinstance(value, numbers.Real) or not math.isfinite(value):
                raise InputError(f"{where}: found {value!r:.40}, expected a finite number")


def check_classes(rows: Iterable[tuple[object, Sequence[str | None]]], what: str) -> None:
    """Check rows of classes, one a case; raises InputError for a text where a list is expected, or an entry of another
    type than text or None."""
    for case, row in rows:
        where = f"{what}: case {case!r}"
        if isinstance(row, str | bytes) or not hasattr(row, "__len__"):
            raise InputError(f"{where}: found {row!r:.40}, expected a list of classes")
        for value in row:
            if value is not None and not isinstance(value, str):
                raise InputError(f"{where}: found {value!r:.40}, expected a class or None")
