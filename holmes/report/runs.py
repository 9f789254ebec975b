"""Runs as a report takes them: results of lm_eval or lines of outputs, scored again, each case with its generations."""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from holmes.cases import Case
from holmes.errors import InputError
from holmes.options import Options, override
from holmes.results import Outcome, Score
from holmes.scoring import run as scoring
from holmes.services.samples import Sample, read_samples
from holmes.tasks import task_spec
from holmes.util.files import read_jsonl

_SAMPLES = re.compile(r"samples_(?P<task>.+?)(?:_\d{4}-\d\d-\d\dT.*)?\.jsonl")
_FEW = 200  # outputs up to which a second process costs more than it saves
USAGE = {
    "tokens_in": ("tokens_in", "prompt_tokens", "input_tokens"),
    "tokens_out": ("tokens_out", "completion_tokens", "output_tokens"),
    "seconds": ("seconds", "latency", "time"),
    "cost": ("cost", "cost_usd"),
}
"""What a line of outputs may record under `usage`, by the names that are read for it."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One case of a run under one task: its K generations and their scores.

    usage: sums of what the run recorded. prompt: hash of the prompt that the run logged; "" where it logged none.
    """

    task: str
    case: Case
    texts: tuple[str | None, ...]
    scores: tuple[Score, ...]
    usage: Mapping[str, float] = field(default_factory=dict)
    prompt: str = ""

    @property
    def values(self) -> tuple[float, ...]:
        """The score of each generation."""
        return tuple(score.value for score in self.scores)

    @property
    def mean(self) -> float:
        """The mean score of the case."""
        return sum(self.values) / len(self.values)

    def share(self, *outcomes: Outcome) -> float:
        """Return the share of generations with one of the outcomes."""
        return sum(score.outcome in outcomes for score in self.scores) / len(self.scores)

    def part(self, name: str) -> float | None:
        """Return the mean of a named part over the generations that have it; None where none has."""
        found = [part for score in self.scores if (part := number(score.parts.get(name))) is not None]
        return sum(found) / len(found) if found else None


@dataclass(frozen=True, slots=True)
class Run:
    """The results of one model.

    name: as the page calls it. labels: what tells it from others (model, thinking, effort, size). entries: in the order
    of tasks and cases. signatures: task -> how its numbers were made. recorded: task -> figures that lm_eval wrote
    beside the outputs. seconds: of the whole run, None where it is not recorded. made: it is no model's, but made by
    the package to show what the scores tell. source: where it was read.
    """

    name: str
    labels: Mapping[str, str]
    entries: tuple[Entry, ...]
    signatures: Mapping[str, str] = field(default_factory=dict)
    recorded: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    seconds: float | None = None
    made: str = ""
    source: str = ""

    @property
    def tasks(self) -> tuple[str, ...]:
        """The tasks of the run, in order."""
        return tuple(dict.fromkeys(entry.task for entry in self.entries))

    def of(self, task: str) -> tuple[Entry, ...]:
        """Return the entries of one task; all for an empty name."""
        return tuple(entry for entry in self.entries if not task or entry.task == task)


def number(value: object) -> float | None:
    """Return a number among score parts; None for what is absent, no number, or not finite: undefined stays so."""
    if isinstance(value, bool):
        return float(value)
    if isinstance(value, int | float) and value == value and abs(value) != float("inf"):
        return float(value)
    return None


def load(
    results: Sequence[str], labels: Sequence[str] = (), *, options: Sequence[str] = (), workers: int = 1
) -> list[Run]:
    """Load runs and score them.

    results: each a folder of lm_eval's output, one ``samples_<task>….jsonl``, or ``NAME=`` one of these. A folder may
    hold ``run.json`` with name, labels and made. labels: ``NAME:KEY=VALUE``. options: of scoring, each NAME=VALUE.
    workers: processes.
    Returns the runs in the order given, their names made unique. Raises InputError naming path, found, expected.
    """
    if not results:
        raise InputError("results: found none, expected folders of lm_eval's output or samples_<task>.jsonl files")
    found: list[Run] = []
    for text in results:
        found += _runs(text, options, workers)
    names: dict[str, int] = {}
    for place, run in enumerate(found):
        names[run.name] = names.get(run.name, 0) + 1
        if names[run.name] > 1:
            found[place] = replace(run, name=f"{run.name} ({names[run.name]})")
    return _labelled(found, labels)


def _labelled(runs: list[Run], labels: Sequence[str]) -> list[Run]:
    for text in labels:
        name, _, rest = text.rpartition(":") if ":" in text else ("", "", "")
        key, equals, value = rest.partition("=")
        places = [place for place, run in enumerate(runs) if run.name == name]
        if not (places and key and equals):
            known = ", ".join(run.name for run in runs)
            raise InputError(f"--label: found {text!r}, expected RUN:KEY=VALUE with RUN one of {known}")
        runs[places[0]] = replace(runs[places[0]], labels={**runs[places[0]].labels, key: value})
    return runs


