"""The embedded splits of the deontic tasks: test ⊃ hard ⊃ smoke, and dev and train apart from them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path

from holmes.cases import Case, read_cases, write_parquet
from holmes.domains.deontic.generate import TASKS, Generator
from holmes.errors import InputError
from holmes.util.paths import data_dir

SEEDS = {"test": 20261, "dev": 20262, "train": 20263}
SIZES = {"test": 80, "hard": 40, "smoke": 8, "dev": 8, "train": 160}
SHORT = 98
"""Most words of a smoke case: statute, case and contract then fit a zero-shot prompt of 1,200 tokens."""


def content(case: Case) -> tuple[object, ...]:
    """Return what makes a case a clone of another: facts without names, and what is asked."""
    facts = []
    for fact in case.facts:
        facts.append((fact.name, fact.value if fact.type != "list" else _nameless(fact.value)))
    plan = {key: value for key, value in json.loads(case.plan).items() if key != "names"}
    return (*facts, json.dumps(plan, sort_keys=True) if case.answer_type == "label" else "", case.answer)


def _nameless(value: str) -> str:
    records = [{key: part for key, part in record.items() if key != "name"} for record in json.loads(value)]
    return json.dumps(sorted(json.dumps(record, sort_keys=True) for record in records))


@lru_cache(maxsize=len(TASKS))
def splits(task: str) -> dict[str, list[Case]]:
    """Return the embedded cases of one task by split.

    Smoke cases are short and stand first in test and hard, so that a run with a small limit stays small; hard holds,
    besides them, the cases with the most conflicts, records and steps. No case is a clone of another in any split.
    """
    seen: set[tuple[object, ...]] = set()
    drawn = {name: list(_fresh(task, seed, SIZES[name], seen)) for name, seed in SEEDS.items()}
    smoke = _smoke(drawn["test"])
    chosen = {case.id for case in smoke}
    rest = [case for case in drawn["test"] if case.id not in chosen]
    load = {case.id: (case.difficulty.scopes + 2 * case.difficulty.conflicts, case.difficulty.steps) for case in rest}
    order = sorted(rest, key=lambda case: (tuple(-part for part in load[case.id]), case.index))
    hardest = {case.id for case in order[: SIZES["hard"] - len(smoke)]}
    hard = [*smoke, *(case for case in rest if case.id in hardest)]
    return {"test": [*smoke, *rest], "hard": hard, "smoke": smoke, "dev": drawn["dev"], "train": drawn["train"]}


def _fresh(task: str, seed: int, size: int, seen: set[tuple[object, ...]]) -> Iterator[Case]:
    generator, index, found = Generator(task), 0, 0
    while found < size:
        case = generator.item(seed, index)
        index += 1
        key = content(case)
        if key not in seen:
            seen.add(key)
            found += 1
            yield case


def _smoke(cases: list[Case]) -> list[Case]:
    short = [case for case in cases if len(case.case.split()) <= SHORT]
    labels = sorted({case.answer for case in short if case.answer_type == "label"})
    if not labels:
        return short[: SIZES["smoke"]]
    share = SIZES["smoke"] // len(labels)
    picked = {case.id for label in labels for case in [c for c in short if c.answer == label][:share]}
    return [case for case in short if case.id in picked]


def write(out: Path | None = None) -> Mapping[str, int]:
    """Write the embedded Parquet files, the union `deontic` included; returns rows by ``config/split``.

    out: the data folder, by default the packaged one. Same bytes on every machine.
    """
    folder = out or data_dir()
    built = {task: splits(task) for task in TASKS}
    built["deontic"] = {name: [c for task in TASKS for c in built[task][name]] for name in built[TASKS[0]]}
    counts = {}
    for config, parts in built.items():
        for name, cases in parts.items():
            counts[f"{config}/{name}"] = write_parquet(folder / config / f"{name}.parquet", cases)
    return counts


def embedded(task: str, split: str) -> Iterator[Case]:
    """Yield the embedded cases of a task and split; raises InputError for an unknown one."""
    path = data_dir() / task / f"{split}.parquet"
    if not path.exists():
        raise InputError(f"config {task!r} split {split!r}: found no {path.name}, expected one of {', '.join(SIZES)}")
    yield from read_cases(path)
