"""The few sentences that a reader wants first, made from the tables of a report and from nothing else."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any

from holmes.report.labels import ALL
from holmes.report.tables import percent

Tables = dict[str, dict[str, Any]]
Row = list[dict[str, Any]]
_ALL = ALL.capitalize()
_SURE = 0.05
_MOST = 6  # sentences of one kind


def glance(tables: Tables, made: frozenset[str] = frozenset()) -> list[str]:
    """Return sentences: how often right, which run is better and how sure, how sound the right ones, where it fails.

    tables: of the report, by name. made: names of the runs that the package made; models come before them.
    """
    found = (_headline, _compared, _sound, _weakest, _first)
    said = [sentence for sentences in found for sentence in sentences(tables, made)]
    return [_ALL + sentence.removeprefix(ALL) if sentence.startswith(ALL) else sentence for sentence in said]


def _headline(tables: Tables, made: frozenset[str]) -> list[str]:
    rows = [row for row in tables["headline"]["rows"] if row[3].get("value") is not None]
    rows = [row for row in rows if row[0]["text"] not in made] or rows
    best: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        task = row[1]["text"]
        if task not in best or row[3]["value"] > best[task][3]["value"]:
            best[task] = row
    sentences = []
    for task, row in best.items():
        floor = f", where one constant answer would reach {row[4]['text']} %" if row[4].get("value") is not None else ""
        sentences.append(
            f"{task}: {row[0]['text']} is right in {row[3]['text']} % of {row[2]['text']} cases "
            f"(95 % interval {row[3].get('range', '—')}){floor}."
        )
    return sentences if len(best) <= 3 else [s for t, s in zip(best, sentences, strict=True) if t == ALL]


def _compared(tables: Tables, made: frozenset[str]) -> list[str]:
    if "compare" not in tables:
        return []
    rows = _whole(tables["compare"]["rows"], 2, lambda row: (row[0]["text"], row[1]["text"]))
    best = _best(tables, made)
    pairs = [(row[0]["text"], row[1]["text"]) for row in rows]
    # models before runs that the package made, the best against the others before others among themselves
    ranked = sorted(range(len(rows)), key=lambda at: (sum(name in made for name in pairs[at]), best not in pairs[at]))
    ranked = [at for at in ranked if not made.intersection(pairs[at])] or ranked
    rows = [rows[at] for at in ranked]
    sentences = []
    for row in rows[:_MOST]:
        a, b, task, cases, gap, adjusted = (row[i] for i in (0, 1, 2, 3, 4, 6))
        alone = row[5]
        better, worse = (a, b) if gap["value"] >= 0 else (b, a)
        ends = sorted(abs(gap[end]) if gap["value"] * gap[end] >= 0 else -abs(gap[end]) for end in ("low", "high"))
        holm = "" if alone["text"] == adjusted["text"] else f", {adjusted['text']} after Holm"
        span = f"95 % interval {' to '.join(percent(end, sign=True) for end in ends)}; p {alone['text']}{holm}"
        told = f"{percent(abs(gap['value']))} points ({span}; {cases['text']} cases)"
        if adjusted["value"] <= _SURE:
            said = f"{better['text']} is better than {worse['text']} by {told}."
        elif alone["value"] <= _SURE:
            said = (
                f"{better['text']} may be better than {worse['text']}, by {told}: not sure among so many comparisons."
            )
        elif gap["value"]:
            said = f"{a['text']} and {b['text']} cannot be told apart; {better['text']} leads by {told}."
        else:
            said = f"{a['text']} and {b['text']} cannot be told apart: {told}."
        sentences.append(f"{task['text']}: {said}")
    more = len(tables["compare"]["rows"]) - min(len(rows), _MOST)
    if more:
        sentences.append(f"{more} more comparisons stand in the table below.")
    return sentences


def _whole(rows: list[Row], task: int, run: Callable[[Row], Hashable]) -> list[Row]:
    """Return for each run, or pair, its row over all cases; its rows by task where there is no such row."""
    pooled = {run(row) for row in rows if row[task]["text"] == ALL}
    return [row for row in rows if row[task]["text"] == ALL or run(row) not in pooled]


def _best(tables: Tables, made: frozenset[str]) -> str:
    rows = _whole(tables["headline"]["rows"], 1, lambda row: row[0]["text"])
    rows = [row for row in rows if row[0]["text"] not in made] or rows
    told = [row for row in rows if row[3].get("value") is not None]
    return str(max(told, key=lambda row: row[3]["value"])[0]["text"]) if told else ""


def _sound(tables: Tables, made: frozenset[str]) -> list[str]:
    sentences = []
    rows = _whole(tables["soundness"]["rows"], 1, lambda row: row[0]["text"])
    for row in sorted(rows, key=lambda row: row[0]["text"] in made):
        sound, unsound = row[2]["value"], row[3]["value"]
        if sound is not None and unsound is not None and sound + unsound > 0:
            share = 100 * unsound / (sound + unsound)
            sentences.append(
                f"{row[1]['text']}: of {row[0]['text']}'s right answers whose reasoning could be read, "
                f"{share:.1f} % rest on a false or a skipped step."
            )
    return sentences[:_MOST]


def _weakest(tables: Tables, made: frozenset[str]) -> list[str]:
    table = tables["by_type"]
    sentences = []
    places = list(enumerate(table["heads"][2:], 2))
    for place, run in [told for told in places if told[1] not in made] or places:
        rows = [row for row in table["rows"] if row[place].get("value") is not None and row[1]["value"] >= 10]
        if len(rows) > 1:
            worst = min(rows, key=lambda row: row[place]["value"])
            best = max(rows, key=lambda row: row[place]["value"])
            if worst[place]["value"] < best[place]["value"]:
                sentences.append(
                    f"{run} is weakest on: {worst[0]['text']} ({worst[place]['text']} %, {worst[place]['range']}); "
                    f"strongest on: {best[0]['text']} ({best[place]['text']} %, {best[place]['range']})."
                )
    return sentences[:4]


def _first(tables: Tables, made: frozenset[str]) -> list[str]:
    most: dict[str, list[dict[str, Any]]] = {}
    for row in tables["localisation"]["rows"]:
        run = row[0]["text"]
        if row[2]["value"] and (run not in most or row[2]["value"] > most[run][2]["value"]):
            most[run] = row
    return [
        f"{run}: what goes wrong first is most often: {row[1]['text']} ({row[3]['text']} % of its faulty replies)."
        for run, row in most.items()
        if run not in made or made.issuperset(most)
    ][:4]
