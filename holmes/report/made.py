"""Runs made by the package to show what the scores tell: a constant answer, gold replies, gold with planted faults."""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from holmes.cases import Case
from holmes.interfaces import Task
from holmes.options import Options
from holmes.prompting.parts import shown
from holmes.registry import domain_of
from holmes.report.runs import Entry, Run
from holmes.scoring import run as scoring
from holmes.tasks import cases_of, gold_reply, own_spec, task_spec

CONSTANT = "made: constant answer"
GOLD = "made: gold replies"
FAULTY = "made: gold with planted faults"
_NOTES = {
    CONSTANT: "every reply is the most frequent gold answer, without reasoning",
    GOLD: "every reply is the gold derivation and the gold answer",
    FAULTY: "every reply is the gold one with one step turned round; the answer stays right in every other case",
}
_OFF = 7  # by how much a planted number is off
_TURNS = (
    (r"\bdoes not hold\b", "holds"), (r"\bholds\b", "does not hold"),
    (r"\bis not triggered\b", "is triggered"), (r"\bis triggered\b", "is not triggered"),
    (r"\bdoes not apply\b", "applies"), (r"\bapplies\b", "does not apply"),
    (r"\bfails\b", "passes"), (r"\bpasses\b", "fails"),
)  # fmt: skip
"""How a step is turned into its opposite."""


def made_runs(runs: Sequence[Run], most: int, split: str = "test") -> list[Run]:
    """Return three runs over the tasks of the runs given, on their first cases.

    runs: whose tasks to take. most: cases a task, at least 1. split: of the data.
    """
    tasks = list(dict.fromkeys(task for run in runs for task in run.tasks))
    cases = {task: cases_of(task_spec(task), split)[:most] for task in tasks}
    replies = ((CONSTANT, _constant(cases)), (FAULTY, faulty_reply), (GOLD, gold_reply))
    return [_run(name, cases, reply) for name, reply in replies]


def _run(name: str, cases: dict[str, list[Case]], reply: Callable[[Case, Task], str]) -> Run:
    entries, signatures = [], {}
    for task, own in cases.items():
        spec, options = task_spec(task), Options()
        told = [(case, spec, options, (reply(case, own_spec(case, spec)),)) for case in own]
        scoring.prepare(told)
        for case, _, _, texts in told:
            entries.append(Entry(task, case, texts, tuple(scoring.score_outputs(case, spec, options, texts))))
        signatures[task] = scoring.signature(spec, options)
    return Run(name, {}, tuple(entries), signatures, made=_NOTES[name])


def faulty_reply(case: Case, spec: Task) -> str:
    """Return the gold reply with one fault: a step turned round, or a number of the program changed.

    Which step, and whether the answer stays right, follow from the case's id alone.
    """
    draw = random.Random(f"faults {case.id}")
    wrong = draw.random() < 0.5
    if spec.mode == "prolog" and case.program:
        numbers = list(re.finditer(r"(?<![\w.])\d{2,}(?![\w.])", case.program))
        if not numbers or not wrong:
            return gold_reply(case, spec)
        at = draw.choice(numbers)
        changed = f"{case.program[: at.start()]}{int(at[0]) + _OFF}{case.program[at.end() :]}"
        return f"```prolog\n{changed.strip()}\n```"
    gold = gold_reply(case, spec)
    if gold.startswith("{"):
        labels = [shown(case, choice) for choice in case.choices]
        return _faulty_report(json.loads(gold), draw, labels, wrong)
    lines = gold.split("\n")
    lines[:-1] = _one_turned(lines[:-1], draw)
    others = [choice for choice in case.choices if choice != case.answer]
    if case.answer_type == "amount" and case.answer.isdigit():
        others = [str(int(case.answer) + _OFF)]
    if wrong and others:  # in the words of the case: a label within "dusting season" is no answer
        text = "\n".join(lines)
        end = domain_of(case).answer_kind(case).gold_reply(replace(case, answer=draw.choice(others), trace=()))
        cut = text.rfind("Answer:")
        return text[:cut] + end[end.rfind("Answer:") :] if cut >= 0 and "Answer:" in end else text
    return "\n".join(lines)


def _one_turned(lines: list[str], draw: random.Random) -> list[str]:
    """Return the lines with one that says something turned into its opposite, where there is such a line."""
    places = [place for place, line in enumerate(lines) if any(re.search(old, line) for old, _ in _TURNS)]
    if not places:
        return lines
    place = draw.choice(places)
    old, new = next(turn for turn in _TURNS if re.search(turn[0], lines[place]))
    return [*lines[:place], re.sub(old, new, lines[place], count=1), *lines[place + 1 :]]


def _faulty_report(report: dict[str, Any], draw: random.Random, labels: Sequence[str], wrong: bool) -> str:
    """Return a report with one step turned round and, if it is to be wrong, another verdict or amount in one item."""
    report["steps"] = _one_turned(report["steps"], draw)
    row = draw.choice(report["items"]) if "items" in report else report
    others = [label for label in labels if label != row.get("verdict")]
    if wrong and "verdict" in row and others:
        row["verdict"] = draw.choice(others)
    elif wrong and isinstance(row.get("amount"), int):
        row["amount"] += _OFF
    return json.dumps(report, ensure_ascii=False)


def _constant(cases: dict[str, list[Case]]) -> Callable[[Case, Task], str]:
    """The most frequent gold answer of a task, as a reply without reasoning."""
    most: dict[str, str] = {}
    for own in cases.values():
        counts: dict[str, Counter[str]] = {}
        for case in own:
            counts.setdefault(case.task, Counter())[case.answer] += 1
        most |= {task: answers.most_common(1)[0][0] for task, answers in counts.items()}
    return lambda case, spec: (
        domain_of(case)
        .answer_kind(case)
        .gold_reply(replace(case, answer=most[case.task], trace=(), critical=(), derivations=()))
    )
