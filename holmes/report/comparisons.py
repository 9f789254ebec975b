"""Runs held against each other on the same cases: paired differences, pairs that differ in one label, agreement."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Mapping, Sequence

from holmes.errors import InputError
from holmes.report import labels
from holmes.report.breakdown import BY
from holmes.report.runs import Entry, Run, number
from holmes.report.tables import Cell, Table
from holmes.stats import Comparison, Estimate, compare, detectable, holm, mcnemar, mean_interval
from holmes.stats.intervals import undefined

METHOD = "sign-flip"
ACCURACY = "acc"


def shared(a: Run, b: Run, task: str = "", metric: str = ACCURACY) -> tuple[dict[str, list[float]], ...]:
    """Return the scores of two runs on the cases that both have, by task and case id.

    metric: ``acc``, or a named part of scores. A case counts where every generation of both runs has the metric.
    """
    rows = [_scores(run.of(task), metric) for run in (a, b)]
    both = [place for place in rows[0] if place in rows[1]]
    return tuple({"\t".join(place): row[place] for place in both} for row in rows)


def _scores(entries: Sequence[Entry], metric: str) -> dict[tuple[str, str], list[float]]:
    found = {}
    for entry in entries:
        raw = entry.values if metric == ACCURACY else [number(score.parts.get(metric)) for score in entry.scores]
        values = [value for value in raw if value is not None]
        if len(values) == len(entry.scores):
            found[entry.task, entry.case.id] = values
    return found


def asked_otherwise(a: Run, b: Run, task: str = "") -> int:
    """Return on how many cases of both runs their logged prompts differ: another option, or another version of it."""
    one, two = ({(e.task, e.case.id): e.prompt for e in run.of(task)} for run in (a, b))
    return sum(bool(one[place] and two[place]) and one[place] != two[place] for place in one.keys() & two.keys())


def told_otherwise(a: Run, b: Run, task: str = "") -> str:
    """Return in words that two runs were asked in different words; "" where they were not."""
    count = asked_otherwise(a, b, task)
    return f"the prompts differ in {count} cases: another option or version, so not the model alone" if count else ""


def difference(a: Run, b: Run, task: str = "", metric: str = ACCURACY, seed: int = 0) -> Comparison:
    """Compare two runs on the cases that both have; raises InputError where there are none."""
    one, two = shared(a, b, task, metric)
    if not one:
        raise InputError(f"compare: found no case with {metric} in both {a.name} and {b.name}, expected one or more")
    return compare(one, two, seed=seed)


def estimate(found: Comparison) -> Estimate:
    """Return the difference of a comparison as an estimate."""
    if not found.cases:
        return undefined(METHOD)
    return Estimate(
        found.difference, found.low, found.high, found.cases, found.cases, METHOD, note=found.note
    )  # fmt: skip


def pairwise(runs: Sequence[Run], metric: str = ACCURACY) -> Table | None:
    """Every two runs on every task that both have, with Holm's correction; None for one run alone.

    The rows over all cases of all pairs are one family of tests, the tasks of one pair another. Pairs with a run that
    the package made are asked nothing: they form a family of their own, so that they cost the models no power, and
    beside models they are not held against each other.
    """
    rows: list[list[Cell]] = []
    families: dict[tuple[object, ...], list[int]] = {}
    marks: list[str] = []
    models = [run for run in runs if not run.made]
    for a, b in itertools.combinations(runs, 2):
        if models and a.made and b.made:
            continue
        if told := told_otherwise(a, b):
            marks.append(f"{a.name} and {b.name}: {told}.")
        both = [task for task in a.tasks if task in b.tasks]
        for task in (*both, *([""] if len(both) > 1 else [])):
            one, two = shared(a, b, task, metric)
            if not one:
                continue
            found = compare(one, two)
            whole = not task or len(both) == 1
            family = ("whole", bool(a.made or b.made)) if whole else ("tasks", a.name, b.name)
            families.setdefault(family, []).append(len(rows))
            named = labels.task(task) if task else labels.ALL
            rows.append([a.name, b.name, named, found.cases, estimate(found), found.p, single_p(one, two),
                         found.better, found.worse, _least(found)])  # fmt: skip
    if not rows:
        return None
    for places in families.values():
        tests = [p for place in places if isinstance(p := rows[place][5], float)]
        for place, adjusted in zip(places, holm(tests), strict=True):
            rows[place].insert(6, adjusted)
    note = (
        "Points of difference between case means, A minus B. Interval and p come from one sign-flip test and never "
        "contradict each other. Holm corrects for the number of pairs in rows over all cases, for the number of tasks "
        "in rows of one task; pairs with a run made by the package count apart. McNemar's p where every case has one "
        "generation. The last column is the least true difference that so many cases would show in four of five tries."
    )
    note = " ".join([note, *marks])
    heads = ("A", "B", "task", "cases", "A − B", "p", "p after Holm", "McNemar's p", "A better", "B better",
             "least detectable")  # fmt: skip
    return Table(
        "compare", "Which run is better, and how sure is that?", heads, tuple(map(tuple, rows)), 3, note, points=True
    )


def _least(found: Comparison) -> Estimate:
    least = detectable(found.cases, found.spread)
    return undefined() if least is None else Estimate(least, None, None, found.cases, found.cases, "normal")


def single_p(one: Mapping[str, Sequence[float]], two: Mapping[str, Sequence[float]]) -> float | None:
    """Return McNemar's p; None where a case has several generations, or scores between right and wrong."""
    if any(len(row) != 1 or row[0] not in (0, 1) for rows in (one, two) for row in rows.values()):
        return None
    only_a = sum(one[place][0] > two[place][0] for place in one)
    only_b = sum(one[place][0] < two[place][0] for place in one)
    return mcnemar(only_a, only_b).p


