"""What the JSON of a reply says about the steps of a case: trace, failing rules, reasons, as lines of text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from holmes.reading.report import FAILING
from holmes.reading.steps import read_steps

_REASONS = frozenset({"reason", "reasons", "explanation", "justification", "rationale", "comment"})
_TRACES = frozenset({"reasoning_trace", "trace", "reasoning_steps", "steps", "reasoning"})
_SUBJECTS = ("subject", "name", "person", "item", "claimant")
_DEEPEST = 20


def reported(value: object, subject: str = "", depth: int = 0) -> Iterator[str]:
    """Yield lines for what a JSON value claims: "Item 1: Rule 5 fails." for a failing rule, its steps, its reasons."""
    if depth > _DEEPEST:
        return
    if isinstance(value, list | tuple):
        if depth == 0 and any(isinstance(row, str) for row in value):
            yield from _lines(value, subject)
            return
        rows = [row for row in value if isinstance(row, Mapping)]
        if depth == 0 and rows and not any(_names(row) & {*FAILING, *_REASONS, *_TRACES} for row in rows):
            yield from _lines(value, subject)
            return
        for row in value:
            yield from reported(row, subject, depth + 1)
    if not isinstance(value, Mapping):
        return
    subject = next((str(value[k]) for k in _SUBJECTS if isinstance(value.get(k), str)), subject)
    prefix = f"{subject}: " if subject else ""
    for name, inner in value.items():
        key = _name(name)
        if key in FAILING and isinstance(inner, list | tuple | int | str):
            numbers = re.findall(r"(?<!\d)\d{1,4}(?!\d)", str(inner))
            yield from (f"{prefix}Rule {number} fails." for number in dict.fromkeys(numbers))
        elif key in _TRACES and isinstance(inner, list | tuple | str | Mapping):
            yield from _lines(inner, subject)
        elif key in _REASONS:
            yield from (
                prefix + text for text in (inner if isinstance(inner, list) else [inner]) if isinstance(text, str)
            )
        elif isinstance(inner, list | tuple | Mapping):
            yield from reported(inner, subject, depth + 1)


def _lines(value: object, subject: str) -> Iterator[str]:
    prefix = f"{subject}: " if subject else ""
    for step in read_steps(value):
        cited = ", ".join(f"Rule {rule}" for rule in step.rules)
        yield f"{prefix}{step.text}{f' [{cited}]' if cited else ''}"


def _names(row: Mapping[object, object]) -> set[str]:
    return {_name(key) for key in row}


def _name(key: object) -> str:
    return re.sub(r"[\s\-]+", "_", str(key).strip().casefold())
