"""Finance cases: item = f(policy, seed, index)."""

from __future__ import annotations

import itertools
import json
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from holmes.cases import Alias, Case, Fact, Pair, Step
from holmes.derivations.derive import derive
from holmes.derivations.operations import annotate
from holmes.derivations.parts import canonical
from holmes.derivations.trace import told
from holmes.domains.finance.difficulty import asked, difficulty, failing, tags
from holmes.domains.finance.handbook import NAMES, SHOWN, Exchange, clause, fingerprint, handbook, said, verbalize
from holmes.domains.finance.planner.composition import A_SPAN, Slot, order, slot_of
from holmes.domains.finance.planner.records import atomic, exchanged, items, people
from holmes.domains.finance.planner.search import planner
from holmes.domains.finance.text import Part, claimant, component, joint, several, single
from holmes.logic.engine.evaluate import Evaluation, evaluate
from holmes.logic.explain.explain import explain
from holmes.logic.explain.graph import Graph
from holmes.logic.language.unparse import number_text
from holmes.logic.prolog.program import program

QUESTIONS = {
    "finance_materials": "Are the papers of {X} complete?",
    "finance_invoices": "Is the invoice that {X} handed in correct?",
    "finance_approval": "How is the claim of {X} to be decided under the clause “{title}”?",
    "finance_labour": "How is the fee of {X} to be decided?",
    "finance_loans": "Can {X} borrow the money?",
    "finance_amount": "How many marks are paid to {X} under the clause “{title}”?",
    "joint": "How is the claim of each person to be decided?",
    "several": "How is each item of the claim of {X} to be decided?",
}


