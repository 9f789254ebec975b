"""The parts of a case: records with the verdicts that its place asks for."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from holmes.domains.finance.handbook import APPROVALS, Exchange, clause
from holmes.domains.finance.planner.composition import A_SPAN, JOINT, Slot
from holmes.domains.finance.planner.search import planner
from holmes.domains.finance.text import OTHERS, Part, split
from holmes.errors import CheckFailed
from holmes.logic.engine.evaluate import evaluate
from holmes.logic.language.model import Value

IDLE = 2  # facts told in each part that alone change nothing, at least
REDRAWS = 60
SCENARIOS = 40
TOLD = ("net_only", "ruling")  # never left out: two papers differ only where both are told
PERSONAL = ("title", "excuse", "late")  # what a person keeps from item to item
PAID = ("Full", "Partial", "Partial", "Partial")  # verdicts of amount cases, in turn; each 13th is a rejection
# clause -> what is paid of which cost; in half of the partial ones the first is cut
PAID_OF: Mapping[str, Mapping[str, str]] = {
    "travel": {"paid_lodging": "lodging", "paid_meals": "meals"},
    "training": {"paid_stay": "stay", "paid_books": "books"},
    "labour": {"paid_fee": "fee", "paid_way": "extra"},
}
# past the clause's threshold
BEYOND: Mapping[str, Mapping[str, tuple[int, int]]] = {
    "travel": {},
    "training": {"days": (21, 40)},
    "labour": {"days": (4, 12)},
}


def atomic(rng: random.Random, slot: Slot, turn: int) -> Part:
    """Draw a case of one part. turn: which of its like it is; verdicts take turns."""
    base = clause(slot.clause).base
    labels = base.decision.type.values
    name = rng.choice(base.names["X"])
    if slot.task != "finance_amount":
        return _drawn(rng, slot.clause, "", name, labels[turn % len(labels)], {})
    label = "Rejection" if turn % 13 == 12 else PAID[turn % len(PAID)]
    beyond = BEYOND[slot.clause] if label == "Partial" and turn % 2 else {}
    for _ in range(REDRAWS):
        part = _drawn(
            rng, slot.clause, "", name, label, {fact: Fraction(rng.randint(*r)) for fact, r in beyond.items()}
        )
        result = evaluate(base, part.facts)
        cut = [fact for paid, fact in PAID_OF[slot.clause].items() if result.concepts[paid] != part.facts[fact]]
        first = next(iter(PAID_OF[slot.clause].values()))  # the cost whose limit changes beyond a threshold
        # a sum of one paid cost and nothing else could be copied from the text, all that is claimed be added up
        if (not result.amount or result.amount not in part.facts.values()) and (
            label != "Partial" or (first in cut if beyond else cut)
        ):
            return part
    raise CheckFailed(f"{slot.clause}: found no record whose amount has to be worked out, expected one")


def exchanged(rng: random.Random, kind: str, name: str, written: str, other: str) -> Part:
    """Draw a record with one verdict under the policy as written, and an edition in which it has another one."""
    base = clause(kind).base
    rules = clause(home := base.uses[-1] if base.uses else kind).base.policies.values()
    graded = {grade: [p.name for p in rules if p.gate == grade and not p.base] for grade in ("mandatory", "standard")}
    editions = [Exchange(home, a, b) for a in graded["mandatory"] for b in graded["standard"]]
    for _ in range(REDRAWS):
        part = _drawn(rng, kind, "", name, written, {})
        for edition in rng.sample(editions, len(editions)):
            plan = planner(kind, edition)
            verdict, _ = plan.found(part.facts) or ("", frozenset())
            if verdict == other and len([n for n in plan.irrelevant(part.facts) if n not in part.silent]) >= IDLE:
                return replace(part, edition=edition)
    raise CheckFailed(f"{kind}: found no record with {written} that an exchange of two rules turns into {other}")


def _drawn(rng: random.Random, kind: str, subject: str, name: str, label: str, fixed: Mapping[str, Value]) -> Part:
    """Draw one part and choose what its text leaves out: false facts, so many that denials tell no verdict.

    At least two facts are told that alone change nothing; a record that has fewer is drawn again.
    """
    plan = planner(kind)
    for _ in range(REDRAWS):
        facts = plan.draw(rng, label, fixed)
        idle = plan.irrelevant(facts)
        false = [fact for fact in plan.bools if facts[fact] is False and fact not in TOLD]
        denied = min(len(false), rng.randint(1, 3))
        silent = rng.sample(false, len(false) - denied)
        while sum(fact not in silent for fact in idle) < IDLE and any(fact in silent for fact in idle):
            silent.remove(next(fact for fact in idle if fact in silent))
        if sum(fact not in silent for fact in idle) >= IDLE:
            return Part(kind, subject or name, name, facts, tuple(sorted(silent)))
    raise CheckFailed(f"{kind}: found no record with the verdict {label} and {IDLE} idle facts, expected one")


def people(rng: random.Random, slot: Slot, key: str) -> list[Part]:
    """Draw a joint claim: people of different categories in one scenario.

    key: seed and round. The verdicts are dealt to the claims of one clause and span from a shuffled pack that holds
    each as often, so that the verdict of one person tells nothing of another's.
    """
    base, plan = clause(slot.clause).base, planner(slot.clause)
    category = JOINT[slot.clause]
    kinds = rng.sample(base.facts[category].type.values, slot.span)
    names = rng.sample(base.names["X"], slot.span)
    shared = list(split(slot.clause).shared.facts)
    values, claims = base.decision.type.values, -(-A_SPAN // len(JOINT))
    pack = [values[number % len(values)] for number in range(claims * slot.span)]
    random.Random(f"finance/joint/{key}/{slot.clause}/{slot.span}").shuffle(pack)
    place = slot.position // len(JOINT) * slot.span
    labels = pack[place : place + slot.span]
    for _ in range(SCENARIOS):  # in some scenarios a verdict cannot come about
        sound = plan.draw(rng, base.decision.type.values[0], {category: kinds[0]})  # it alone fails no rule
        fixed: dict[str, Value] = {fact: sound[fact] for fact in shared}
        try:
            return [
                _drawn(rng, slot.clause, "", name, label, {**fixed, category: kind})
                for kind, name, label in zip(kinds, names, labels, strict=True)
            ]
        except CheckFailed:
            continue
    raise CheckFailed(f"{slot.clause}: found no scenario for the verdicts {', '.join(labels)}, expected one")


def items(rng: random.Random, slot: Slot, seed: int, turn: int) -> list[Part]:
    """Draw a claim of several items under different clauses, all of one person, who keeps title and health
    and files once.

    A visitor and one who is paid for work are other people. seed: of the build, or the clauses of a claim would tell
    their verdicts to whoever saw another build. turn: which of the claims of this span it is. In as many turns as there
    are clauses each clause stands at each place once, and from one such block to the next its verdict moves on: each
    clause has each verdict about as often.
    """
    block, first = divmod(turn, len(APPROVALS))
    key = f"finance/several/{seed}/{slot.span}"
    places = random.Random(f"{key}/{block}").sample(range(len(APPROVALS)), slot.span)
    planned = []
    for number, place in enumerate(places):
        kind = APPROVALS[(first + place) % len(APPROVALS)]
        labels = clause(kind).base.decision.type.values
        start = random.Random(f"{key}/{kind}/{number}").randrange(len(labels))
        planned.append((kind, labels[(start + block) % len(labels)]))
    rng.shuffle(planned)
    name, *others = rng.sample(clause(planned[0][0]).base.names["X"], 1 + len(OTHERS))
    for _ in range(SCENARIOS):  # what an item tells of the person may rule out the verdict of a later one
        try:
            return _items(rng, planned, name, others)
        except CheckFailed:
            continue
    raise CheckFailed(f"compositional: found no claim with {planned}, expected one")


def _items(rng: random.Random, planned: Sequence[tuple[str, str]], name: str, others: Sequence[str]) -> list[Part]:
    """Draw the items of a claim, (clause, verdict) each. others: names for the items about other people."""
    known: dict[str, Value] = {}
    parts = []
    for number, (kind, label) in enumerate(planned, 1):
        facts = clause(kind).base.facts
        if kind in OTHERS:
            parts.append(_drawn(rng, kind, f"Item {number}", others[OTHERS.index(kind)], label, {}))
            continue
        fixed = {fact: value for fact, value in known.items() if fact in facts}
        parts.append(_drawn(rng, kind, f"Item {number}", name, label, fixed))
        known |= {fact: parts[-1].facts[fact] for fact in PERSONAL if fact in facts}
    return parts
