"""`holmes audit`: quality gates of our own cases, or the defects of an authors' release."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import click

from holmes.commands.bundle import use
from holmes.errors import InputError
from holmes.services.audit import audit as run
from holmes.services.audit import targets


@click.command(short_help="Check quality gates, or find the defects of a release.")
@click.argument("target", metavar="[CONFIG|RELEASE]", default="")
@click.option("--seed", type=int, help="Audit a fresh build of this seed instead of the shipped cases.")
@click.option("--n", default=300, show_default=True, type=click.IntRange(min=1), help="Cases of the fresh build.")
@click.option("--bundle", default="", help="Rule-base file of one's own; beside a config, one of its bundles.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document: defects, gates, failures.")
def audit(target: str, seed: int | None, n: int, bundle: str, as_json: bool) -> int:
    """Check every gate of TARGET and list what fails.

    Exit code 1 if a gate of ours fails; defects found in the authors' releases are findings, not failures.
    """
    if not target:
        if not bundle:
            raise InputError(f"audit: found no target, expected one of {', '.join(targets())}, or --bundle FILE")
        target, bundle = use(bundle), ""
    try:
        document = run(target, seed=seed, n=n, bundle=bundle)
    except InputError as error:
        if bundle and Path(bundle).is_file():  # a config's own generator may ask for more than a rule base is
            raise InputError(f"{error}; by the default generator: holmes audit --bundle {bundle}") from error
        raise
    if as_json:
        json.dump(document, sys.stdout, indent=1, ensure_ascii=False)
        print()
    else:
        _print(document)
    return 1 if document["failures"] else 0


def _print(document: dict[str, Any]) -> None:
    for defect in document["defects"]:
        print(f"{defect['kind']}: {defect['id']} {defect['field']}: {defect['evidence']}")
    beside = "notes" in document  # a table with the authors' figures beside ours
    if beside:
        print(f"     {'scope':<24} {'gate':<58} {'ours':>8} {'authors':>8}  limit")
    for gate in document["gates"]:
        mark = "ok  " if gate["ok"] else "FAIL"
        authors = (f" {gate['authors']:>8g}" if "authors" in gate else f" {'—':>8}") if beside else ""
        print(f"{mark} {gate['scope']:<24.24} {gate['gate']:<58} {gate['value']:>8g}{authors}  {gate['limit']}")
    for note in document.get("notes", ()):
        print(note)
    print(f"{len(document['gates'])} gates, {len(document['failures'])} fail; {len(document['defects'])} defects")
