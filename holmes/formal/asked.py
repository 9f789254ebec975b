"""What a case asks, as far as it can be proved: a label or amount of each part, a claim about a goal, or a question."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from holmes.cases import Case
from holmes.derivations.parts import Part
from holmes.domains.deontic.planner import claims as statutory
from holmes.domains.policy.generate import asked_in
from holmes.domains.policy.planner.variants import Mutant
from holmes.domains.policy.questions.terms import Question, member_violation, violations
from holmes.domains.policy.reasoning.decide import holds as true_of
from holmes.errors import InputError
from holmes.logic.language.model import RuleBase, Value
from holmes.registry import parts_of


@dataclass(frozen=True, slots=True)
class Goal:
    """A claim about one value of a part, and whether the gold says that it holds.

    kind: concept | applies | positive | amount. name: of the concept or policy. value: claimed. denied: the claim is
    that it is another one.
    """

    kind: str
    name: str
    value: Value
    denied: bool
    holds: bool


@dataclass(frozen=True, slots=True)
class Told:
    """One part of a case with what the gold says of it: a label, an amount or a goal; empty fields are not asked."""

    part: Part
    label: str = ""
    amount: Fraction | None = None
    goal: Goal | None = None


@dataclass(frozen=True, slots=True)
class Posed:
    """A question about policies with its rule base and its gold."""

    question: Question
    world: Mutant
    answer: str
    witnesses: tuple[Mapping[str, Value], ...]


def posed(case: Case) -> Posed | None:
    """Return the question about policies that a case asks; None for a case about facts."""
    if not isinstance(_plan(case).get("question"), dict):
        return None
    question, world = asked_in(case)
    declared = world.base.facts
    witnesses = tuple(
        {n: _value(world.base, n, text) for n, text in row.items() if n in declared} for row in _plan(case)["witnesses"]
    )
    return Posed(question, world, case.answer, witnesses)


def _value(base: RuleBase, name: str, text: str) -> Value:
    kind = base.facts[name].type.kind
    return text == "true" if kind == "bool" else Fraction(text) if kind in ("int", "money") else text


def _plan(case: Case) -> dict[str, Any]:
    try:
        found = json.loads(case.plan) if case.plan else {}
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


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
    return (Told(part, goal=_goal(case)),)


def _verdicts(case: Case, count: int) -> list[str]:
    try:
        found = [str(row["verdict"]) for row in json.loads(case.answer)]
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(f"case {case.id!r}: field answer: found {case.answer!r:.60}, expected verdicts") from error
    if len(found) != count:
        raise InputError(f"case {case.id!r}: field answer: found {len(found)} verdicts, expected {count}")
    return found


def _goal(case: Case) -> Goal:
    try:
        claim = statutory.read_claim(case.question)
    except InputError as error:
        raise InputError(f"case {case.id!r}: field question: {error}") from error
    if len(case.choices) != 2 or case.answer not in case.choices:
        raise InputError(f"case {case.id!r}: field choices: found {case.choices!r}, expected two with the answer")
    kind, name = claim.kind.goal.split()
    if kind == "value":
        kind = "amount" if name == "amount" else "concept"
    holds = case.answer == min(case.choices, key=lambda choice: choice != "Entailment")
    return Goal(kind, name, claim.value, claim.denied, holds)


# ---------------------------------------------------------------- records for questions
def refuter(asked: Posed, rule: int) -> Mapping[str, Value] | None:
    """Return the smallest record by which a member of a family breaks what is asked of it; None where none does."""
    claim = member_violation(asked.question, rule, asked.world.base)
    for record in asked.witnesses if asked.question.form == "every" else ():
        if true_of(claim, record, asked.world.base):
            return record
    return asked.world.solver.smallest(claim, asked.question.given)


def refuters(asked: Posed) -> tuple[Mapping[str, Value] | None, ...]:
    """Return for each condition that a witness must satisfy the record that does; None where there is none."""
    claims = violations(asked.question, asked.world.base)
    if len(asked.witnesses) == len(claims):
        return asked.witnesses
    return tuple(asked.world.solver.smallest(claim, asked.question.given) for claim in claims)


def possible(asked: Posed) -> Mapping[str, Value]:
    """Return some record that can occur, by the integrity of the rules and what the question takes as given."""
    from holmes.logic.language.model import BOOL, Const

    found = asked.world.solver.smallest(Const(True, BOOL), asked.question.given)
    if found is None:
        raise InputError(f"{asked.world.base.name}: given: found no record that can occur, expected one")
    return found
