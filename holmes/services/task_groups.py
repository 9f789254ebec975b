"""Groups of tasks, as their files define them: which leaves they hold, what they average, whose outputs are whose."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from holmes.cases import Case
from holmes.errors import InputError
from holmes.interfaces import Task
from holmes.services.samples import Sample, read_samples, samples_of
from holmes.store import load_cases, splits
from holmes.tasks import task_names, task_spec
from holmes.util.files import read_jsonl
from holmes.util.paths import tasks_dir

Rows = list[tuple[str, int, Any]]  # file, line, row


@dataclass(frozen=True, slots=True)
class Group:
    """A group of tasks: its name, its leaf tasks in order, the metrics it averages, weighted by numbers of cases."""

    name: str
    leaves: tuple[str, ...]
    metrics: tuple[str, ...]


@functools.lru_cache(maxsize=1)
def groups() -> dict[str, Group]:
    """Return every group by name, as the task files have them; a group within a group stands for its leaves."""
    files = {}
    for path in sorted(tasks_dir().rglob("*.yaml")):
        head = path.read_text(encoding="utf-8")
        if re.search(r"^group:", head, re.M):  # task files hold tags that only lm_eval reads
            document = yaml.safe_load(head)
            files[document["group"]] = document
    return {
        name: Group(name, tuple(_leaves(name, files)), tuple(m["metric"] for m in document["aggregate_metric_list"]))
        for name, document in files.items()
    }


def _leaves(name: str, files: Mapping[str, Any]) -> Iterator[str]:
    if name not in files:
        yield name
        return
    for member in files[name]["task"]:
        yield from _leaves(member, files)


def specs_of(name: str) -> tuple[Task, ...]:
    """Return the leaf tasks that a name stands for: those of a group, or the task itself.

    Raises InputError for a name that is neither.
    """
    if name in groups():
        return tuple(task_spec(leaf) for leaf in groups()[name].leaves)
    if name not in task_names():
        raise InputError(f"task: found {name!r}, expected one of {', '.join([*task_names(), *groups()])}")
    return (task_spec(name),)


def read_task(paths: Sequence[str | Path], name: str) -> list[tuple[Task, list[Sample]]]:
    """Read the logged outputs of a task, or of every leaf of a group that `paths` hold any of; raises InputError."""
    specs = specs_of(name)
    if name in groups():
        read = read_group(paths, name)
        return [(spec, read[spec.name]) for spec in specs if spec.name in read]
    if len(paths) > 1:
        raise InputError(f"samples: found {len(paths)} files for the task {name}, expected one: it is no group")
    return [(specs[0], list(read_samples(paths[0], specs[0])))]


def read_group(paths: Sequence[str | Path], name: str) -> dict[str, list[Sample]]:
    """Read the logged outputs of a group.

    paths: files of samples, or folders in which lm_eval wrote a file a leaf. name: of the group. A line of a file
    belongs to the leaf that its document names, or that has its case. Returns the samples by leaf, without leaves that
    no line belongs to. Raises InputError for no line at all, a line that belongs to no leaf, two files of one leaf in
    the folders, and as `read_samples`.
    """
    specs = specs_of(name)
    found: dict[str, Rows] = {spec.name: [] for spec in specs}
    cases: dict[str, dict[str, Case]] | None = None
    for path in _files(paths, specs):
        for number, row in read_jsonl(path):
            leaf = _named(row)
            if leaf is None:
                cases = _cases(specs) if cases is None else cases
                id = row.get("id") if isinstance(row, dict) else None
                leaf = next((name for name, of_leaf in cases.items() if id in of_leaf), None)
            if leaf not in found:
                raise InputError(f"{path}: line {number}: found {_what(row)}, expected a case of {name}")
            found[str(leaf)].append((str(path), number, row))
    if not any(found.values()):
        raise InputError(f"{', '.join(map(str, paths))}: found no samples, expected at least one line")
    return {
        s.name: list(samples_of(found[s.name], s, cases[s.name] if cases else None)) for s in specs if found[s.name]
    }


def _named(row: Any) -> str | None:
    doc = row.get("doc") if isinstance(row, dict) else None
    return str(doc.get("task_name")) if isinstance(doc, dict) else None


def _what(row: Any) -> str:
    if _named(row) is not None:
        return f"task {_named(row)!r}"
    return f"id {row.get('id')!r}" if isinstance(row, dict) else type(row).__name__


def _cases(specs: Sequence[Task]) -> dict[str, dict[str, Case]]:
    """Return the cases of every leaf by id; each config is read once, however many leaves share it."""
    found: dict[str, dict[str, Case]] = {spec.name: {} for spec in specs}
    for config in dict.fromkeys(spec.config for spec in specs):
        cases = [case for split in splits(config) for case in load_cases(config, split)]
        for spec in specs:
            if spec.config == config:
                found[spec.name] = {case.id: case for case in cases if spec.only in ("", case.task)}
    return found


def _files(paths: Sequence[str | Path], specs: Sequence[Task]) -> Iterator[Path]:
    for path in map(Path, paths):
        if not path.is_dir():
            yield path
            continue
        inside: dict[str, list[Path]] = {}
        for file in sorted(path.rglob("samples_*.jsonl")):
            for spec in specs:
                if re.fullmatch(rf"samples_{re.escape(spec.name)}(_\d[^_]*)?\.jsonl", file.name):
                    inside.setdefault(spec.name, []).append(file)
        if not inside:
            raise InputError(f"{path}: found no samples_<task>_*.jsonl of {specs[0].name} or its like, expected some")
        for name, files in inside.items():
            if len(files) > 1:
                shown = ", ".join(file.name for file in files)
                raise InputError(
                    f"{path}: found {len(files)} files of {name}: {shown}; expected one run: name its files"
                )
            yield files[0]


def averaged(group: Group, leaves: Mapping[str, tuple[int, Mapping[str, float | None]]]) -> dict[str, float | None]:
    """Return the figures of a group: means over leaves weighted by their cases, which is what lm_eval prints.

    leaves: of each leaf that was scored its number of cases and its figures. A figure that no leaf defines is None.
    """
    result: dict[str, float | None] = {}
    for metric in group.metrics:
        known = [(n, value) for n, figures in leaves.values() if (value := figures.get(metric)) is not None]
        total = sum(n for n, _ in known)
        result[metric] = sum(n * value for n, value in known) / total if total else None
    return result
