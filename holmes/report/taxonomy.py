"""Errors by kind: the papers' samples, labels from the gold graph and the reference program, a sheet for reviewers.

Sources: HOLogicBench 4.7 (mechanisms, 12 wrong and 4 right a model and type), DeonticBench 4.3, table 4 (four kinds).
"""

from __future__ import annotations

import csv
import io
import random
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from holmes.cases import Case
from holmes.errors import InputError
from holmes.report import labels
from holmes.report.analyses import accuracy
from holmes.report.breakdown import BY
from holmes.report.caseview import step_in_words
from holmes.report.faults import claims, class_of
from holmes.report.runs import Entry, Run
from holmes.report.tables import Cell, Table
from holmes.results import Outcome, Score
from holmes.stats import mean_interval
from holmes.tasks import own_spec, task_spec

WRONG, RIGHT = 12, 4
"""How many wrong and right generations are drawn for each run and operation."""
PROGRAM_KINDS = ("wrong rule", "entity or fact", "numerical", "implementation")
MECHANISMS = ("priority or exception", "transformation", "applicability or branch", "entity or fact")
UNTOLD = "not told"
COLUMNS = ("id", "run", "task", "generation", "operation", "outcome", "gold", "answer", "suggested", "evidence",
           "judge", "reviewer_1", "reviewer_2", "comment")  # fmt: skip


@dataclass(frozen=True, slots=True)
class Item:
    """One generation of the sample.

    operation: the type that it was drawn for. suggested: its label from the gold, `UNTOLD` where the reply does not
    tell. evidence: why, in words. judge: a model's label, empty without one.
    """

    run: str
    entry: Entry
    generation: int
    operation: str
    suggested: str
    evidence: str
    judge: str = ""

    @property
    def score(self) -> Score:
        """The score of the generation."""
        return self.entry.scores[self.generation]

    def row(self) -> dict[str, str]:
        """Return the item as a row of the review sheet."""
        case = self.entry.case
        return dict(zip(COLUMNS, (
            case.id, self.run, self.entry.task, str(self.generation), self.operation, self.score.outcome.value,
            labels.answer(case, case.answer), labels.answer(case, self.score.answer), self.suggested, self.evidence,
            self.judge, "", "", "",
        ), strict=True))  # fmt: skip


def sample(runs: Sequence[Run], *, wrong: int = WRONG, right: int = RIGHT, seed: int = 0) -> list[Item]:
    """Draw the generations to look at.

    Of each run and operation `wrong` generations with a wrong answer and `right` with a right one, by seed; of tasks
    whose answer a program gives, every case that failed on every generation instead, by its first one.
    """
    found: list[Item] = []
    for run in runs:
        drawn: set[tuple[str, str, int]] = set()
        for entry in run.entries:
            if _program(entry) and not any(entry.values):
                found.append(_item(run, entry, 0, (*BY["type"](entry.case), "none")[0]))
        by_kind: dict[str, list[Item]] = {kind: [] for kind in labels.TYPES}
        for outcome, most in ((Outcome.WRONG, wrong), (Outcome.RIGHT, right)):
            places = {}
            for kind in labels.TYPES:
                here = [e for e in run.entries if not _program(e) and kind in BY["type"](e.case)]
                places[kind] = [(e, j) for e in here for j, s in enumerate(e.scores) if s.outcome is outcome]
                random.Random(f"{seed} {run.name} {kind} {outcome}").shuffle(places[kind])
            for _ in range(most):  # in turn: a case of several operations must not leave the last of them without any
                for kind, rest in places.items():
                    while rest and (rest[-1][0].task, rest[-1][0].case.id, rest[-1][1]) in drawn:
                        rest.pop()
                    if rest:
                        entry, generation = rest.pop()
                        drawn.add((entry.task, entry.case.id, generation))
                        by_kind[kind].append(_item(run, entry, generation, kind))
        found += [item for items in by_kind.values() for item in items]
    return found


def _program(entry: Entry) -> bool:
    return own_spec(entry.case, task_spec(entry.task)).mode == "prolog"


def _item(run: Run, entry: Entry, generation: int, operation: str) -> Item:
    text, score = entry.texts[generation], entry.scores[generation]
    label, evidence = program_error(entry.case, text, score) if _program(entry) else mechanism(entry.case, text, score)
    return Item(run.name, entry, generation, operation, label, evidence)


