"""Golds proved by a kernel: cases in, for each of them what was proved, in how many steps, and what was not."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from holmes.cases import Case
from holmes.formal.log import Tally, tallies_of
from holmes.formal.prover import run
from holmes.formal.script import jobs


def prove(cases: Sequence[Case], notify: Callable[[str], None] = lambda text: None, workers: int = 0) -> dict[str, Tally]:
    """Prove every claim about cases with HOL Light.

    cases: of ours. notify: told about progress. workers: scripts at a time, by default the processors.
    Returns id -> tally for every case given; a case of which nothing is known has a finding that says so.
    Raises EnvironmentFailure where the prover is missing.
    """
    made, refused = jobs(cases, notify)
    found = tallies_of(run(made, workers=workers, notify=notify) if made else (), refused)
    return {case.id: found.get(case.id) or Tally(case.id) for case in cases}


def stratified(cases: Sequence[Case], count: int, stratum: Callable[[Case], object]) -> list[Case]:
    """Return `count` cases, taken in turn from the strata in the order of their first members."""
    groups: dict[object, list[Case]] = {}
    for case in cases:
        groups.setdefault(stratum(case), []).append(case)
    found: list[Case] = []
    for depth in range(max(map(len, groups.values()), default=0)):
        for group in groups.values():
            if depth < len(group) and len(found) < count:
                found.append(group[depth])
    return found
