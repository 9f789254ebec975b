"""Baggage cases changed: one fact of the record, told by the same account."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from fractions import Fraction

from holmes.cases import Case
from holmes.domains.baggage.generate import retold
from holmes.domains.baggage.reading import blank, read_account
from holmes.domains.baggage.text import Account
from holmes.errors import InputError
from holmes.interfaces import Domain
from holmes.interventions.base import Interventions, derivations_in
from holmes.interventions.coherence import Facts
from holmes.interventions.effects import Intervention
from holmes.logic.engine.evaluate import Evaluation
from holmes.logic.language.unparse import number_text

APART = 2  # amounts nearer to each other than this are the same to a scorer that grants one dollar to either


class BaggageInterventions(Interventions):
    """A baggage case: one part; a fact may be told by silence."""

    def __init__(self, domain: Domain, case: Case) -> None:
        self.domain = domain
        super().__init__(case, domain.parts(case), lambda: derivations_in(domain, case))

    def gold(self, result: Evaluation) -> str:
        assert result.amount is not None
        return number_text(result.amount)

    def apart(self, one: str, other: str) -> bool:
        return abs(Fraction(one) - Fraction(other)) > APART

    def stated(self) -> frozenset[tuple[int, str]]:
        silent = blank()
        return frozenset((0, name) for name, value in self.parts[0].facts.items() if silent.get(name) != value)

    def edit_text(self, text: str, told: Sequence[Facts], change: Intervention, rng: random.Random) -> str:
        record = dict(change.applied(told[0]))
        key = json.loads(self.case.plan)["key"]
        new = Account(key, record).text()
        if read_account(new) != record:
            raise InputError("case text: found a change that the account cannot tell, expected one that it can")
        return new

    def rebuild(self, facts: Sequence[Facts], text: str) -> Case:
        return retold(self.domain, self.case, dict(facts[0]), text)
