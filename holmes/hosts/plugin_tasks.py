"""Task files for the domains of plug-ins: made from their tasks, since only our own come as YAML in the package."""

from __future__ import annotations

import json
from pathlib import Path

from holmes.registry import DISTRIBUTION, brought_by, domains
from holmes.util.files import write_text
from holmes.util.paths import cache_dir, tasks_dir


def plugin_tasks() -> dict[str, str]:
    """Return the task files of all usable plug-ins: file name -> text; they include our own template by its path."""
    base = json.dumps(str(tasks_dir() / "_default_yaml"))
    found = {}
    for domain in domains():
        if brought_by(domain.name)[0] == DISTRIBUTION:
            continue
        for config in domain.configs:
            for task in config.tasks:
                text = f"include: {base}\ntask: {task.name}\ndataset_kwargs:\n  holmes_task: {task.name}\n"
                found[f"{domain.name}/{task.name}.yaml"] = text
    return found


def plugin_folder() -> Path | None:
    """Write the task files of plug-ins into the cache and return their folder; None where there are none."""
    files = plugin_tasks()
    if not files:
        return None
    folder = cache_dir() / "tasks"
    for stale in folder.rglob("*.yaml"):
        if stale.relative_to(folder).as_posix() not in files:
            stale.unlink()
    for name, text in files.items():
        if not (folder / name).is_file() or (folder / name).read_text(encoding="utf-8") != text:
            write_text(folder / name, text)
    return folder
