"""Tables of a rule base as a statute prints them and as Prolog facts."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TypeVar

from holmes.errors import InputError
from holmes.logic.language.model import Const, RuleBase
from holmes.logic.language.unparse import number_text

Made = TypeVar("Made")
_KEPT: dict[tuple[str, str], object] = {}


def once(make: Callable[[RuleBase], Made]) -> Callable[[RuleBase], Made]:
    """Return a function of a rule base that works its result out once for each fingerprint."""

    @functools.wraps(make)
    def kept(base: RuleBase) -> Made:
        key = f"{make.__module__}.{make.__qualname__}", base.fingerprint
        if key not in _KEPT:
            _KEPT[key] = make(base)
        return _KEPT[key]  # type: ignore[return-value]

    return kept


def entries(base: RuleBase, name: str) -> dict[tuple[str, ...], Fraction]:
    """Return the entries of a table of plain numbers by their keys; raises InputError for another table."""
    found = {}
    for row in base.tables[name].rows:
        if not isinstance(row.value, Const) or not isinstance(row.value.value, Fraction):
            raise InputError(f"table {name}: found a formula, expected plain numbers")
        found[tuple(str(key) for key in row.keys)] = row.value.value
    return found


def grid(
    base: RuleBase, name: str, words: Mapping[str, str], corner: str, unit: str = "", skip: Sequence[str] = ()
) -> str:
    """Return a table in Markdown: rows by its first key, columns by its second, or one column of values.

    words: key -> how it is printed, itself by default. corner: head of the first column. unit: head of the values of a
    table of one key. skip: first keys that are not printed.
    """
    cells = {keys: value for keys, value in entries(base, name).items() if keys[0] not in skip}
    rows = list(dict.fromkeys(keys[0] for keys in cells))
    columns = list(dict.fromkeys(keys[1:] for keys in cells))
    head = [corner, *(words.get(column[0], column[0]) if column else unit for column in columns)]
    lines = [head, ["---"] * len(head)]
    for row in rows:
        lines.append([words.get(row, row), *(number_text(cells[row, *column]) for column in columns)])
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def facts(
    base: RuleBase, name: str, predicate: str, words: Mapping[str, str], skip: Sequence[str] = ()
) -> Iterator[str]:
    """Yield the entries of a table as Prolog facts: ``predicate(key, …, value).``"""
    for keys, value in entries(base, name).items():
        if keys[0] not in skip:
            yield f"{predicate}({', '.join(words.get(key, key) for key in keys)}, {number_text(value)})."
