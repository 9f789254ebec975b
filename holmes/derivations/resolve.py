"""Re-solve a case of ours from its typed facts and its rule base, and hold answer and trace against the evaluation."""

from __future__ import annotations

import json
from collections import Counter

from holmes.cases import Case, Step
from holmes.derivations.derive import goal_of, root_of
from holmes.derivations.parts import parts_of
from holmes.derivations.trace import told
from holmes.domains.deontic.planner import claims
from holmes.domains.policy.generate import resolved
from holmes.errors import InputError
from holmes.logic.engine.evaluate import Evaluation, evaluate
from holmes.logic.explain import explain
from holmes.logic.language.unparse import number_text
from holmes.services.solve import Disagreement, Solved


def solve_case(case: Case) -> Solved:
    """Solve one case of ours.

    Returns the fields ``answer`` and ``trace``, both derived again from the typed facts (of a policy question: from its
    typed form): the answer, and each step's rule, kind and value.
    """
    if case.domain == "finance":
        from holmes.domains.finance.parts import solve_case as solve_finance

        return solve_finance(case)
    if case.domain == "policy":
        derived, found = resolved(case)
    else:
        (part,) = parts_of(case)
        derived, graph = _answer(case, evaluate(part.base, part.facts)), explain(part.base, part.facts)
        found = told(part.base, graph, part.names, root_of(graph, goal_of(case)))
    steps = [_said(step) for step in found]
    shown = [_said(step) for step in case.trace]
    differences = []
    if derived != case.answer:
        differences.append(Disagreement(case.id, "answer", case.answer, derived, "gold"))
    if steps != shown:
        ours, theirs = Counter(steps), Counter(shown)
        gold, again = sorted((theirs - ours).elements()), sorted((ours - theirs).elements())
        differences.append(Disagreement(case.id, "trace", gold or "order", again or "order", "trace"))
    return Solved(case.id, ("answer", "trace"), tuple(differences), derived, [s.rule for s in case.trace if s.rule])


def _said(step: Step) -> tuple[str, str, str]:
    return step.rule, step.kind, step.result


def _answer(case: Case, result: Evaluation) -> str:
    if case.answer_type == "amount":
        if result.amount is None:
            raise InputError(f"case {case.id!r}: field answer_type: found amount, expected a label: no amount rule")
        return number_text(result.amount)
    if case.domain == "deontic":
        return _claim(case, result)
    answer = result.answer
    return answer if isinstance(answer, str) else json.dumps(list(answer))


def _claim(case: Case, result: Evaluation) -> str:
    """Whether the claim in the question, read back, holds in an evaluated case."""
    try:
        claim = claims.read_claim(case.question)
    except InputError as error:
        raise InputError(f"case {case.id!r}: field question: {error}") from error
    return "Entailment" if claim.holds(claims.goal(claim.kind, result)) else "Contradiction"