# ---------------------------------------------------------------- labels from the gold
def mechanism(case: Case, text: str | None, score: Score) -> tuple[str, str]:
    """Return the error mechanism of a reply and its evidence, from the first step that it has wrong.

    priority or exception: a conflict, or whether a rule that takes part in one applies. transformation: a defined
    value, a row of a table, a changed rule. applicability or branch: whether a rule is triggered or passes, which one
    is chosen. entity or fact: a fact. A right answer without a false step is "none"; else what cannot be told stays so.
    """
    told = claims(case, text)
    for claim in told:
        if claim.verdict == "wrong":
            return _mechanism(claim.label), f"“{claim.text[:160]}”; what holds: {step_in_words(case, claim.label)}"
    if score.outcome is Outcome.RIGHT:
        return "none", "no false step was found" if told else "the reasoning was not read"
    return UNTOLD, "no false step was found" if told else "the reasoning was not read"


def _mechanism(label: str) -> str:
    body = re.sub(r"^\d+\.(?=[a-z])", "", label)
    kind = body.partition(":")[0]
    if kind == "fact":
        return "entity or fact"
    if kind in ("table", "transform", "amount") or (kind == "concept" and not re.search(r"=(?:true|false)$", body)):
        return "transformation"
    if kind == "conflict" or (kind in ("policy", "applies") and "applies" in body):
        return "priority or exception"
    return "applicability or branch"


_NUMBER = re.compile(r"(?<![\w.])\d[\d_]*(?:\.\d+)?(?![\w])")


def program_error(case: Case, text: str | None, score: Score) -> tuple[str, str]:
    """Return the kind of a program's error and its evidence, by comparison with the reference program.

    implementation: it did not run to an answer. entity or fact: numbers that the case tells and the reference uses are
    missing. wrong rule: numbers of the rules that the reference uses are missing, or nothing numerical is asked.
    numerical: facts and figures of the rules are all there. Without a reference program nothing is told.
    """
    if score.outcome is Outcome.RIGHT:
        return "none", "the answer is right"
    if not score.outcome.answered:
        return "implementation", labels.OUTCOMES[score.outcome.value]
    if not case.program or text is None:
        return UNTOLD, "there is no reference program"
    here, wanted = _numbers(text), _numbers(case.program)
    told = _numbers(case.case) & wanted
    rules = (_numbers(case.rules) & wanted) - told
    if missing := sorted(told - here):
        return "entity or fact", f"told by the case, used by the reference, missing here: {', '.join(missing[:6])}"
    if missing := sorted(rules - here):
        return "wrong rule", f"figures of the rules that the reference uses, missing here: {', '.join(missing[:6])}"
    if case.answer_type == "amount":
        return "numerical", f"facts and figures are there; {labels.reason(case, score.reason)}"
    return "wrong rule", "facts and figures are there; the answer is the other one"


def _numbers(text: str) -> set[str]:
    return {found.replace("_", "").rstrip("0").rstrip(".") if "." in found else found.replace("_", "")
            for found in _NUMBER.findall(re.sub(r"(?<=\d),(?=\d{3})", "", text)) if len(found) > 1}  # fmt: skip


# ---------------------------------------------------------------- tables
def table(items: Sequence[Item]) -> Table:
    """Return how often each kind occurs, by run and operation, among generations with a wrong answer."""
    rows: list[tuple[Cell, ...]] = []
    places: dict[tuple[str, str], list[Item]] = {}
    for item in items:
        if item.score.outcome is not Outcome.RIGHT:
            places.setdefault((item.run, item.operation), []).append(item)
    kinds = [k for k in dict.fromkeys((*MECHANISMS, *PROGRAM_KINDS, UNTOLD)) if any(i.suggested == k for i in items)]
    for (run, operation), own in places.items():
        shares = [mean_interval([[float(item.suggested == kind)] for item in own]) for kind in kinds]
        rows.append((run, labels.TYPES[operation], len(own), *shares))
    note = "Suggested from the gold graph and the reference program; the review sheet is for people to confirm."
    return Table("errors", "What kinds of errors?", ("run", "operation", "wrong", *kinds), tuple(rows), 2, note)


