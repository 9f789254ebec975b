"""`holmes publish`: the dataset to the Hub; a dry run unless told otherwise."""

from __future__ import annotations

import click


@click.command()
@click.option("--repo", required=True, metavar="ORG/NAME", help="The dataset repository.")
@click.option("--dry-run/--no-dry-run", default=True, show_default=True, help="Only show what would change.")
@click.option("--private", is_flag=True, help="Create the repository private.")
@click.option("--replace-card", is_flag=True, help="Replace a card that differs from ours.")
def publish(repo: str, dry_run: bool, private: bool, replace_card: bool) -> None:
    """Push the card and all configs to the Hub in one commit, tagged with the version.

    Stopped half-way, nothing of it is visible; called again, it goes on.
    """
    from holmes.hosts.hub import publish as push

    found = push(repo, dry_run=dry_run, private=private, replace_card=replace_card)
    for upload in found.files:
        click.echo(f"{upload.size:>10,} {upload.state:<8} {upload.target}")
    sent = [u for u in found.files if u.state != "same"]
    total = f"{len(sent)} of {len(found.files)} files, {sum(u.size for u in sent):,} bytes"
    if not dry_run:
        click.echo(f"pushed {total} to {repo}, tag {found.tag}")
        return
    for line in (found.card, found.note):
        if line:
            click.echo(line)
    click.echo(f"dry run: {total} would go to {repo}, tag {found.tag}; add --no-dry-run")
