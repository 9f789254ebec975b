"""`holmes verify`: every gold by independent paths."""

from __future__ import annotations

import json
from dataclasses import asdict

import click


@click.command()
@click.argument("configs", nargs=-1)
@click.option("--with", "paths", default="python,prolog,text", show_default=True, help="Paths, joined by commas.")
@click.option("--splits", default="test", show_default=True, help="Splits, joined by commas.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document on stdout, nothing else there.")
def verify(configs: tuple[str, ...], paths: str, splits: str, as_json: bool) -> None:
    """Compare the golds of CONFIGS (default: every embedded one) with what each path derives."""
    from holmes.errors import CheckFailed
    from holmes.report.card import layout
    from holmes.services.verify import verify as check

    found = [v for c in configs or tuple(layout()) for v in check(c, splits.split(","), paths.split(","))]
    if as_json:
        click.echo(json.dumps([asdict(v) for v in found]))
    else:
        for v in found:
            click.echo(f"{v.config} by {v.path}: {v.cases - v.wrong}/{v.cases} agree")
            for m in v.mismatches:
                click.echo(f"  {m.id}: gold {m.gold}, derived {m.derived}")
    if wrong := sum(v.wrong for v in found):
        raise CheckFailed(f"verify: {wrong} golds are not confirmed")
