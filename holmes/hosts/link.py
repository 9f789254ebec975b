"""One-line task files in lm_eval's folder that include ours: written by `holmes link`, removed by `holmes unlink`."""

from __future__ import annotations

import importlib.util
import json
import os
from pathlib import Path

from holmes.errors import EnvironmentFailure, InputError
from holmes.hosts.plugin_tasks import plugin_tasks
from holmes.util.files import write_text
from holmes.util.paths import tasks_dir
from holmes.version import __version__

MARK = "# written by `holmes link`; remove with `holmes unlink`"
RECORD = ".holmes-link.json"  # which files we wrote, for which version and folder


def lm_eval_folder() -> Path | None:
    """Return lm_eval's own task folder, for an installed, editable or cloned lm_eval, without importing it."""
    try:
        spec = importlib.util.find_spec("lm_eval")
    except (ImportError, ValueError):
        return None
    if spec is None or not spec.origin:  # a namespace package is an empty folder, not an lm_eval
        return None
    folder = Path(spec.origin).resolve().parent / "tasks"
    return folder if folder.is_dir() else None


def _target() -> Path:
    folder = lm_eval_folder()
    if folder is None:
        raise EnvironmentFailure("lm_eval: found none in this environment, expected one; pip install 'lm_eval[api]'")
    return folder / "holmes"


def wanted(source: Path) -> dict[str, str]:
    """Return the files a link consists of: relative name -> text."""
    ours = {
        path.relative_to(source).as_posix(): f"{MARK}\ninclude: {json.dumps(str(path))}\n"
        for path in sorted(source.rglob("*.yaml"))
    }
    return ours | {name: f"{MARK}\n{text}" for name, text in plugin_tasks().items()}


def link() -> tuple[Path, int]:
    """Write the link files, replacing an older link; returns lm_eval's folder for them and their number.

    Raises InputError when a file that we did not write is in the way, EnvironmentFailure when lm_eval is missing
    or its folder cannot be written.
    """
    target, source = _target(), tasks_dir()
    files = wanted(source)
    if not files:
        raise EnvironmentFailure(f"{source}: found no task files, expected the packaged ones; reinstall holmes-eval")
    for name in files:
        path = target / name
        if path.exists() and not _ours(path):
            raise InputError(f"{path}: found a file that `holmes link` did not write, expected none")
    try:
        for name in _recorded(target) - set(files):
            _remove(target / name)
        # The record comes first: whatever a killed run leaves behind, `holmes unlink` knows its name.
        record = {"version": __version__, "tasks": str(source), "files": sorted(files)}
        write_text(target / RECORD, json.dumps(record, indent=1) + "\n")
        for name, text in files.items():
            write_text(target / name, text)
    except PermissionError as error:
        raise EnvironmentFailure(
            f'{target}: may not be written; use `holmes eval` or lm_eval --include_path "$(holmes tasks-path)"'
        ) from error
    return target, len(files)


def unlink() -> tuple[Path, int]:
    """Remove the link files and the folders they leave empty; returns lm_eval's folder and their number."""
    target = _target()
    removed = 0
    for path in sorted(target.rglob("*.yaml")):
        if _ours(path):
            path.unlink()
            removed += 1
    for part in target.rglob(".*.part"):
        part.unlink()
    (target / RECORD).unlink(missing_ok=True)
    for folder in sorted((p for p in target.rglob("*") if p.is_dir()), reverse=True):
        _remove_if_empty(folder)
    _remove_if_empty(target)
    return target, removed


def stale() -> str:
    """Return why the present link no longer fits this installation, or "" when it does or there is none.

    HOLMES_LINK_NOTICE=0 in the environment asks for silence.
    """
    folder = None if os.environ.get("HOLMES_LINK_NOTICE") == "0" else lm_eval_folder()
    if folder is None or not (folder / "holmes" / RECORD).is_file():
        return ""
    target, source = folder / "holmes", tasks_dir()
    try:
        record = json.loads((target / RECORD).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return "its record cannot be read"
    files = sorted(wanted(source))
    if record.get("tasks") != str(source):
        return f"it points to {record.get('tasks')}"
    if record.get("version") != __version__:
        return f"it was made by version {record.get('version')}"
    if record.get("files") != files or not all((target / name).is_file() for name in files):
        return "task files were added or removed"
    return ""


def _ours(path: Path) -> bool:
    try:
        with path.open(encoding="utf-8", errors="replace") as handle:
            return handle.readline().rstrip("\n") == MARK
    except OSError:
        return False


def _recorded(target: Path) -> set[str]:
    try:
        names = json.loads((target / RECORD).read_text(encoding="utf-8"))["files"]
    except (OSError, ValueError, KeyError, TypeError):
        return set()
    return {str(name) for name in names}


def _remove(path: Path) -> None:
    if _ours(path):
        path.unlink()


def _remove_if_empty(folder: Path) -> None:
    if folder.is_dir() and not any(folder.iterdir()):
        folder.rmdir()
