"""The answer to a question about policies, and its smallest witnesses: by SAT alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from holmes.domains.policy.questions.terms import Question, expression, member_violation, universal, violations
from holmes.domains.policy.questions.witness import Record
from holmes.domains.policy.reasoning.solver import Solver
from holmes.errors import InputError
from holmes.logic.engine.evaluate import program_for
from holmes.logic.engine.rewrite import unroll
from holmes.logic.language.model import INT, And, Compare, Const, Expr, Not, Ref, RuleBase, Value


@dataclass(frozen=True, slots=True)
class Verdict:
    """The answer, and a record for each witness that this answer asks for."""

    answer: str
    witnesses: tuple[Record, ...] = ()


def decide(question: Question, solver: Solver) -> Verdict:
    """Decide a question.

    solver: of the rule base that the question is about; any base that names its facts and concepts alike will do, such
    as one read back from printed rules. Raises InputError for a record that `integrity` forbids.
    """
    base = solver.base
    if question.form == "accepts":
        covered = expression(question.terms[0], question.sense, base)
        return Verdict("yes" if _at(question, solver, covered) else "no")
    if question.form == "governs":
        for condition, rule in question.branches:
            if condition is None or _at(question, solver, condition):
                return Verdict(f"Rule {rule}")
    if question.form == "which":
        return Verdict(listed(violators(question, solver)))
    found = [solver.smallest(condition, question.given) for condition in violations(question, base)]
    rest = universal(question.form)
    if any(record is None for record in found):
        return Verdict(rest)
    return Verdict("no" if rest == "yes" else "yes", tuple(record for record in found if record is not None))


def violators(question: Question, solver: Solver) -> tuple[int, ...]:
    """Return the members of the family that break Φ."""
    base = solver.base
    return tuple(r for r in question.family if solver.possible(member_violation(question, r, base), question.given))


def listed(rules: Iterable[int]) -> str:
    """Return the answer that names rules: `12, 14`, or `none`."""
    return ", ".join(map(str, sorted(rules))) or "none"


def _at(question: Question, solver: Solver, condition: Expr) -> bool:
    told = told_as(dict(question.record), solver.base)
    if not solver.possible(told):
        raise InputError(f"{solver.base.name}: field record: found a record that integrity forbids")
    return solver.possible(And((told, condition)))


def told_as(record: Mapping[str, Value], base: RuleBase) -> Expr:
    """Return the condition that says what a record says of every fact."""
    parts: list[Expr] = []
    for name, value in record.items():
        ref = Ref(name, "fact")
        if isinstance(value, bool):
            parts.append(ref if value else Not(ref))
        else:
            parts.append(
                Compare("==", ref, Const(value, INT if isinstance(value, Fraction) else base.facts[name].type))
            )
    return And(tuple(parts))


def holds(condition: Expr, record: Mapping[str, Value], base: RuleBase) -> bool:
    """Evaluate a condition on one record, by the evaluator of cases."""
    program = program_for(base)
    return bool(program.compile(unroll(condition, base), {})(program.run(record)))


def coherent(record: Mapping[str, Value], question: Question, base: RuleBase) -> bool:
    """Tell whether a record obeys the integrity of the rule base and what the question takes as given."""
    return all(holds(condition, record, base) for condition in (*base.integrity, *question.given))
