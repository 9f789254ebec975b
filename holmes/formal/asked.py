"""What a case asks, as far as it can be proved: a label or amount of each part, a claim about a goal, or a question."""

from __future__ import annotations

import json
from dataclasses import dataclass
from fractions import Fraction

from holmes.cases import Case
from holmes.derivations.asked import Goal, Posed
from holmes.derivations.parts import Part
from holmes.errors import InputError
from holmes.registry import domain_of, parts_of


@dataclass(frozen=True, slots=True)
class Told:
    """One part of a case with what the gold says of it: a label, an amount or a goal; empty fields are not asked."""

    part: Part
    label: str = ""
    amount: Fraction | None = None
    goal: Goal | None = None


def posed(case: Case) -> Posed | None:
    """Return the question about policies that a case asks; None for a case about facts."""
    return domain_of(case).posed(case)


def told(case: Case) -> tuple[Told, ...]:
    """Return the parts of a case about facts with what its gold says of each.

    Raises InputError naming case, field, what was found and what was expected for a gold that cannot be proved.
    """
    parts = parts_of(case)
    if case.answer_type == "report":
        return tuple(Told(part, label=label) for part, label in zip(parts, _verdicts(case, len(parts)), strict=True))
    if len(parts) != 1:
        raise InputError(f"case {case.id!r}: field answer: found {len(parts)} parts, expected one")
    (part,) = parts
    if case.answer_type == "amount":
        try:
            return (Told(part, amount=Fraction(case.answer.replace(",", ""))),)
        except ValueError as error:
            raise InputError(f"case {case.id!r}: field answer: found {case.answer!r}, expected a number") from error
    if case.answer in part.base.decision.type.values:
        return (Told(part, label=case.answer),)
    return (Told(part, goal=domain_of(case).claimed(case)),)


def _verdicts(case: Case, count: int) -> list[str]:
    try:
        found = [str(row["verdict"]) for row in json.loads(case.answer)]
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(f"case {case.id!r}: field answer: found {case.answer!r:.60}, expected verdicts") from error
    if len(found) != count:
        raise InputError(f"case {case.id!r}: field answer: found {len(found)} verdicts, expected {count}")
    return found
