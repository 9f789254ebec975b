"""A small balanced set of worked cases for few-shot prompts (DeonticBench B.1)."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Sequence

from holmes.cases import Case
from holmes.reading.amounts import amount


def exemplars(cases: Sequence[Case], number: int, seed: int = 0) -> list[Case]:
    """Choose worked cases evenly over strata.

    cases: with programs. number: for each task. seed: of the choice, which depends on ids and seed alone.
    Strata of a task: the answer (for amounts zero or not) and the tier. They take turns, answers first, so that
    positive and negative outcomes mix; within a stratum the order is drawn.
    Returns the chosen cases, task by task in the order of their names; fewer where there are fewer.
    """
    tasks: dict[str, list[Case]] = defaultdict(list)
    for case in cases:
        if case.program.strip():
            tasks[case.task].append(case)
    chosen: list[Case] = []
    for task in sorted(tasks):
        chosen += _balanced(sorted(tasks[task], key=lambda c: c.id), number, f"{task}/{seed}")
    return chosen


def _balanced(cases: Sequence[Case], number: int, seed: str) -> list[Case]:
    rng = random.Random(seed)
    groups: dict[str, dict[str, list[Case]]] = defaultdict(lambda: defaultdict(list))
    for case in rng.sample(cases, len(cases)):
        groups[_answer_class(case)][case.difficulty.tier].append(case)
    # every turn takes one case of each answer, from the tier that this answer has given least often
    given: dict[tuple[str, str], int] = defaultdict(int)
    chosen: list[Case] = []
    while len(chosen) < number and any(any(tiers.values()) for tiers in groups.values()):
        for answer in sorted(groups):
            open_tiers = [tier for tier in sorted(groups[answer]) if groups[answer][tier]]
            if not open_tiers or len(chosen) == number:
                continue
            tier = min(open_tiers, key=lambda t: (given[answer, t], t))
            given[answer, tier] += 1
            chosen.append(groups[answer][tier].pop())
    return chosen


def _answer_class(case: Case) -> str:
    if case.answer_type != "amount":
        return case.answer
    return "zero" if amount(case.answer) == 0 else "positive"