def by_label(runs: Sequence[Run]) -> Table | None:
    """Pairs of runs that differ in one label only: thinking against plain, effort, size (HOLMES fig. 6, table 6, C.2).

    Each pair is compared on the cases that both have, in all and by operation. None where no two runs are such a pair.
    """
    rows: list[tuple[Cell, ...]] = []
    for a, b in itertools.combinations(runs, 2):
        names = sorted({*a.labels, *b.labels})
        differing = [name for name in names if a.labels.get(name) != b.labels.get(name)]
        if len(differing) != 1 or not (differing[0] in a.labels and differing[0] in b.labels):
            continue
        key = differing[0]
        one, two = shared(a, b)
        if not one:
            continue
        rest = ", ".join(a.labels[name] for name in names if name != key) or "—"
        label = (key, rest, a.labels[key], b.labels[key])
        found = compare(one, two)
        rows.append((*label, labels.ALL, found.cases, estimate(found), found.p))
        kinds = {f"{e.task}\t{e.case.id}": BY["type"](e.case) for e in a.entries}
        for kind, name in labels.TYPES.items():
            ids = [place for place in one if kind in kinds[place]]
            if ids and len(ids) < len(one):
                part = compare({i: one[i] for i in ids}, {i: two[i] for i in ids})
                rows.append((*label, name, part.cases, estimate(part), part.p))
    heads = ("label", "same for both", "A", "B", "cases of", "cases", "A − B", "p")
    note = "Paired by case; the runs differ in this label only."
    if not rows:
        return None
    return Table("labels", "What do thinking, effort or size change?", heads, tuple(rows), 5, note, points=True)


def agreement(runs: Sequence[Run]) -> Table | None:
    """How often two runs give the same verdict on a case (right or not), and Cohen's κ; None for one run alone."""
    rows: list[tuple[Cell, ...]] = []
    for a, b in itertools.combinations(runs, 2):
        one, two = shared(a, b)
        if not one:
            continue
        pairs = [(sum(one[i]) / len(one[i]) > 0.5, sum(two[i]) / len(two[i]) > 0.5) for i in one]
        same = sum(x == y for x, y in pairs) / len(pairs)
        p, q = sum(x for x, _ in pairs) / len(pairs), sum(y for _, y in pairs) / len(pairs)
        chance = p * q + (1 - p) * (1 - q)
        kappa = (same - chance) / (1 - chance) if chance < 1 else None
        rows.append((a.name, b.name, len(pairs), mean_interval([[float(x == y)] for x, y in pairs]), kappa))
    heads = ("A", "B", "cases", "both right or both not", "Cohen's κ")
    return Table("agreement", "Do the runs agree?", heads, tuple(rows), 2) if rows else None


def missed(runs: Sequence[Run], share: float = 0.2) -> Table | None:
    """Cases that nearly all models miss, with a suspected cause: the papers' filter for bad cases.

    share: at most so much of the runs' generations is right. Runs made by the package do not count; None for fewer
    than three others.
    """
    models = [run for run in runs if not run.made]
    if len(models) < 3:
        return None
    found: dict[tuple[str, str], list[Entry]] = {}
    for run in models:
        for entry in run.entries:
            found.setdefault((entry.task, entry.case.id), []).append(entry)
    rows: list[tuple[Cell, ...]] = []
    for (task, id), entries in found.items():
        if len(entries) < len(models) or sum(e.mean for e in entries) / len(entries) > share:
            continue
        scores = [score for entry in entries for score in entry.scores]
        given = Counter(score.answer for score in scores if score.answer is not None)
        most, times = given.most_common(1)[0] if given else (None, 0)
        if not given:
            cause = "no model gives a readable answer: the prompt or the length limit"
        elif times >= 0.8 * len(scores):
            cause = f"nearly all give “{labels.answer(entries[0].case, most)}”: look at the gold answer and the text"
        elif sum(given.values()) < 0.5 * len(scores):
            cause = "most replies have no usable answer: the prompt or the length limit"
        else:
            cause = "wrong in different ways: a hard case"
        gold = labels.answer(entries[0].case, entries[0].case.answer)
        rows.append((labels.task(task), id, gold, sum(e.mean for e in entries) / len(entries), cause))
    heads = ("task", "case", "gold answer", "share right", "suspected cause")
    note = f"At most {100 * share:.0f} % of the generations of {len(models)} models are right."
    return Table("missed", "Cases that nearly all models miss", heads, tuple(rows), 2, note)
