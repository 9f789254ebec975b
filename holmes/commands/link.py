"""`holmes link`, `holmes unlink`, `holmes tasks-path`: how the bare lm_eval finds our tasks."""

from __future__ import annotations

import click

from holmes.hosts import link as linking
from holmes.registry import broken
from holmes.util.paths import tasks_dir


@click.command()
def link() -> None:
    """Write one-line task files into lm_eval's own task folder, so that a bare `lm_eval --tasks holmes_law` works."""
    folder, count = linking.link()
    click.echo(f"linked {count} task files into {folder}; undo with: holmes unlink")
    for name, why in broken().items():
        click.echo(f"left out: {name}: {why}", err=True)


@click.command()
def unlink() -> None:
    """Remove exactly what `holmes link` wrote."""
    folder, count = linking.unlink()
    click.echo(f"removed {count} task files from {folder}" if count else f"nothing linked in {folder}")


@click.command(name="tasks-path")
def tasks_path() -> None:
    """Print the folder of the task files, for lm_eval's --include_path."""
    click.echo(str(tasks_dir()))
