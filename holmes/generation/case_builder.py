"""From a record to a case: answer, trace, derivations, program and profile follow from the typed facts."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol

from holmes.cases import Alias, Case, Difficulty, Fact, Step
from holmes.derivations.derive import derive, root_of
from holmes.derivations.operations import annotate
from holmes.derivations.parts import Part, canonical
from holmes.derivations.trace import told
from holmes.logic.engine.evaluate import Evaluation, evaluate
from holmes.logic.english.render import rules_text
from holmes.logic.explain.explain import explain
from holmes.logic.language import model as m
from holmes.logic.language.model import RuleBase
from holmes.logic.language.walk import walk
from holmes.logic.prolog.program import program

TIERS = (("basic", 3), ("medium", 6), ("hard", 10))  # most triggered steps; more are very hard


class Asking(Protocol):
    """What a domain says of its cases; see `holmes.interfaces.Domain`."""

    name: str
    source: str

    def goal(self, case: Case) -> str: ...
    def part_answer(self, case: Case, result: Evaluation) -> str: ...
    def verbalize(self, part: Part, step: Step) -> Step: ...


def answer_type(base: RuleBase) -> str:
    """Return what a rule base answers with: an amount where it has one, a report where it lists, else a label."""
    if base.amount is not None:
        return "amount"
    return "report" if base.decision.pick == "all" else "label"


def blank(domain: Asking, base: RuleBase, identity: str, question: str, rules: str = "") -> Case:
    """Return a case with everything that the rule base alone decides; facts, text and what follows are missing."""
    kind = answer_type(base)
    labelled = kind == "label"
    return Case(
        id=identity,
        domain=domain.name,
        task=domain.name,
        source=domain.source,
        rules=rules or rules_text(base),
        case="",
        question=question,
        answer="",
        answer_type=kind,
        bundle=base.name,
        choices=base.decision.type.values if labelled else (),
        aliases=tuple(Alias(label, spellings) for label, spellings in base.decision.labels) if labelled else (),
        rulebase=base.fingerprint,
    )


def told_case(domain: Asking, case: Case, part: Part, text: str, plan: Mapping[str, Any], tags: Sequence[str]) -> Case:
    """Return a case about a record: the answer and all that follows from its facts.

    case: as of `blank`, or an earlier case of the same question. part: rule base, facts and names. text: the record
    told. plan: what the planner chose; names are added. Raises CheckFailed where nothing derives the answer.
    """
    base, facts = part.base, part.facts
    result, graph = evaluate(base, facts), explain(base, facts)
    goal = domain.goal(case)
    explained = derive((part,), goal, domain.verbalize, (graph,), where=f"case {case.id!r}")
    steps = told(base, graph, part.names, root_of(graph, goal))
    profile = difficulty(result, "", concepts_of(base))
    output = "Answer: {amount}" if case.answer_type == "amount" else "Answer: {answer}"
    return replace(
        case,
        case=text,
        answer=domain.part_answer(case, result),
        trace=tuple(domain.verbalize(part, step) for step in steps),
        **explained.fields(),
        **annotate(explained).fields(),
        difficulty=replace(profile, tier=tier(profile.steps)),
        facts=tuple(Fact(name, decl.type.kind, canonical(facts[name])) for name, decl in base.facts.items()),
        program=program(base, facts, "amount" if case.answer_type == "amount" else "decision", output=output),
        tags=tuple(tags),
        plan=json.dumps({**plan, "names": dict(part.names)}, sort_keys=True, separators=(",", ":")),
    )


def tier(steps: int) -> str:
    """Return the tier of a case by its triggered steps."""
    return next((name for name, most in TIERS if steps <= most), "very hard")


def concepts_of(base: RuleBase) -> Mapping[str, tuple[str, ...]]:
    """Return for each concept and policy the concepts that its condition names."""
    bodies: dict[str, m.Expr | None] = {name: concept.body for name, concept in base.concepts.items()}
    bodies |= {name: policy.when for name, policy in base.policies.items()}
    return {
        name: tuple(p.name for p in walk(body) if isinstance(p, m.Ref) and p.kind == "concept") if body else ()
        for name, body in bodies.items()
    }


def difficulty(result: Evaluation, tier: str, parts: Mapping[str, tuple[str, ...]]) -> Difficulty:
    """Return the difficulty profile d(x) of a case (HOLMES A.1, equation 7).

    steps: triggered concepts and policies, the paper's depth; height: the longest chain of rules from a fact to the
    answer, conflicts included; concepts, policies, conflicts: how many are triggered. parts: see `concepts_of`.
    """
    concepts = [name for name, value in result.concepts.items() if value is True]
    policies = [name for name, value in result.triggered.items() if value]
    level: dict[str, int] = {}

    def high(name: str) -> int:
        if name not in level:
            level[name] = 1 + max((high(part) for part in parts[name] if result.concepts[part] is True), default=0)
        return level[name]

    standing: dict[str, int] = {}

    def stand(name: str) -> int:
        if name not in standing:
            attackers = [stand(c.winner) for c in result.conflicts if c.loser == name]
            standing[name] = max([high(name), *(1 + a for a in attackers)])
        return standing[name]

    return Difficulty(
        steps=len(concepts) + len(policies),
        height=1 + max((stand(name) for name in policies), default=max((high(c) for c in concepts), default=0)),
        concepts=len(concepts),
        policies=len(policies),
        conflicts=len(result.conflicts),
        tier=tier,
    )
