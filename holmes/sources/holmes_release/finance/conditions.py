"""The condition lines of a released finance component as a typed record."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from holmes.errors import InputError

_LINE = re.compile(r"(?P<field>.+?) must be (?:set to )?(?P<value>.+)")


@dataclass(frozen=True, slots=True)
class Conditions:
    """Field -> value as released; a field that a record names twice (nested records) is numbered from the second on."""

    values: Mapping[str, str]
    place: str = ""

    @classmethod
    def read(cls, lines: Iterable[str], place: str = "") -> Conditions:
        """Read condition lines; raises InputError for a line of another shape."""
        values: dict[str, str] = {}
        for line in lines:
            match = _LINE.fullmatch(line.strip())
            if match is None:
                raise InputError(f"{place}: found {line!r:.80}, expected <field> must be [set to] <value>")
            name, count = match["field"], 2
            while name in values:
                name, count = f"{match['field']} {count}", count + 1
            values[name] = match["value"].strip("'")
        return cls(values, place)

    def word(self, field: str) -> str:
        """Return a symbol or string; raises InputError where the field is missing."""
        try:
            return self.values[field]
        except KeyError:
            raise InputError(f"{self.place}: field {field}: found nothing, expected a condition") from None

    def one_of(self, field: str, known: Collection[str]) -> str:
        """Return a symbol; raises InputError where it is missing or none of the known ones."""
        value = self.word(field)
        if value not in known:
            raise InputError(f"{self.place}: field {field}: found {value!r:.40}, expected one of {', '.join(known)}")
        return value

    def yes(self, field: str) -> bool:
        """Return a Boolean; raises InputError where the field is missing or no Boolean."""
        value = self.word(field)
        if value not in ("true", "false"):
            raise InputError(f"{self.place}: field {field}: found {value!r:.40}, expected true or false")
        return value == "true"

    def all(self, *fields: str) -> bool:
        """Return whether all fields are true."""
        return all(self.yes(field) for field in fields)

    def any(self, *fields: str) -> bool:
        """Return whether some field is true."""
        return any(self.yes(field) for field in fields)

    def num(self, field: str) -> int:
        """Return a whole number; raises InputError where it is none."""
        value = self.word(field)
        if not re.fullmatch(r"-?\d+", value):
            raise InputError(f"{self.place}: field {field}: found {value!r:.40}, expected a whole number")
        return int(value)
