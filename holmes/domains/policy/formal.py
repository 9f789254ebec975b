"""A policy question as provers take it: with records that show what is so, of the gold where it has some."""

from __future__ import annotations

import json
from fractions import Fraction

from holmes.cases import Case
from holmes.derivations.asked import Posed, Record
from holmes.domains.policy.generate import asked_in
from holmes.domains.policy.questions.terms import member_violation, violations
from holmes.domains.policy.reasoning.decide import holds
from holmes.errors import InputError
from holmes.logic.language.model import BOOL, Const, RuleBase, Value


def posed(case: Case) -> Posed:
    """Return the question that a case asks; raises InputError for a plan that holds none."""
    question, mutant = asked_in(case)
    base, solver = mutant.base, mutant.solver
    witnesses = tuple(
        {n: _value(base, n, text) for n, text in row.items() if n in base.facts}
        for row in json.loads(case.plan)["witnesses"]
    )

    def refuter(rule: int) -> Record | None:
        claim = member_violation(question, rule, base)
        for record in witnesses if question.form == "every" else ():
            if holds(claim, record, base):
                return record
        return solver.smallest(claim, question.given)

    def refuters() -> tuple[Record | None, ...]:
        claims = violations(question, base)
        if len(witnesses) == len(claims):
            return witnesses
        return tuple(solver.smallest(claim, question.given) for claim in claims)

    def possible() -> Record:
        found = solver.smallest(Const(True, BOOL), question.given)
        if found is None:
            raise InputError(f"{base.name}: given: found no record that can occur, expected one")
        return found

    return Posed(question, base, case.answer, refuter, refuters, possible)


def _value(base: RuleBase, name: str, text: str) -> Value:
    kind = base.facts[name].type.kind
    return text == "true" if kind == "bool" else Fraction(text) if kind in ("int", "money") else text