def right_with_faults(items: Sequence[Item]) -> Table:
    """Return how many of the right answers drawn have a false step, by run (HOLogicBench 4.7)."""
    rows: list[tuple[Cell, ...]] = []
    for run in dict.fromkeys(item.run for item in items):
        own = [item for item in items if item.run == run and item.score.outcome is Outcome.RIGHT]
        rows.append((run, len(own), mean_interval([[float(class_of(item.score) == "unsound")] for item in own])))
    heads = ("run", "right answers drawn", "with faulty reasoning")
    return Table("right_with_faults", "Right answers with faulty reasoning", heads, tuple(rows))


# ---------------------------------------------------------------- review
def sheet(items: Iterable[Item]) -> str:
    """Return the review sheet as CSV; reviewers fill the columns reviewer_1 and reviewer_2."""
    out = io.StringIO()
    writer = csv.DictWriter(out, COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(item.row() for item in items)
    return out.getvalue()


def agreement(text: str, where: str = "sheet") -> list[dict[str, Any]]:
    """Return how far the columns of a filled sheet agree, two by two: cases, share, Cohen's κ.

    Only rows that both columns fill count. κ is None where it is undefined (one label throughout, or no rows).
    Raises InputError for a file without the columns.
    """
    rows = list(csv.DictReader(io.StringIO(text)))
    names = ("reviewer_1", "reviewer_2", "judge", "suggested")
    if not rows or not set(names) <= set(rows[0]):
        raise InputError(f"{where}: found no columns {', '.join(names)}, expected a sheet of holmes errors --sheet")
    found = []
    for place, one in enumerate(names):
        for two in names[place + 1 :]:
            pairs = [(_key(row[one]), _key(row[two])) for row in rows if _key(row[one]) and _key(row[two])]
            found.append({"a": one, "b": two, **_kappa(pairs)})
    return found


def _key(text: str | None) -> str:
    return " ".join((text or "").casefold().split())


def _kappa(pairs: Sequence[tuple[str, str]]) -> dict[str, Any]:
    if not pairs:
        return {"rows": 0, "agree": None, "kappa": None}
    same = sum(a == b for a, b in pairs) / len(pairs)
    one, two = Counter(a for a, _ in pairs), Counter(b for _, b in pairs)
    chance = sum(one[label] * two[label] for label in one) / len(pairs) ** 2
    return {"rows": len(pairs), "agree": same, "kappa": (same - chance) / (1 - chance) if chance < 1 else None}


_ASK = """A reply to a rule-reasoning case was wrong or may rest on faulty reasoning. Name the kind of its first error.
Answer with one of these labels and nothing else: {labels}, none.

RULES
{rules}

CASE
{case}

QUESTION
{question}

GOLD ANSWER
{gold}

GOLD REASONING
{trace}

REPLY
{reply}
"""


def judged(items: Sequence[Item], judge: Any) -> list[Item]:
    """Return the items with a chat model's labels; a reply that is no label leaves the column empty.

    judge: a `holmes.util.chat.Chat`. Raises EnvironmentFailure as it does.
    """
    found = []
    for item in items:
        case = item.entry.case
        kinds = PROGRAM_KINDS if _program(item.entry) else MECHANISMS
        question: Mapping[str, str] = {
            "labels": ", ".join(kinds), "rules": case.rules, "case": case.case, "question": case.question,
            "gold": labels.answer(case, case.answer), "trace": "\n".join(step.text for step in case.trace),
            "reply": item.entry.texts[item.generation] or "",
        }  # fmt: skip
        said = judge.reply([{"role": "user", "content": _ASK.format(**question)}]).text or ""
        told = [kind for kind in (*kinds, "none") if re.search(rf"\b{re.escape(kind)}\b", said.casefold())]
        found.append(replace(item, judge=told[0] if len(told) == 1 else ""))
    return found


def overview(runs: Sequence[Run], items: Sequence[Item]) -> dict[str, Any]:
    """Return the whole as JSON values: accuracy of the runs, tables, items."""
    return {
        "runs": [{"name": run.name, "accuracy": str(accuracy(run.entries))} for run in runs],
        "tables": [table(items).to_dict(), right_with_faults(items).to_dict()],
        "items": [item.row() for item in items],
    }
