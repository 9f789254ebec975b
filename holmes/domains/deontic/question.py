"""What is asked of a tax case: the tax, or whether a claim holds."""

from __future__ import annotations

import json

from holmes.answers.amount import Amount
from holmes.answers.label import Label
from holmes.cases import Case
from holmes.derivations.asked import Goal
from holmes.domains.deontic.generate import NO, YES
from holmes.domains.deontic.planner.claims import goal, goal_of, read_claim
from holmes.domains.questions import AmountAsked, Outcome
from holmes.domains.statutes.prompts import contract
from holmes.errors import InputError
from holmes.logic.engine.evaluate import Evaluation


class Claimed(Outcome):
    """Whether a claim about a provision holds in the case."""

    name = "claim"

    def goal(self, case: Case) -> str:
        """Return the node that the claim is about."""
        try:
            kind, name = json.loads(case.plan)["goal"].split()
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise InputError(f"case {case.id!r}: field plan: found {case.plan!r:.60}, expected a goal") from error
        return goal_of(kind, name)

    def part_answer(self, case: Case, result: Evaluation) -> str:
        """Return whether the claim in the question, read back, holds."""
        try:
            claim = read_claim(case.question)
        except InputError as error:
            raise InputError(f"case {case.id!r}: field question: {error}") from error
        return YES if claim.holds(goal(claim.kind, result)) else NO


def claimed(case: Case) -> Goal:
    """Return the claim that a case asks about, and whether the gold says that it holds."""
    try:
        claim = read_claim(case.question)
    except InputError as error:
        raise InputError(f"case {case.id!r}: field question: {error}") from error
    if case.answer not in (YES, NO):
        raise InputError(f"case {case.id!r}: field answer: found {case.answer!r}, expected {YES} or {NO}")
    kind, name = claim.kind.goal.split()
    if kind == "value":
        kind = "amount" if name == "amount" else "concept"
    return Goal(kind, name, claim.value, claim.denied, case.answer == YES)


def _meaning(case: Case) -> str:
    return contract(case.task).direct


TAX = AmountAsked(Amount(1, blank="answer", meaning=_meaning))
"""The amount of the tax, right within one unit (paper B.3)."""
CLAIM = Claimed(Label(1, meaning=_meaning))
