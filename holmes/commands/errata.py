"""`holmes errata`: what is wrong in the authors' releases, by kind, as a page."""

from __future__ import annotations

from pathlib import Path

import click


@click.command(short_help="Write what is wrong in the imported releases as a page.")
@click.argument("releases", nargs=-1, metavar="[RELEASE]...")
@click.option("--out", type=click.Path(path_type=Path), help="The file to write. [default: stdout]")
def errata(releases: tuple[str, ...], out: Path | None) -> None:
    """Audit each imported RELEASE (default: all) and print its defects by kind: count, meaning, cases.

    The evidence of each is in `holmes audit RELEASE --json`.
    """
    from holmes.report.errata import page
    from holmes.util.files import write_text

    text = page(releases)
    if out is None:
        click.echo(text, nl=False)
    else:
        write_text(out, text)
