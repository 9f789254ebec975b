"""The papers' analyses of one or several runs, each a function that gives a table with intervals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence

from holmes.cases import Case
from holmes.registry import domain_of
from holmes.report import labels
from holmes.report.breakdown import BY
from holmes.report.faults import class_of, first_fault
from holmes.report.runs import USAGE, Entry, Run
from holmes.report.tables import Cell, Table
from holmes.results import Outcome
from holmes.scoring import counterfactual
from holmes.stats import Estimate, mean_interval
from holmes.stats.intervals import undefined

HEADS: Mapping[str, str] = {
    "type": "operation on rules",
    "height": "height of the derivation",
    "conflicts": "conflicts",
    "scopes": "scopes",
    "components": "parts of the case",
    "steps": "steps of the gold trace",
    "tier": "tier",
    "task": "question",
    "bundle": "rule base",
    "answer": "gold answer",
}
"""What a group is called."""


def accuracy(entries: Iterable[Entry]) -> Estimate:
    """Return accuracy over cases, generations averaged in each, with its interval; undefined over nothing."""
    return mean_interval([entry.values for entry in entries])


def part(entries: Iterable[Entry], name: str) -> Estimate:
    """Return the mean of a named part over the cases that have it; undefined where none has."""
    rows = [[value] for entry in entries if (value := entry.part(name)) is not None]
    return mean_interval(rows)


def share(entries: Iterable[Entry], *outcomes: Outcome) -> Estimate:
    """Return the share of generations with one of some outcomes, as the mean over cases."""
    return mean_interval([[float(s.outcome in outcomes) for s in entry.scores] for entry in entries])


# ---------------------------------------------------------------- headline
def with_all(run: Run) -> tuple[str, ...]:
    """Return the tasks of a run, and "" for all its cases where there are several tasks."""
    return (*run.tasks, *(("",) if len(run.tasks) > 1 else ()))


def _asked(task: str) -> str:
    return labels.task(task) if task else labels.ALL


def floors(entries: Sequence[Entry]) -> dict[str, Estimate]:
    """Return what needs no reading on the same cases: the best constant answer a task, a uniform guess.

    Equal answers are counted as their kind counts them. The guess is defined where every case lists its choices.
    """
    if not entries:
        return {"constant": undefined(), "guess": undefined()}
    golds = [(e.task, domain_of(e.case).answer_kind(e.case).canonical(e.case, e.case.answer)) for e in entries]
    ranked = Counter(golds).most_common()
    most = dict(reversed([gold for gold, _ in ranked]))  # the first of a task is written last
    constant = mean_interval([[float(gold == most[task])] for task, gold in golds])
    told = all(len(e.case.choices) > 1 and e.case.answer in e.case.choices for e in entries)
    guess = mean_interval([[1 / len(entry.case.choices)] for entry in entries]) if told else undefined()
    return {"constant": constant, "guess": guess}


def headline(runs: Sequence[Run]) -> Table:
    """Accuracy of each run on each task, and over all its cases, beside what needs no reading."""
    rows: list[tuple[Cell, ...]] = []
    for run in runs:
        for task in with_all(run):
            entries = run.of(task)
            low = floors(entries)
            rows.append((
                run.name, _asked(task), len(entries), accuracy(entries),
                low["constant"], low["guess"],
                part(entries, "deriv_f1"), part(entries, "deriv_critical"),
                share(entries, *_UNANSWERED), share(entries, Outcome.FAILED),
            ))  # fmt: skip
    heads = ("run", "task", "cases", "accuracy", "best constant answer", "uniform guess",
             "derivation F1", "critical steps", "no usable answer", "no reply")  # fmt: skip
    note = (
        "Percent, with 95 % intervals over cases; generations of a case are averaged first, and groups of tasks are "
        "averaged over cases. The constant answer is the one that fits these very cases best."
    )
    return Table("headline", "How often is the answer right?", heads, tuple(rows), 2, note)


_UNANSWERED = tuple(outcome for outcome in Outcome if not outcome.answered and outcome is not Outcome.FAILED)


def outcomes(runs: Sequence[Run]) -> Table:
    """How the generations of each run ended, by answer and reasoning together (class) and by outcome."""
    shown = [o for o in Outcome if any(s.outcome is o for run in runs for e in run.entries for s in e.scores)]
    rows: list[tuple[Cell, ...]] = [
        (run.name, _asked(task), *(share(run.of(task), outcome) for outcome in shown))
        for run in runs
        for task in with_all(run)
    ]
    heads = ("run", "task", *(labels.OUTCOMES[outcome.value] for outcome in shown))
    return Table("outcomes", "How did the replies end?", heads, tuple(rows), 2, "Percent of generations.")


def soundness(runs: Sequence[Run]) -> Table:
    """Right answers by whether their reasoning holds (HOLogicBench 4.7: right with faulty reasoning)."""
    rows: list[tuple[Cell, ...]] = []
    for run in runs:
        for task in with_all(run):
            entries = run.of(task)
            rows.append((run.name, _asked(task), *(
                mean_interval([[float(class_of(s) == name) for s in e.scores] for e in entries])
                for name in labels.CLASSES
            )))  # fmt: skip
    note = (
        "Sound: no false step was found, and half or more of the critical steps were claimed. Not read: no statement "
        "of the reply could be tied to a step. Not measured: no reasoning is asked for, or there is no derivation."
    )
    heads = ("run", "task", *labels.CLASSES.values())
    return Table("soundness", "Is a right answer rightly reasoned?", heads, tuple(rows), 2, note)


# ---------------------------------------------------------------- groups
def grouped(runs: Sequence[Run], by: str) -> Table:
    """Accuracy by one property of the case."""
    groups = _groups(runs, BY[by])
    rows: list[tuple[Cell, ...]] = []
    for group in _ordered(groups):
        cells = [accuracy(groups[group].get(run.name, ())) for run in runs]
        rows.append((_named(by, group), max(len(groups[group].get(run.name, ())) for run in runs), *cells))
    heads = (HEADS[by], "cases", *(run.name for run in runs))
    note = "A case with several operations is in the group of each." if by == "type" else ""
    return Table(f"by_{by}", f"Accuracy by {HEADS[by]}", heads, tuple(rows), 1, note)


def crossed(runs: Sequence[Run], by: str, other: str) -> Table:
    """Accuracy by two properties at once."""
    found: dict[tuple[str, str], dict[str, list[Entry]]] = {}
    for run in runs:
        for entry in run.entries:
            for one in BY[by](entry.case):
                for two in BY[other](entry.case):
                    found.setdefault((one, two), {}).setdefault(run.name, []).append(entry)
    order = sorted(found, key=lambda pair: (_key(pair[0]), _key(pair[1])))
    rows: list[tuple[Cell, ...]] = [
        (_named(by, one), _named(other, two), max(map(len, found[one, two].values())),
         *(accuracy(found[one, two].get(run.name, ())) for run in runs))
        for one, two in order
    ]  # fmt: skip
    heads = (HEADS[by], HEADS[other], "cases", *(run.name for run in runs))
    title = f"Accuracy by {HEADS[by]} and {HEADS[other]}"
    return Table(f"by_{by}_and_{other}", title, heads, tuple(rows), 2)


def depth_by_type(runs: Sequence[Run]) -> Table:
    """Accuracy by operation and height, statements about all rules split by outcome (HOLogicBench 4.5)."""
    found: dict[tuple[str, str], dict[str, list[Entry]]] = {}
    for run in runs:
        for entry in run.entries:
            for kind in BY["type"](entry.case):
                named = labels.TYPES[kind]
                if kind == "PQ":
                    named += ", some rule applies" if some_rule_applies(entry.case) else ", no rule applies"
                found.setdefault((named, _band(entry.case.difficulty.height)), {}).setdefault(run.name, []).append(
                    entry
                )
    order = sorted(found, key=lambda pair: (pair[0], _key(pair[1])))
    rows: list[tuple[Cell, ...]] = [
        (one, two, max(map(len, found[one, two].values())),
         *(accuracy(found[one, two].get(run.name, ())) for run in runs))
        for one, two in order
    ]  # fmt: skip
    heads = (HEADS["type"], HEADS["height"], "cases", *(run.name for run in runs))
    return Table("depth_by_type", "Does depth make cases harder, operation by operation?", heads, tuple(rows), 2)


def some_rule_applies(case: Case) -> bool:
    """Say whether the gold trace has a rule that applies: the outcome is then a consequence, not the default."""
    return any(step.kind in ("applies", "selection") and step.result == "true" for step in case.trace)


def _band(height: int) -> str:
    for low, high in ((0, 3), (4, 6), (7, 9), (10, 14), (15, 19)):
        if height <= high:
            return f"{low}-{high}"
    return "20-"


def _groups(runs: Sequence[Run], key: Callable[[Case], Sequence[str]]) -> dict[str, dict[str, list[Entry]]]:
    groups: dict[str, dict[str, list[Entry]]] = {}
    for run in runs:
        for entry in run.entries:
            for group in key(entry.case):
                groups.setdefault(group, {}).setdefault(run.name, []).append(entry)
    return groups


def _key(group: str) -> tuple[bool, int, str]:
    first = group.partition("-")[0]
    return (not first.isdigit(), int(first) if first.isdigit() else 0, group)


def _ordered(groups: Iterable[str]) -> list[str]:
    return sorted(groups, key=_key)


def _named(by: str, group: str) -> str:
    if by == "type":
        return labels.TYPES.get(group, group)
    if by == "task":
        return labels.task(group)
    return labels.plain(group) if by in ("bundle", "tier") else group.replace("-", " to ") if by == "steps" else group


# ---------------------------------------------------------------- faults
def localisation(runs: Sequence[Run]) -> Table:
    """Where the first false step lies, among wrong answers and right ones that are not sound (HOLogicBench A.1)."""
    rows: list[tuple[Cell, ...]] = []
    for run in runs:
        found: Counter[str] = Counter()
        for entry in run.entries:
            for text, score in zip(entry.texts, entry.scores, strict=True):
                if class_of(score) in ("wrong", "unsound"):
                    fault = first_fault(entry.case, text)
                    found[fault if fault else "none"] += 1
        total = sum(found.values())
        for layer, name in labels.LAYERS.items():
            if found[layer] or (total and layer != "fact"):
                rows.append((run.name, name, found[layer], mean_interval(_flags(found[layer], total))))
    note = "Of generations with a wrong answer or with a false step; the share is of these."
    heads = ("run", "first false step", "generations", "share")
    return Table("localisation", "What goes wrong first?", heads, tuple(rows), 2, note)


def _flags(count: int, total: int) -> list[list[float]]:
    return [[1.0]] * count + [[0.0]] * (total - count)


def families(runs: Sequence[Run]) -> Table | None:
    """The counterfactual table (HOLogicBench 4.4, table 4); None where no run has such cases."""
    rows: list[tuple[Cell, ...]] = []
    for run in runs:
        entries = [entry for entry in run.entries if entry.case.pair.family and entry.case.pair.role]
        if entries:
            given = [counterfactual.family_row(entry.case, entry.scores) for entry in entries]
            figures = [counterfactual.interval(name, given) for name in counterfactual.METRICS]
            rows.append((run.name, len({entry.case.pair.family for entry in entries}), *figures))
    heads = ("run", "families", "original right", "changed case right", "changed right given original right",
             "control answer changed", "all three right")  # fmt: skip
    note = (
        "One fact is changed so that the answer changes, or so that it must not; undefined where no original is right."
    )
    return Table("families", "Do answers follow the facts?", heads, tuple(rows), 1, note) if rows else None


def recorded(runs: Sequence[Run]) -> Table | None:
    """Tokens, seconds and cost where runs recorded them; None where none did."""
    rows: list[tuple[Cell, ...]] = []
    for run in runs:
        sums: Counter[str] = Counter()
        for entry in run.entries:
            sums.update(entry.usage)
        if sums or run.seconds is not None:
            cells = [float(sums[name]) if name in sums else None for name in USAGE]
            rows.append((run.name, len(run.entries), *cells, run.seconds))
    heads = ("run", "cases", "tokens read", "tokens written", "seconds of generation", "cost", "seconds in all")
    return Table("recorded", "What did it take?", heads, tuple(rows), 1, "As the runs recorded it.") if rows else None
