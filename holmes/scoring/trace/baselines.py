"""What answers without any reasoning would score: a figure without these beside it says little.

One generic "requirements are met, PASS" line scores a third to a half; so every summary prints four baselines.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from holmes.reading.step_results import Result, ResultKind
from holmes.reading.steps import TraceStep

Trace = tuple[TraceStep, ...]
_PASS = Result(ResultKind.BOOLEAN, "true", raw="PASS")
_CONSTANT = "The requirements are met"


def constant(ids: Sequence[str], golds: Sequence[Trace]) -> list[Trace]:
    """One generic line, PASS, as often as the gold trace has steps."""
    return [(TraceStep(f"{_CONSTANT}. Result: PASS.", _CONSTANT, (), _PASS),) * len(gold) for gold in golds]


def all_pass(ids: Sequence[str], golds: Sequence[Trace]) -> list[Trace]:
    """The gold descriptions with PASS as every result."""
    return [
        tuple(TraceStep(f"{s.description}. Result: PASS.", s.description, s.rules, _PASS) for s in gold)
        for gold in golds
    ]


def shuffled_gold(ids: Sequence[str], golds: Sequence[Trace]) -> list[Trace]:
    """The gold trace in an order drawn from the case's id."""
    shuffled = []
    for name, gold in zip(ids, golds, strict=True):
        steps = list(gold)
        random.Random(f"{name}/shuffled gold").shuffle(steps)
        shuffled.append(tuple(steps))
    return shuffled


def other_gold(ids: Sequence[str], golds: Sequence[Trace]) -> list[Trace]:
    """The gold trace of the next case by id that has another trace; empty where all cases have the same."""
    order = sorted(range(len(ids)), key=lambda i: (ids[i], [s.text for s in golds[i]]))
    others: list[Trace] = [()] * len(ids)
    for at, place in enumerate(order):
        candidates = (golds[order[(at + step) % len(order)]] for step in range(1, len(order)))
        others[place] = next((trace for trace in candidates if trace != golds[place]), ())
    return others


BASELINES: dict[str, Callable[[Sequence[str], Sequence[Trace]], list[Trace]]] = {
    "constant": constant,
    "all_pass": all_pass,
    "shuffled_gold": shuffled_gold,
    "other_gold": other_gold,
}
