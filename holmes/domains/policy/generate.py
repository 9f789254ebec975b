"""From a pair of questions to cases, and from a case back to its question and rule base."""

from __future__ import annotations

import functools
import json
import random
from collections.abc import Mapping

from holmes.cases import Alias, Case, Difficulty, Fact, Pair, Step
from holmes.derivations.operations import Annotation, Evidence
from holmes.derivations.parts import canonical
from holmes.domains.policy.planner.draws import bearing, parts
from holmes.domains.policy.planner.search import Asked
from holmes.domains.policy.planner.search import Pair as Found
from holmes.domains.policy.planner.variants import Mutant, mutant_of
from holmes.domains.policy.questions.english import given_text, points, question_text
from holmes.domains.policy.questions.terms import (
    Question,
    choices,
    covers,
    expression,
    from_json,
    to_json,
    universal,
    violations,
)
from holmes.domains.policy.reasoning.decide import decide
from holmes.domains.policy.reasoning.trace import reasoning
from holmes.errors import InputError
from holmes.logic.language.model import BOOL, Const, Expr, RuleBase, Value
from holmes.logic.narrative.render import case_text
from holmes.logic.prolog.program import program

TIERS = (("basic", 6), ("medium", 11), ("hard", 17))  # most rules that bear on the question; more are very hard
WORLD = "A case is told by these points:"
COMBINED = "Every combination of them can occur, as long as this is true of the case:"
FREE = "Every combination of them can occur."


def tier_of(question: Question, mutant: Mutant) -> str:
    """Return the tier of a question: by the number of rules that bear on it."""
    count = len(_rules(question, mutant.base))
    return next((name for name, most in TIERS if count <= most), "very hard")


def _conditions(question: Question, base: RuleBase) -> list[Expr]:
    found: list[Expr] = [expression(term, question.sense, base) for term in question.terms]
    found += [covers(rule, question.sense, base) for rule in question.family]
    return found + [condition for condition, _ in question.branches if condition is not None]


def _rules(question: Question, base: RuleBase) -> set[int]:
    return bearing(_conditions(question, base), base)


def build(found: Found, member: int, seed: int, index: int, rng: random.Random) -> Case:
    """Return the case of one member of a pair.

    member: 0 or 1. index: of the case; its twin has the other index of the same even-odd pair. rng: decides wordings,
    names and nothing else.
    """
    asked: Asked = (found.first, found.second)[member]
    question, mutant = asked.question, asked.mutant
    base = mutant.base
    verdict = decide(question, mutant.solver)
    if verdict.answer != asked.answer:
        raise InputError(f"policy/{seed}-{index}: answer: found {verdict.answer}, expected {asked.answer}")
    names = {entity: rng.choice(known) for entity, known in base.names.items()}
    style = int(rng.random() * 3)
    told: Mapping[str, Value] = dict(question.record)
    text = world_text(question, base, style)
    if question.record:
        silent = [name for name, value in told.items() if value is False and rng.random() < 0.5]
        text = case_text(base, told, rng, names=names, silent=silent)
    record = told or (verdict.witnesses[0] if verdict.witnesses else {})
    steps = reasoning(question, verdict, mutant.solver, names)
    wanted = choices(question)
    first = index - index % 2
    return Case(
        id=f"policy/{seed}-{index}",
        domain="policy",
        task="policy",
        source="holmes",
        rules=mutant.rules,
        case=text,
        question=question_text(question, base, rng),
        answer=verdict.answer,
        answer_type="label",
        bundle=base.name,
        choices=wanted,
        aliases=tuple(Alias(label, (label.removeprefix("Rule "),)) for label in wanted if label.startswith("Rule ")),
        trace=steps,
        difficulty=difficulty(question, mutant, steps),
        facts=tuple(Fact(name, base.facts[name].type.kind, canonical(value)) for name, value in record.items()),
        program=program_of(question, base, record),
        pair=Pair(f"policy/{seed}-{first}", "original" if index == first else "decisive", change(found, member)),
        tags=(question.form, question.sense, *(("needs integrity",) if found.needy else ())),
        plan=plan(question, mutant, names, found, verdict.witnesses),
        seed=seed,
        index=index,
        rulebase=base.fingerprint,
        **annotated(question).fields(),
    )