def item(seed: int, index: int) -> Case:
    """Return item `index` of `seed`.

    seed, index: any integer, 0 or more. The gold of a case of several parts is the list of its parts' golds.
    Raises CheckFailed where no record with the verdict planned is found.
    """
    slot = slot_of(index)
    if slot.twin:
        return _twin(seed, index, slot)
    rng = random.Random(f"finance/{seed}/{index}")
    turn = slot.position + index // len(order())
    if slot.span == 1:
        parts = [atomic(rng, slot, turn)]
    elif slot.clause:
        parts = people(rng, slot, f"{seed}/{index // len(order())}")
    else:
        parts = items(rng, slot, seed, slot.position + A_SPAN * (index // len(order())))
    text = single(parts[0], rng) if slot.span == 1 else joint(parts, rng) if slot.clause else several(parts, rng)
    return case_of(seed, index, slot, parts, text)


def _twin(seed: int, index: int, slot: Slot) -> Case:
    """Return one of two cases with the same text: in the policy of one, two rules have exchanged their consequences.

    The answer of the first is a partial approval, that of the second a rejection; each has the policy as written in
    half of the pairs.
    """
    first = index - (slot.twin - 1)
    rng = random.Random(f"finance/{seed}/{first}")
    turn = slot.position // 3 + NAMES.index(slot.clause) + index // len(order())
    written, other = ("Partial", "Rejection") if turn % 2 else ("Rejection", "Partial")
    base = clause(slot.clause).base
    part = exchanged(rng, slot.clause, rng.choice(base.names["X"]), written, other)
    text = single(part, rng)
    assert part.edition is not None
    changed = "" if slot.twin == 1 else f"policy: {_named(part.edition)} exchange what follows when they fail"
    if (written == "Partial") == (slot.twin == 1):
        part = replace(part, edition=None)
    case = case_of(seed, index, slot, [part], text)
    return replace(
        case,
        pair=Pair(family=f"finance/{seed}-{first}", role="original" if slot.twin == 1 else "decisive", changed=changed),
        tags=tuple(sorted([*case.tags, "twin"])),
    )


def _named(edition: Exchange) -> str:
    """Return the two rules of an edition by their numbers in the handbook."""
    home = clause(edition.clause)
    one, other = sorted(home.base.policies[rule].rule + home.offset for rule in (edition.one, edition.other))
    return f"Rules {one} and {other}"


# ---------------------------------------------------------------- the case
def gold(task: str, result: Evaluation) -> str:
    """Return the gold of one part: the verdict, or the amount as an exact decimal."""
    if task == "finance_amount":
        assert result.amount is not None
        return number_text(result.amount)
    return str(result.answer)


def union(golds: Sequence[tuple[str, str]]) -> str:
    """Return the gold of a case of several parts: (subject, verdict) pairs as a JSON list."""
    return json.dumps([{"subject": subject, "verdict": verdict} for subject, verdict in golds], ensure_ascii=False)


def steps(part: Part, several_parts: bool, graph: Graph | None = None) -> Iterator[Step]:
    """Yield the trace of one part with the rule numbers of the handbook; parts of a larger case name their subject.

    graph: that of the part, where it is at hand.
    """
    found = part.stated
    for step in told(found.base, graph or explain(found.base, part.facts), {"X": part.name}):
        yield said(step, found.offset, part.subject if several_parts else "")


def case_of(seed: int, index: int, slot: Slot, parts: Sequence[Part], text: str) -> Case:
    """Return the case of some parts and their text: golds, traces, program and profile follow from the parts."""
    many, identity = slot.span > 1, f"finance/{seed}-{index}"
    results = [evaluate(part.stated.base, part.facts) for part in parts]
    golds = [gold(slot.task, result) for result in results]
    graphs = [explain(part.stated.base, part.facts) for part in parts]
    shown = list(itertools.chain.from_iterable(map(steps, parts, itertools.repeat(many), graphs)))
    kind = ("joint" if slot.clause else "several") if many else slot.task
    first, edition = parts[0].stated, parts[0].edition
    labels = _labels(parts)
    amount = slot.task == "finance_amount"
    output = "Amount: {amount}" if amount else "Answer: {answer}"
    units = [component(part, many) for part in parts]
    plan: dict[str, Any] = {"parts": [_plan(p, r) for p, r in zip(parts, results, strict=True)]}
    if edition:
        plan["exchanged"] = [edition.clause, edition.one, edition.other]
    explained = derive(units, "amount" if amount else "decision", verbalize, graphs, where=identity)
    return Case(
        id=identity,
        domain="finance",
        task=slot.task,
        source="holmes",
        rules=handbook(edition),
        case=text,
        question=QUESTIONS[kind].format(X=claimant(parts), title=first.base.title),
        answer=union([(p.subject, g) for p, g in zip(parts, golds, strict=True)]) if many else golds[0],
        answer_type="report" if many else "amount" if amount else "label",
        bundle="+".join(dict.fromkeys(part.clause for part in parts)),
        choices=() if amount else labels,
        aliases=() if amount else tuple(Alias(label, SHOWN[label]) for label in labels),
        trace=tuple(shown),
        **explained.fields(),
        **annotate(explained).fields(),
        difficulty=difficulty(slot, parts, results, len(shown)),
        facts=tuple(fact for number, part in enumerate(parts, 1) for fact in _typed(part, number, many)),
        program="" if many else program(first.base, parts[0].facts, output=output),
        tags=tuple(sorted(tags(slot, parts, results))),
        plan=json.dumps(plan, separators=(",", ":")),
        seed=seed,
        index=index,
        rulebase=fingerprint(),
    )


def _labels(parts: Sequence[Part]) -> tuple[str, ...]:
    found = dict.fromkeys(v for part in parts for v in clause(part.clause).base.decision.type.values)
    return tuple(label for label in SHOWN if label in found)


def _typed(part: Part, number: int, many: bool) -> Iterator[Fact]:
    kinds = clause(part.clause).base.facts
    for name, value in part.facts.items():
        yield Fact(f"{number}.{name}" if many else name, kinds[name].type.kind, canonical(value))


def _plan(part: Part, result: Evaluation) -> dict[str, Any]:
    plan = planner(part.clause, part.edition)
    return {
        "clause": part.clause,
        "subject": part.subject,
        "name": part.name,
        "verdict": str(result.answer),
        "fails": list(failing(plan.base, result)),
        "checks": list(_checked(part, result)),
        "irrelevant": len([n for n in plan.irrelevant(dict(part.facts)) if n not in part.silent]),
        "silent": list(part.silent),
    }


def _checked(part: Part, result: Evaluation) -> Iterator[list[int]]:
    """Yield [handbook number of a rule the review asks for, that of the rule it waives or 0, 1 if it passes else 0]."""
    found = part.stated
    policies = found.base.policies
    for name in asked(found.base, result):
        rule = policies[name]
        waives = policies[rule.base].rule + found.offset if rule.base else 0
        yield [rule.rule + found.offset, waives, int(result.triggered[name])]


def edition_of(case: Case) -> Exchange | None:
    """Return the edition of the policy that a case prints, None for the policy as written.

    Raises ValueError, KeyError or TypeError for a plan that holds none and InputError for rules that are not there.
    """
    exchanged = json.loads(case.plan).get("exchanged")
    if exchanged is None:
        return None
    home, one, other = map(str, exchanged)
    edition = Exchange(home, one, other)
    clause(home, edition)
    return edition


def components(case: Case) -> list[Mapping[str, Any]]:
    """Return what the planner noted of each part of a case."""
    found: list[Mapping[str, Any]] = json.loads(case.plan)["parts"]
    return found
