"""Importing a release: where it may come from, what is read of it, and how it is stored."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from holmes.importing.cache import Import, Written
from holmes.registry import source


def bring(
    release: str,
    origin: str,
    out: Path | None = None,
    statutes: Path | None = None,
    notify: Callable[[str], None] = lambda _: None,
) -> tuple[Import, Written]:
    """Import a release: read and check everything, then swap it in.

    release: the name of a source. origin: see `holmes.importing.fetch.opened`. out: root to write below instead of the
    cache. statutes: folder with statutes for a source that lacks them. notify: progress.
    Returns what was read and what was written. Raises InputError, EnvironmentFailure; then nothing has changed.
    """
    done: tuple[Import, Written] = source(release).bring(origin, out, statutes=statutes, notify=notify)
    return done
