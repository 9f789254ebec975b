"""`holmes publish`: the dataset to the Hub; a dry run unless told otherwise."""

from __future__ import annotations

import click


@click.command()
@click.option("--repo", required=True, metavar="ORG/NAME", help="The dataset repository.")
@click.option("--dry-run/--no-dry-run", default=True, show_default=True, help="Only list what would be sent.")
@click.option("--private", is_flag=True, help="Create the repository private.")
def publish(repo: str, dry_run: bool, private: bool) -> None:
    """Push the card and all configs to the Hub in one commit."""
    from holmes.hosts.hub import publish as push

    files = push(repo, dry_run=dry_run, private=private)
    for upload in files:
        click.echo(f"{upload.size:>10,} {upload.target}")
    total = f"{len(files)} files, {sum(u.size for u in files):,} bytes"
    click.echo(f"dry run: {total} would go to {repo}; add --no-dry-run" if dry_run else f"pushed {total} to {repo}")
