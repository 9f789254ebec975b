"""Values as case texts write them, and back: whole and decimal numbers, dates, names in a row."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from fractions import Fraction

from holmes.errors import InputError
from holmes.logic.language.model import Type, Value
from holmes.logic.language.unparse import number_text

MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
DAY = rf"\d{{1,2}} (?:{'|'.join(MONTHS)}) \d{{4}}"
NUMBER = r"-?\d+(?:\.\d+|/\d+)?"
NAME = r"[A-Z][\w'’-]*(?: [A-Z][\w'’-]*)*"
NAMES = rf"{NAME}(?:, {NAME})*(?: and {NAME})?"


def write_day(value: date) -> str:
    """Return `3 February 2017`."""
    return f"{value.day} {MONTHS[value.month - 1]} {value.year}"


def read_day(text: str) -> date:
    """Read `3 February 2017`; raises InputError for a day that no calendar has."""
    day, month, year = text.split()
    try:
        return date(int(year), MONTHS.index(month) + 1, int(day))
    except ValueError as error:
        raise InputError(f"case text: found the day {text!r}, expected a day of the calendar") from error


def write_value(value: Value, kind: Type, fact: str) -> str:
    """Return a value as the text shows it.

    value: of a fact that is no Boolean and no list. kind: its type. fact: named in errors.
    Raises InputError where the value is not of the type.
    """
    if kind.kind in ("int", "money") and isinstance(value, Fraction | int) and not isinstance(value, bool):
        return number_text(Fraction(value))
    if kind.kind == "date" and isinstance(value, date):
        return write_day(value)
    if kind.kind == "enum" and isinstance(value, str) and value in kind.values:
        return value.replace("_", " ")
    if kind.kind == "name" and isinstance(value, str) and re.fullmatch(NAME, value):
        return value
    raise InputError(f"fact {fact}: found {value!r}, expected a value of type {kind.kind}")


_COUNTED = re.compile(r"\{v\} ((?:more |earlier )?)(people|[a-z]+s)\b")
_VOWEL = re.compile(r"(?!uni|use|eu|one)[aeiou]")  # before such a word stands *an*
_AGREES = {"were": "was", "are": "is", "have": "has", "lie": "lies", "remain": "remains"}


def filled(sentence: str, shown: str) -> str:
    """Return a sentence with a value in place of `{v}`: `{v} days are left` is `1 day is left`, `a {v}` is `an oak`."""
    counted = _COUNTED.search(sentence) if shown == "1" else None
    if counted:
        one = "person" if counted[2] == "people" else re.sub("ies$", "ys", counted[2])[:-1]
        rest = [
            re.sub(r"\b(were|are|have|lie|remain)\b", lambda verb: _AGREES[verb[0]], part)
            for part in (sentence[: counted.start()], sentence[counted.end() :])
        ]
        sentence = f"{rest[0]}{{v}} {counted[1]}{one}{rest[1]}"
    if _VOWEL.match(shown):
        sentence = re.sub(r"\b([Aa]) \{v\}", r"\1n {v}", sentence)
    return sentence.replace("{v}", shown)


def read_value(text: str, kind: Type) -> Value:
    """Read a value that `write_value` wrote."""
    if kind.kind in ("int", "money"):
        return Fraction(text)
    if kind.kind == "date":
        return read_day(text)
    if kind.kind == "enum":
        return next(value for value in kind.values if value.replace("_", " ") == text)
    return text


def pattern(kind: Type) -> str:
    """Return the regular expression of the values of a type."""
    if kind.kind == "enum":
        return "|".join(re.escape(v.replace("_", " ")) for v in sorted(kind.values, key=len, reverse=True))
    return {"int": NUMBER, "money": NUMBER, "date": DAY, "name": NAME}[kind.kind]


def write_names(names: Sequence[str]) -> str:
    """Return `Ann, Bert and Cleo`."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def read_names(text: str) -> list[str]:
    """Read `Ann, Bert and Cleo`."""
    return re.split(r", | and ", text)
