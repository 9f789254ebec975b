"""Intervals of lm_eval's group rows: the harness averages over leaf tasks and knows no interval of a group."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

from lm_eval.api.group import Group

from holmes.scoring import run

ENDS: dict[str, Callable[[Sequence[Any]], float]] = {
    "acc_ci_lo": run.interval_low,
    "acc_ci_hi": run.interval_high,
    "macro_f1_ci_lo": run.macro_f1_low,
    "macro_f1_ci_hi": run.macro_f1_high,
}
"""Ends of the intervals of a task that are ends of intervals of a group, over the cases of all its tasks."""


class Rows:
    """What the ends of one task's intervals were worked out from: metric -> a value a case."""

    def __init__(self) -> None:
        self.of: dict[str, list[Any]] = {}

    def kept(self, metric: str, function: Callable[[Sequence[Any]], float]) -> Callable[[Sequence[Any]], float]:
        """Return the aggregation of a metric, which keeps what it was given."""

        def aggregate(values: Sequence[Any]) -> float:
            self.of[metric] = list(values)
            return function(values)

        return aggregate


def add_intervals() -> None:
    """Let every group of our tasks carry the ends of its intervals beside its means; groups of others stay as they are.

    A group with a leaf that has no such end (a task of another package, or one that was not run) gets none.
    """
    if hasattr(Group.aggregate, "__wrapped__"):
        return
    averaged = Group.aggregate

    @functools.wraps(averaged)
    def aggregate(self: Any, task_metrics: Any) -> Any:
        found = averaged(self, task_metrics)
        leaves = [task for task in self.get_all_tasks() if task.task_name in task_metrics]
        kept = [rows for task in leaves if isinstance(rows := getattr(task, "interval_rows", None), Rows)]
        for metric, end in ENDS.items():
            if leaves and len(kept) == len(leaves) and all(metric in rows.of for rows in kept):
                values = [value for rows in kept for value in rows.of[metric]]
                found[f"{metric},{_filter(task_metrics, leaves[0].task_name, metric)}"] = end(values)
        return found

    Group.aggregate = aggregate


def _filter(task_metrics: Any, task: str, metric: str) -> str:
    return next(str(key).partition(",")[2] for key in task_metrics[task] if key.startswith(f"{metric},"))
