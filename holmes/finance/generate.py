"""Finance cases: item = f(policy, seed, index). One round of indices holds the make-up of the paper."""

from __future__ import annotations

import functools
import itertools
import json
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from holmes.annotation import annotate
from holmes.cases import Alias, Case, Difficulty, Fact, Pair, Step
from holmes.derivations import derive, say_finance
from holmes.errors import CheckFailed
from holmes.finance.planner import planner
from holmes.finance.policy import APPROVALS, NAMES, SHOWN, Exchange, clause, fingerprint, handbook, said
from holmes.finance.text import OTHERS, Part, claimant, joint, several, single, split
from holmes.logic.evaluate import Evaluation, evaluate
from holmes.logic.explain import explain
from holmes.logic.graph import Graph
from holmes.logic.model import RuleBase, Value
from holmes.logic.prolog import program
from holmes.logic.trace import told
from holmes.logic.unparse import number_text
from holmes.parts import canonical, of_finance

# (task, clause, cases): the atomic part of the paper's make-up, 679 in all
ATOMIC: tuple[tuple[str, str, int], ...] = (
    ("finance_materials", "files", 40),
    ("finance_invoices", "invoices", 20),
    ("finance_approval", "office", 40),
    ("finance_approval", "sheets", 40),
    ("finance_approval", "travel", 42),
    ("finance_approval", "overseas", 30),
    ("finance_approval", "conferences", 60),
    ("finance_approval", "training", 30),
    ("finance_approval", "visits", 30),
    ("finance_labour", "labour", 30),
    ("finance_approval", "works", 30),
    ("finance_approval", "warranty", 20),
    ("finance_approval", "procurement", 20),
    ("finance_approval", "maintenance", 21),
    ("finance_approval", "receptions", 30),
    ("finance_approval", "visitors", 36),
    ("finance_loans", "loans", 40),
    ("finance_amount", "travel", 40),
    ("finance_amount", "training", 40),
    ("finance_amount", "labour", 40),
)
SPANS = (2, 3, 4, 5)
A_SPAN = 50
IDLE = 2  # facts told in each part that alone change nothing, at least
REDRAWS = 60
SCENARIOS = 40
JOINT = {"travel": "title", "overseas": "title", "training": "role", "labour": "standing"}  # clause -> its categories
TOLD = ("net_only", "ruling")  # never left out: two papers differ only where both are told
PERSONAL = ("title", "excuse", "late")  # what a person keeps from item to item
LOOK_ALIKE = ("associate_professor", "associate_researcher", "lecturer", "engineer_of_grade_5")
TWINS = 2  # pairs of cases a clause and round that differ in the policy alone
PAID = ("Full", "Partial", "Partial", "Partial")  # verdicts of amount cases, in turn; each 13th is a rejection
PAID_OF: Mapping[
    str, Mapping[str, str]
] = {  # clause -> what is paid of which cost; in half of the partial ones the first is cut
    "travel": {"paid_lodging": "lodging", "paid_meals": "meals"},
    "training": {"paid_stay": "stay", "paid_books": "books"},
    "labour": {"paid_fee": "fee", "paid_way": "extra"},
}
BEYOND: Mapping[str, Mapping[str, tuple[int, int]]] = {
    "travel": {},
    "training": {"days": (21, 40)},
    "labour": {"days": (4, 12)},
}  # past the clause's threshold
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


@dataclass(frozen=True, slots=True)
class Slot:
    """One place of the make-up: task, clause (of atomic and joint cases), span, position among its like."""

    task: str
    clause: str
    span: int
    position: int

    @property
    def twin(self) -> int:
        """1 or 2 for the first or second of two cases that share their text and differ in the policy, else 0."""
        graded = self.task in ("finance_approval", "finance_labour")
        return self.position % 3 if graded and self.position < 3 * TWINS else 0


@functools.lru_cache(maxsize=1)
def slots() -> tuple[Slot, ...]:
    """Return the make-up in the order of the shipped test split: 679 atomic, 200 parallel, 200 compositional."""
    atomic = [Slot(task, name, 1, i) for task, name, count in ATOMIC for i in range(count)]
    kinds = list(JOINT)
    spans = [Slot(f"finance_parallel_{n}", kinds[i % len(kinds)], n, i) for n in SPANS for i in range(A_SPAN)]
    return (*atomic, *spans, *(Slot(f"finance_compositional_{n}", "", n, i) for n in SPANS for i in range(A_SPAN)))


@functools.lru_cache(maxsize=1)
def order() -> tuple[int, ...]:
    """Return the places of the make-up in the order of the indices: mixed, so that short builds hold every task.

    The second of two twins stands behind the first.
    """
    places = [place for place, slot in enumerate(slots()) if slot.twin != 2]
    random.Random("finance/order").shuffle(places)
    return tuple(itertools.chain.from_iterable((p, p + 1) if slots()[p].twin else (p,) for p in places))


