"""A part of a case: its rule base and its typed facts, and values as text."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from typing import Any

from holmes.cases import Case
from holmes.errors import InputError
from holmes.logic.language.model import RuleBase, Type, Value


@dataclass(frozen=True, slots=True)
class Part:
    """One component of a case, decided alone.

    base: its rule base. facts: a value for every fact of it. names: entity -> name, where the case records them
    or asks about them. subject: what a report calls it, empty in a case of one part. offset: what the case's rule text
    adds to the rule numbers of the base.
    """

    base: RuleBase
    facts: Mapping[str, Value]
    names: Mapping[str, str]
    subject: str = ""
    offset: int = 0


def names_of(case: Case, base: RuleBase) -> dict[str, str]:
    """Return entity -> name: as the case records them, or those of the rule base that stand in its question.

    Raises InputError for a plan that is no JSON object.
    """
    try:
        recorded = dict(json.loads(case.plan).get("names", {})) if case.plan else {}
    except (ValueError, AttributeError, TypeError) as error:
        raise InputError(f"case {case.id!r}: field plan: found {case.plan!r:.60}, expected a JSON object") from error
    found = {
        entity: [n for n in names if re.search(rf"\b{n}\b", case.question)] for entity, names in base.names.items()
    }
    return recorded or {entity: names[0] for entity, names in found.items() if names}


def facts_of(case: Case, base: RuleBase, prefix: str = "") -> dict[str, Value]:
    """Return the typed facts of one part of a case.

    prefix: what the names of its facts begin with in the case (``2.`` for the second part).
    Raises InputError naming case, fact, what was found and what was expected: a fact unknown, missing or ill-typed.
    """
    told = {fact.name: fact.value for fact in case.facts if fact.name.startswith(prefix)}
    values: dict[str, Value] = {}
    for name, text in told.items():
        declared = base.facts.get(name.removeprefix(prefix))
        if declared is None:
            raise InputError(f"case {case.id!r}: field facts: found {name!r}, expected a fact of {base.name}")
        try:
            values[declared.name] = value_of(declared.type, text)
        except (ValueError, KeyError, TypeError, ZeroDivisionError) as error:
            raise InputError(
                f"case {case.id!r}: field facts: {name}: found {text!r:.60}, expected {declared.type.kind}"
            ) from error
    for name in base.facts:
        if name not in values:
            raise InputError(f"case {case.id!r}: field facts: found no {prefix + name}, expected a value")
    return values


def canonical(value: Value) -> str:
    """Return the canonical text of a fact's value: true, 12, 3/4, 2017-02-03, an enum value, or JSON for a list."""
    if isinstance(value, tuple):
        return json.dumps([{key: canonical(part) for key, part in record.items()} for record in value])
    return str(value).lower() if isinstance(value, bool) else str(value)


def value_of(type_: Type, text: Any) -> Value:
    """Return the value of a type that `canonical` wrote; raises ValueError, KeyError or TypeError for other text."""
    if type_.kind == "bool":
        return {"true": True, "false": False}[text]
    if type_.kind in ("int", "money"):
        return Fraction(text)
    if type_.kind == "date":
        return date.fromisoformat(text)
    if type_.kind == "list":
        kinds = dict(type_.fields)
        return tuple({key: value_of(kinds[key], part) for key, part in record.items()} for record in json.loads(text))
    return str(text)
