"""`--bundle FILE`: the domain of one rule-base file takes part in a command as if a distribution had brought it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click


def use(path: str) -> str:
    """Make the domain of a file known to this run and to processes that it starts; returns its name.

    Raises InputError for a file that is not a checked rule base, or bears the name of another domain or config.
    """
    from holmes import tasks
    from holmes.registry import use_bundle

    name = use_bundle(path)
    tasks.forget()
    return name


def _used(_context: click.Context, _parameter: click.Parameter, value: str) -> str:
    return use(value) if value else ""


def bundle_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add ``--bundle FILE``; the command gets the name of its domain, empty without the option."""
    text = "Rule-base file of one's own: its domain and config bear the name of its first rule base."
    return click.option("--bundle", metavar="FILE", default="", callback=_used, is_eager=True, help=text)(command)
