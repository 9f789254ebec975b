"""`holmes import`: an authors' release into the cache."""

from __future__ import annotations

import json
from pathlib import Path

import click

from holmes.registry import sources


@click.command("import", short_help="Import an authors' release into the cache.")
@click.argument("release", type=click.Choice([known.name for known in sources()]))
@click.option(
    "--from", "origin", required=True, metavar="DIR|URL|hub", help="Checkout, folder, archive URL, or the Hub."
)
@click.option("--out", type=click.Path(path_type=Path), help="Write below DIR instead of the cache (HOLMES_CACHE).")
@click.option(
    "--statutes", type=click.Path(path_type=Path), help="Folder with sara/ and airline/ where the source has none."
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def import_(release: str, origin: str, out: Path | None, statutes: Path | None, as_json: bool) -> None:
    """Import RELEASE: every field is checked, and nothing is replaced before all of it has been read and written."""
    from holmes.services.importing import bring

    def notify(line: str) -> None:
        click.echo(line, err=True)

    done, written = bring(release, origin, out, statutes, notify)
    if as_json:
        document = {
            "release": done.release,
            "version": done.version,
            "path": str(written.folder),
            "configs": {
                name: {"splits": dict(splits), "fingerprint": written.fingerprints[name]}
                for name, splits in written.configs.items()
            },
            "missing": list(done.missing),
            "notes": list(done.notes),
        }
        click.echo(json.dumps(document, indent=1, ensure_ascii=False))
        return
    click.echo(f"{done.release} {done.version} -> {written.folder}")
    for name, splits in written.configs.items():
        counts = ", ".join(f"{split} {count:,}" for split, count in splits.items())
        click.echo(f"  {name}: {counts}; fingerprint {written.fingerprints[name][:16]}")
    for line in done.missing:
        click.echo(f"  not in the source: {line}")
    for line in done.notes:
        click.echo(f"  note: {line}")
