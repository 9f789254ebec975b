"""Re-derive answers and traces and hold them against the gold, field by field."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from holmes.errors import InputError

MODES = ("closure", "release")
ROOT_FIELDS = ("final_no_liability", "final_result")


@dataclass(frozen=True, slots=True)
class Disagreement:
    """One field that came out differently. odd: conditions, trace, gold or text, where it can be told."""

    id: str
    field: str
    gold: Any
    derived: Any
    odd: str = ""


@dataclass(frozen=True, slots=True)
class Solved:
    """One case solved: the fields compared, those that differ, and the derived answer and trace.

    beside: fields that stand beside the gold (the released narratives); they do not count for `agrees`.
    """

    id: str
    fields: tuple[str, ...]
    differences: tuple[Disagreement, ...]
    answer: str
    trace: list[Any]
    beside: tuple[str, ...] = ()

    @property
    def agrees(self) -> bool:
        """True when every field of the gold came out."""
        return all(difference.field in self.beside for difference in self.differences)


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
    ``closure`` or ``release`` (they differ for ``law_release`` only). split: of the config. limit: first cases only.
    Returns the Report. Raises InputError for wrong use and for cases that cannot be solved here.
    """
    if mode not in MODES:
        raise InputError(f"--mode: found {mode!r}, expected one of {', '.join(MODES)}")
    if bool(config) == bool(file):
        raise InputError("found neither or both of --config and --file, expected one of them")
    report = Report(mode)
    for number, solved in enumerate(_solver(config, file, mode, split)):
        if limit is not None and number >= limit:
            break
        report.add(solved)
    return report


def _solver(config: str, file: str, mode: str, split: str) -> Iterator[Solved]:
    from holmes.cases import read_cases
    from holmes.store import load_cases

    if config == "law_release":
        load_cases(config, split)  # the one-line error where it is not imported, or has no such split
        return _law_release(mode)
    if config == "finance_release":
        load_cases(config, split)
        return _finance_release()
    cases = read_cases(file) if file else load_cases(config, split)
    return _ours(cases)


def _law_release(mode: str) -> Iterator[Solved]:
    from holmes.sources.holmes_release.law_gold import FIELDS, derive
    from holmes.sources.holmes_release.law_import import find_root
    from holmes.sources.holmes_release.law_rulebases import recover
    from holmes.store import original

    for bundle in recover(find_root(original("holmes-release"))):
        for case in bundle.cases:
            derived = derive(bundle, case, mode).fields
            gold = case.gold
            differences = tuple(
                Disagreement(case.id, name, gold.get(name), derived[name], "gold" if name in ROOT_FIELDS else "trace")
                for name in FIELDS
                if gold.get(name) != derived[name]
            )
            yield Solved(case.id, FIELDS, differences, derived["final_result"], derived["gold_rule_trace"])


def _finance_release() -> Iterator[Solved]:
    from holmes.sources.holmes_release.finance.gold import check, steps_of
    from holmes.sources.holmes_release.law_import import find_root
    from holmes.store import original

    for checked in check(find_root(original("holmes-release"))):
        result = "amount" if "amount" in checked.case.tags else "verdict"
        differences = []
        if checked.gold != checked.derived:
            differences.append(Disagreement(checked.case.id, result, checked.gold, checked.derived, checked.odd))
        lines = list(steps_of(checked))
        if lines:
            gold, derived = [other for _, _, other in lines], [one for _, one, _ in lines]
            differences.append(Disagreement(checked.case.id, "trace_steps", gold, derived, "trace"))
        if checked.trace != checked.released:
            differences.append(Disagreement(checked.case.id, "trace_text", checked.released, checked.trace, "trace"))
        beside = ("trace_steps", "trace_text")
        trace = checked.trace.splitlines()
        yield Solved(checked.case.id, (result, *beside), tuple(differences), checked.derived, trace, beside)


def _ours(cases: Iterable[Any]) -> Iterator[Solved]:
    from holmes.derivations.resolve import solve_case

    for case in cases:
        if case.source != "holmes" or case.domain not in ("law", "finance", "deontic", "policy"):
            raise InputError(
                f"case {case.id!r}: found domain {case.domain}, source {case.source}, expected a case of ours,"
                " or --config law_release"
            )
        yield solve_case(case)
