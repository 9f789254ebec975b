"""Scores over counterfactual families (HOLogicBench 4.4): O-Acc, CF-Acc, CRS, Ctrl-Fail, All-3, with intervals."""

from __future__ import annotations

import functools
import itertools
import json
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from holmes.cases import Case
from holmes.registry import domain_of
from holmes.results import Score
from holmes.stats import Interval, bootstrap
from holmes.stats.bootstrap import Floats

METRICS = ("o_acc", "cf_acc", "crs", "ctrl_fail", "all_3")
Row = Sequence[Any]  # [family, role, value of each output, prediction of each output or None]


def family_row(case: Case, scores: Sequence[Score]) -> list[Any]:
    """Return what the family metrics need of one case: family, role, values and predictions of its K outputs."""
    return [case.pair.family, case.pair.role, [s.value for s in scores], [prediction(case, s) for s in scores]]


def type_of(case: Case) -> str:
    """Return the operation type that the family of a row stands for (its tag ``type PR``); empty for others."""
    return next((tag.removeprefix("type ") for tag in case.tags if tag.startswith("type ")), "")


def prediction(case: Case, score: Score) -> str | None:
    """Return what an output answers, written the same for the same answer; None where it has no usable answer."""
    if not score.outcome.answered or score.answer is None:
        return None
    return domain_of(case).answer_kind(case).canonical(case, score.answer)


def interval(name: str, rows: Sequence[Row]) -> Interval:
    """Return one metric over families, with its bootstrap interval over families and outputs.

    name: one of METRICS. rows: `family_row` of each case, in any order. Families that lack a member that the metric
    needs (a run with a limit) are left out of it; `cases` tells how many families count.
    With K outputs, a family counts all combinations of an output of each of its members alike.

    o_acc, cf_acc: accuracy on originals, on decisive members. crs: that on decisive members given that the original is
    right; undefined (nan) where no original is right, never 0. ctrl_fail: share of controls whose prediction differs
    from the original's, or that have none. all_3: share of families right in all three members. Over no family each is
    undefined (nan), never 0.
    """
    return _interval(name, json.dumps(rows))


@functools.lru_cache(maxsize=16)
def _interval(name: str, rows: str) -> Interval:
    roles, code, statistic = _DEFINITIONS[name]
    families: dict[str, dict[str, tuple[list[float], list[str | None]]]] = {}
    for family, role, values, predictions in json.loads(rows):
        families.setdefault(family, {})[role] = (values, predictions)
    outputs = []
    for members in families.values():
        if all(role in members for role in roles):
            draws = [list(zip(*members[role], strict=True)) for role in roles]
            outputs.append([code(*combination) for combination in itertools.product(*draws)])
    if not outputs:  # a run with a limit may hold no whole family
        return Interval(math.nan, math.nan, math.nan, math.nan, 0, 0, 0)
    return bootstrap(outputs, statistic)


_Output = tuple[float, "str | None"]


def _right(*members: _Output) -> float:
    return float(all(value == 1 for value, _ in members))


def _failed(original: _Output, control: _Output) -> float:
    return float(control[1] is None or control[1] != original[1])


def _response(original: _Output, decisive: _Output) -> float:
    """0: the original is wrong; 1: it is right and the decisive member is not; 2: both are."""
    return _right(original) * (1 + _right(decisive))


def _sensitivity(values: Floats, frequencies: Floats) -> Floats:
    """Return the share of twos among ones and twos; nan where there are neither."""
    both = frequencies @ (values == 2)
    right = frequencies @ (values >= 1)
    shares: Floats = np.divide(both, right, out=np.full(len(both), math.nan), where=right > 0)
    return shares


_Statistic = Callable[[Floats, Floats], Floats]
_DEFINITIONS: dict[str, tuple[tuple[str, ...], Callable[..., float], _Statistic | None]] = {
    "o_acc": (("original",), _right, None),
    "cf_acc": (("decisive",), _right, None),
    "crs": (("original", "decisive"), _response, _sensitivity),
    "ctrl_fail": (("original", "control"), _failed, None),
    "all_3": (("original", "decisive", "control"), _right, None),
}


def crs_families(rows: Sequence[Row]) -> float:
    """Return the number of families with a right original, on which crs rests (parts of one where K is above 1)."""
    return sum(sum(values) / len(values) for _, role, values, _ in rows if role == "original")


def _end(name: str, end: str, rows: Sequence[Row]) -> float:
    found: float = getattr(interval(name, rows), end)
    return found


def _ends(name: str) -> tuple[Callable[[Sequence[Row]], float], ...]:
    """Return the aggregations of a metric: its value, and the ends of its 95 % interval."""
    return tuple(functools.partial(_end, name, end) for end in ("value", "low", "high"))


o_acc, o_acc_ci_lo, o_acc_ci_hi = _ends("o_acc")
cf_acc, cf_acc_ci_lo, cf_acc_ci_hi = _ends("cf_acc")
crs, crs_ci_lo, crs_ci_hi = _ends("crs")
ctrl_fail, ctrl_fail_ci_lo, ctrl_fail_ci_hi = _ends("ctrl_fail")
all_3, all_3_ci_lo, all_3_ci_hi = _ends("all_3")
AGGREGATIONS: dict[str, Callable[[Sequence[Row]], float]] = {
    "o_acc": o_acc, "o_acc_ci_lo": o_acc_ci_lo, "o_acc_ci_hi": o_acc_ci_hi,
    "cf_acc": cf_acc, "cf_acc_ci_lo": cf_acc_ci_lo, "cf_acc_ci_hi": cf_acc_ci_hi,
    "crs": crs, "crs_ci_lo": crs_ci_lo, "crs_ci_hi": crs_ci_hi,
    "ctrl_fail": ctrl_fail, "ctrl_fail_ci_lo": ctrl_fail_ci_lo, "ctrl_fail_ci_hi": ctrl_fail_ci_hi,
    "all_3": all_3, "all_3_ci_lo": all_3_ci_lo, "all_3_ci_hi": all_3_ci_hi,
    "crs_families": crs_families,
}  # fmt: skip
