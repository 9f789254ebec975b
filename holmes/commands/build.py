"""`holmes build`: fresh cases of a domain, or the embedded splits again."""

from __future__ import annotations

from pathlib import Path

import click

from holmes.commands.bundle import bundle_option
from holmes.errors import InputError
from holmes.report.card import card
from holmes.services.build import available, write_embedded
from holmes.services.build import build as run_build
from holmes.util.files import write_text
from holmes.util.paths import PACKAGE, data_dir


@click.command(short_help="Build fresh verified cases.")
@click.argument("domain", metavar="[CONFIG|all]", default="")
@click.option("--n", default=1000, show_default=True, type=click.IntRange(min=1), help="Items (a domain).")
@click.option("--seed", default=0, show_default=True, type=int, help="Seed: item = f(rule base, seed, index).")
@click.option("--tier", default="", help="Only items of this tier: basic, medium, hard, 'very hard'.")
@click.option("--workers", default=1, show_default=True, type=click.IntRange(min=1), help="Processes.")
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), help="Folder [default: holmes-build].")
@bundle_option
@click.option("--embedded", is_flag=True, help="Write the shipped splits instead (default folder: the package's data).")
def build(
    domain: str, n: int, seed: int, tier: str, workers: int, out: Path | None, embedded: bool, bundle: str
) -> None:
    """Build N fresh cases of a domain; the files depend on the rule bases, SEED and N alone."""
    if bundle and (embedded or domain not in ("", bundle)):
        what = "--embedded" if embedded else repr(domain)
        raise InputError(f"--bundle: found {what} beside it, expected nothing or {bundle!r}, which it builds")
    chosen = (bundle,) if bundle else available() if domain in ("", "all") else (domain,)
    if tier and tier not in ("basic", "medium", "hard", "very hard"):
        raise InputError(f"option --tier: found {tier!r}, expected basic, medium, hard or 'very hard'")
    for name in chosen:
        if embedded:
            for split, count in write_embedded(name, (out or data_dir()) / name).items():
                click.echo(f"{name}/{split}: {count} cases")
            if out is None:  # the card's figures are the data's
                write_text(PACKAGE / "README.md", card())
        else:
            folder = (out or Path("holmes-build")) / name
            files = run_build(name, n, seed, tier=tier, workers=workers, out=folder)
            click.echo(f"{name}: {n} cases in {len(files)} file(s) under {folder}")
