"""The steps of a trace written as JSON: found in a text, in a report, in nested components; broken JSON repaired."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping

from holmes.reading.report import FAILING

DESCRIPTION_KEYS: tuple[str, ...] = ("description", "desc", "step_description", "statement", "text", "check")
DESCRIPTION_KEYS += ("condition", "action", "reasoning", "content", "claim", "name", "title", "step")
RESULT_KEYS = ("result", "outcome", "output", "value", "status", "verdict", "conclusion", "passed", "pass")
RULE_KEYS = ("rules", "rule", "rule_number", "rule_numbers", "citation", "citations", "cited_rules")
CITING_KEYS = frozenset({*RULE_KEYS, "rule_no", "rule_id", "by", "cites", "article", "clause", "source"})
TRACE_KEYS = frozenset({"reasoning_trace", "trace", "reasoning_steps", "steps", "reasoning"})
STEP_KEYS = frozenset({*DESCRIPTION_KEYS, *RESULT_KEYS, *CITING_KEYS, *TRACE_KEYS})
_REPORTED = frozenset({*FAILING, "verdict", "subject", "amount"})
FENCED = re.compile(r"```(?:json)?[ \t]*\n\s*[{\[].*?(?:```|\Z)", re.S | re.I)
_TRACES = ("reasoning_trace", "trace", "reasoning_steps", "steps", "reasoning")
_DEEPEST = 60  # nesting beyond which a text is not worth parsing as JSON


def embedded_json(text: str) -> object | None:
    """Return the JSON document in a text that is one, or that holds a reasoning trace; None for a text of lines."""
    body = text.strip()
    fence = re.search(r"```(?:json)?\s*\n(.*?)(?:```|\Z)", body, re.S | re.I)
    if fence and fence[1].lstrip()[:1] in ("{", "["):
        body = fence[1].strip()
    elif body[:1] not in ("{", "["):
        start = body.find("{")
        if start < 0 or '"reasoning_trace"' not in body:
            return None
        body = body[start:]
    if body[:1] == "[" and not re.match(r"\[\s*(?:[\[{\"]|$)", body):
        return None  # "[Rule 3] …" or "[Scenario 1: …]"
    if _depth(body) > _DEEPEST:
        return None
    try:
        value: object = json.loads(body)
    except ValueError:  # also a number of more than 4,300 digits
        value = _repaired(body)
    return value if isinstance(value, dict | list) and value else None


def trace_document(text: str) -> object | None:
    """Return the JSON document in a text where that is what the text says: it holds a trace, or nothing else is there.

    A report that closes a reply in prose is no such document.
    """
    if "{" not in text and "[" not in text:
        return None
    document = embedded_json(text)
    if document is None or text.strip()[:1] in ("{", "[") or holds_trace(document):
        return document
    outside = FENCED.sub(" ", text)
    if outside == text:
        outside = re.sub(r"[\[{].*[\]}]", " ", text, flags=re.S)
    return None if re.search(r"\w", outside) else document


def holds_trace(value: object, depth: int = 0) -> bool:
    """Say whether a JSON value has steps in it: under a key that says so, or as objects that cite or state."""
    if depth > _DEEPEST:
        return False
    if isinstance(value, Mapping):
        for key, inner in value.items():
            if key_name(key) in TRACE_KEYS and isinstance(inner, list | tuple | str | Mapping) and inner:
                return True
        return any(holds_trace(inner, depth + 1) for inner in value.values())
    if not isinstance(value, list | tuple):
        return False
    return any(_is_step(row) for row in value) or any(holds_trace(inner, depth + 1) for inner in value)


def _is_step(row: object) -> bool:
    """Say whether a row of a list is a step and no row of a report."""
    names = {key_name(key) for key in row} if isinstance(row, Mapping) else set()
    return bool(names & STEP_KEYS) and not names & _REPORTED


def key_name(key: object) -> str:
    """Return a key as it is compared: lower case, blanks and hyphens as underscores."""
    return re.sub(r"[\s\-]+", "_", str(key).strip().casefold())


def _repaired(body: str) -> object | None:
    if '"' not in body and "'" not in body:
        return None
    import json_repair

    if len(body) > 200_000:
        return None
    try:
        repaired: object = json_repair.loads(body)
    except (ValueError, RecursionError):  # not JSON after all: the caller reads lines
        return None
    return repaired


def _depth(body: str) -> int:
    depth = deepest = 0
    for character in body:
        if character in "[{":
            depth += 1
            deepest = max(deepest, depth)
        elif character in "]}":
            depth -= 1
    return deepest


def step_items(value: object, depth: int = 0) -> Iterator[object]:
    """Yield the step items of every trace inside a JSON value, in document order."""
    if depth > _DEEPEST:
        return
    if isinstance(value, Mapping):
        for name in _TRACES:
            inner = value.get(name)
            if isinstance(inner, list | tuple):
                yield from step_items(inner, depth + 1)
                return
            if isinstance(inner, Mapping) and not any(k in value for k in RESULT_KEYS):
                yield from step_items(inner, depth + 1)
                return
            if isinstance(inner, str) and inner.strip() and not any(k in value for k in RESULT_KEYS):
                yield inner  # the whole trace as one text, to be read as lines
                return
        if first_text(value, DESCRIPTION_KEYS) is not None:
            yield value
            return
        for inner in value.values():
            if isinstance(inner, Mapping | list | tuple):
                yield from step_items(inner, depth + 1)
    elif isinstance(value, Iterable) and not isinstance(value, str | bytes):
        for inner in value:
            if isinstance(inner, Mapping | list | tuple):
                yield from step_items(inner, depth + 1)
            elif isinstance(inner, str):
                yield inner


def first_text(item: Mapping[object, object], names: Iterable[str]) -> str | None:
    """Return the first of the named fields that holds text; a step number is no text."""
    for name in names:
        value = item.get(name)
        if isinstance(value, str) and value.strip() and not (name == "step" and value.strip().isdigit()):
            return value
    return None
