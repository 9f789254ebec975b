"""Task names, what each one evaluates, and the options a run may set: shared by every host and by offline scoring."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from holmes.cases import Case
from holmes.errors import InputError


@dataclass(frozen=True, slots=True)
class TaskSpec:
    """One leaf task.

    config: the data, as `holmes.store` names it. prompt: which prompt is shown. mode: how an output is scored
    (`holmes.scoring.MODES`). kind: label | amount | binary | report | family | policy, which decides the extra
    metrics. only: the cases of the config that belong to the task, by their own field `task`; all where it is empty. A
    task of kind family mixes domains: prompt and mode of a case are those of `own_spec`.
    """

    name: str
    config: str
    prompt: str
    mode: str
    kind: str
    only: str = ""


# base task name -> (config, default prompt, default mode, kind)
_BASES: dict[str, tuple[str, str, str, str]] = {
    "holmes_law": ("law", "answer", "answer", "label"),
    "deontic_sara_numeric": ("deontic_sara_numeric", "zeroshot", "prolog", "amount"),
    "deontic_sara_binary": ("deontic_sara_binary", "zeroshot", "prolog", "binary"),
    "deontic_airline": ("deontic_airline", "zeroshot", "prolog", "amount"),
    "deontic_housing": ("deontic_housing", "zeroshot", "prolog", "binary"),
    "deontic_uscis": ("deontic_uscis", "zeroshot", "prolog", "binary"),
}
_FINANCE = (
    *("approval", "materials", "invoices", "labour", "loans", "amount"),
    *(f"{family}_{span}" for family in ("parallel", "compositional") for span in (2, 3, 4, 5)),
)
_BASES |= {f"holmes_finance_{name}": ("finance", "report", "answer", "report") for name in _FINANCE}
_BASES["holmes_policy"] = ("policy", "answer", "answer", "policy")
_BASES["holmes_counterfactual"] = ("counterfactual", "domain", "domain", "family")
_BASES["holmes_types"] = ("types", "domain", "domain", "types")
_EMBEDDED_ONLY = frozenset({"counterfactual", "policy", "types"})  # configs whose tasks no release has
_RELEASE_ONLY = frozenset({"deontic_airline", "deontic_housing", "deontic_uscis"})
_SCORED_AS = {"direct": "answer"}


def task_spec(name: str) -> TaskSpec:
    """Return what a task name means: ``<base>[_direct|_fewshot][_release]``.

    name: a leaf task name. Returns its TaskSpec. Raises InputError for a name that is not a task.
    """
    base, release = (name.removesuffix("_release"), "_release") if name.endswith("_release") else (name, "")
    prompt = ""
    for variant in ("direct", "fewshot"):
        if base.endswith(f"_{variant}"):
            base, prompt = base.removesuffix(f"_{variant}"), variant
    if base not in _BASES or prompt not in _variants(base) or release not in _sources(base):
        raise InputError(f"task: found {name!r}, expected one of {', '.join(task_names())}")
    config, own_prompt, mode, kind = _BASES[base]
    only = base.removeprefix("holmes_") if config == "finance" else ""
    return TaskSpec(name, config + release, prompt or own_prompt, _SCORED_AS.get(prompt, mode), kind, only)


def _variants(base: str) -> tuple[str, ...]:
    if _BASES[base][0] in ("finance", "types"):
        return ("",)
    direct = ("holmes_law", "holmes_counterfactual", "holmes_policy")
    return ("", "direct") if base in direct else ("", "direct", "fewshot")


def _sources(base: str) -> tuple[str, ...]:
    if base in _RELEASE_ONLY:
        return ("_release",)
    return ("",) if _BASES[base][0] in _EMBEDDED_ONLY else ("", "_release")


def own_spec(case: Case, spec: TaskSpec) -> TaskSpec:
    """Return the task by which a case is prompted and scored: the given one, or that of its domain in a mixed task."""
    if spec.kind not in ("family", "types"):
        return spec
    base = case.task if case.domain == "deontic" else f"holmes_{case.task}"
    return task_spec(f"{base}_direct" if spec.prompt == "direct" and "direct" in _variants(base) else base)


def cases_of(spec: TaskSpec, split: str = "test", seed: int = 0) -> list[Case]:
    """Load the cases of a task; raises InputError like `holmes.store.load_cases`. seed: of a sample by type.

    Raises InputError, too, where an import has cases but none of the task: an earlier version of holmes made it.
    """
    from holmes.store import import_command, load_cases, release_of

    if spec.config == "types":
        from holmes.configs.by_type import by_type

        return list(by_type(split, seed).cases)
    found = [case for case in load_cases(spec.config, split) if spec.only in ("", case.task)]
    if not found and (release := release_of(spec.config)):
        raise InputError(
            f"{spec.name}: found no case of {spec.only or spec.config}, expected some; import again: "
            f"{import_command(release)}"
        )
    return found


def task_names() -> list[str]:
    """Return every leaf task name."""
    names: list[str] = []
    for base in _BASES:
        marked = [f"_{variant}" if variant else "" for variant in _variants(base)]
        names += [f"{base}{variant}{source}" for source in _sources(base) for variant in marked]
    return names


@dataclass(frozen=True, slots=True)
class Options:
    """Options of a run; hosts pass each as ``holmes_<name>``.

    k: generations a case, at least 1. split: test, hard, smoke, dev, train, every (counterfactual only), half
    (holmes_types only). rules_order: given or shuffled. distractors: number of foreign rules mixed in. closed_world:
    show the closed-world line. labels: show the possible answers. accept_bare: run a program that has no code fence.
    timeout: seconds a program. workers: programs run at once. trace_metrics: names joined by ``+`` (see
    docs/trace-metrics.md). compat: "" or the name of a paper's scoring (holmes-2026, deontic-2026). derivations: score
    the reasoning against the derivations of the case, where the prompt asks for reasoning. seed: of the sample that
    holmes_types draws.
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


_ALLOWED: dict[str, tuple[str, ...]] = {
    "split": ("test", "hard", "smoke", "dev", "train", "every", "half"),
    "rules_order": ("given", "shuffled"),
    "compat": ("", "holmes-2026", "deontic-2026"),
}
_LEAST: dict[str, float] = {"k": 1, "distractors": 0, "timeout": 0.1, "workers": 1}
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


def build_prompt(case: Case, spec: TaskSpec, options: Options) -> str:
    """Return the prompt of one case: a pure function of case, task and options; ids never appear in it."""
    spec = own_spec(case, spec)
    if case.domain == "law":
        from holmes.domains.law.prompts import prompt as law_prompt

        return law_prompt(
            case,
            spec.prompt,
            rules=options.rules_order,
            distractors=options.distractors,
            closed_world=options.closed_world,
            labels=options.labels,
        )
    if case.domain == "finance" and case.source == "holmes-release":
        from holmes.sources.holmes_release.finance.prompts import prompt as release_prompt

        return release_prompt(case)
    if case.domain == "finance" and spec.prompt == "report":
        from holmes.domains.finance.prompts import prompt as finance_prompt

        return finance_prompt(case)
    if case.domain == "policy":
        from holmes.domains.policy.prompts import prompt as policy_prompt

        return policy_prompt(case, spec.prompt, rules=options.rules_order)
    from holmes.domains.deontic.prompts import prompt as deontic_prompt

    return deontic_prompt(case, spec.prompt)


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
