"""lm_eval's command line, called in this process with our task folder as the only one."""

from __future__ import annotations

import functools
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from holmes.errors import EnvironmentFailure, InputError, is_network_failure
from holmes.hosts.plugin_tasks import plugin_folder
from holmes.options import read_options, split_option
from holmes.registry import find_plugin
from holmes.services.readiness import try_scoring, writable
from holmes.services.task_groups import groups, specs_of
from holmes.tasks import task_names
from holmes.util.paths import tasks_dir


def metadata(k: int | None, options: Sequence[str]) -> dict[str, str | int]:
    """Turn ``--k`` and ``--option NAME=VALUE`` into the ``holmes_*`` keys of lm_eval's --metadata.

    Raises InputError for an option that is not NAME=VALUE, is unknown, or has a bad value.
    """
    keys: dict[str, str | int] = {f"holmes_{name}": value for name, value in map(split_option, options)}
    if k is not None:
        keys["holmes_k"] = k
    read_options(keys)
    return keys


def _tasks(arguments: Sequence[str]) -> list[str]:
    """Return the names that follow --tasks, in either of its spellings."""
    found: list[str] = []
    for place, argument in enumerate(arguments):
        flag, equals, value = argument.partition("=")
        if flag in ("-t", "--tasks"):
            value = value if equals else (arguments[place + 1] if place + 1 < len(arguments) else "")
            found += [name for name in value.split(",") if name]
    return found


def _known(name: str) -> bool:
    return name in task_names() or name in groups()


def _output_folder(arguments: Sequence[str]) -> Path | None:
    """Return the folder that lm_eval will write results into; None where none is asked for."""
    for place, argument in enumerate(arguments):
        flag, equals, value = argument.partition("=")
        if flag in ("-o", "--output_path"):
            path = Path(value if equals else (arguments[place + 1] if place + 1 < len(arguments) else ""))
            return path.parent if path.suffix == ".json" else path
    return None


def _manager(kind: Any, *args: Any, include_path: Any = None, **given: Any) -> Any:
    """Make a task manager that sees our tasks, those of plug-ins, and no others."""
    folders = [include_path] if isinstance(include_path, str) else list(include_path or ())
    more = plugin_folder()
    return kind(*args, include_path=[*folders, *([str(more)] if more else [])], **given | {"include_defaults": False})


def run(k: int | None, options: Sequence[str], arguments: Sequence[str]) -> None:
    """Run lm_eval's command line. Raises InputError for wrong use, EnvironmentFailure when a model cannot be reached.

    k: generations a case. options: NAME=VALUE. arguments: lm_eval's own.
    """
    keys = metadata(k, options)
    try:
        import lm_eval.tasks
        from lm_eval.__main__ import cli_evaluate
    except ImportError as error:
        raise EnvironmentFailure(
            "lm_eval: found none, expected one; pip install 'lm_eval[api]>=0.4.13,<0.5'"
        ) from error
    manager = functools.partial(_manager, lm_eval.tasks.TaskManager)
    given = list(arguments)
    if given[:1] in (["ls"], ["validate"]):
        raise InputError(f"holmes eval: found {given[0]!r}, expected the arguments of `lm_eval run`")
    given = given[1:] if given[:1] == ["run"] else given
    asked = [a.split("=", 1)[0] for a in given]
    if not {"-t", "--tasks", "-C", "--config"} & set(asked):
        raise InputError("--tasks: found none, expected for example holmes_law,deontic_sara")
    for name in _tasks(given):
        find_plugin(name)  # a plug-in that cannot be loaded says why; lm_eval would say that there is no such task
    options_given = read_options(keys)
    for spec in dict.fromkeys(spec for name in _tasks(given) if _known(name) for spec in specs_of(name)):
        try_scoring(spec, options_given)
    if folder := _output_folder(given):
        writable(folder)
    if "--include_path" not in asked:
        given += ["--include_path", str(tasks_dir())]
    if keys:
        given += ["--metadata", json.dumps(keys)]
    os.environ.setdefault("HF_DATASETS_OFFLINE", "1")  # the data are local: a Hub look-up could only hang
    before, lm_eval.tasks.TaskManager = (sys.argv, lm_eval.tasks.TaskManager), manager
    sys.argv = ["lm_eval", "run", *given]
    try:
        cli_evaluate()
    except Exception as error:
        raise _explained(error) from error
    finally:
        sys.argv, lm_eval.tasks.TaskManager = before


def _explained(error: Exception) -> Exception:
    """Give a failure of the model's API, and wrong use, one clear line; leave every other error alone."""
    if is_network_failure(error):
        return EnvironmentFailure(
            f"the model's API kept failing ({type(error).__name__}: {error}); the run was aborted and nothing was "
            "scored; rerun with --use_cache PATH to keep what is generated and go on from there"
        )
    text = str(error)
    if isinstance(error, TypeError) and "__init__() missing" in text:  # a model class called without what it needs
        return InputError(f"--model_args: {text}; expected for example pretrained=MODEL")
    if isinstance(error, ValueError) and text.startswith(
        ("Tasks not found", "Attempted to load model", "Invalid JSON")
    ):
        return InputError(text)
    if isinstance(error, OSError) and ("is not a local folder" in text or "Repo id must be" in text):
        return InputError(f"--model_args: {text.splitlines()[0]}")
    return error