def program_of(question: Question, base: RuleBase, record: Mapping[str, Value]) -> str:
    """Return a Prolog program that answers the question from the case told or from the witness; empty without either.

    A question that asks for two witnesses has none either: no single record answers it.
    """
    always = Const(True, BOOL)
    if question.form == "accepts":
        return program(
            base, record, asked=[(expression(question.terms[0], question.sense, base), "yes"), (always, "no")]
        )
    if question.form == "governs":
        return program(base, record, asked=[(c or always, f"Rule {rule}") for c, rule in question.branches])
    claims = violations(question, base)
    if not record or len(claims) != 1:
        return ""
    rest = universal(question.form)
    return program(base, record, asked=[(claims[0], "no" if rest == "yes" else "yes"), (always, rest)])


def world_text(question: Question, base: RuleBase, style: int) -> str:
    """Write what a case is told by and what can occur."""
    lines = [WORLD, *points(base)]
    given = given_text([*base.integrity, *question.given], base, style)
    return "\n".join([*lines, COMBINED, *(f"- {line}" for line in given)] if given else [*lines, FREE])


def change(found: Found, member: int) -> str:
    """Say by which edit the twin differs."""
    asked, other = (found.first, found.second)[member], (found.first, found.second)[1 - member]
    if found.kind == "rules":
        edit = asked.mutant.edit if asked.mutant.edit.number else other.mutant.edit
        words = (edit.before, edit.after) if asked.mutant.edit.number else (edit.after, edit.before)
        return f"rules: in Rule {edit.rule}, {words[0]} became {words[1]}"
    return f"{'case' if found.kind == 'given' else 'question'}: {found.kind}"


def plan(
    question: Question,
    mutant: Mutant,
    names: Mapping[str, str],
    found: Found,
    witnesses: tuple[Mapping[str, Value], ...],
) -> str:
    """Return the question, the edit of the rules and the smallest witnesses as JSON."""
    record = {
        "question": json.loads(to_json(question)),
        "edit": mutant.edit.number,
        "names": dict(names),
        "kind": found.kind,
        "witnesses": [{n: canonical(v) for n, v in witness.items()} for witness in witnesses],
    }
    return json.dumps(record, separators=(",", ":"), ensure_ascii=False)


def difficulty(question: Question, mutant: Mutant, steps: tuple[Step, ...]) -> Difficulty:
    """Return the difficulty: steps of the reference, concepts, policies and relations that bear on the question."""
    base = mutant.base
    rules = _rules(question, base)
    concepts = sum(c.rule in rules for c in base.concepts.values())
    policies = {p.name for p in base.policies.values() if p.rule in rules}
    conflicts = sum(r.winner in policies and loser in policies for r in base.relations for loser in r.losers)
    return Difficulty(
        steps=len(steps),
        height=max((_height(c, base) for c in _conditions(question, base)), default=0),
        concepts=concepts,
        policies=len(policies),
        conflicts=conflicts if question.sense == "applies" else 0,
        tier=tier_of(question, mutant),
    )


def _height(condition: Expr, base: RuleBase) -> int:
    return max((1 + _height(body, base) for body in parts(condition, base)), default=0)


def annotated(question: Question) -> Annotation:
    """Return the annotation of a question: the operation that it is about."""
    rules = {rule for term in question.terms for rule in term.rules} | {rule for _, rule in question.branches}
    found = tuple(sorted(rules | {*question.family}))
    return Annotation((Evidence(question.type, found, question.form, (f"sense: {question.sense}",)),))


@functools.lru_cache(maxsize=256)
def _stated(bundle: str, plan_: str, rulebase: str, id_: str) -> tuple[Question, Mutant]:
    try:
        row = json.loads(plan_)
        mutant = mutant_of(bundle, int(row["edit"]))
        question = from_json(json.dumps(row["question"]), mutant.base)
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(f"case {id_!r}: field plan: found {plan_!r:.80}, expected a policy question") from error
    if not mutant.base.known_as(rulebase):
        raise InputError(
            f"case {id_!r}: field rulebase: found {rulebase}, expected {mutant.base.fingerprint}: the case was built "
            "by another version"
        )
    return question, mutant


def asked_in(case: Case) -> tuple[Question, Mutant]:
    """Return the question of a case and its rule base with solvers; raises InputError if another version built it."""
    return _stated(case.bundle, case.plan, case.rulebase, case.id)


def resolved(case: Case) -> tuple[str, tuple[Step, ...]]:
    """Decide the question of a case again; returns answer and reasoning."""
    question, mutant = asked_in(case)
    verdict = decide(question, mutant.solver)
    return verdict.answer, reasoning(question, verdict, mutant.solver, json.loads(case.plan)["names"])


def stated(case: Case) -> tuple[Question, RuleBase]:
    """Return the question of a case and its rule base."""
    question, mutant = asked_in(case)
    return question, mutant.base
