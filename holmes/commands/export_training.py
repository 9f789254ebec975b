"""`holmes export-training`: verified references as training data."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from holmes.cases import read_cases
from holmes.errors import InputError
from holmes.prolog.results import Limits
from holmes.prolog.runner import Runner
from holmes.services.outputs import read_outputs
from holmes.store import fingerprint
from holmes.tasks import task_of
from holmes.training import export
from holmes.training.references import references
from holmes.util.files import read_json
from holmes.version import __version__


@click.command("export-training", short_help="Export SFT, DPO or RL training data.")
@click.option(
    "--format", "form", required=True, type=click.Choice(export.FORMATS), help="alpaca (SFT), dpo, or verl (RL)."
)
@click.option("--config", required=True, help="The cases, for example deontic_sara_numeric.")
@click.option("--split", default="train", show_default=True, help="Which of them; never a held-out one.")
@click.option(
    "--out", required=True, type=click.Path(path_type=Path), help="Folder of the data and their configuration."
)
@click.option(
    "--rejected", type=click.Path(path_type=Path), help="For dpo: a base model's logged outputs on the split."
)
@click.option(
    "--hard", "hard_files", multiple=True, type=click.Path(path_type=Path), help="Further held-out cases (hard.jsonl)."
)
@click.option(
    "--audit", "audit_file", type=click.Path(path_type=Path), help="For releases: `holmes audit deonticbench --json`."
)
@click.option("--limit", type=click.IntRange(1), help="Only the first so many.")
@click.option("--workers", default=2, show_default=True, type=click.IntRange(1), help="Programs at the same time.")
@click.option("--timeout", default=20.0, show_default=True, help="Seconds a program.")
@click.option("--json", "as_json", is_flag=True, help="Print the manifest as one JSON document.")
def export_training(
    form: str,
    config: str,
    split: str,
    out: Path,
    rejected: Path | None,
    hard_files: tuple[Path, ...],
    audit_file: Path | None,
    limit: int | None,
    workers: int,
    timeout: float,
    as_json: bool,
) -> None:
    """Export the references of a split that verify here, apart from held-out cases and their twins."""
    if form == "dpo" and rejected is None:
        raise InputError("option rejected: found nothing, expected a base model's logged outputs for --format dpo")
    hard = [case for path in hard_files for case in read_cases(path)]
    audit = read_json(audit_file) if audit_file else None
    if audit is not None and not isinstance(audit, dict):
        raise InputError(f"{audit_file}: found {type(audit).__name__}, expected an audit document")
    outputs = dict(read_outputs(rejected)) if rejected else {}
    with Runner(Limits(timeout=timeout), workers=workers, cache=True) as runner:
        found = references(config, split, runner, hard=hard, audit=audit)
        cases = found.cases[:limit]
        if form == "dpo" and cases and task_of(cases[0]).mode == "answer":
            raise InputError(f"{config}: found answered cases, expected programs for --format dpo: use alpaca or verl")
        left_out: dict[str, int] = dict(found.left_out)
        rows: list[dict[str, Any]]
        if form == "alpaca":
            rows = list(export.alpaca(cases))
        elif form == "dpo":
            pairs, skipped = export.dpo(cases, outputs, runner)
            rows = list(pairs)
            left_out |= {name: count for name, count in skipped.items() if count}
        else:
            rows = export.verl(cases, split)
    if not rows:
        raise InputError(
            f"{config}: split {split}: found nothing to export (left out: {left_out}), expected a pair or more"
        )
    manifest = {
        "format": form, "config": config, "split": split, "rows": len(rows), "left_out": left_out,
        "cases": fingerprint(cases), "holmes": __version__,
    }  # fmt: skip
    path = export.write(out, form, rows, manifest)
    if as_json:
        click.echo(json.dumps(manifest))
        return
    reasons = ", ".join(f"{name} {count}" for name, count in left_out.items()) or "none"
    click.echo(f"{len(rows)} rows in {path}; left out: {reasons}")
