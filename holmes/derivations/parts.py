"""What a case of ours was built from: the rule base and the typed facts of each of its parts."""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from holmes.cases import Case
from holmes.errors import InputError
from holmes.logic.language.model import RuleBase, Type, Value

if TYPE_CHECKING:
    from holmes.domains.finance.text import Part as FinancePart


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


def parts_of(case: Case) -> tuple[Part, ...]:
    """Return the parts of a case of ours: one, but for finance cases about several people or items.

    Raises InputError naming case, field, found, expected where another version built it or its facts are damaged.
    """
    if case.domain == "finance":
        from holmes.domains.finance.parts import parts_of as finance_parts

        found = finance_parts(case)
        return tuple(of_finance(part, found.many) for part in found.parts)
    base = rulebase_of(case)
    return (Part(base, facts_of(case, base), _names(case) or _asked_about(case, base)),)


def told_parts(case: Case) -> tuple[Mapping[str, Value], ...]:
    """Return the facts of each part as the case text alone tells them.

    Raises InputError for a text that cannot be read, or a domain whose texts have no reader.
    """
    if case.domain == "finance":
        from holmes.domains.finance.parts import read_back as read_finance

        return tuple(read_finance(case))
    (part,) = parts_of(case)
    if case.domain == "deontic":
        from holmes.domains.deontic.text import read_back as read_tax

        return (read_tax(part.base, case.case, part.names["X"]),)
    if case.domain == "law":
        from holmes.logic.narrative.render import read_case

        return (read_case(part.base, case.case, names=part.names),)
    raise InputError(f"case {case.id!r}: field domain: found {case.domain}, expected law, finance or deontic")


def of_finance(part: FinancePart, many: bool) -> Part:
    """Return a part of a finance case as any other part; many: whether the case has several, so that each is named."""
    stated = part.stated
    return Part(stated.base, part.facts, {"X": part.name}, part.subject if many else "", stated.offset)


def _names(case: Case) -> dict[str, str]:
    try:
        return dict(json.loads(case.plan).get("names", {})) if case.plan else {}
    except (ValueError, AttributeError, TypeError) as error:
        raise InputError(f"case {case.id!r}: field plan: found {case.plan!r:.60}, expected a JSON object") from error


def _asked_about(case: Case, base: RuleBase) -> dict[str, str]:
    """Return the names of a rule base that stand in the question of a case."""
    found = {
        entity: [n for n in names if re.search(rf"\b{n}\b", case.question)] for entity, names in base.names.items()
    }
    return {entity: names[0] for entity, names in found.items() if names}


def rulebase_of(case: Case) -> RuleBase:
    """Return the rule base of a case of one part; raises InputError where that very version is not packaged."""
    if case.domain == "law":
        from holmes.domains.law.rulebases import rulebase_of as variant_of

        return variant_of(case)
    if case.domain == "policy":
        from holmes.domains.policy.generate import stated

        return stated(case)[1]
    for base in _packaged(case.domain):
        if base.name != case.bundle:
            continue
        if case.rulebase and case.rulebase != base.fingerprint:
            raise InputError(
                f"case {case.id!r}: field rulebase: found {case.rulebase}, expected {base.fingerprint}:"
                " the case was built by another version"
            )
        return base
    raise InputError(f"case {case.id!r}: field bundle: found {case.bundle!r}, expected a packaged rule base")


@functools.lru_cache(maxsize=8)
def _packaged(domain: str) -> tuple[RuleBase, ...]:
    from holmes.logic.loader import load_rulebases
    from holmes.util.paths import PACKAGE

    files = [
        p for p in sorted((PACKAGE / "domains" / domain / "rules").glob("*.yaml")) if not p.name.endswith(".text.yaml")
    ]
    return tuple(base for file in files for base in load_rulebases(file))


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
            values[declared.name] = _parse(declared.type, text)
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


def _parse(type_: Type, text: Any) -> Value:
    """Return the value of a type that `canonical` wrote; raises ValueError, KeyError or TypeError for other text."""
    if type_.kind == "bool":
        return {"true": True, "false": False}[text]
    if type_.kind in ("int", "money"):
        return Fraction(text)
    if type_.kind == "date":
        return date.fromisoformat(text)
    if type_.kind == "list":
        kinds = dict(type_.fields)
        return tuple({key: _parse(kinds[key], part) for key, part in record.items()} for record in json.loads(text))
    return str(text)
