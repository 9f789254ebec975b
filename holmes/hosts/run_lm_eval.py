"""lm_eval's command line, called in this process with our task folder as the only one."""

from __future__ import annotations

import contextlib
import functools
import json
import logging
import os
import sys
from collections.abc import Iterator, Sequence
from typing import Any

from holmes.errors import EnvironmentFailure, InputError, is_network_failure
from holmes.hosts.needs import check_run
from holmes.hosts.plugin_tasks import plugin_folder
from holmes.hosts.replies import Replies, keep_replies, replies_of
from holmes.options import read_options, split_option
from holmes.registry import config as find_config
from holmes.registry import find_plugin
from holmes.services.samples import NO_REPLY
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


def values_of(arguments: Sequence[str], *flags: str) -> list[str]:
    """Return the values that follow any of the flags, in either of their spellings."""
    found: list[str] = []
    for place, argument in enumerate(arguments):
        flag, equals, value = argument.partition("=")
        if flag in flags:
            found.append(value if equals else (arguments[place + 1] if place + 1 < len(arguments) else ""))
    return found


def _tasks(arguments: Sequence[str]) -> list[str]:
    """Return the names that follow --tasks."""
    return [name for value in values_of(arguments, "-t", "--tasks") for name in value.split(",") if name]


def _manager(kind: Any, *args: Any, include_path: Any = None, **given: Any) -> Any:
    """Make a task manager that sees our tasks, those of plug-ins, and no others."""
    folders = [include_path] if isinstance(include_path, str) else list(include_path or ())
    more = plugin_folder()
    return kind(*args, include_path=[*folders, *([str(more)] if more else [])], **given | {"include_defaults": False})


class _Unsaved(logging.Handler):
    """Collects what the harness says it could not save: it only warns, and the results are gone."""

    def __init__(self) -> None:
        super().__init__(logging.INFO)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        text = record.getMessage()
        if text.startswith("Could not save") or (self.lines and len(self.lines) % 2):  # the reason comes next
            self.lines.append(text)


@contextlib.contextmanager
def _nothing_lost(truncate: bool) -> Iterator[None]:
    """Keep every reply while the block runs, and forget them only when it ended well and its results are saved."""
    import lm_eval
    from lm_eval import evaluator

    held: list[Replies] = []
    simple, evaluate = evaluator.simple_evaluate, evaluator.evaluate

    def simple_evaluate(*args: Any, **given: Any) -> Any:
        told = ("model", "model_args", "random_seed", "torch_random_seed", "system_instruction")
        held.append(replies_of(*args, *(given.get(name) for name in told)))
        return simple(*args, **given)

    def evaluate_kept(lm: Any, *args: Any, **given: Any) -> Any:
        keep_replies(lm, held[-1], truncate)
        return evaluate(lm, *args, **given)

    unsaved, tracker = _Unsaved(), logging.getLogger("lm_eval.loggers.evaluation_tracker")
    tracker.addHandler(unsaved)
    lm_eval.simple_evaluate, evaluator.evaluate = simple_evaluate, evaluate_kept
    try:
        yield
    finally:
        lm_eval.simple_evaluate, evaluator.evaluate = simple, evaluate
        tracker.removeHandler(unsaved)
    if unsaved.lines:
        raise EnvironmentFailure(
            f"{': '.join(unsaved.lines)}; the replies are kept: the same command goes on from them"
        )
    for replies in held:
        replies.remove()


def run(
    k: int | None, options: Sequence[str], arguments: Sequence[str], truncate: bool = False, config: str = ""
) -> None:
    """Run lm_eval's command line. Raises InputError for wrong use, EnvironmentFailure when a model cannot be reached.

    k: generations a case. options: NAME=VALUE. arguments: lm_eval's own. truncate: whether a local model may be shown
    only the end of a prompt. config: whose tasks run where the arguments name none. Replies are kept in the cache until
    the results are written: the same command, given again after it was killed, asks only for those that are missing.
    """
    keys = metadata(k, options)
    os.environ.setdefault("LMEVAL_MODEL_NONE_ANSWER_PLACEHOLDER", NO_REPLY)  # read when lm_eval is imported
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
        if not config:
            raise InputError("--tasks: found none, expected for example holmes_law,deontic_sara")
        given += ["--tasks", find_config(config).tasks[0].name]
    for name in _tasks(given):
        find_plugin(name)  # a plug-in that cannot be loaded says why; lm_eval would say that there is no such task
    check_run(_tasks(given), read_options(keys), (values_of(given, "-o", "--output_path") or [""])[-1])
    if "--include_path" not in asked:
        given += ["--include_path", str(tasks_dir())]
    if keys:
        given += ["--metadata", json.dumps(keys)]
    os.environ.setdefault("HF_DATASETS_OFFLINE", "1")  # the data are local: a Hub look-up could only hang
    before, lm_eval.tasks.TaskManager = (sys.argv, lm_eval.tasks.TaskManager), manager
    sys.argv = ["lm_eval", "run", *given]
    try:
        with _nothing_lost(truncate):
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
            "scored; the replies that came are kept, and the same command goes on from them"
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
