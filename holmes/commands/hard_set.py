"""`holmes hard-set`: hard cases collected from the failures of models."""

from __future__ import annotations

import json
from pathlib import Path

import click

from holmes.answers.program import score_program
from holmes.cases import Case, write_jsonl
from holmes.errors import InputError
from holmes.prolog.results import Limits
from holmes.prolog.runner import Runner
from holmes.scoring import Score, score
from holmes.services.outputs import read_outputs
from holmes.store import load_cases
from holmes.training import hard_set as sets


@click.command("hard-set", short_help="Collect hard cases from model failures.")
@click.argument("samples", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--config", "configs", multiple=True, required=True, help="The cases the samples belong to; may be repeated."
)
@click.option("--split", default="test", show_default=True, help="Which of them.")
@click.option(
    "--mode", default="prolog", show_default=True, type=click.Choice(["prolog", "answer"]), help="How they are scored."
)
@click.option(
    "--out", required=True, type=click.Path(path_type=Path), help="Folder of review.csv, hard.jsonl, rest.jsonl."
)
@click.option("--review", "reviewed", type=click.Path(path_type=Path), help="A review file that people have filled in.")
@click.option("--share", default=0.5, show_default=True, help="Of the validated cases that are held out.")
@click.option("--seed", default=0, show_default=True, help="Of the split.")
@click.option("--workers", default=2, show_default=True, type=click.IntRange(1), help="Programs at the same time.")
@click.option("--timeout", default=20.0, show_default=True, help="Seconds a program.")
@click.option("--json", "as_json", is_flag=True, help="Print the counts as one JSON document.")
def hard_set(
    samples: tuple[Path, ...],
    configs: tuple[str, ...],
    split: str,
    mode: str,
    out: Path,
    reviewed: Path | None,
    share: float,
    seed: int,
    workers: int,
    timeout: float,
    as_json: bool,
) -> None:
    """Collect the cases on which any output in SAMPLES failed; several files are several models or runs.

    Writes review.csv for people. With --review FILE (keep filled in) the kept cases are split; without it all
    candidates are, and the split is provisional.
    """
    if not 0 <= share <= 1:
        raise InputError(f"option share: found {share}, expected a number from 0 to 1")
    cases = {case.id: case for config in configs for case in load_cases(config, split)}
    outputs = {_name(path, samples): dict(read_outputs(path)) for path in samples}
    for name, table in outputs.items():
        if odd := sorted(set(table) - set(cases)):
            raise InputError(f"{name}: field id: found {odd[0]!r}, expected a case of {', '.join(configs)} ({split})")
    decided = sets.read_review(reviewed) if reviewed else {}
    with Runner(Limits(timeout=timeout), workers=workers, cache=True) as runner:
        scores = {name: _scores(table, cases, mode, runner) for name, table in outputs.items()}
    found = sets.candidates(cases, scores)
    kept = [c for c in found if decided.get(c.case.id, ("", ""))[0] == "yes"] if reviewed else found
    hard, rest = sets.split(kept, share, seed)
    sets.review(out / "review.csv", found, decided)
    write_jsonl(out / "hard.jsonl", hard)
    write_jsonl(out / "rest.jsonl", rest)
    open_ones = sum(1 for c in found if not decided.get(c.case.id, ("", ""))[0])
    counts = {
        "cases": len(cases), "candidates": len(found), "validated": len(kept) if reviewed else 0, "open": open_ones,
        "hard": len(hard), "rest": len(rest), "provisional": not reviewed,
    }  # fmt: skip
    if as_json:
        click.echo(json.dumps(counts))
        return
    click.echo(f"{len(found)} of {len(cases)} cases failed somewhere; {open_ones} await review in {out / 'review.csv'}")
    note = "" if reviewed else " (provisional: nobody has reviewed them)"
    click.echo(f"{len(hard)} held out in {out / 'hard.jsonl'}, {len(rest)} in {out / 'rest.jsonl'}{note}")


def _name(path: Path, samples: tuple[Path, ...]) -> str:
    """The file's name, or its whole path where two files have one name."""
    return path.name if [p.name for p in samples].count(path.name) == 1 else str(path)


def _scores(
    table: dict[str, tuple[str | None, ...]], cases: dict[str, Case], mode: str, runner: Runner
) -> dict[str, list[Score]]:
    if mode == "answer":
        return {id: [score(cases[id], text) for text in texts] for id, texts in table.items()}
    from concurrent.futures import ThreadPoolExecutor

    pairs = [(id, text) for id, texts in table.items() for text in texts]
    with ThreadPoolExecutor(runner.workers) as pool:
        done = list(pool.map(lambda pair: score_program(cases[pair[0]], pair[1], runner=runner), pairs))
    found: dict[str, list[Score]] = {id: [] for id in table}
    for (id, _), one in zip(pairs, done, strict=True):
        found[id].append(one)
    return found
