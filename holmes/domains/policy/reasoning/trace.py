"""Reference reasoning: the evaluation of a witness or of the case told, or the case distinction that there is none."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from holmes.cases import Step
from holmes.derivations.trace import ordered, step
from holmes.domains.policy.questions.english import PLACES, listed_rules, witness_text
from holmes.domains.policy.questions.terms import Question, expression, member_violation, universal, violations
from holmes.domains.policy.reasoning.decide import Verdict, violators
from holmes.domains.policy.reasoning.refutation import Refutation
from holmes.domains.policy.reasoning.solver import Solver
from holmes.logic.explain.explain import explain
from holmes.logic.language.model import And, Expr, PolicyTest, Ref, RuleBase, Value
from holmes.logic.language.walk import walk


def reasoning(question: Question, verdict: Verdict, solver: Solver, names: Mapping[str, str]) -> tuple[Step, ...]:
    """Return the steps that lead to an answer, the last one of kind `decision` with the answer itself.

    names: entity -> name, for the sentences of the facts of a case that is told.
    """
    found = list(_steps(question, verdict, solver, names))
    return (*found, Step(_conclusion(question, verdict), "", "decision", verdict.answer))


def _steps(question: Question, verdict: Verdict, solver: Solver, names: Mapping[str, str]) -> Iterator[Step]:
    base = solver.base
    if question.form in ("accepts", "governs"):
        conditions: list[Expr] = [c for c, _ in question.branches if c is not None]
        conditions += [expression(term, question.sense, base) for term in question.terms]
        yield from evaluation(conditions, dict(question.record), base, names)
    elif question.form == "which":
        found = violators(question, solver)
        for rule in question.family:
            claim = member_violation(question, rule, base)
            if rule in found:
                record = solver.smallest(claim, question.given)
                assert record is not None
                text = f"Rule {rule} does, for example in the case {witness_text(record, base)}."
                yield Step(text, str(rule), "witness", "true")
            else:
                yield Step(f"Suppose that Rule {rule} did.", str(rule), "case", "true")
                yield from Refutation(base, (claim,), _given(question, base)).steps()
    elif verdict.witnesses:
        for record, claim in zip(verdict.witnesses, violations(question, base), strict=True):
            yield Step(f"Take the case {witness_text(record, base)}.", "", "witness", "true")
            yield from evaluation([claim], record, base, {})
    else:
        for claim in _parts(question, solver):
            yield Step("Suppose that there were a case to the contrary.", "", "case", "true")
            yield from Refutation(base, (claim,), _given(question, base)).steps()


def _given(question: Question, base: RuleBase) -> tuple[Expr, ...]:
    return (*base.integrity, *question.given)


def _parts(question: Question, solver: Solver) -> list[Expr]:
    """Return the claims to refute one by one: each direction of a difference, each member of a family."""
    base = solver.base
    if question.form == "every":
        return [member_violation(question, rule, base) for rule in question.family]
    found = violations(question, base)
    if question.form == "comparable":
        return [claim for claim in found if not solver.possible(claim, question.given)][:1]
    if question.form in ("equivalent", "disagree"):
        return [part for claim in found for part in getattr(claim, "args", (claim,))]
    return list(found)


def evaluation(
    conditions: list[Expr], record: Mapping[str, Value], base: RuleBase, names: Mapping[str, str]
) -> Iterator[Step]:
    """Yield the steps by which a record is evaluated, as far as they bear on the conditions."""
    graph = explain(base, record)
    wanted: set[tuple[str, str]] = set()
    for part in walk(And(tuple(conditions))):
        if isinstance(part, PolicyTest):
            wanted |= {("triggered", part.policy), *({(part.kind, part.policy)})}
        elif isinstance(part, Ref):
            wanted.add((part.kind, part.name))
    starts = []
    for node, label in graph.labelled():
        kind = label.aspect if label.kind == "policy" else label.kind
        if (kind, label.name) in wanted or (kind == "decision" and ("decision", "decision") in wanted):
            starts.append(node)
    for node in ordered(base, graph, set(graph.reachable(*starts))):
        yield step(base, graph, node, names)


def _conclusion(question: Question, verdict: Verdict) -> str:
    match question.form:
        case "accepts":
            return f"So P {'covers' if verdict.answer == 'yes' else 'does not cover'} the case."
        case "governs":
            return f"So {verdict.answer} governs the case."
        case "which":
            return f"So the rules asked for are: {listed_rules(verdict.answer)}."
    places = " and ".join(f"the {PLACES[p]}" for p in question.picked) if question.form == "disagree" else ""
    shown = "There is no such case" if verdict.answer == universal(question.form) else "Such a case exists"
    return f"{shown}{f' for {places} court' if places else ''}: the answer is {verdict.answer}."