def slot_of(index: int) -> Slot:
    """Return the place of an item in the make-up."""
    return slots()[order()[index % len(order())]]


def tier(slot: Slot) -> str:
    """Return the tier of a place: basic for one verdict, medium for an amount, hard and very hard for several parts."""
    if slot.span > 1:
        return "hard" if slot.span < 4 else "very hard"
    return "medium" if slot.task == "finance_amount" else "basic"


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
        parts = [_atomic(rng, slot, turn)]
    elif slot.clause:
        parts = _joint(rng, slot, f"{seed}/{index // len(order())}")
    else:
        parts = _several(rng, slot, seed, slot.position + A_SPAN * (index // len(order())))
    text = single(parts[0], rng) if slot.span == 1 else joint(parts, rng) if slot.clause else several(parts, rng)
    return case_of(seed, index, slot, parts, text)


def _atomic(rng: random.Random, slot: Slot, turn: int) -> Part:
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
    part = _exchanged(rng, slot.clause, rng.choice(base.names["X"]), written, other)
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


def _exchanged(rng: random.Random, kind: str, name: str, written: str, other: str) -> Part:
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


def _joint(rng: random.Random, slot: Slot, key: str) -> list[Part]:
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


def _several(rng: random.Random, slot: Slot, seed: int, turn: int) -> list[Part]:
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
    units = [of_finance(part, many) for part in parts]
    plan: dict[str, Any] = {"parts": [_plan(p, r) for p, r in zip(parts, results, strict=True)]}
    if edition:
        plan["exchanged"] = [edition.clause, edition.one, edition.other]
    explained = derive(units, "amount" if amount else "decision", say_finance, graphs, where=identity)
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
        difficulty=_difficulty(slot, parts, results, len(shown)),
        facts=tuple(fact for number, part in enumerate(parts, 1) for fact in _typed(part, number, many)),
        program="" if many else program(first.base, parts[0].facts, output=output),
        tags=tuple(sorted(_tags(slot, parts, results))),
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


def asked(base: RuleBase, result: Evaluation) -> tuple[str, ...]:
    """Return the rules that decide a case: those its review asks for, or those of the families of its clause."""
    if base.decision.gates:
        return tuple(name for name, _ in result.gates)
    return tuple(name for family in base.families.values() for name in family)


def failing(base: RuleBase, result: Evaluation) -> tuple[str, ...]:
    """Return the rules that fail in a case, of those that decide it, in their order."""
    return tuple(name for name in asked(base, result) if not result.triggered[name])


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


def _difficulty(slot: Slot, parts: Sequence[Part], results: Sequence[Evaluation], count: int) -> Difficulty:
    bases = [clause(part.clause).base for part in parts]
    return Difficulty(
        steps=count,
        height=max(4 + bool(base.tables) + bool(base.concepts) for base in bases),
        concepts=sum(len(base.concepts) for base in bases),
        policies=sum(len(planner(part.clause).checks) for part in parts),
        conflicts=sum(len(result.conflicts) for result in results),
        scopes=len({part.clause for part in parts}),
        components=slot.span,
        tier=tier(slot),
    )


def _tags(slot: Slot, parts: Sequence[Part], results: Sequence[Evaluation]) -> set[str]:
    """Tag the difficulties that the paper found real (D.2, D.3) where they decide, and how many rules fail at most."""
    found: set[str] = set()
    most = 0
    for part, result in zip(parts, results, strict=True):
        plan = planner(part.clause, part.edition)
        fails = failing(plan.base, result)
        most = max(most, len(fails))
        turned = [title for title in _titles(part) if _turns(part, result, "title", title)]
        if turned:
            found.add("rank look-up")
        if part.facts.get("title") in LOOK_ALIKE and set(turned) & set(LOOK_ALIKE):
            found.add("look-alike category")
        if part.facts.get("hired_car") and part.facts["fares"] and _turns(part, result, "hired_car", False):
            found.add("exclusive clauses")
        if result.answer == "Rejection" and all(name in plan.mandatory for name in fails):
            found.add("whole-claim gate")
    found.add(f"fails {most}" if most < 3 else "fails 3+")
    if slot.span > 1 and slot.clause:
        papers = split(slot.clause).papers
        for part, result in zip(parts, results, strict=True):
            missing = [paper for paper in papers if not part.facts[paper] and any(p.facts[paper] for p in parts)]
            if any(_turns(part, result, paper, True) for paper in missing):
                found.add("omission from a list")
    return found


def _titles(part: Part) -> tuple[str, ...]:
    return part.stated.base.facts["title"].type.values if "title" in part.facts else ()


def _turns(part: Part, result: Evaluation, fact: str, value: Value) -> bool:
    """Say whether another value of one fact would turn the verdict of a part."""
    there = planner(part.clause, part.edition).found({**part.facts, fact: value})
    return there is not None and there[0] != result.answer


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
