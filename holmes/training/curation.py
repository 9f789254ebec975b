"""A curation over many cases: attempts kept as they come, resumed where they stopped, results written whole."""

from __future__ import annotations

import dataclasses
import fcntl
import json
import os
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from holmes.cases import Case, write_jsonl
from holmes.errors import EnvironmentFailure, InputError
from holmes.training.curate import CATEGORIES, Artifact
from holmes.training.exemplars import exemplars
from holmes.util.files import read_json, write_text

ATTEMPTS_FILE, SETTINGS_FILE = "attempts.jsonl", "settings.json"


@dataclass(frozen=True, slots=True)
class Summary:
    """What came of a curation. cases: tried; passed: kept; first: kept at the first attempt; failures: by category."""

    cases: int
    passed: int
    first: int
    failures: Mapping[str, int]

    def to_dict(self) -> dict[str, Any]:
        """Return plain JSON values."""
        return dataclasses.asdict(self)


def run(
    cases: Sequence[Case],
    work: Callable[[Case], Artifact],
    out: Path,
    settings: Mapping[str, Any],
    *,
    workers: int = 1,
    shots: int = 0,
    seed: int = 0,
    progress: Callable[[Artifact], None] = lambda _: None,
) -> Summary:
    """Curate cases into a folder.

    cases: in order, ids distinct. work: from a case to its artifact; called from `workers` threads. out: the folder;
    ``attempts.jsonl`` grows by one line a case and is read again on the next start, ``passed.jsonl`` (cases with their
    new program), ``exemplars.jsonl`` and ``summary.json`` are written at the end. settings: what must not change
    between starts. shots: exemplars a task.
    Returns the Summary. Raises InputError where the folder holds another curation; what `work` raises ends the run,
    everything that was done before is kept.
    """
    _claim(out, settings)
    done = _done(out / ATTEMPTS_FILE)
    todo = [case for case in cases if case.id not in done]
    with (out / ATTEMPTS_FILE).open("a", encoding="utf-8", newline="\n") as log, ThreadPoolExecutor(workers) as pool:
        try:
            fcntl.flock(log, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise InputError(f"{out}: found another curation at work there, expected a folder of its own") from error
        waiting = [pool.submit(work, case) for case in todo]
        try:
            for one in waiting:
                artifact = one.result()
                _keep(log, artifact)
                done[artifact.id] = _row(artifact)
                progress(artifact)
        except BaseException:
            pool.shutdown(wait=True, cancel_futures=True)
            for one in waiting:  # what other threads had finished is kept as well
                if one.done() and not one.cancelled() and one.exception() is None and one.result().id not in done:
                    done[one.result().id] = _row(one.result())
                    _keep(log, one.result())
            raise
    rows = [done[case.id] for case in cases]
    kept = [
        dataclasses.replace(case, program=row["program"])
        for case, row in zip(cases, rows, strict=True)
        if row["program"]
    ]
    write_jsonl(out / "passed.jsonl", kept)
    write_jsonl(out / "exemplars.jsonl", exemplars(kept, shots, seed))
    failures = Counter(row["attempts"][-1]["category"] for row in rows if not row["program"])
    first = sum(1 for row in rows if row["program"] and len(row["attempts"]) == 1)
    summary = Summary(len(rows), len(kept), first, {c: failures[c] for c in CATEGORIES if failures[c]})
    write_text(out / "summary.json", json.dumps(summary.to_dict(), indent=2) + "\n")
    return summary


def _row(artifact: Artifact) -> dict[str, Any]:
    attempts = [dataclasses.asdict(verdict) for verdict in artifact.verdicts]
    for attempt, reply in zip(attempts, artifact.replies, strict=True):
        attempt["reply"] = reply
    return {"id": artifact.id, "program": artifact.program, "attempts": attempts}


def _keep(log: IO[str], artifact: Artifact) -> None:
    try:
        log.write(json.dumps(_row(artifact), ensure_ascii=False) + "\n")
        log.flush()
        os.fsync(log.fileno())
    except OSError as error:
        raise EnvironmentFailure(f"{log.name}: {error.strerror}; the attempts before are kept") from error


def _claim(out: Path, settings: Mapping[str, Any]) -> None:
    """Write the settings, or see that they are those of the folder."""
    path = out / SETTINGS_FILE
    if path.exists():
        there = read_json(path)
        if odd := sorted(k for k in {*settings, *there} if there.get(k) != settings.get(k)):
            key = odd[0]
            found, given = there.get(key), settings.get(key)
            raise InputError(f"{path}: field {key}: found {found!r}, expected {given!r} as given, or another --out")
        return
    write_text(path, json.dumps(dict(settings), indent=2, ensure_ascii=False) + "\n")


def _done(path: Path) -> dict[str, dict[str, Any]]:
    """The rows of earlier starts; a last line that was cut is taken away."""
    if not path.exists():
        return {}
    data = path.read_bytes()
    whole = data[: data.rfind(b"\n") + 1]
    if whole != data:
        with path.open("rb+") as handle:
            handle.truncate(len(whole))
    done: dict[str, dict[str, Any]] = {}
    for number, line in enumerate(whole.decode("utf-8").splitlines(), 1):
        try:
            row = json.loads(line)
            done[row["id"]] = {"id": row["id"], "program": row["program"], "attempts": row["attempts"]}
        except (ValueError, KeyError, TypeError) as error:
            raise InputError(f"{path}: line {number}: found {line!r:.60}, expected an attempt") from error
    return done
