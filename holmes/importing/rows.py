"""Checked access to the fields of a released JSON record; every message names file, record, field."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from holmes.errors import InputError

_NAMES = {dict: "an object", list: "a list", str: "a string", int: "a whole number", bool: "true or false"}


@dataclass(frozen=True, slots=True)
class Row:
    """One JSON object and the place it stands at (``file: row 3: id 'x'``)."""

    value: Mapping[str, Any]
    place: str

    @classmethod
    def of(cls, value: Any, place: str) -> Row:
        """Wrap `value`; raises InputError unless it is an object."""
        if not isinstance(value, dict):
            raise InputError(f"{place}: found {value!r:.60}, expected an object")
        return cls(value, place)

    def _get(self, field: str, *kinds: type) -> Any:
        expected = " or ".join(_NAMES[kind] for kind in kinds)
        if field not in self.value:
            raise InputError(f"{self.place}: field {field}: found nothing, expected {expected}")
        value = self.value[field]
        if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
            raise InputError(f"{self.place}: field {field}: found {value!r:.60}, expected {expected}")
        return value

    def text(self, field: str) -> str:
        """Return a string field."""
        return str(self._get(field, str))

    def filled(self, field: str) -> str:
        """Return a string field that is not blank."""
        value = self.text(field)
        if not value.strip():
            raise InputError(f"{self.place}: field {field}: found an empty string, expected text")
        return value

    def number(self, field: str) -> int:
        """Return a whole number."""
        return int(self._get(field, int))

    def items(self, field: str) -> list[Any]:
        """Return a list field."""
        return list(self._get(field, list))

    def strings(self, field: str) -> tuple[str, ...]:
        """Return a list of strings."""
        return tuple(self._all(field, str))

    def numbers(self, field: str) -> tuple[int, ...]:
        """Return a list of whole numbers."""
        return tuple(self._all(field, int))

    def _all(self, field: str, kind: type) -> list[Any]:
        values = self.items(field)
        for index, value in enumerate(values):
            if not isinstance(value, kind) or isinstance(value, bool):
                raise InputError(f"{self.place}: field {field}[{index}]: found {value!r:.60}, expected {_NAMES[kind]}")
        return values

    def row(self, field: str) -> Row:
        """Return a nested object."""
        return Row(self._get(field, dict), f"{self.place}: field {field}")

    def rows(self, field: str) -> Iterator[Row]:
        """Yield the objects of a list field."""
        for index, value in enumerate(self.items(field)):
            yield Row.of(value, f"{self.place}: field {field}[{index}]")

    def bad(self, field: str, found: object, expected: str) -> InputError:
        """Return the error for a field whose value is wrong."""
        return InputError(f"{self.place}: field {field}: found {found!r:.60}, expected {expected}")


def check_unique(ids: Iterator[tuple[str, str]]) -> None:
    """Raise InputError at the first id that occurs twice; ids: (id, place) pairs."""
    seen: dict[str, str] = {}
    for name, place in ids:
        if name in seen:
            raise InputError(f"{place}: field id: found {name!r} again (first at {seen[name]}), expected unique ids")
        seen[name] = place
