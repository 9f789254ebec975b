"""`holmes run-prolog`: run Prolog files or a JSON Lines file of programs, contained."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click

from holmes.errors import InputError
from holmes.prolog.results import BatchFailure, Limits, Run
from holmes.prolog.runner import Runner
from holmes.util.files import read_jsonl
from holmes.util.paths import cache_dir


def _programs(files: tuple[Path, ...], jsonl: Path | None) -> Iterator[tuple[dict[str, Any], str]]:
    """Yield (what names the program in the output, its text)."""
    for file in files:
        try:
            yield {"file": str(file)}, file.read_bytes().decode("utf-8")
        except FileNotFoundError as error:
            raise InputError(f"{file}: found no such file, expected a Prolog file") from error
        except IsADirectoryError as error:
            raise InputError(f"{file}: found a folder, expected a Prolog file") from error
        except PermissionError as error:
            raise InputError(f"{file}: found no permission to read, expected a readable Prolog file") from error
        except UnicodeDecodeError as error:
            raise InputError(
                f"{file}: byte {error.start}: found bytes that are not UTF-8, expected UTF-8 text"
            ) from error
    if jsonl is None:
        return
    for line, row in read_jsonl(jsonl):
        if not isinstance(row, dict) or not isinstance(row.get("program"), str):
            found = type(row).__name__ if not isinstance(row, dict) else f"program = {row.get('program')!r:.40}"
            raise InputError(f"{jsonl}: line {line}: field program: found {found}, expected Prolog text")
        yield {"id": row.get("id", line)}, row["program"]


def _utf8(text: str, err: bool = False) -> None:
    """Print text as UTF-8, whatever the stream's own encoding is; a lone surrogate as its escape."""
    stream = (sys.stderr if err else sys.stdout).buffer
    stream.write((text if text.endswith("\n") else text + "\n").encode("utf-8", "backslashreplace"))
    stream.flush()


def _print(name: str, run: Run | None) -> None:
    if run is None:
        _utf8(f"== {name}: not run")
        return
    _utf8(f"== {name}: {run.outcome} ({run.seconds:.2f} s, exit code {run.exit_code}) {run.note}".rstrip())
    _utf8(run.stdout)
    if run.stderr:
        _utf8(run.stderr, err=True)


def _row(name: dict[str, Any], run: Run | None) -> dict[str, Any]:
    return {**name, **run.to_dict()} if run else {**name, "outcome": None, "note": "not run"}


@click.command("run-prolog")
@click.argument("files", nargs=-1, type=click.Path(path_type=Path))
@click.option("--jsonl", type=click.Path(path_type=Path), help="JSON Lines with `program` and, if you like, `id`.")
@click.option("--workers", default=1, show_default=True, type=click.IntRange(1), help="Programs at the same time.")
@click.option("--timeout", default=20.0, show_default=True, help="Seconds a program, queueing not counted.")
@click.option("--memory", default=3072, show_default=True, help="MB of address space a program.")
@click.option("--output", default=1_000_000, show_default=True, help="Bytes of stdout and stderr together.")
@click.option("--no-cache", is_flag=True, help="Run again what was run before.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON list.")
def run_prolog(
    files: tuple[Path, ...],
    jsonl: Path | None,
    workers: int,
    timeout: float,
    memory: int,
    output: int,
    no_cache: bool,
    as_json: bool,
) -> None:
    """Run Prolog programs, contained, as `swipl -q -f FILE < /dev/null` would.

    A program that fails, loops or attacks is a result, not an error: the exit code is 0 when every one was run. Where
    the machine fails within a batch, what was run is printed all the same. Output is UTF-8 under every locale.
    """
    if not files and jsonl is None:
        raise click.UsageError("give Prolog FILEs, or --jsonl FILE")
    limits = Limits(timeout=timeout, memory=memory << 20, output=output, stack=min(1 << 30, (memory << 20) // 2))
    named = list(_programs(files, jsonl))
    cache = None if no_cache else cache_dir() / "prolog.sqlite"
    failure: BatchFailure | None = None
    with Runner(limits, workers=workers, cache=cache) as runner:
        try:
            runs: Sequence[Run | None] = runner.run_many(text for _, text in named)
        except BatchFailure as error:
            failure, runs = error, error.runs
            if not any(runs):
                raise
    if as_json:
        rows = [_row(name, run) for (name, _), run in zip(named, runs, strict=True)]
        _utf8(json.dumps(rows, ensure_ascii=False, indent=1))
    else:
        for (name, _), run in zip(named, runs, strict=True):
            _print(str(next(iter(name.values()))), run)
    if failure is not None:
        raise failure
