"""`holmes verify`: every gold by independent paths."""

from __future__ import annotations

import json
from dataclasses import asdict

import click

from holmes.commands.bundle import bundle_option

PATHS = "Paths, joined by commas: python, prolog, text, hol-light (every claim proved), isabelle (where installed)."


def certified(config: str, splits: list[str]) -> str:
    """Return what the certificates of the cases say, one line; empty where none has a certificate."""
    from holmes.formal.certificates import told
    from holmes.store import load_cases

    return told([case for split in splits for case in load_cases(config, split)], config)


@click.command()
@click.argument("configs", nargs=-1)
@click.option("--with", "paths", default="python,prolog,text", show_default=True, help=PATHS)
@click.option("--splits", default="test", show_default=True, help="Splits, joined by commas.")
@bundle_option
@click.option("--json", "as_json", is_flag=True, help="One JSON document on stdout, nothing else there.")
def verify(configs: tuple[str, ...], paths: str, splits: str, as_json: bool, bundle: str) -> None:
    """Compare the golds of CONFIGS (default: every embedded one) with what each path derives."""
    from holmes.errors import CheckFailed
    from holmes.formal.verify import paths as provers
    from holmes.report.card import layout
    from holmes.services.verify import verify as check

    names, parts, ways = configs or ((bundle,) if bundle else tuple(layout())), splits.split(","), paths.split(",")
    more = provers(names, parts, ways)
    found = [v for name in names for v in check(name, parts, ways, more)]
    if as_json:
        click.echo(json.dumps([asdict(v) for v in found]))
    else:
        for v in found:
            click.echo(f"{v.config} by {v.path}: {v.cases - v.wrong}/{v.cases} agree")
            for m in v.mismatches:
                click.echo(f"  {m.id}: gold {m.gold}, derived {m.derived}")
        for name in names:
            if line := certified(name, parts):
                click.echo(f"{name} certified: {line}")
    if wrong := sum(v.wrong for v in found):
        raise CheckFailed(f"verify: {wrong} golds are not confirmed")
