"""Facts in: every value is checked against its declared type and brought into the form used inside."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date
from fractions import Fraction
from typing import Any

from holmes.errors import InputError
from holmes.logic.language.model import RuleBase, Type
from holmes.logic.language.unparse import number_text

MISSING = object()


def small(value: Any) -> Any:
    """Return a whole Fraction as int (exact and much faster), anything else unchanged."""
    return value.numerator if isinstance(value, Fraction) and value.denominator == 1 else value


def describe(type_: Type) -> str:
    """Say which values a type has."""
    if type_.kind == "enum":
        return f"one of {', '.join(type_.values)}"
    if type_.kind in ("int", "money"):
        kind = "a whole number" if type_.kind == "int" else "an exact number"
        low, high = (number_text(b) if b is not None else "" for b in (type_.low, type_.high))
        return f"{kind} from {low} to {high}" if low else kind
    if type_.kind == "list":
        return f"at most {type_.max} records with {', '.join(name for name, _ in type_.fields)}"
    return {"bool": "true or false", "date": "a date", "name": "a name"}[type_.kind]


def reader(base: RuleBase, name: str) -> Callable[[Any], Any]:
    """Return the function that checks one fact and brings its value into the form used inside."""
    type_ = base.facts[name].type
    read = _of_type(type_, base.closed_world)

    def run(value: Any) -> Any:
        if value is MISSING:
            if base.closed_world and type_.kind == "bool":
                return False
            raise InputError(f"{base.name}: fact {name}: found nothing, expected {describe(type_)}")
        try:
            return read(value)
        except _Misfit as misfit:
            raise InputError(f"{base.name}: fact {name}{misfit}, expected {describe(misfit.type)}") from None

    return run


class _Misfit(Exception):
    def __init__(self, type_: Type, value: Any, where: str = "") -> None:
        shown = value if isinstance(value, str) else f"{type(value).__name__} {value}"
        super().__init__(f"{where}: found {shown!r}" if isinstance(value, str) else f"{where}: found {shown}")
        self.type = type_


def _of_type(type_: Type, closed: bool) -> Callable[[Any], Any]:
    low, high = small(type_.low), small(type_.high)

    def number(value: Any) -> Any:
        if type(value) is not int:
            if not isinstance(value, Fraction):
                raise _Misfit(type_, value)
            value = small(value)
        if (type_.kind == "int" and type(value) is not int) or (low is not None and value < low):
            raise _Misfit(type_, value)
        if high is not None and value > high:
            raise _Misfit(type_, value)
        return value

    def enum(value: Any) -> Any:
        if isinstance(value, str) and value in type_.values:
            return value
        raise _Misfit(type_, value)

    def plain(kind: type) -> Callable[[Any], Any]:
        def run(value: Any) -> Any:
            if type(value) is kind:
                return value
            raise _Misfit(type_, value)

        return run

    def records(value: Any) -> Any:
        if not isinstance(value, tuple | list) or len(value) > type_.max:
            raise _Misfit(type_, value)
        fields = [(name, part, _of_type(part, closed)) for name, part in type_.fields]
        result = []
        for number_, record in enumerate(value, 1):
            if not isinstance(record, Mapping) or not set(record) <= {name for name, _, _ in fields}:
                raise _Misfit(type_, record, f"[{number_}]")
            entry = {}
            for name, part, read in fields:
                if name not in record:
                    if part.kind == "bool" and closed:
                        entry[name] = False
                        continue
                    raise _Misfit(part, "nothing", f"[{number_}].{name}")
                try:
                    entry[name] = read(record[name])
                except _Misfit as misfit:
                    raise _Misfit(part, record[name], f"[{number_}].{name}") from misfit
            result.append(entry)
        return tuple(result)

    if type_.kind in ("int", "money"):
        return number
    if type_.kind == "enum":
        return enum
    if type_.kind == "list":
        return records
    return plain({"bool": bool, "date": date, "name": str}[type_.kind])
