"""Runs with planted errors, made from our own cases: which case errs how is known."""

from __future__ import annotations

import json
import re
from pathlib import Path

from holmes.report.made import gold_reply
from holmes.tasks import cases_of, task_spec

TASK = "holmes_law"
TURNED = "concept"


def law_cases(most: int = 12):
    """The first cases of the law task."""
    return cases_of(task_spec(TASK), "test")[:most]


def spelling(case, label: str) -> str:
    """The first spelling of a label."""
    return next(alias.text[0] for alias in case.aliases if alias.label == label)


def wrong_answer(case) -> str:
    """The gold reasoning with another answer."""
    other = next(choice for choice in case.choices if choice != case.answer)
    text = gold_reply(case, task_spec(TASK))
    return text[: text.rindex("Answer:")] + f"Answer: {spelling(case, other)}"


def false_term(case) -> str:
    """The gold reply with one defined term turned round; the answer stays right."""
    text = gold_reply(case, task_spec(TASK))
    lines = text.split("\n")
    at = next(i for i, line in enumerate(lines) if "the condition" in line and re.search(r"holds|does not hold", line))
    turn = ("does not hold", "holds") if "does not hold" in lines[at] else ("holds", "does not hold")
    lines[at] = lines[at].replace(*turn)
    return "\n".join(lines)


KINDS = {
    "right": lambda case: gold_reply(case, task_spec(TASK)),
    "wrong": wrong_answer,
    "term": false_term,
    "silent": lambda case: "I would rather not say what becomes of it.",
    "failed": lambda case: None,
}


def write_run(folder: Path, plan: dict[str, str], cases, labels=None, usage=None) -> Path:
    """Write a run whose replies are of the planned kinds. plan: case id -> a key of KINDS."""
    folder.mkdir(parents=True, exist_ok=True)
    rows = []
    for case in cases:
        row = {"id": case.id, "outputs": [KINDS[plan[case.id]](case)]}
        rows.append(row | ({"usage": usage} if usage else {}))
    (folder / f"samples_{TASK}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    (folder / "run.json").write_text(json.dumps({"name": folder.name, "labels": labels or {}}), encoding="utf-8")
    return folder
