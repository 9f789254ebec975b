"""The rows of an audit report, whatever its shape: who is meant, and what is said of that subject."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from holmes.reading.objects import DRAFT, depths, key_of, opened, under
from holmes.reading.report import FAILING, Report, read_report, read_reports
from holmes.reading.subjects import Subjects

__all__ = ["VERDICTS", "Row", "depths", "key_of", "opened", "read_rows", "under"]

VERDICTS = (
    *("verdict", "final_verdict", "decision", "conclusion", "outcome", "answer", "final_answer", "result", "label"),
    "status",
)
"""Keys under which a report gives a verdict, the one asked for first."""
_SUBJECTS = (
    *("subject", "name", "full_name", "person", "person_name", "item", "item_number", "item_no", "claimant"),
    *("employee", "number", "no", "index", "id", "case", "claim", "title", "description", "matter"),
)
_PLURALS = (
    "subjects",
    "names",
    "items",
    "persons",
    "people",
    "claimants",
    "members",
    "item_numbers",
    "item_ids",
    "claims",
)
_DEEPEST = 12  # of maps within maps
_LISTS = ("items", "results", "subjects", "verdicts", "answers", "answer", "claims", "report", "decisions", "persons")


@dataclass(frozen=True, slots=True)
class Row:
    """What a report says of one subject.

    subject: as the case names it; None where the row names nobody. fields: keys and values, the verdict under one of
    `VERDICTS` where the row is no object.
    """

    subject: str | None
    fields: Mapping[str, Any]


def read_rows(
    text: str, subjects: Subjects, *, nameless: bool = False, label: Callable[[str], str] = lambda text: ""
) -> list[Row]:
    """Return the rows of all reports of a reply in the order of the text.

    text: the reply without its reasoning. subjects: of the case. nameless: whether rows with foreign names are kept as
    rows that name nobody, for cases whose subjects have no names. label: the verdict that a text is, "" for none;
    with it    a map from verdicts to subjects is read, too.
    Rows of foreign subjects are left out. Rows without a name count where no row has one: then the last list of them.
    """
    reports = [report.value for report in read_reports(text)]
    values = [_turned(value, subjects, label) for value in (*reports, *_bare_list(text))]
    lists = [list(_rows(value, subjects, nameless)) for value in values]
    rows = [row for found in lists for row in found]
    if named := [row for row in rows if row.subject is not None]:
        return named
    several = [found for found in lists if len(found) > 1]
    return several[-1] if several else rows


def _turned(value: Any, subjects: Subjects, label: Callable[[str], str], depth: int = 0) -> Any:
    """The value with every map from verdicts to subjects turned into rows of a subject and its verdict."""
    value = opened(value)
    if depth > _DEEPEST:
        return value
    if isinstance(value, list):
        return [_turned(one, subjects, label, depth + 1) for one in value]
    if not isinstance(value, dict):
        return value
    said = {key: found for key in value if (found := label(str(key)))}
    if said and all(_meant(value[key], subjects) is not None for key in said) and any(value[key] for key in said):
        rows = [
            {_SUBJECTS[0]: subject, VERDICTS[0]: verdict}
            for key, verdict in said.items()
            for subject in _meant(value[key], subjects) or ()
        ]
        rest = {key: _turned(inner, subjects, label, depth + 1) for key, inner in value.items() if key not in said}
        return {_LISTS[0]: rows} if not rest else {**rest, _LISTS[0]: rows}
    return {key: _turned(inner, subjects, label, depth + 1) for key, inner in value.items()}


def _meant(held: object, subjects: Subjects) -> tuple[str, ...] | None:
    """The subjects that a value lists and nothing besides; () for an empty list, None where it lists something else."""
    held = opened(held)
    if held is None or held in ([], "", "none", "None", "-"):
        return ()
    if isinstance(held, dict) and _name(held) is None:
        held = list(held)
    found: list[str] = []
    for one in held if isinstance(held, list) else [held]:
        name = _name(one) if isinstance(one, dict) else one
        meant = subjects.find(name)
        if not meant and isinstance(name, str):
            parts = [part for part in re.split(r"\s*(?:,|;|&|\band\b)\s*", name) if part]
            each = [subjects.find(part) for part in parts]
            meant = tuple(subject for names in each for subject in names) if all(each) else ()
        if not meant:
            return None
        found += meant
    return tuple(dict.fromkeys(found))


def _bare_list(text: str) -> Iterator[Mapping[str, Any]]:
    """Yield a bare JSON list as if it stood in a report, where the reply holds one before its first object."""
    opens, brace = re.search(r"^[ \t]*\[", text, re.MULTILINE), text.find("{")
    start = opens.end() - 1 if opens else -1
    if start < 0 or -1 < brace < start:
        return
    end = text.rfind("]")
    found: Report | None = read_report('{"items": ' + text[start : end + 1 if end > start else None] + "}")
    if found is not None and not any(isinstance(row, dict) for row in found.value.get("items") or ()):
        yield found.value


def _rows(value: object, subjects: Subjects, nameless: bool) -> Iterator[Row]:
    value = opened(value)
    if isinstance(value, list):
        yield from _listed(value, subjects, nameless)
    elif isinstance(value, dict):
        yield from _held(value, subjects, nameless)


def _held(value: Mapping[str, Any], subjects: Subjects, nameless: bool) -> Iterator[Row]:
    """Yield the rows of an object: itself, else those of the list it calls its items, else those of all it holds."""
    plain = {key_of(key): opened(inner) for key, inner in value.items()}
    if own := _own(plain, subjects):
        yield from own
        return
    if paired := _paired(plain, subjects):
        yield from paired
        return
    for key in _LISTS:
        inner = plain.get(key)
        if isinstance(inner, list | dict) and (found := list(_rows(inner, subjects, nameless))):
            yield from found
            return
        if nameless and isinstance(inner, dict):  # of foreign names, in the order of the case
            yield from (Row(None, said if isinstance(said, dict) else {VERDICTS[0]: said}) for said in inner.values())
            return
    for key, inner in value.items():
        inner = opened(inner)
        if meant := subjects.find(key):
            fields = inner if isinstance(inner, dict) else {VERDICTS[0]: inner}
            yield from (Row(subject, fields) for subject in meant)
        elif not DRAFT.search(key):
            yield from (row for row in _rows(inner, subjects, nameless) if row.subject is not None or len(value) == 1)


def _simple(held: object) -> bool:
    """Whether a value is a list of texts and numbers: names, and no rows of their own."""
    return isinstance(held, list) and bool(held) and not any(isinstance(one, dict | list) for one in held)


def _own(plain: Mapping[str, Any], subjects: Subjects) -> list[Row]:
    """The object as a row: it says something of a subject that it names."""
    if not any(key in plain for key in (*VERDICTS, *FAILING)):
        return []
    meant: tuple[str, ...] = ()
    for key in _PLURALS:
        if _simple(plain.get(key)) and (meant := meant or _meant(plain[key], subjects) or ()):
            break
    for key in _SUBJECTS:
        held = plain.get(key)
        held = next((v for k, v in held.items() if key_of(k) in _SUBJECTS), None) if isinstance(held, dict) else held
        if meant := meant or subjects.find(held):
            break
    return [Row(subject, plain) for subject in meant]


def _paired(plain: Mapping[str, Any], subjects: Subjects) -> list[Row]:
    """A list of subjects and a list of their verdicts, side by side."""
    lists = [inner for inner in plain.values() if isinstance(inner, list)]
    names = next((one for one in lists if one and all(len(subjects.find(name)) == 1 for name in one)), [])
    said = next((plain[key] for key in _LISTS if plain.get(key) not in (None, names)), None)
    if not names or not isinstance(said, list) or len(said) != len(names) or any(isinstance(v, dict) for v in said):
        return []
    return [Row(subjects.find(name)[0], {VERDICTS[0]: v}) for name, v in zip(names, said, strict=True)]


def _listed(rows: Sequence[object], subjects: Subjects, nameless: bool) -> Iterator[Row]:
    rows = [opened(row) for row in rows]
    shifted = subjects.counted_from_zero([_name(row) for row in rows])
    for row in rows:
        if isinstance(row, list) and len(row) == 2:
            row = {_SUBJECTS[0]: row[0], VERDICTS[0]: row[1]}
        if isinstance(row, dict):
            plain = {key_of(key): inner for key, inner in row.items()}
            found = [] if shifted else list(_held(row, subjects, nameless))
            said = any(key in plain for key in VERDICTS)
            if not found and said and (shifted or nameless or _name(row) is None):
                found = [Row(None, plain)]
            yield from found
        elif isinstance(row, str):
            name, colon, verdict = row.rpartition(":")
            if not colon:
                yield Row(None, {VERDICTS[0]: row})
            else:
                yield from (Row(subject, {VERDICTS[0]: verdict}) for subject in subjects.find(name))


def _name(row: object) -> object:
    """What a row calls its subject; None where it names nobody."""
    if not isinstance(row, dict):
        return None
    plain = {key_of(key): inner for key, inner in row.items()}
    return next((plain[key] for key in _SUBJECTS if isinstance(plain.get(key), str | int)), None)
