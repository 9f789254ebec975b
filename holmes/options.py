"""The options that a run may set, read from any host's mapping of ``holmes_*`` keys."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from holmes.errors import InputError


@dataclass(frozen=True, slots=True)
class Options:
    """Options of a run; hosts pass each as ``holmes_<name>``.

    k: generations a case, at least 1. split: test, hard, smoke, dev, train, every (counterfactual only), half
    (holmes_types only). rules_order: given or shuffled. distractors: number of foreign rules mixed in. closed_world:
    show the closed-world line. labels: show the possible answers. accept_bare: run a program that has no code fence.
    timeout: seconds a program. workers: programs run at once. trace_metrics: names joined by ``+`` (see
    docs/trace-metrics.md). compat: "" or the name of a paper's scoring (holmes-2026, deontic-2026). derivations: score
    the reasoning against the derivations of the case, where the prompt asks for reasoning. seed: of the sample that
    holmes_types draws. trace: how steps are asked for: lines (in the stated form), free (in the model's own words, as
    the papers do), none. given: earlier steps that the prompt gives as settled: "", concepts, triggers, conflicts.
    pressure: what the prompt adds that decides nothing: "", irrelevant (facts that do not matter), opinions (the wrong
    view of a party), hint (a confident wrong answer); see docs/twins.md.
    """

    k: int = 1
    split: str = "test"
    rules_order: str = "given"
    distractors: int = 0
    closed_world: bool = True
    labels: bool = True
    accept_bare: bool = False
    timeout: float = 20.0
    workers: int = 2
    trace_metrics: str = ""
    encoder: str = "minilm"
    compat: str = ""
    derivations: bool = True
    seed: int = 0
    trace: str = "lines"
    given: str = ""
    pressure: str = ""


_ALLOWED: dict[str, tuple[str, ...]] = {
    "split": ("test", "hard", "smoke", "dev", "train", "every", "half"),
    "rules_order": ("given", "shuffled"),
    "compat": ("", "holmes-2026", "deontic-2026"),
    "trace": ("lines", "free", "none"),
    "given": ("", "concepts", "triggers", "conflicts"),
    "pressure": ("", "irrelevant", "opinions", "hint"),
}
_LEAST: dict[str, float] = {"k": 1, "distractors": 0, "timeout": 0.1, "workers": 1}
PROMPT_VERSION = 2
"""Counts the changes of prompts that scores may depend on; 2: steps in a stated form."""
_NOT_OPTIONS = frozenset({"holmes_task"})


def read_options(given: Mapping[str, Any]) -> Options:
    """Read the ``holmes_*`` keys of a mapping, leaving every other key alone.

    given: for example lm-eval's metadata; values may be text. Returns Options.
    Raises InputError for an unknown ``holmes_*`` key or a value of another type or range.
    """
    fields = {f.name: f for f in dataclasses.fields(Options)}
    values: dict[str, Any] = {}
    for key, value in given.items():
        if not key.startswith("holmes_") or key in _NOT_OPTIONS:
            continue
        name = key.removeprefix("holmes_")
        if name not in fields:
            known = ", ".join(f"holmes_{n}" for n in fields)
            raise InputError(f"task option {key}: found an unknown option, expected one of {known}")
        values[name] = _value(key, str(fields[name].type), value)
        if name in _ALLOWED and values[name] not in _ALLOWED[name]:
            raise InputError(f"task option {key}: found {value!r}, expected one of {', '.join(_ALLOWED[name])}")
        if name in _LEAST and values[name] < _LEAST[name]:
            raise InputError(f"task option {key}: found {value!r}, expected at least {_LEAST[name]:g}")
    return Options(**values)


def _value(key: str, kind: str, value: Any) -> Any:
    if kind == "bool":
        text = str(value).lower()
        if text in ("true", "1", "yes", "on"):
            return True
        if text in ("false", "0", "no", "off"):
            return False
    elif kind == "str":
        if isinstance(value, str):
            return value
    else:
        try:
            if not isinstance(value, bool):
                number = float(value)
                if kind == "float":
                    return number
                if number == int(number):
                    return int(number)
        except (TypeError, ValueError, OverflowError):
            pass
    raise InputError(f"task option {key}: found {value!r}, expected {kind}")


def options_json(options: Options) -> str:
    """Return options as compact JSON with sorted keys."""
    return json.dumps(dataclasses.asdict(options), sort_keys=True)


def options_of(text: str, where: str = "") -> Options:
    """Read what `options_json` wrote; raises InputError naming where."""
    try:
        return read_options({f"holmes_{k}": v for k, v in json.loads(text).items()})
    except (ValueError, AttributeError) as error:
        raise InputError(f"{where}: field options: found {text!r:.60}, expected the options of a run") from error


def override(options: Options, given: Sequence[str]) -> Options:
    """Return options with ``NAME=VALUE`` pairs set; raises InputError for an unknown name or bad value."""
    pairs = dict(split_option(text) for text in given)
    return dataclasses.replace(options, **{k: getattr(read_options({f"holmes_{k}": v}), k) for k, v in pairs.items()})


def split_option(text: str) -> tuple[str, str]:
    """Split ``NAME=VALUE`` (NAME with or without ``holmes_``); raises InputError when it is not of that form."""
    name, equals, value = text.partition("=")
    if not equals or not name:
        raise InputError(f"--option: found {text!r}, expected NAME=VALUE")
    return name.removeprefix("holmes_"), value
