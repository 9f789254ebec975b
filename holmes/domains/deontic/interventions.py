"""Tax cases changed: the same question, the tax or the claim worked out anew."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from fractions import Fraction

from holmes.cases import Case
from holmes.domains.deontic.generate import NO, YES, Generator, Told
from holmes.domains.deontic.planner.claims import goal, read_claim
from holmes.domains.deontic.text_edit import edit_text
from holmes.interfaces import Domain
from holmes.interventions.base import Interventions, derivations_in
from holmes.interventions.coherence import Facts
from holmes.interventions.effects import Intervention
from holmes.logic.engine.evaluate import Evaluation, evaluate
from holmes.logic.language.unparse import number_text

FIXED = ("tax_year",)  # it stands in the question too
GROWN = 18  # the least age of a parent, as the planner draws it
APART = 2  # amounts nearer to each other than this are the same to a scorer that grants one unit to either


class TaxInterventions(Interventions):
    """A tax case: one part; its facts may be told by silence."""

    def __init__(self, domain: Domain, case: Case) -> None:
        self.claim = None if case.answer_type == "amount" else read_claim(case.question)
        super().__init__(case, domain.parts(case), lambda: derivations_in(domain, case))

    def gold(self, result: Evaluation) -> str:
        if self.claim is not None:
            return YES if self.claim.holds(goal(self.claim.kind, result)) else NO
        assert result.amount is not None
        return number_text(result.amount)

    def apart(self, one: str, other: str) -> bool:
        return one != other if self.claim else abs(Fraction(one) - Fraction(other)) > APART

    def gap(self, result: Evaluation) -> Fraction | None:
        if self.claim is None or not isinstance(self.claim.value, Fraction):
            return None
        found = goal(self.claim.kind, result)
        assert isinstance(found, Fraction)
        return found - self.claim.value

    def may(self, change: Intervention) -> bool:
        """The year of the question stays, and the taxpayer was grown up when each child was born."""
        if change.fact in FIXED:
            return False
        facts = change.applied(self.parts[0].facts)
        children, born = facts["children"], facts["birth_year"]
        assert isinstance(children, tuple) and isinstance(born, Fraction)
        return all(child["born"] >= born + GROWN for child in children)  # type: ignore[operator]

    def stated(self) -> frozenset[tuple[int, str]]:
        part, text = self.parts[0], self.case.case
        found: set[tuple[int, str]] = set()
        for name, value in part.facts.items():
            if isinstance(value, tuple):
                for place, record in enumerate(value, 1):
                    found |= {(0, f"{name}[{place}].{field}") for field, there in record.items() if there}
            elif value or any(
                denial.replace("{X}", part.names["X"]) in text for denial in part.base.facts[name].denies
            ):
                found.add((0, name))
        return frozenset(found)

    def edit_text(self, text: str, told: Sequence[Facts], change: Intervention, rng: random.Random) -> str:
        part = self.parts[0]
        return edit_text(part.base, text, part.names["X"], told[0], change.applied(told[0]), rng)

    def rebuild(self, facts: Sequence[Facts], text: str) -> Case:
        (part,), (own,), case = self.parts, facts, self.case
        solved = evaluate(part.base, own)
        told = Told(
            part.names["X"], dict(own), text, case.question, self.gold(solved), json.loads(case.plan), self.claim
        )
        return Generator(case.task).case(case.seed, case.index, told, solved)
