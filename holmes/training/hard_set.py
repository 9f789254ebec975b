"""Hard sets from model failures (DeonticBench 2.5, B.2): candidates, a review file for people, a seeded split."""

from __future__ import annotations

import csv
import io
import random
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from holmes.cases import Case
from holmes.errors import InputError
from holmes.results import Score
from holmes.util.files import write_text

COLUMNS = ("id", "task", "runs", "failures", "outcomes", "question", "answer", "keep", "note")
_KEEP = {"yes": True, "y": True, "1": True, "true": True, "no": False, "n": False, "0": False, "false": False}


@dataclass(frozen=True, slots=True)
class Candidate:
    """A case on which some model failed. runs: outputs seen; outcomes: of each file's outputs, by file name."""

    case: Case
    runs: int
    failures: int
    outcomes: Mapping[str, tuple[str, ...]]


def candidates(cases: Mapping[str, Case], scores: Mapping[str, Mapping[str, Sequence[Score]]]) -> list[Candidate]:
    """Return the cases on which at least one output failed, most failures first, then by id.

    cases: by id. scores: for each file (a model's run), for each case id, the scores of its outputs. Whatever is not
    right is a failure. Source: DeonticBench B.2 (three models, two runs each).
    """
    found: list[Candidate] = []
    for id in sorted(cases):
        outcomes = {name: tuple(s.outcome.value for s in table[id]) for name, table in scores.items() if id in table}
        flat = [outcome for row in outcomes.values() for outcome in row]
        failures = sum(outcome != "right" for outcome in flat)
        if failures:
            found.append(Candidate(cases[id], len(flat), failures, outcomes))
    return sorted(found, key=lambda c: (-c.failures / c.runs, c.case.id))


def review(path: Path, found: Sequence[Candidate], decided: Mapping[str, tuple[str, str]] | None = None) -> None:
    """Write the candidates as CSV for people, who answer `keep` with yes or no.

    path: the file. decided: (keep, note) of an earlier review, carried over.
    """
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(COLUMNS)
    for one in found:
        keep, note = (decided or {}).get(one.case.id, ("", ""))
        outcomes = "; ".join(f"{name}: {' '.join(row)}" for name, row in one.outcomes.items())
        question = one.case.question if len(one.case.question) <= 500 else one.case.question[:500] + " …"
        row = (one.case.id, one.case.task, one.runs, one.failures, outcomes, question, one.case.answer, keep, note)
        table.writerow([_inert(str(cell)) for cell in row])
    write_text(path, text.getvalue())


def _inert(cell: str) -> str:
    """A cell that a spreadsheet takes as text, not as a formula."""
    return f"'{cell}" if cell[:1] in ("=", "+", "-", "@", "\t", "\r") else cell


def read_review(path: Path) -> dict[str, tuple[str, str]]:
    """Return (keep, note) by case id; keep is "yes", "no" or "" where it was left open.

    Raises InputError naming file, line, field, found, expected.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError as error:
        raise InputError(f"{path}: found no such file, expected a review file") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: byte {error.start}: found bytes that are not UTF-8, expected UTF-8 text") from error
    rows = csv.DictReader(io.StringIO(text))
    if missing := [name for name in ("id", "keep") if name not in (rows.fieldnames or ())]:
        raise InputError(f"{path}: line 1: field {missing[0]}: found no such column, expected {', '.join(COLUMNS)}")
    decided: dict[str, tuple[str, str]] = {}
    for row in rows:
        keep = (row["keep"] or "").strip().lower()
        if keep and keep not in _KEEP:
            raise InputError(f"{path}: line {rows.line_num}: field keep: found {row['keep']!r}, expected yes or no")
        decided[row["id"]] = ("" if not keep else "yes" if _KEEP[keep] else "no", (row.get("note") or "").strip())
    return decided


def split(found: Sequence[Candidate], share: float, seed: int = 0) -> tuple[list[Case], list[Case]]:
    """Split validated candidates into a held-out hard set and the rest, which goes back to training.

    found: the validated candidates. share: of the hard set, in [0, 1], for each task. seed: of the draw, which depends
    on ids and seed alone. Cases of one counterfactual family stay together, so that no twin of a held-out case is
    trained on.
    Returns (hard, rest), by id.
    """
    if not 0 <= share <= 1:
        raise InputError(f"share: found {share!r}, expected a number from 0 to 1")
    tasks: dict[str, dict[str, list[Case]]] = defaultdict(lambda: defaultdict(list))
    for one in found:
        family = one.case.pair.family or one.case.id
        tasks[one.case.task][family].append(one.case)
    hard: list[Case] = []
    rest: list[Case] = []
    for task in sorted(tasks):
        families = sorted(tasks[task])
        random.Random(f"{task}/{seed}").shuffle(families)
        wanted = round(share * sum(map(len, tasks[task].values())))
        taken = 0
        for family in families:
            members = tasks[task][family]
            chosen = taken + len(members) <= wanted
            taken += len(members) if chosen else 0
            (hard if chosen else rest).extend(members)
    return sorted(hard, key=lambda c: c.id), sorted(rest, key=lambda c: c.id)
