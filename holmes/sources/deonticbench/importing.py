"""What is read of the DeonticBench release: its files, checked, as cases by config."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from holmes.errors import InputError
from holmes.importing.cache import Import, content_version
from holmes.importing.fetch import commit_of
from holmes.sources.deonticbench import reader
from holmes.sources.deonticbench.names import NAME


def read(folder: Path, version: str, statutes: Path | None, notify: Callable[[str], None]) -> Import:
    """Return everything that the release holds, checked; statutes: a folder with those that it lacks."""
    inside = {p.relative_to(folder).as_posix(): p for p in folder.rglob("*") if p.is_file() and ".git" not in p.parts}
    if statutes is not None:
        if not statutes.is_dir():
            raise InputError(f"--statutes: found no folder {str(statutes)!r}, expected one with sara and airline")
        inside |= {f"statutes/{p.relative_to(statutes).as_posix()}": p for p in statutes.rglob("*") if p.is_file()}
    found = reader.locate(sorted(inside))
    done = reader.read_deonticbench(folder, inside, found, notify)
    files = {name: inside[name] for name in found.files()}
    return Import(
        release=NAME,
        version=version or commit_of(folder) or content_version(files),
        configs=done.configs,
        files=files,
        missing=done.missing,
        notes=done.notes,
    )
