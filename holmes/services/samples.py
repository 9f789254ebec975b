"""Logged outputs, read back: lm_eval's samples files, or one ``{"id", "outputs"}`` object a line."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from holmes.cases import Case
from holmes.errors import InputError
from holmes.interfaces import Task
from holmes.options import Options, options_of
from holmes.tasks import cases_of
from holmes.util.files import read_jsonl

NO_REPLY = "LMEVAL_MODEL_NONE_ANSWER_PLACEHOLDER"  # what a host logs where it got no reply
EXTRA_COLUMNS = frozenset({"prompt", "task_name", "options"})  # what the lm_eval hook adds to a case's columns


@dataclass(frozen=True, slots=True)
class Sample:
    """The outputs of one case: K texts (None where the host returned nothing), the options of its run, the log line."""

    case: Case
    texts: tuple[str | None, ...]
    options: Options
    logged: Mapping[str, Any]


def flatten(outputs: Any) -> list[str | None]:
    """Flatten nested lists of outputs to texts; None, and the word that stands for it, is a reply that never came."""
    if isinstance(outputs, list | tuple):
        return [text for part in outputs for text in flatten(part)]
    return [None if outputs == NO_REPLY else outputs]


def case_of(doc: Mapping[str, Any], where: str = "") -> Case:
    """Return the case that a document of a run holds."""
    return Case.from_dict({k: v for k, v in doc.items() if k not in EXTRA_COLUMNS}, where)


def read_samples(path: str | Path, spec: Task) -> Iterator[Sample]:
    """Yield the samples of a file in order, each case once.

    path: a ``samples_*.jsonl`` of lm_eval, or lines ``{"id": …, "outputs": […]}``. spec: the task they belong to.
    Raises InputError naming file, line, field, found, expected; also for samples of another task.
    """
    empty = True
    for sample in samples_of(((str(path), number, row) for number, row in read_jsonl(path)), spec):
        empty = False
        yield sample
    if empty:
        raise InputError(f"{path}: found no samples, expected at least one line")


def samples_of(
    rows: Iterable[tuple[str, int, Any]], spec: Task, known: Mapping[str, Case] | None = None
) -> Iterator[Sample]:
    """Yield the samples of rows in order, each case once; rows: (file, line, row). Raises as `read_samples`.

    known: the cases of the task by id, where the caller has them.
    """
    by_id = known
    seen: dict[str, list[Any]] = {}
    for path, number, row in rows:
        where = f"{path}: line {number}"
        if not isinstance(row, dict):
            raise InputError(f"{where}: found {type(row).__name__}, expected an object")
        if "doc" in row:
            doc = row["doc"]
            if not isinstance(doc, dict) or "task_name" not in doc or "options" not in doc:
                raise InputError(f"{where}: field doc: found another task's document, expected one of {spec.name}")
            if doc["task_name"] != spec.name:
                raise InputError(f"{where}: field doc.task_name: found {doc['task_name']!r}, expected {spec.name!r}")
            case, options = case_of(doc, where), options_of(doc["options"], where)
            outputs = row.get("resps")
        elif "id" in row:
            if by_id is None:
                by_id = _cases(spec)
            if not isinstance(row["id"], str) or row["id"] not in by_id:
                raise InputError(f"{where}: field id: found {row['id']!r}, expected a case of {spec.config}")
            case, options, outputs = by_id[row["id"]], Options(), row.get("outputs")
        else:
            raise InputError(f"{where}: found neither doc nor id, expected an lm_eval sample or {{id, outputs}}")
        if not isinstance(outputs, list) or not all(o is None or isinstance(o, str) for o in flatten(outputs)):
            raise InputError(f"{where}: field resps or outputs: found {outputs!r:.40}, expected a list of texts")
        if case.id not in seen:
            seen[case.id] = outputs
            yield Sample(case, tuple(flatten(outputs)), options, row)
        elif outputs != seen[case.id]:  # several filters log the same outputs again; anything else would be lost
            raise InputError(f"{where}: found case {case.id!r} again with other outputs, expected each case once")


@functools.lru_cache(maxsize=4)
def _cases(spec: Task) -> dict[str, Case]:
    from holmes.store import splits

    return {case.id: case for split in splits(spec.config) for case in cases_of(spec, split)}
