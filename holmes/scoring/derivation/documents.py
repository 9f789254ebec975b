"""What the JSON of a reply says about the steps of a case: trace, failing rules, reasons, as lines of text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from holmes.reading.report import FAILING, read_reports, without_reports
from holmes.reading.step_objects import (
    CITING_KEYS,
    FENCED,
    RESULT_KEYS,
    STEP_KEYS,
    TRACE_KEYS,
    key_name,
    trace_document,
)
from holmes.reading.steps import read_steps

_REASONS = frozenset({"reason", "reasons", "explanation", "justification", "rationale", "comment"})
_SUBJECTS = ("subject", "name", "person", "item", "claimant")
_GROUNDS = frozenset({"because", "ground", "grounds", "evidence", "why", "basis", "facts", "fact", "premises", "from"})
_GROUNDS |= _REASONS | {"note", "notes", "quote", "text_of_rule", "rule_text", "since", "given"}
_DEEPEST = 20
_RULE_KEY = re.compile(r"^(?:rule|article|r|§)[\s_#.]{0,3}(\d{1,4})(?:$|[\s_:.(-])|^(\d{1,4})$", re.I)


def texts_of(reply: str) -> list[str]:
    """Return the texts of a reply in order: its prose, then what its reports hold.

    A JSON document is the trace where it holds one or where there is nothing else; otherwise prose comes first.
    """
    if "{" not in reply and "```" not in reply and reply.lstrip()[:1] != "[":
        return [reply]
    document = trace_document(reply)
    if document is not None:
        told = "\n".join(reported(document))
        fence = FENCED.search(reply)
        return [f"{reply[: fence.start()]}\n{told}\n{reply[fence.end() :]}" if fence else told]
    found = [without_reports(reply)]
    for report in read_reports(reply):
        found.append("\n".join(reported(report.value)))
    return found


def reported(value: object, subject: str = "", depth: int = 0) -> Iterator[str]:
    """Yield lines for what a JSON value claims: "Item 1: Rule 5 fails." for a failing rule, its steps, its reasons."""
    if depth > _DEEPEST:
        return
    if isinstance(value, list | tuple):
        if depth == 0 and any(isinstance(row, str) for row in value):
            yield from _lines(value, subject)
            return
        rows = [row for row in value if isinstance(row, Mapping)]
        if depth == 0 and rows and not any(_names(row) & {*FAILING, *_REASONS, *TRACE_KEYS} for row in rows):
            yield from _lines(value, subject)
            return
        for row in value:
            yield from reported(row, subject, depth + 1)
    if not isinstance(value, Mapping):
        return
    subject = next((str(value[k]) for k in _SUBJECTS if isinstance(value.get(k), str)), subject)
    prefix = f"{subject}: " if subject else ""
    for name, inner in value.items():
        key = key_name(name)
        if key in FAILING and isinstance(inner, list | tuple | int | str):
            numbers = re.findall(r"(?<!\d)\d{1,4}(?!\d)", str(inner))
            yield from (f"{prefix}Rule {number} fails." for number in dict.fromkeys(numbers))
        elif key in TRACE_KEYS and isinstance(inner, list | tuple | str | Mapping):
            yield from _lines(inner, subject)
        elif key in _REASONS:
            yield from (
                prefix + text for text in (inner if isinstance(inner, list) else [inner]) if isinstance(text, str)
            )
        elif found := _RULE_KEY.match(str(name)):
            yield from _under(found[1] or found[2], inner, prefix)
        elif isinstance(inner, list | tuple | Mapping):
            yield from reported(inner, subject, depth + 1)


def _ruled(row: Mapping[object, object]) -> str:
    """Return the rules that a step object names, "" where it has none or has a description that the reader knows."""
    for key, inner in row.items():
        if key_name(key) in CITING_KEYS and isinstance(inner, str | int | list) and not isinstance(inner, bool):
            return ", ".join(re.findall(r"(?<!\d)\d{1,4}(?!\d)", str(inner)))
    return ""


def _told(row: Mapping[object, object]) -> tuple[str, str]:
    """Return what a step object states, grounds left out, and its result where it has one besides a statement."""
    said: list[str] = []
    result = ""
    for key, inner in row.items():
        name = key_name(key)
        if (
            name in CITING_KEYS
            or name in _GROUNDS
            or (name in ("step", "id", "number", "n") and not isinstance(inner, str))
        ):
            continue
        if isinstance(inner, bool):
            result = f"Result: {str(inner).lower()}"
        elif isinstance(inner, str | int | float):
            text = " ".join(str(inner).split()).rstrip(".")
            verdict = name in RESULT_KEYS and len(text.split()) < 3
            result, said = (f"Result: {text}", said) if verdict else (result, [*said, text])
    return ". ".join([*said, *([result] if result else [])]), ""


def _under(rule: str, value: object, prefix: str) -> Iterator[str]:
    """Yield a line for what stands under the key of a rule: "R12": "no stir → false"."""
    if isinstance(value, bool | int | float):
        yield f"{prefix}Rule {rule} = {str(value).lower()}"
    elif isinstance(value, str):
        yield f"{prefix}Rule {rule}: {' '.join(value.split())}"
    elif isinstance(value, Mapping):
        yield f"{prefix}Rule {rule}: " + "; ".join(
            f"{k}: {v}" for k, v in value.items() if isinstance(v, str | bool | int)
        )


def _lines(value: object, subject: str) -> Iterator[str]:
    prefix = f"{subject}: " if subject else ""
    if isinstance(value, Mapping) and (rule := _ruled(value)):
        said, shown = _told(value)
        yield f"{prefix}{said} [Rule {rule}]{shown}"
        return
    if isinstance(value, list | tuple) and any(isinstance(row, Mapping) and _ruled(row) for row in value):
        for row in value:
            yield from _lines(row if isinstance(row, Mapping) else [row], subject)
        return
    if isinstance(value, Mapping) and any(_RULE_KEY.match(str(key)) for key in value):
        for key, inner in value.items():
            if found := _RULE_KEY.match(str(key)):
                yield from _under(found[1] or found[2], inner, prefix)
            elif isinstance(inner, Mapping | list | tuple):
                yield from _lines(inner, subject)
        return
    if isinstance(value, Mapping) and not any(key_name(key) in STEP_KEYS for key in value):
        for inner in value.values():
            if isinstance(inner, Mapping | list | tuple):
                yield from _lines(inner, subject)
            elif isinstance(inner, str):
                yield prefix + inner
        return
    if isinstance(value, list | tuple) and any(isinstance(row, str) for row in value):
        for row in value:
            if isinstance(row, str):
                yield from (prefix + line for line in row.splitlines())
            else:
                yield from _lines([row], subject)
        return
    if isinstance(value, str):
        yield from (prefix + line for line in value.splitlines())
        return
    for step in read_steps(value):
        cited = ", ".join(f"Rule {rule}" for rule in step.rules)
        yield f"{prefix}{step.text}{f' [{cited}]' if cited else ''}"


def _names(row: Mapping[object, object]) -> set[str]:
    return {key_name(key) for key in row}
