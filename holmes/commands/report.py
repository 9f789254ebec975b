"""`holmes report`: a page of one or several runs, with Markdown and JSON beside it."""

from __future__ import annotations

import json
import os
from pathlib import Path

import click


@click.command("report", short_help="Write a page of results: intervals, comparisons, analyses, every case.")
@click.argument("results", nargs=-1, required=True, metavar="[NAME=]RESULTS...")
@click.option("--out", type=click.Path(path_type=Path), default=Path("report.html"), show_default=True)
@click.option("--title", default="", help="Heading of the page.")
@click.option("--label", "labels", multiple=True, metavar="RUN:KEY=VALUE", help="What tells a run from others.")
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="A scoring option, e.g. timeout=5.")
@click.option("--made", type=click.IntRange(min=1), help="Add three runs made by the package, on so many cases a task.")
@click.option("--workers", type=click.IntRange(min=1), default=None, help="Processes that score. [default: all cores]")
@click.option("--json", "as_json", is_flag=True, help="Print the JSON document on stdout as well.")
def report(
    results: tuple[str, ...],
    out: Path,
    title: str,
    labels: tuple[str, ...],
    options: tuple[str, ...],
    made: int | None,
    workers: int | None,
    as_json: bool,
) -> None:
    """Write --out FILE.html, and FILE.md and FILE.json beside it, from RESULTS.

    RESULTS: folders of lm_eval's output (--log_samples), or samples_<task>.jsonl with lines of lm_eval or
    {"id", "outputs"}. Replies are scored again here, so that all runs are scored alike.
    """
    from holmes.report.document import document, to_markdown
    from holmes.report.made import made_runs
    from holmes.report.page import render
    from holmes.report.runs import load
    from holmes.util.files import whole

    runs = load(results, labels, options=options, workers=workers or os.cpu_count() or 1)
    if made:
        runs += made_runs(runs, made)
    told = document(runs, title)
    texts = {
        out.with_suffix(".json"): json.dumps(told, ensure_ascii=False, indent=1, allow_nan=False) + "\n",
        out.with_suffix(".md"): to_markdown(told),
        out: render(told, runs),
    }
    for path, text in texts.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        with whole(path) as handle:
            handle.write(text)
    for sentence in told["glance"]:
        click.echo(sentence, err=True)
    click.echo(f"{out} ({out.stat().st_size / 1e6:.1f} MB), {out.with_suffix('.md').name}, "
               f"{out.with_suffix('.json').name}", err=True)  # fmt: skip
    if as_json:
        click.echo(json.dumps(told, ensure_ascii=False, allow_nan=False))
