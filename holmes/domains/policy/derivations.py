"""Derivations of policy questions about a case that is told: does P cover it, which policy governs it.

The other forms quantify over all cases: their reasons are witnesses, which are evaluated, and refutations.
"""

from __future__ import annotations

import json

from holmes.cases import Case
from holmes.derivations.derive import Derivations, derive, verbatim
from holmes.domains.policy.generate import stated
from holmes.domains.policy.questions.terms import Question, expression
from holmes.errors import InputError
from holmes.logic.explain.explain import explain
from holmes.logic.language.model import And, Expr, Not, RuleBase
from holmes.registry import parts_of

TOLD = ("accepts", "governs")


def tells_a_case(case: Case) -> bool:
    """Say whether a policy question is about one case that it tells."""
    try:
        return json.loads(case.plan)["question"]["form"] in TOLD
    except (ValueError, KeyError, TypeError):
        return False


def asked(question: Question, base: RuleBase) -> Expr:
    """Return the condition that decides a question about a told case.

    accepts: the policy itself. governs: the conditions before the branch that is chosen are named with it, so that its
    derivation holds why each of them fails.
    """
    if question.form == "accepts":
        return expression(question.terms[0], question.sense, base)
    from holmes.domains.policy.reasoning.decide import holds

    parts: list[Expr] = []
    for condition, _ in question.branches:
        if condition is None:
            break
        if holds(condition, dict(question.record), base):
            parts.append(condition)
            break
        parts.append(Not(condition))
    return parts[0] if len(parts) == 1 else And(tuple(parts))


def told_derivations(case: Case) -> Derivations:
    """Return the derivations of the answer to a question about a told case.

    Raises InputError for another form, and CheckFailed where nothing derives the answer.
    """
    question, base = stated(case)
    if question.form not in TOLD:
        raise InputError(f"case {case.id!r}: field plan: found form {question.form!r}, expected {' or '.join(TOLD)}")
    (part,) = parts_of(case)
    return derive([part], "asked", verbatim, [explain(base, part.facts, asked=asked(question, base))])
