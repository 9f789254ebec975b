"""`holmes stats`: what the cases of a config are."""

from __future__ import annotations

import json

import click


@click.command("stats", short_help="Count answers, higher-order types and derivations of a config.")
@click.argument("configs", nargs=-1)
@click.option("--split", default="", help="The split; default test, or the whole of an imported release.")
@click.option("--check", "again", is_flag=True, help="Work out every annotation again and compare it.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document on stdout, nothing else there.")
def stats(configs: tuple[str, ...], split: str, again: bool, as_json: bool) -> int:
    """Describe the cases of CONFIGS, by default of every embedded one."""
    from holmes.report.card import layout
    from holmes.services.statistics import check, overview
    from holmes.store import load_cases, splits

    found = {}
    for config in configs or tuple(layout()):
        chosen = split or ("whole" if "whole" in splits(config) else "test")
        cases = load_cases(config, chosen)
        if again:
            for case in cases:
                check(case)
        found[config] = {"split": chosen, **overview(cases)}
    if as_json:
        click.echo(json.dumps(found, ensure_ascii=False))
        return 0
    for config, shown in found.items():
        click.echo(f"{config}/{shown['split']}: {shown['cases']} cases, steps {'–'.join(map(str, shown['steps']))}")
        for part in ("answers", "types", "operators", "derivations"):
            if shown[part]:
                click.echo(f"  {part}: " + ", ".join(f"{name} {n}" for name, n in shown[part].items()))
    return 0
