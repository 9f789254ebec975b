"""Golds proved by a kernel: cases in, for each of them what was proved, in how many steps, and what was not."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence

from holmes.cases import Case
from holmes.formal.build import compile_cases
from holmes.formal.log import Finding, Tally, tallies_of
from holmes.formal.prover import run
from holmes.formal.script import jobs
from holmes.services.verify import Mismatch
from holmes.store import load_cases

Notify = Callable[[str], None]
Path = Callable[[Sequence[Case]], list[Mismatch]]
KERNEL = "hol-light"


def to_stderr(text: str) -> None:
    """Show progress on stderr, one line a step."""
    print(text, file=sys.stderr, flush=True)


def prove(cases: Sequence[Case], notify: Notify = lambda text: None, workers: int = 0) -> dict[str, Tally]:
    """Prove every claim about cases with HOL Light.

    cases: of ours. notify: told about progress. workers: scripts at a time, by default the processors.
    Returns id -> tally for every case given; a case of which nothing was proved has a finding that says so.
    Raises EnvironmentFailure where the prover is missing.
    """
    made, refused = jobs(cases, notify)
    found = tallies_of(run(made, workers=workers, notify=notify) if made else (), refused)
    return {case.id: _looked_at(found.get(case.id) or Tally(case.id)) for case in cases}


def _looked_at(tally: Tally) -> Tally:
    if not tally.claims and not tally.findings:
        tally.findings.append(Finding(tally.case, "statement", "proved", "nothing", "no claim was looked at"))
    return tally


def problems(tallies: dict[str, Tally]) -> list[tuple[str, str, str]]:
    """Return (case, what was to be shown, what was found) for every finding: case, claim and the atom that blocked."""
    return [
        (tally.case, f"{finding.claim} {finding.expected}", f"{finding.found} {finding.detail}".strip())
        for tally in tallies.values()
        for finding in tally.findings
    ]


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


def paths(configs: Sequence[str], splits: Sequence[str], wanted: Sequence[str]) -> dict[str, Path]:
    """Return the paths of verification by provers: one HOL Light process serves all configs that are asked for.

    configs, splits: what will be verified. wanted: the paths that were asked for; others are not set up.
    """
    tallies: dict[str, Tally] = {}
    if KERNEL in wanted:
        every = (case for config in configs for split in splits for case in load_cases(config, split))
        tallies = prove(list({case.id: case for case in every}.values()), to_stderr)

    def by_hol_light(cases: Sequence[Case]) -> list[Mismatch]:
        return [Mismatch(n, KERNEL, *pair) for n, *pair in problems({case.id: tallies[case.id] for case in cases})]

    def by_isabelle(cases: Sequence[Case]) -> list[Mismatch]:
        refused = compile_cases(cases, to_stderr)
        return [Mismatch(name, "isabelle", "a theory", reason) for name, reason in refused.items()]

    return {KERNEL: by_hol_light, "isabelle": by_isabelle}
