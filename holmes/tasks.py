"""Task names, what each one evaluates, and its cases and prompts: shared by every host and by offline scoring."""

from __future__ import annotations

import functools
from collections.abc import Mapping

from holmes.cases import Case
from holmes.errors import InputError
from holmes.interfaces import Task
from holmes.options import Options
from holmes.registry import domain_of, find_plugin, tasks
from holmes.store import import_command, load_cases, release_of
from holmes.util.nearest import did_you_mean


@functools.lru_cache(maxsize=1)
def _known() -> Mapping[str, Task]:
    found: dict[str, Task] = {}
    for task in tasks():
        if task.name in found:
            raise InputError(
                f"task {task.name!r}: found it in the configs {found[task.name].config} and {task.config}, expected one"
            )
        found[task.name] = task
    return found


def task_spec(name: str) -> Task:
    """Return what a task name means: ``<base>[_direct|_fewshot][_release]``.

    name: a leaf task name. Returns its Task. Raises InputError for a name that is not a task.
    """
    if name in _known():
        return _known()[name]
    find_plugin(name)
    known = task_names()
    raise InputError(f"task: found {name!r}, expected one of {', '.join(known)}{did_you_mean(name, known)}")


def forget() -> None:
    """Forget which tasks there are: a domain has come or gone."""
    _known.cache_clear()


def own_spec(case: Case, spec: Task) -> Task:
    """Return the task by which a case is prompted and scored: the given one, or that of its domain in a mixed task."""
    if not spec.mixed:
        return spec
    base = domain_of(case).task(case)
    direct = f"{base}_direct"
    return task_spec(direct if spec.prompt == "direct" and direct in _known() else base)


def cases_of(spec: Task, split: str = "test", seed: int = 0) -> list[Case]:
    """Load the cases of a task; raises InputError like `holmes.store.load_cases`. seed: of a drawn sample.

    Raises InputError, too, where an import has cases but none of the task: an earlier version of holmes made it.
    """
    found = [case for case in load_cases(spec.config, split, seed) if spec.only in ("", case.task)]
    if not found and (release := release_of(spec.config)):
        raise InputError(
            f"{spec.name}: found no case of {spec.only or spec.config}, expected some; import again: "
            f"{import_command(release)}"
        )
    return found


def task_names() -> list[str]:
    """Return every leaf task name."""
    return list(_known())


def build_prompt(case: Case, spec: Task, options: Options) -> str:
    """Return the prompt of one case: a pure function of case, task and options; ids never appear in it."""
    spec = own_spec(case, spec)
    if options.given or options.pressure:
        case = _twin(case, options)
    return domain_of(case).prompt(case, spec.prompt, options)


def _twin(case: Case, options: Options) -> Case:
    """Return the case as `holmes.prompting.twins` tells it, with the steps that its derivations settle."""
    from holmes.derivations.settled import settled
    from holmes.prompting.twins import told

    domain = domain_of(case)
    found = domain.derivations(case) if domain.has_derivations(case) else None
    if found is None and options.given:
        raise InputError(
            f"case {case.id!r}: option given: found a question without derivations, expected a case whose answer rests "
            "on steps"
        )
    if found is None:
        return told(case, options, (), ())
    own = settled(case, found, options.given) if options.given else ()
    return told(case, options, [step for _, step in own], [step for _, step in settled(case, found, "conflicts")])


def task_of(case: Case) -> Task:
    """Return the task that a case is put by: its domain's own."""
    return task_spec(domain_of(case).task(case))


def program_prompt(case: Case) -> str:
    """Return the zero-shot prompt of a case that asks for a program; raises InputError where its domain has none."""
    return domain_of(case).prompt(case, "zeroshot", Options())


def gold_reply(case: Case, spec: Task) -> str:
    """Return the reply that earns every point: the reference program, or the gold reasoning and answer."""
    program = spec.mode == "prolog" and bool(case.program)
    return domain_of(case).answer_kind(case, spec.mode if program else "answer").gold_reply(case)
