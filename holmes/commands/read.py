"""`holmes read`: what the readers extract from a text, as JSON."""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict, is_dataclass
from fractions import Fraction
from typing import Any

import click

from holmes.cases import Alias
from holmes.errors import InputError
from holmes.interfaces import Domain
from holmes.reading.amounts import amount_mentions
from holmes.reading.answer import label_mentions
from holmes.reading.citations import citations
from holmes.reading.mentions import Mention, decide
from holmes.reading.report import read_report
from holmes.reading.thinking import Reply, final_reply
from holmes.registry import domain_for, program_contract
from holmes.tasks import task_names, task_spec


@click.command()
@click.option(
    "--kind",
    required=True,
    type=click.Choice(["answer", "amount", "label", "report", "program", "steps", "citations", "thinking"]),
    help="What to read.",
)
@click.option("--task", default="", help="The task whose contract holds (its labels, its report keys).")
@click.option("--choices", default="", help="Labels, separated by '|', instead of the task's.")
@click.option("--alias", "aliases", multiple=True, help="LABEL=SPELLING, may be repeated.")
@click.option("--required", default="", help="Keys a report must have, separated by commas.")
@click.option("--negatives", is_flag=True, help="Figures in parentheses are losses.")
@click.option("--strict", is_flag=True, help="Accept only JSON that parses as it stands.")
def read(
    kind: str, task: str, choices: str, aliases: tuple[str, ...], required: str, negatives: bool, strict: bool
) -> None:
    """Read a model's output from standard input and print what is extracted, as one JSON document."""
    if task and not _known(task):
        raise InputError(f"--task: found {task!r}, expected one of {', '.join(task_names())}, or a config name")
    text = sys.stdin.buffer.read().decode("utf-8", errors="replace")
    reply = final_reply(text)
    labels = tuple(c for c in choices.split("|") if c) or _choices_of(task)
    spelled = [Alias(label, (spelling,)) for label, _, spelling in (a.partition("=") for a in aliases)]
    keys = [k for k in required.split(",") if k]
    readers: dict[str, Callable[[], object]] = {
        "thinking": lambda: {"text": reply.text, "thinking": reply.thinking, "closed": reply.closed},
        "answer": lambda: _answer(reply, labels, spelled, task, negatives),
        "label": lambda: _committed(label_mentions(reply.text, labels, spelled)),
        "amount": lambda: _committed(amount_mentions(reply.text, negatives=negatives)),
        "citations": lambda: list(citations(reply.text)),
        "report": lambda: _plain(read_report(reply.text, keys, strict=strict)),
        "program": lambda: _program(text, task),
        "steps": lambda: _plain(_late("holmes.reading.steps", "read_steps")(reply.text)),
    }
    found = readers[kind]()
    document = {"kind": kind, "task": task, "closed": reply.closed, "value": _value(found), "found": found}
    click.echo(json.dumps(document, ensure_ascii=False))


def _known(task: str) -> bool:
    names = {name for t in task_names() for name in (t, task_spec(t).config)}
    return task in names | {name.removesuffix("_release") for name in names} or _domain(task) is not None


def _domain(task: str) -> Domain | None:
    try:
        return domain_for(task)
    except InputError:
        return None


def _choices_of(task: str) -> tuple[str, ...]:
    found = _domain(task)
    return found.labels(task) if found is not None else ()


def _answer(reply: Reply, labels: tuple[str, ...], aliases: list[Alias], task: str, negatives: bool) -> object:
    if not labels and not aliases and _domain(task) is not None and program_contract(task).amount:
        return _committed(amount_mentions(reply.text, negatives=negatives))
    return _committed(label_mentions(reply.text, labels, aliases))


def _committed(mentions: Sequence[Mention]) -> object:
    """The answer with all mentions, each with the reason why it was taken or left; else the mentions."""
    answer = decide(mentions)
    if answer is not None:
        return _plain(answer)
    nothing = {"label": None, "value": None, "malformed": False, "reason": "no answer"}
    return nothing | {"mentions": _plain(list(mentions))}


def _program(text: str, task: str) -> object:
    from holmes.prolog.extract import extract_program

    found = asdict(extract_program(text, contract=program_contract(task) if task else None))
    return _plain(found | {"value": found["program"]})


def _value(found: object) -> object:
    """What was read, without how: the label, the amount, the object, the text."""
    if not isinstance(found, dict):
        return found
    if "malformed" in found:
        return found["label"] if found["value"] is None else found["value"]
    return found.get("value", found.get("text"))


def _late(module: str, name: str) -> Callable[[str], object]:
    function: Callable[[str], object] = getattr(importlib.import_module(module), name)
    return function


def _plain(value: Any) -> Any:
    """A value as JSON: exact numbers as a number where that is exact, else as text ``p/q``."""
    if is_dataclass(value) and not isinstance(value, type):
        return _plain(asdict(value))
    if isinstance(value, Fraction):
        return _number(value)
    if isinstance(value, dict):
        return {str(k): _plain(v) for k, v in value.items()}
    if isinstance(value, list | tuple | frozenset | set):
        return [_plain(v) for v in (sorted(value) if isinstance(value, frozenset | set) else value)]
    return value


def _number(value: Fraction) -> int | float | str:
    if value.denominator == 1:
        return int(value)
    try:
        nearest = float(value)
    except OverflowError:
        return str(value)
    return nearest if Fraction(repr(nearest)) == value else str(value)
