"""A report as one document: what the page, the Markdown and the JSON all show."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from holmes.report import analyses, comparisons, conflicts, labels
from holmes.report.breakdown import BY
from holmes.report.caseview import difficulty_in_words, parts_in_words
from holmes.report.decisive import decisive_types
from holmes.report.faults import class_of, first_fault, weak_reading
from holmes.report.glance import glance
from holmes.report.runs import Entry, Run
from holmes.report.tables import Cell, Table, markdown
from holmes.report.turned import turned
from holmes.version import __version__

_TYPE = "type"
_GROUPS = ("tier", "height", "conflicts", "scopes", "components", "steps", "task", "bundle")
_PUBLISHED = Path(__file__).with_name("published.json")
_TOLERANCE = 1e-9
_FEW = 30  # cases of a task below which the page says that intervals are wide


def document(runs: Sequence[Run], title: str = "") -> dict[str, Any]:
    """Return a report of runs as JSON values: headline, analyses with intervals, and the outcome of every case.

    runs: at least one. title: of the page. Numbers are shares from 0 to 1, None where undefined; every cell holds the
    text that people are shown.
    """
    tables = {
        "headline": analyses.headline(runs),
        "soundness": analyses.soundness(runs),
        "outcomes": analyses.outcomes(runs),
        "compare": comparisons.pairwise(runs),
        "labels": comparisons.by_label(runs),
        "turned": turned(runs),
        "by_type": analyses.grouped(runs, _TYPE),
        "decisive": decisive(runs),
        "localisation": analyses.localisation(runs),
        "conflicts": conflicts.by_conflicts(runs),
        "depth_by_type": analyses.depth_by_type(runs),
        **{f"by_{by}": _several(analyses.grouped(runs, by)) for by in _GROUPS},
        "by_tier_and_type": _several(analyses.crossed(runs, "tier", _TYPE)),
        "families": analyses.families(runs),
        "agreement": comparisons.agreement(runs),
        "missed": comparisons.missed(runs),
        "recorded": analyses.recorded(runs),
    }
    cases = [row for run in runs for entry in run.entries for row in _rows(run, entry)]
    shown = {name: table.to_dict() for name, table in tables.items() if table is not None}
    return {
        "holmes": __version__,
        "title": title or "Results",
        "runs": [_about(run) for run in runs],
        "glance": glance(shown, frozenset(run.name for run in runs if run.made)),
        "tables": shown,
        "published": published(runs),
        "weak_readings": [row for row in cases if row.get("cue")],
        "cases": cases,
        "difficulty": {e.case.id: _hard(e) for run in runs for e in run.entries},
        "notes": _notes(runs),
    }


def _several(table: Table) -> Table | None:
    """A breakdown with one group says nothing."""
    return table if len(table.rows) > 1 else None


def decisive(runs: Sequence[Run]) -> Table:
    """Accuracy by the operations without which the answer would be another one, beside those merely present."""
    rows: list[tuple[Cell, ...]] = []
    present: dict[str, int] = {}
    groups: dict[str, dict[str, list[Entry]]] = {}
    seen: set[str] = set()
    for run in runs:
        for entry in run.entries:
            kinds = decisive_types(entry.case) or ("none",)
            for kind in kinds:
                groups.setdefault(kind, {}).setdefault(run.name, []).append(entry)
            if entry.case.id not in seen:
                seen.add(entry.case.id)
                for kind in BY[_TYPE](entry.case):
                    present[kind] = present.get(kind, 0) + 1
    for kind, name in labels.TYPES.items():
        if kind in groups or present.get(kind):
            own = groups.get(kind, {})
            number = len({entry.case.id for entries in own.values() for entry in entries})
            name = "none decides alone" if kind == "none" else name
            rows.append((name, present.get(kind, 0), number, *(analyses.accuracy(own.get(r.name, ())) for r in runs)))
    note = (
        "Decisive: without the operation the answer of these very facts would be another one. Statements about all "
        "rules count where another order of the consequences, or a quantifier that speaks of one rule alone, would "
        "change the answer."
    )
    heads = ("operation on rules", "cases with it", "cases it decides", *(run.name for run in runs))
    return Table("decisive", "Accuracy where an operation decides", heads, tuple(rows), 1, note)


def _about(run: Run) -> dict[str, Any]:
    return {
        "name": run.name,
        "labels": dict(run.labels),
        "made": run.made,
        "tasks": list(run.tasks),
        "cases": len(run.entries),
        "generations": sum(len(entry.scores) for entry in run.entries),
        "seconds": run.seconds,
        "signatures": dict(run.signatures),
        "sources": sorted({entry.case.source for entry in run.entries}),
    }


def _hard(entry: Entry) -> dict[str, Any]:
    return {**difficulty_in_words(entry.case), "derivations": entry.case.derivations_count}


def _rows(run: Run, entry: Entry) -> list[dict[str, Any]]:
    """One row a generation: outcome, class, first fault; the answers as people read them."""
    found = []
    for number, (text, score) in enumerate(zip(entry.texts, entry.scores, strict=True)):
        kind = class_of(score)
        row: dict[str, Any] = {
            "run": run.name, "task": entry.task, "id": entry.case.id, "generation": number,
            "outcome": score.outcome.value, "class": kind, "value": score.value,
            "answer": labels.answer(entry.case, score.answer), "gold": labels.answer(entry.case, entry.case.answer),
            "reason": labels.reason(entry.case, score.reason), "parts": parts_in_words(score),
        }  # fmt: skip
        if kind in ("wrong", "unsound"):
            row["layer"] = first_fault(entry.case, text) or "none"
        if cue := weak_reading(score):
            row["cue"] = cue
        found.append(row)
    return found


def published(runs: Sequence[Run]) -> dict[str, Any]:
    """Return the published figures that concern the tasks of the runs, with their caveat."""
    told = json.loads(_PUBLISHED.read_text(encoding="utf-8"))
    names = {name for run in runs for entry in run.entries for name in (entry.task, entry.case.task, entry.case.domain)}
    facts = [fact for fact in told["facts"] if any(word in name for word in fact["tasks"] for name in names)]
    return {"caveat": told["caveat"], "facts": [{k: v for k, v in fact.items() if k != "tasks"} for fact in facts]}


def _notes(runs: Sequence[Run]) -> list[str]:
    """What a reader must know about the runs: made ones, few cases, figures that the host wrote otherwise."""
    notes = [f"{run.name} is no model's run: {run.made}." for run in runs if run.made]
    few = []
    for run in runs:
        told = [f"{labels.task(task)} {n}" for task in run.tasks if (n := len(run.of(task))) < _FEW and not run.made]
        few += [f"{run.name} ({', '.join(told)})"] if told else []
    if few:
        notes.append(f"Fewer than {_FEW} cases, so that intervals are wide: {'; '.join(few)}.")
    for run in runs:
        for task in run.tasks:
            entries = run.of(task)
            written = run.recorded.get(task, {}).get("acc")
            here = analyses.accuracy(entries).value
            if written is not None and here is not None and abs(written - here) > _TOLERANCE:
                notes.append(
                    f"{run.name}, {labels.task(task)}: the host wrote {100 * written:.1f} %, these replies score "
                    f"{100 * here:.1f} % here: the run was scored by another version or with other options."
                )
    return notes


def to_markdown(told: dict[str, Any]) -> str:
    """Return a report document as Markdown."""
    lines = [f"# {told['title']}", ""]
    lines += [f"- {sentence}" for sentence in told["glance"]]
    lines.append("")
    for run in told["runs"]:
        about = ", ".join(f"{key} {value}" for key, value in run["labels"].items())
        about = f" ({about})" if about else ""
        made = f"; {run['made']}" if run["made"] else ""
        lines.append(f"- **{run['name']}**{about}: {run['cases']} cases, {run['generations']} generations{made}")
    lines += ["", *(f"> {note}" for note in told["notes"]), ""]
    for table in told["tables"].values():
        lines += [markdown(table), ""]
    if told["published"]["facts"]:
        lines += ["### Published figures", "", told["published"]["caveat"], ""]
        lines += [f"- {f['paper']}; {f['about']}: {f['figure']}: {f['value']}" for f in told["published"]["facts"]]
    lines += ["", "### How the numbers were made", ""]
    lines += [f"- {run['name']}, {task}: `{made}`" for run in told["runs"] for task, made in run["signatures"].items()]
    return "\n".join(lines) + "\n"
