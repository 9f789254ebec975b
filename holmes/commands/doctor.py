"""`holmes doctor`: what this machine has for each part, and what is missing."""

from __future__ import annotations

import importlib
import json
from typing import Any

import click

from holmes.errors import CheckFailed

# Section -> module:function that returns findings (`name`, `found`, `fine`), the last of them the one that decides.
SECTIONS: dict[str, str] = {"prolog": "holmes.prolog.state:prolog_state"}


@click.command("doctor")
@click.argument("sections", nargs=-1, type=click.Choice(list(SECTIONS)))
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object, section -> findings.")
def doctor(sections: tuple[str, ...], as_json: bool) -> None:
    """Say what works here: which server runs Prolog programs, behind which walls, what is missing.

    Exit code 1 when a section has nothing that works; a better way that is missing is only named.
    """
    report: dict[str, list[Any]] = {}
    for section in sections or tuple(SECTIONS):
        module, name = SECTIONS[section].split(":")
        report[section] = getattr(importlib.import_module(module), name)()
    if as_json:
        shown = {
            section: [{"name": one.name, "found": one.found, "fine": one.fine} for one in findings]
            for section, findings in report.items()
        }
        click.echo(json.dumps(shown, indent=1))
    else:
        for section, findings in report.items():
            click.echo(section)
            for one in findings:
                click.echo(f"  {'ok' if one.fine else '--':2} {one.name}: {one.found}")
    broken = [section for section, findings in report.items() if not findings or not findings[-1].fine]
    if broken:
        raise CheckFailed(f"doctor: nothing works for {', '.join(broken)}")
