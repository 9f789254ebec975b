"""The page: one file without network, rendered from the report document; cases and replies lie in it compressed."""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from holmes.cases import Case
from holmes.errors import EnvironmentFailure
from holmes.report import caseview, labels, plots
from holmes.report.breakdown import BY
from holmes.report.faults import class_of, reasoning
from holmes.report.runs import Entry, Run

_TEMPLATES = Path(__file__).with_name("templates")
_BLOCK = 24  # cases a compressed block: opened one block at a time
_OPEN = ("headline", "soundness", "compare", "labels", "by_type", "decisive", "localisation", "families", "missed")
_PLOTTED = ("headline", "soundness", "compare", "by_type")


def render(told: dict[str, Any], runs: Sequence[Run]) -> str:
    """Return the page of a report. told: `document.document` of the runs."""
    index, blocks, rules = _browser(runs)
    page: str = _template("page.html.j2").render(
        told=told,
        plots=_plots(told),
        open=[told["tables"][name] for name in _OPEN if name in told["tables"]],
        folded=[table for name, table in told["tables"].items() if name not in _OPEN],
        css=_text("page.css"),
        js=_text("page.js"),
        index=_packed(index),
        blocks=[_packed(block) for block in blocks],
        rules=_packed(rules),
        classes=labels.CLASSES,
    )
    return page


def render_case(case: Case) -> str:
    """Return the page of one case alone, as `holmes show CASE --html` writes it."""
    view = caseview.views([case], {})[0]
    view["rules"] = 0
    page: str = _template("case.html.j2").render(
        title=case.id,
        css=_text("page.css"),
        js=_text("page.js"),
        index=_packed({"runs": [], "tasks": [], "types": [], "cases": []}),
        blocks=[_packed([{"view": view, "replies": {}}])],
        rules=_packed([case.rules.strip()]),
    )
    return page


def _template(name: str) -> Any:
    try:
        import jinja2
    except ImportError as error:
        raise EnvironmentFailure("jinja2: found none, expected one; pip install 'holmes-eval[report]'") from error
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(_TEMPLATES), autoescape=True, trim_blocks=True, lstrip_blocks=True
    )
    return environment.get_template(name)


def _text(name: str) -> str:
    return (_TEMPLATES / name).read_text(encoding="utf-8")


def _packed(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return base64.b64encode(gzip.compress(text.encode(), 9, mtime=0)).decode()


# ---------------------------------------------------------------- the case browser
def _browser(runs: Sequence[Run]) -> tuple[dict[str, Any], list[list[dict[str, Any]]], list[str]]:
    """Index of all cases, blocks of case views with their replies, and the rule texts, each once."""
    found: dict[tuple[str, str], dict[int, Entry]] = {}
    for number, run in enumerate(runs):
        for entry in run.entries:
            found.setdefault((entry.task, entry.case.id), {})[number] = entry
    cases = [next(iter(entries.values())).case for entries in found.values()]
    members = {case.id: _members(entries) for case, entries in zip(cases, found.values(), strict=True)}
    views = caseview.views(cases, members)
    rules: dict[str, int] = {}
    tasks = {task: place for place, task in enumerate(dict.fromkeys(task for task, _ in found))}
    types = list(labels.TYPES)
    rows, blocks = [], list[list[dict[str, Any]]]()
    for place, ((task, _), entries) in enumerate(found.items()):
        case, view = cases[place], views[place]
        view["rules"] = rules.setdefault(case.rules.strip(), len(rules))
        view["asked"] = labels.task(task)
        steps = {step["label"]: at for at, step in enumerate(view["steps"]) if step["label"]}
        replies = {number: caseview.replies(entry, steps) for number, entry in entries.items()}
        for step in view["steps"]:
            step.pop("label")  # replies and graph refer to steps by place
        if place % _BLOCK == 0:
            blocks.append([])
        blocks[-1].append({"view": view, "replies": replies})
        rows.append([
            case.id, tasks[task], [types.index(kind) for kind in BY["type"](case)], case.difficulty.height,
            f"{case.case.strip()[:400]} {view['answer']} {view['bundle']}",
            {number: [_CLASSES.index(class_of(score)) for score in entry.scores] for number, entry in entries.items()},
        ])  # fmt: skip
    index = {
        "runs": [run.name for run in runs],
        "tasks": [labels.task(task) for task in tasks],
        "types": list(labels.TYPES.values()),
        "classes": [[name, text] for name, text in labels.CLASSES.items()],
        "block": _BLOCK,
        "cases": rows,
    }
    return index, blocks, list(rules)


_CLASSES = list(labels.CLASSES)


def _members(entries: dict[int, Entry]) -> list[tuple[str, ...]]:
    """The derivations that the replies to a case fit best."""
    found = (reasoning(entry.case, text) for entry in entries.values() for text in entry.texts)
    return list(dict.fromkeys(one.member for one in found if one is not None))


# ---------------------------------------------------------------- plots
def _plots(told: dict[str, Any]) -> dict[str, str]:
    tables = told["tables"]
    found = {"headline": _headline(tables["headline"]), "soundness": _soundness(tables["soundness"])}
    if "compare" in tables:
        pairs = _fitting(tables["compare"]["rows"], 2, 24)
        rows = [(f"{r[0]['text']} − {r[1]['text']}, {r[2]['text']}", r[0]["text"], r[4]) for r in pairs]
        found["compare"] = plots.forest(rows, zero=True)
    table = tables["by_type"]
    rows = [
        (f"{row[0]['text']} · {run}", run, row[place])
        for row in table["rows"]
        for place, run in enumerate(table["heads"][2:], 2)
    ]
    found["by_type"] = plots.forest(rows)
    return found


def _fitting(rows: list[Any], task: int, most: int) -> list[Any]:
    """Return all rows of a table, or where they are too many to read those over all cases; none is cut off."""
    pooled = [row for row in rows if row[task]["text"] == labels.ALL]
    return rows if len(rows) <= most or not pooled else pooled


def _headline(table: dict[str, Any]) -> str:
    shown = _fitting(table["rows"], 1, 40)
    rows = [(f"{r[0]['text']} · {r[1]['text']}", r[0]["text"], r[3]) for r in shown]
    return plots.forest(rows, floors=[r[4].get("value") for r in shown])


def _soundness(table: dict[str, Any]) -> str:
    names = list(labels.CLASSES)
    rows = [
        (f"{row[0]['text']} · {row[1]['text']}",
         {name: row[2 + place].get("value") or 0.0 for place, name in enumerate(names)})
        for row in _fitting(table["rows"], 1, 30)
    ]  # fmt: skip
    return plots.stacked(rows, dict(labels.CLASSES))
