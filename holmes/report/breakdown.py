"""The metrics of a run by groups of cases: higher-order type, height, conflicts, scopes, and what else is recorded."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from holmes.cases import Case
from holmes.configs.by_type import types_of
from holmes.errors import InputError
from holmes.scoring import run


def _types(case: Case) -> list[str]:
    try:
        return list(types_of(case)) or ["none"]
    except InputError:
        return ["unknown"]


BY: Mapping[str, Callable[[Case], Sequence[str]]] = {
    "type": _types,
    "height": lambda case: [f"{case.difficulty.height}"],
    "conflicts": lambda case: [f"{case.difficulty.conflicts}"],
    "scopes": lambda case: [f"{case.difficulty.scopes}"],
    "components": lambda case: [f"{case.difficulty.components}"],
    "steps": lambda case: [f"{10 * (case.difficulty.steps // 10)}-{10 * (case.difficulty.steps // 10) + 9}"],
    "tier": lambda case: [case.difficulty.tier or "none"],
    "task": lambda case: [case.task],
    "bundle": lambda case: [case.bundle],
    "answer": lambda case: [case.answer],
}


def breakdown(cases: Sequence[Case], rows: Sequence[dict[str, Any]], by: str) -> dict[str, dict[str, float]]:
    """Return the summary of a run for each group of its cases.

    cases, rows: aligned; rows as `run.case_metrics` gives them. by: a key of `BY`. A case with several higher-order
    types is in the group of each; one with none is in the group "none".
    Returns group -> the figures of `run.summarise` with ``cases``, their number; numbers in order, then names.
    Raises InputError for an unknown key.
    """
    if by not in BY:
        raise InputError(f"option by: found {by!r}, expected one of {', '.join(BY)}")
    groups: dict[str, list[dict[str, Any]]] = {}
    for case, row in zip(cases, rows, strict=True):
        for group in BY[by](case):
            groups.setdefault(group, []).append(row)
    order = sorted(groups, key=lambda g: (not g[:1].isdigit(), int(g.partition("-")[0]) if g[:1].isdigit() else 0, g))
    return {group: {"cases": len(groups[group]), **run.summarise(groups[group])} for group in order}
