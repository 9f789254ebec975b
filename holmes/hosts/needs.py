"""What a run needs besides its model, tried before the first request: containment, encoder, judge, folders."""

from __future__ import annotations

import functools
import os
import socket
import tempfile
import urllib.parse
from collections.abc import Sequence
from pathlib import Path

from holmes.errors import EnvironmentFailure, InputError
from holmes.interfaces import Task
from holmes.options import Options

_ROOM = 1 << 16  # bytes that a folder must take


def check_task(spec: Task, options: Options) -> None:
    """Try what scoring the outputs of a task needs.

    Raises EnvironmentFailure for what is missing, InputError for a trace metric that does not exist.
    """
    if spec.mode == "prolog":
        _check_prolog(spec.name)
    if options.trace_metrics:
        _check_traces(options.trace_metrics, options.encoder)


@functools.lru_cache(maxsize=1)
def _serving() -> tuple[bool, str]:
    from holmes.prolog.state import prolog_state

    last = prolog_state()[-1]
    return last.fine, last.found


def _check_prolog(task: str) -> None:
    fine, found = _serving()
    if not fine:
        raise EnvironmentFailure(f"{task}: its programs cannot be run: {found}; see holmes doctor")


@functools.lru_cache(maxsize=4)
def _check_traces(metrics: str, encoder: str) -> None:
    """Read the names of trace metrics and let their encoders embed one word."""
    from holmes.scoring.trace.bertscore import BertScorer
    from holmes.scoring.trace.encoders import load_encoder
    from holmes.scoring.trace.run import ENCODED, chosen_metrics, metric_names

    chosen = chosen_metrics(metric_names(metrics))
    if ENCODED & set(chosen):
        load_encoder(encoder, cache=False).encode(["word"])
    if "bertscore" in chosen:
        _ = BertScorer().signature  # reading it loads the model


def check_output(path: str | Path) -> None:
    """Try the place where results are to be written: a folder, or the folder of a ``.json`` file."""
    check_folder(Path(path).parent if str(path).endswith(".json") else Path(path), "output")


def check_folder(folder: Path, what: str) -> None:
    """Write a file into a folder, which is made, and remove it; raises EnvironmentFailure where that cannot be done."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=folder, prefix=".holmes-") as probe:
            probe.write(b"\0" * _ROOM)
            probe.flush()
            os.fsync(probe.fileno())
    except OSError as error:
        raise EnvironmentFailure(f"{what}: {folder}: cannot be written: {error.strerror or error}") from error


def check_judge(url: str) -> None:
    """Connect to the host of a judge; raises InputError for no address, EnvironmentFailure where nobody listens."""
    parts = urllib.parse.urlsplit(url)
    try:
        port = parts.port or (443 if parts.scheme == "https" else 80)
    except ValueError as error:
        raise InputError(f"--judge: found {url!r}, expected http(s)://HOST[:PORT]/…") from error
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise InputError(f"--judge: found {url!r}, expected http(s)://HOST[:PORT]/…")
    if os.environ.get(f"{parts.scheme}_proxy") or os.environ.get(f"{parts.scheme.upper()}_PROXY"):
        return  # the proxy reaches hosts that this machine cannot
    try:
        socket.create_connection((parts.hostname, port), timeout=10).close()
    except OSError as error:
        raise EnvironmentFailure(f"judge: {parts.hostname}:{port}: {error.strerror or error}") from error


def check_run(tasks: Sequence[str], options: Options, output: str = "") -> None:
    """Try what the tasks of a run need, and its output folder; names of no task or group of ours are passed over."""
    from holmes.services.task_groups import groups, specs_of
    from holmes.tasks import task_names

    if output:
        check_output(output)
    known = {*groups(), *task_names()}
    for name in tasks:
        for spec in specs_of(name) if name in known else ():
            check_task(spec, options)
