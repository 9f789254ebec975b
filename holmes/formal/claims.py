"""What is to be proved of a case: every concept, every policy's status, every possible result, and the gold itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from holmes.cases import Case
from holmes.derivations.asked import Goal
from holmes.errors import InputError
from holmes.formal.asked import Told, told
from holmes.formal.ir import Name, Number, Op, Term, at_most, call, equal, negate
from holmes.formal.rules import RuleTheory
from holmes.formal.vocabulary import CASE
from holmes.logic.engine.evaluate import Evaluation, evaluate
from holmes.logic.language.model import RuleBase, Type, Value


@dataclass(frozen=True, slots=True)
class Claim:
    """One claim about a part: its label, the term, and whether it is to be proved (else refuted).

    gold: the claim states what the case gives as its answer.
    """

    label: str
    term: Term
    holds: bool
    gold: bool = False


@dataclass(frozen=True, slots=True)
class Proposition:
    """One part of a case: its id in the log, its rule theory, what is assumed of it, and the claims."""

    id: str
    case: str
    rules: RuleTheory
    facts: tuple[tuple[str, Term], ...]
    values: Mapping[str, Value]
    claims: tuple[Claim, ...]


def propositions(
    case: Case, theory_of: Mapping[int, RuleTheory] | None = None, *, rules: object = None
) -> list[Proposition]:
    """Return what is to be proved of each part of a case about facts.

    rules: a function from a rule base to its RuleTheory. Raises InputError where the case cannot be put formally.
    """
    assert callable(rules)
    found = []
    parts = told(case)
    for number, part in enumerate(parts, 1):
        theory: RuleTheory = rules(part.part.base)
        name = case.id if len(parts) == 1 else f"{case.id}#{number}"
        try:
            found.append(proposition(name, case.id, theory, part))
        except InputError as error:
            raise InputError(f"case {case.id!r}: {error}") from error
    return found


def proposition(name: str, case: str, rules: RuleTheory, part: Told) -> Proposition:
    """Return what is to be proved of one part."""
    values = part.part.facts
    solved = evaluate(part.part.base, values)
    claims = [*_statuses(rules, solved), *_results(rules, solved, part), *_asked(rules, solved, part)]
    return Proposition(name, case, rules, tuple(rules.words.told(values)), values, tuple(claims))


def _statuses(rules: RuleTheory, solved: Evaluation) -> Iterator[Claim]:
    base: RuleBase = rules.base
    yield Claim("coherent", call(rules.coherent, CASE), True)
    for name, concept in base.concepts.items():
        yield from _valued(rules, f"concept:{name}", name, concept.type, solved.concepts[name])
    defeated = set(solved.defeated)
    for name in base.policies:
        yield Claim(f"triggered:{name}", rules.status("triggered", name), solved.triggered[name])
        yield Claim(f"applies:{name}", rules.status("applies", name), solved.applies[name])
        yield Claim(f"defeated:{name}", rules.status("defeated", name), name in defeated)


def _valued(rules: RuleTheory, label: str, name: str, type_: Type, value: Value) -> Iterator[Claim]:
    left = call(rules.concept[name], CASE)
    if type_.kind == "bool":
        yield Claim(label, left, bool(value))
    elif type_.kind == "enum":
        for known, constructor in rules.words.enum(type_.values, name)[1].items():
            yield Claim(f"{label}:{known}", equal(left, Name(constructor)), known == value)
    else:
        yield Claim(label, _is(left, value, rules.scales[name]), True)


def _is(left: Term, value: Value, scale: int) -> Term:
    """Return `left / scale is the value`, over whole numbers."""
    if not isinstance(value, Fraction | int):
        return equal(left, Number(value.toordinal()))  # type: ignore[union-attr]
    wanted = Fraction(value) * scale
    if wanted.denominator == 1:
        return equal(left, Number(int(wanted)))
    return equal(Op("mul", (Number(wanted.denominator), left)), Number(wanted.numerator))


def _results(rules: RuleTheory, solved: Evaluation, part: Told) -> Iterator[Claim]:
    """Yield every possible result: what the gold says, where it says so, else what the evaluation finds."""
    wanted = part.label or solved.answer
    for value, constructor in rules.answers.items():
        if constructor != rules.nothing:
            term = equal(call(rules.decision, CASE), Name(constructor))
            yield Claim(f"result:{value}", term, value == wanted, gold=bool(part.label))


def _asked(rules: RuleTheory, solved: Evaluation, part: Told) -> Iterator[Claim]:
    if rules.amount:
        value = part.amount if part.amount is not None else solved.amount
        assert value is not None
        left = call(rules.amount, CASE)
        yield Claim("amount", _is(left, value, rules.scales["amount"]), True, gold=part.amount is not None)
    elif part.amount is not None:
        raise InputError(f"{rules.base.name}: amount: found none, expected a rule that gives one")
    if part.goal is not None:
        yield Claim("claim", _claimed(rules, part.goal), part.goal.holds, gold=True)


def _claimed(rules: RuleTheory, goal: Goal) -> Term:
    term: Term
    if goal.kind == "applies":
        term = rules.status("applies", goal.name)
        term = term if goal.value is True else negate(term)
    elif goal.kind == "positive":
        term = at_most(Number(1), call(rules.concept[goal.name], CASE))
        term = term if goal.value is True else negate(term)
    elif goal.kind == "amount":
        term = _is(call(rules.amount, CASE), goal.value, rules.scales["amount"])
    else:
        concept = rules.base.concepts[goal.name]
        left = call(rules.concept[goal.name], CASE)
        if concept.type.kind == "bool":
            term = left if goal.value is True else negate(left)
        elif concept.type.kind == "enum":
            known = rules.words.enum(concept.type.values, goal.name)[1]
            if goal.value not in known:
                raise InputError(f"claim: found {goal.value!r}, expected one of {', '.join(known)}")
            term = equal(left, Name(known[str(goal.value)]))
        else:
            term = _is(left, goal.value, rules.scales[goal.name])
    return negate(term) if goal.denied else term