def _runs(text: str, options: Sequence[str], workers: int) -> list[Run]:
    name, path = "", Path(text)
    if not path.exists() and "=" in text:
        name, _, rest = text.partition("=")
        path = Path(rest)
    if not path.exists():
        raise InputError(f"results: found no {path}, expected a folder or a samples_<task>.jsonl")
    if path.is_file():
        return [_run(path.parent, [path], name or path.stem, options, workers, lone=True)]
    folders: dict[Path, list[Path]] = {}
    for file in sorted(path.rglob("samples_*.jsonl")):
        folders.setdefault(file.parent, []).append(file)
    if not folders:
        raise InputError(f"{path}: found no samples_*.jsonl, expected a run that logged its samples (--log_samples)")
    return [_run(folder, files, name, options, workers) for folder, files in folders.items()]


def _run(
    folder: Path, files: Sequence[Path], name: str, options: Sequence[str], workers: int, *, lone: bool = False
) -> Run:
    about = _json(folder / "run.json") if not lone else {}
    results = {} if lone else _results(folder)
    newest: dict[str, Path] = {}
    for file in sorted(files):  # the time stamp is in the name: a later file of a task takes the place of an earlier
        newest[_task_of(file)] = file
    entries: list[Entry] = []
    signatures = {}
    for task, file in newest.items():
        spec = task_spec(task)
        read = [(sample, override(sample.options, options)) for sample in read_samples(file, spec)]
        scoring.prepare([(sample.case, spec, chosen, sample.texts) for sample, chosen in read])
        entries += _scored(task, read, workers)
        signatures[task] = scoring.signature(spec, read[0][1])
    model = name or str(about.get("name") or results.get("model_name") or folder.name)
    seconds = results.get("total_evaluation_time_seconds")
    return Run(
        model,
        {str(k): str(v) for k, v in dict(about.get("labels") or {}).items()},
        tuple(entries),
        signatures,
        {task: _figures(row) for task, row in dict(results.get("results") or {}).items()},
        number(float(seconds)) if seconds is not None else number(about.get("seconds")),
        str(about.get("made", "")),
        str(files[0] if lone else folder),
    )


def _task_of(file: Path) -> str:
    """The task of a samples file: what its first document says, else what its name says."""
    for _, row in read_jsonl(file):
        doc = row.get("doc") if isinstance(row, dict) else None
        if isinstance(doc, dict) and isinstance(doc.get("task_name"), str):
            return str(doc["task_name"])
        break
    named = _SAMPLES.fullmatch(file.name)
    if named is None:
        raise InputError(f"{file}: found no task in it or its name, expected samples_<task>.jsonl")
    return named["task"]


def _scored(task: str, read: Sequence[tuple[Sample, Options]], workers: int) -> list[Entry]:
    chunks = [list(read[start : start + 25]) for start in range(0, len(read), 25)]
    if workers < 2 or sum(len(sample.texts) for sample, _ in read) < _FEW:
        return [entry for chunk in chunks for entry in _chunk(task, chunk)]
    with ProcessPoolExecutor(min(workers, len(chunks), os.cpu_count() or 1)) as pool:
        return [entry for part in pool.map(_chunk, [task] * len(chunks), chunks) for entry in part]


def _chunk(task: str, read: Iterable[tuple[Sample, Options]]) -> list[Entry]:
    spec = task_spec(task)
    found = []
    for sample, options in read:
        texts = tuple(sample.texts) or (None,)
        scores = tuple(scoring.score_outputs(sample.case, spec, options, texts))
        found.append(Entry(task, sample.case, texts, scores, usage_of(sample.logged), _prompt(sample.logged)))
    return found


def _prompt(logged: Mapping[str, Any]) -> str:
    doc = logged.get("doc")
    text = doc.get("prompt") if isinstance(doc, Mapping) else None
    return hashlib.sha256(text.encode()).hexdigest()[:16] if isinstance(text, str) else ""


def usage_of(logged: Mapping[str, Any]) -> dict[str, float]:
    """Return what a logged line records of tokens, seconds and cost, summed over its generations."""
    told = logged.get("usage")
    rows = [row for row in (told if isinstance(told, list) else [told]) if isinstance(row, Mapping)]
    found: dict[str, float] = {}
    for name, spellings in USAGE.items():
        values = [value for row in rows for key in spellings if (value := number(row.get(key))) is not None]
        if values:
            found[name] = sum(values)
    return found


def _results(folder: Path) -> dict[str, Any]:
    files = sorted(folder.glob("results_*.json"))
    return _json(files[-1]) if files else {}


def _json(path: Path) -> dict[str, Any]:
    if not path.exists():
        return {}
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise InputError(f"{path}: found {error}, expected JSON") from error
    if not isinstance(found, dict):
        raise InputError(f"{path}: found {type(found).__name__}, expected an object")
    return found


def _figures(row: object) -> dict[str, float]:
    """The figures of a task as lm_eval writes them, without its filter's name."""
    if not isinstance(row, Mapping):
        return {}
    found = {str(key).partition(",")[0]: number(value) for key, value in row.items() if "_stderr" not in str(key)}
    return {name: value for name, value in found.items() if value is not None}
