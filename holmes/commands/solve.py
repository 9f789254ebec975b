"""`holmes solve`: answers and traces derived again and held against the gold."""

from __future__ import annotations

import json

import click


@click.command("solve", short_help="Re-derive answers and traces and compare them with the gold.")
@click.option("--config", default="", help="An embedded config, or law_release, finance_release.")
@click.option("--file", default="", help="A .parquet or .jsonl file of cases.")
@click.option("--mode", type=click.Choice(["release", "closure"]), default="closure", show_default=True,
              help="law_release: the planner's target articles only, or all that the facts entail.")  # fmt: skip
@click.option("--split", default="test", show_default=True, help="Split of the config.")
@click.option("--limit", type=click.IntRange(min=1), help="First cases only.")
@click.option("--answers", is_flag=True, help="With each case's answer and trace.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def solve(config: str, file: str, mode: str, split: str, limit: int | None, answers: bool, as_json: bool) -> None:
    """Derive every answer again by the engine and report, field by field, where the gold agrees."""
    from holmes.services.solve import solve as run

    report = run(config, file, mode, split, limit)
    document = report.document(answers)
    if as_json:
        click.echo(json.dumps(document, indent=1, ensure_ascii=False))
        return
    click.echo(f"{config or file}, mode {mode}: {document['agree']} of {document['cases']} cases agree")
    for name, count in document["fields"].items():
        click.echo(f"  {count:>6} {name}")
    for line in document["disagreements"][:20]:
        odd = f" (odd: {line['odd']})" if line["odd"] else ""
        click.echo(f"  {line['id']} {line['field']}: gold {line['gold']!s:.90}, derived {line['derived']!s:.90}{odd}")
    if len(document["disagreements"]) > 20:
        click.echo(f"  … {len(document['disagreements']) - 20} more; --json lists all")
    for row in document.get("answers", []):
        click.echo(f"{row['id']}\t{row['answer']}")
