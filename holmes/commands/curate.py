"""`holmes curate`: a chat model writes programs; those that verify are kept."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import click

from holmes.cases import Case
from holmes.errors import InputError
from holmes.prolog.results import Limits
from holmes.prolog.runner import Runner
from holmes.store import load_cases
from holmes.tasks import program_prompt
from holmes.training import curation
from holmes.training.curate import ATTEMPTS, Artifact, asker
from holmes.training.curate import curate as curate_one
from holmes.util.chat import Chat


@click.command(short_help="Let a chat model write programs and keep those that verify.")
@click.option("--config", "config", required=True, help="The cases, for example deontic_sara_numeric.")
@click.option("--split", default="train", show_default=True, help="Which of them.")
@click.option("--limit", type=click.IntRange(1), help="Only the first so many.")
@click.option("--url", required=True, help="Base address of an OpenAI-style chat API, for example http://host:8000/v1.")
@click.option("--model", required=True, help="The model's name there.")
@click.option("--out", required=True, type=click.Path(path_type=Path), help="Folder of attempts and results; resumed.")
@click.option("--attempts", default=ATTEMPTS, show_default=True, type=click.IntRange(1), help="Attempts a case.")
@click.option("--workers", default=4, show_default=True, type=click.IntRange(1), help="Cases at the same time.")
@click.option("--timeout", default=20.0, show_default=True, help="Seconds a program.")
@click.option("--temperature", type=float, help="Of the generation; the host's default otherwise.")
@click.option("--max-tokens", type=click.IntRange(1), help="Of a reply.")
@click.option("--retries", default=5, show_default=True, type=click.IntRange(0), help="Of a request that fails.")
@click.option("--pause", default=1.0, show_default=True, help="Seconds before the first retry; doubled after each.")
@click.option("--shots", default=4, show_default=True, type=click.IntRange(0), help="Few-shot exemplars a task.")
@click.option("--seed", default=0, show_default=True, help="Of generations and of the choice of exemplars.")
@click.option("--json", "as_json", is_flag=True, help="Print the summary as one JSON document.")
def curate(
    config: str,
    split: str,
    limit: int | None,
    url: str,
    model: str,
    out: Path,
    attempts: int,
    workers: int,
    timeout: float,
    temperature: float | None,
    max_tokens: int | None,
    retries: int,
    pause: float,
    shots: int,
    seed: int,
    as_json: bool,
) -> None:
    """Let a chat model write a Prolog program for each case, with one second attempt, and keep those that verify.

    A program is kept only if it runs without any message, prints exactly its answer line and that answer is the gold.
    An API that goes on failing ends the run with exit code 1; start the same command again to go on.
    """
    cases = load_cases(config, split)[:limit]
    if not cases:
        raise InputError(f"{config}: split {split}: found no cases, expected at least one")
    given = {"temperature": temperature, "max_tokens": max_tokens}
    options: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
    chat = Chat(url, model, options=options, attempts=retries + 1, pause=pause)
    prompts = {case.id: program_prompt(case) for case in cases}
    settings = {
        "config": config, "split": split, "limit": limit, "model": model, "options": options, "attempts": attempts,
        "timeout": timeout, "seed": seed, "prompts": hashlib.sha256("\0".join(prompts.values()).encode()).hexdigest(),
    }  # fmt: skip
    with Runner(Limits(timeout=timeout), workers=workers, cache=True) as runner:

        def work(case: Case) -> Artifact:
            return curate_one(case, asker(chat, seed), prompts[case.id], runner, attempts)

        def show(artifact: Artifact) -> None:
            click.echo(f"{artifact.id}: {', '.join(v.category for v in artifact.verdicts)}", err=True)

        summary = curation.run(cases, work, out, settings, workers=workers, shots=shots, seed=seed, progress=show)
    if as_json:
        click.echo(json.dumps(summary.to_dict()))
        return
    failed = ", ".join(f"{name} {count}" for name, count in summary.failures.items()) or "none"
    click.echo(
        f"{summary.passed} of {summary.cases} passed ({summary.first} at the first attempt); discarded: {failed}"
    )
