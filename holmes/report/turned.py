"""What twins of the same cases turn: a run asked plainly beside one with steps given, or under pressure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from holmes.report import labels
from holmes.report.comparisons import difference, shared
from holmes.report.runs import Run
from holmes.report.tables import Cell, Table
from holmes.stats import mean_interval

OPTIONS = ("given", "pressure")


def asked_as(run: Run, task: str) -> dict[str, str]:
    """Return what the prompts of a run add to the plain ones, option -> value; nothing for a plain run."""
    pairs = (part.partition("=") for part in run.signatures.get(task, "").split("|"))
    return {name: value for name, _, value in pairs if name in OPTIONS}


def pairs(runs: Sequence[Run]) -> Iterator[tuple[Run, Run, str, str]]:
    """Yield (plain, twin, task, what the twin adds) for every two runs of one model that differ in nothing else.

    Runs are of one model where their labels agree; where several plain runs have the labels of a twin, it is not known
    which one it belongs to, and there is no pair.
    """
    models = [run for run in runs if not run.made]
    for twin in models:
        for task in twin.tasks:
            added = asked_as(twin, task)
            plain = [
                run
                for run in models
                if task in run.tasks and not asked_as(run, task) and dict(run.labels) == dict(twin.labels)
            ]
            if added and len(plain) == 1:
                yield plain[0], twin, task, ", ".join(f"{name}: {value}" for name, value in added.items())


def turned(runs: Sequence[Run]) -> Table | None:
    """Return how many answers each twin turns, right ones into wrong ones and back; None without a pair."""
    rows = [row for plain, twin, task, added in pairs(runs) for row in _row(plain, twin, task, added)]
    heads = ("plain run", "twin", "what it adds", "task", "cases", "right, turned wrong", "wrong, turned right",
             "share right: plain", "with twin", "p")  # fmt: skip
    note = (
        "Each twin asks the same cases with one paragraph more; the golds are the same. Turned wrong: of the answers "
        "right without it, the share that is lost with it; turned right: of those wrong without it, the share won. "
        "With several generations a case counts by what its share of right ones falls or rises."
    )
    return Table("turned", "What do given steps or pressure turn?", heads, tuple(rows), 4, note) if rows else None


def _row(plain: Run, twin: Run, task: str, added: str) -> Iterator[tuple[Cell, ...]]:
    one, two = shared(plain, twin, task)
    if not one:
        return
    means = [(sum(one[i]) / len(one[i]), sum(two[i]) / len(two[i])) for i in one]
    lost = mean_interval([[max(0.0, a - b) / a] for a, b in means if a > 0])
    won = mean_interval([[max(0.0, b - a) / (1 - a)] for a, b in means if a < 1])
    share = [mean_interval(list(scores.values())) for scores in (one, two)]
    yield (
        plain.name,
        twin.name,
        added,
        labels.task(task),
        len(means),
        lost,
        won,
        *share,
        difference(twin, plain, task).p,
    )
