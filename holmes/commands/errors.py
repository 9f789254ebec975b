"""`holmes errors`: what kinds of errors runs make, on the papers' samples; a sheet for reviewers and its agreement."""

from __future__ import annotations

import json
import os
from pathlib import Path

import click


@click.command("errors", short_help="Sort errors by kind; write and evaluate a review sheet.")
@click.argument("results", nargs=-1, metavar="[NAME=]RESULTS...")
@click.option("--wrong", type=click.IntRange(min=0), default=12, show_default=True, help="Drawn a run and operation.")
@click.option("--right", type=click.IntRange(min=0), default=4, show_default=True, help="Drawn a run and operation.")
@click.option("--seed", default=0, show_default=True, help="Of the draw.")
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="A scoring option.")
@click.option("--sheet", type=click.Path(path_type=Path), help="Write a CSV for two reviewers to fill.")
@click.option("--agreement", type=click.Path(path_type=Path, exists=True), help="Evaluate a filled sheet.")
@click.option("--judge", default="", metavar="URL", help="Also ask a chat model behind this address.")
@click.option("--judge-model", default="", metavar="NAME", help="Its name there.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document on stdout, nothing else there.")
def errors(
    results: tuple[str, ...],
    wrong: int,
    right: int,
    seed: int,
    options: tuple[str, ...],
    sheet: Path | None,
    agreement: Path | None,
    judge: str,
    judge_model: str,
    as_json: bool,
) -> None:
    """Label a sample of wrong and right replies of RESULTS by the kind of their first error.

    12 wrong and 4 right a run and operation; of program tasks, the cases that failed on every generation.
    """
    from holmes.report import taxonomy

    if agreement is not None:
        rows = taxonomy.agreement(agreement.read_text(encoding="utf-8"), str(agreement))
        if as_json:
            click.echo(json.dumps(rows))
            return
        for row in rows:
            agree = "undefined" if row["agree"] is None else f"{100 * row['agree']:.1f} %"
            kappa = "undefined" if row["kappa"] is None else f"{row['kappa']:.2f}"
            click.echo(f"{row['a']} and {row['b']}: {row['rows']} rows, agree {agree}, Cohen's κ {kappa}")
        return
    if not results or bool(judge) != bool(judge_model):
        raise click.UsageError("expected RESULTS (or --agreement SHEET), and --judge with --judge-model")
    from holmes.report.runs import load
    from holmes.report.tables import markdown
    from holmes.util.files import whole

    runs = load(results, options=options, workers=os.cpu_count() or 1)
    items = taxonomy.sample(runs, wrong=wrong, right=right, seed=seed)
    if judge:
        from holmes.util.chat import Chat

        items = taxonomy.judged(items, Chat(judge, judge_model, options={"temperature": 0}))
    if sheet is not None:
        with whole(sheet) as handle:
            handle.write(taxonomy.sheet(items))
        click.echo(f"{sheet}: {len(items)} rows", err=True)
    told = taxonomy.overview(runs, items)
    if as_json:
        click.echo(json.dumps(told, ensure_ascii=False, allow_nan=False))
        return
    for table in told["tables"]:
        click.echo(markdown(table) + "\n")
