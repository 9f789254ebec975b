"""Nothing generated is lost: scoring is tried before a model is asked, and what it said is kept before it is scored."""

from __future__ import annotations

import json
import os
import tempfile
import time
import uuid
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from holmes.cases import Case
from holmes.errors import EnvironmentFailure
from holmes.interfaces import Task
from holmes.options import Options
from holmes.scoring import run
from holmes.tasks import cases_of, own_spec
from holmes.util.files import whole
from holmes.util.paths import cache_dir

FOLDER = "HOLMES_KEPT"  # where outputs are kept until they are scored; by default a folder of the cache
MOST = 40  # files that the folder of the cache holds; older ones go

_TRIED: set[tuple[str, Options]] = set()


def try_scoring(spec: Task, options: Options, cases: Sequence[Case] | None = None) -> None:
    """Score one made-up reply, so that whatever scoring needs and is not here shows before a model is asked.

    spec, options: of the run. cases: of the task, loaded where they are not given; one of each way of scoring is taken.
    Raises EnvironmentFailure (no swipl, no containment, no encoder, a cache that cannot be written) or InputError (an
    option that scoring refuses), each in one line that names the task.
    """
    if (spec.name, options) in _TRIED:
        return
    word = uuid.uuid4().hex
    reply = f"```prolog\n:- writeln('{word}').\n:- halt.\n```\nIt is {word}.\nAnswer: {word}"
    ways: dict[str, Case] = {}
    for case in cases if cases is not None else cases_of(spec, options.split, options.seed):
        ways.setdefault(own_spec(case, spec).mode, case)
    try:
        for case in ways.values():
            run.prepare([(case, spec, options, [reply])])
            run.case_metrics(case, spec, run.score_outputs(case, spec, options, [reply]), options)
            if options.trace_metrics:
                run.trace_figures([case], [[reply]], options)
    except (EnvironmentFailure, OSError, ImportError) as error:
        raise EnvironmentFailure(f"{spec.name}: found {error}, expected what scoring needs; nothing was run") from error
    _TRIED.add((spec.name, options))


def writable(folder: Path) -> None:
    """Raise EnvironmentFailure where nothing can be written into a folder, which is made if it is not there."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder) as handle:
            handle.write(b"\0" * 4096)
            handle.flush()
    except OSError as error:
        raise EnvironmentFailure(
            f"{folder}: found {error.strerror or error}, expected a folder that can be written; nothing was run"
        ) from error


def keep(task: str, rows: Sequence[tuple[Mapping[str, Any], Sequence[Any]]]) -> Path:
    """Write the outputs of a task before they are scored; `holmes score --samples FILE --task TASK` reads the file.

    rows: (document, its outputs as the host has them). Returns the file, in the folder that the environment names or in
    the cache, where the newest stay. Raises EnvironmentFailure where it cannot be written.
    """
    named = os.environ.get(FOLDER)
    folder = Path(named) if named else cache_dir() / "generated"
    path = folder / f"samples_{task}_{time.strftime('%Y-%m-%dT%H-%M-%S')}.{os.getpid()}.jsonl"
    try:
        with whole(path) as handle:
            for doc, outputs in rows:
                handle.write(json.dumps({"doc": dict(doc), "resps": list(outputs)}, default=str) + "\n")
        if not named:
            for old in sorted(folder.glob("samples_*.jsonl"), key=lambda file: file.stat().st_mtime)[:-MOST]:
                old.unlink(missing_ok=True)
    except OSError as error:
        raise EnvironmentFailure(f"{path}: found {error.strerror or error}, expected to keep the outputs") from error
    return path
