"""Re-derive answers and traces and hold them against the gold, field by field."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from holmes.cases import read_cases
from holmes.errors import InputError
from holmes.interfaces import OURS
from holmes.registry import domain_of, source_of
from holmes.results import Disagreement, Solved
from holmes.store import load_cases

MODES = ("closure", "release")


@dataclass
class Report:
    """What `holmes solve` found; `document` is its JSON. agree: cases whose gold came out in every field."""

    mode: str
    cases: int = 0
    agree: int = 0
    fields: Counter[str] = field(default_factory=Counter)
    disagreements: list[Disagreement] = field(default_factory=list)
    answers: list[dict[str, Any]] = field(default_factory=list)

    def add(self, solved: Solved) -> None:
        """Count one case."""
        self.cases += 1
        self.agree += solved.agrees
        differing = {difference.field for difference in solved.differences}
        for name in solved.fields:
            self.fields[name] += name not in differing
        self.disagreements += solved.differences
        self.answers.append({"id": solved.id, "answer": solved.answer, "trace": solved.trace})

    def document(self, answers: bool = False) -> dict[str, Any]:
        """Return the JSON document (design section 7); answers: with each case's answer and trace."""
        found: dict[str, Any] = {
            "mode": self.mode,
            "cases": self.cases,
            "agree": self.agree,
            "fields": dict(self.fields),
            "disagreements": [
                {"id": d.id, "field": d.field, "gold": d.gold, "derived": d.derived, "odd": d.odd}
                for d in self.disagreements
            ],
        }
        if answers:
            found["answers"] = self.answers
        return found


def solve(
    config: str = "", file: str = "", mode: str = "closure", split: str = "test", limit: int | None = None
) -> Report:
    """Solve a config or a file of cases.

    config: an embedded or imported config; file: a ``.parquet`` or ``.jsonl`` file of cases; one of the two. mode:
    ``closure`` or ``release`` (they differ for released law cases only). split: of the config. limit: first cases only.
    Returns the Report. Raises InputError for wrong use and for cases that cannot be solved here.
    """
    if mode not in MODES:
        raise InputError(f"--mode: found {mode!r}, expected one of {', '.join(MODES)}")
    if bool(config) == bool(file):
        raise InputError("found neither or both of --config and --file, expected one of them")
    report = Report(mode)
    for number, solved in enumerate(_solved(config, file, mode, split)):
        if limit is not None and number >= limit:
            break
        report.add(solved)
    return report


def _solved(config: str, file: str, mode: str, split: str) -> Iterator[Solved]:
    origin = source_of(config) if config else None
    if origin is not None:
        load_cases(config, split)  # the one-line error where it is not imported, or has no such split
        yield from origin.solve(config, mode)
        return
    for case in read_cases(file) if file else load_cases(config, split):
        if case.source != OURS:
            raise InputError(
                f"case {case.id!r}: found domain {case.domain}, source {case.source}, expected a case of ours,"
                " or --config with a released one"
            )
        yield domain_of(case).solve(case)
