"""The tasks `deontic_sara_numeric` and `deontic_sara_binary`: one case a seed and index."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from pathlib import Path

from holmes.cases import Alias, Case, Difficulty, Fact
from holmes.derivations.derive import derive
from holmes.derivations.operations import annotate
from holmes.derivations.parts import Part, canonical
from holmes.derivations.trace import told as in_full
from holmes.domains.deontic.planner.claims import BOOLEAN, Claim, choose, goal, goal_of, phrase
from holmes.domains.deontic.planner.records import Facts, changed, draw
from holmes.domains.deontic.program import reference
from holmes.domains.deontic.statute import statute, verbalize
from holmes.domains.deontic.text import narrate
from holmes.errors import InputError
from holmes.logic.engine.evaluate import Evaluation, evaluate
from holmes.logic.explain.explain import explain
from holmes.logic.language.model import RuleBase, Value
from holmes.logic.language.unparse import number_text
from holmes.logic.loader import load_rulebase

NUMERIC, BINARY = "deontic_sara_numeric", "deontic_sara_binary"
TASKS = (NUMERIC, BINARY)
YES, NO = "Entailment", "Contradiction"
WORDS = 170
"""Longest case text."""
_TRIES = 5000
_QUESTIONS = (
    "How much tax does {X} owe for {year}?",
    "What is the tax that {X} owes for {year}?",
    "For {year}, how much does {X} have to pay under this Act?",
)


@lru_cache(maxsize=1)
def rulebase() -> RuleBase:
    """Return the income tax, loaded once."""
    return load_rulebase(Path(__file__).parent / "rules" / "income_tax.yaml")


@dataclass(frozen=True, slots=True)
class Told:
    """A record put into words: the taxpayer, the case text, what is asked about it and the gold answer."""

    name: str
    facts: Facts
    text: str
    question: str
    answer: str
    plan: dict[str, str]
    claim: Claim | None = None


class Generator:
    """Cases of one task: an item depends on the rule base, the seed and the index alone."""

    def __init__(self, task: str) -> None:
        if task not in TASKS:
            raise InputError(f"task: found {task!r}, expected one of {', '.join(TASKS)}")
        self.task = task
        self.base = rulebase()

    def item(self, seed: int, index: int) -> Case:
        """Return the case of a seed and an index (0, 1, …)."""
        rng = random.Random(f"{self.base.name}/{self.task}/{seed}/{index}")
        name = rng.choice(self.base.names["X"])
        return self._numeric(rng, name, seed, index) if self.task == NUMERIC else self._binary(rng, name, seed, index)

    def _numeric(self, rng: random.Random, name: str, seed: int, index: int) -> Case:
        for _ in range(_TRIES):
            situation, facts = draw(rng)
            solved = evaluate(self.base, facts)
            # many poor or exempt taxpayers owe nothing: most of them are drawn again
            if solved.amount == 0 and rng.random() < 0.75:
                continue
            text = narrate(rng, self.base, facts, name)
            if len(text.split()) <= WORDS and solved.amount not in _numbers(facts):
                break
        else:
            raise InputError(f"{self.task} seed {seed} index {index}: found no case in {_TRIES} draws, expected one")
        question = rng.choice(_QUESTIONS).format(X=name, year=facts["tax_year"])
        assert solved.amount is not None
        told = Told(name, facts, text, question, number_text(solved.amount), {"situation": situation})
        return self.case(seed, index, told, solved)

    def _binary(self, rng: random.Random, name: str, seed: int, index: int) -> Case:
        # of each two neighbours one claim holds and one does not, in random order
        first = random.Random(f"{self.base.name}/{self.task}/{seed}/pair {index // 2}").random() < 0.5
        holds = first == (index % 2 == 0)
        kind = choose(rng)
        for _ in range(_TRIES):
            situation, one = draw(rng, rng.choice(kind.situations))
            other = changed(rng, one)
            values = [goal(kind, evaluate(self.base, facts)) for facts in (one, other)]
            if values[0] == values[1] or (0 in values and kind.name == "amount" and rng.random() < 0.5):
                continue  # no near miss
            denied = rng.random() < 0.5
            claimed: Value = True if kind in BOOLEAN else values[rng.randrange(2)]
            facts, found = (one, values[0]) if ((values[0] == claimed) != denied) == holds else (other, values[1])
            text = narrate(rng, self.base, facts, name)
            if len(text.split()) <= WORDS:
                break
        else:
            raise InputError(f"{self.task} seed {seed} index {index}: found no case in {_TRIES} draws, expected one")
        claim = phrase(rng, kind, name, facts["tax_year"], claimed, denied)
        assert claim.holds(found) == holds
        plan = {"situation": situation, "claim": kind.name, "denied": str(denied).lower(), "goal": kind.goal}
        told = Told(name, facts, text, claim.text, YES if holds else NO, plan, claim)
        return self.case(seed, index, told, evaluate(self.base, facts))

    def case(self, seed: int, index: int, told: Told, solved: Evaluation) -> Case:
        """Return the case of a record put into words. solved: the record, evaluated."""
        claim, identity = told.claim, f"{self.task}/{seed}/{index}"
        tags = () if claim is None else (f"claim {claim.kind.name}", "claim denied" if claim.denied else "claim stated")
        part, graph = Part(self.base, told.facts, {"X": told.name}), explain(self.base, told.facts)
        goal = "amount" if claim is None else goal_of(*claim.kind.goal.split())
        explained = derive((part,), goal, verbalize, (graph,), where=identity)
        whole = in_full(self.base, graph, part.names, explained.parts[0].root)
        steps = tuple(verbalize(part, step) for step in whole)
        return Case(
            id=identity,
            domain="deontic",
            task=self.task,
            source="holmes",
            rules=statute(self.base),
            case=told.text,
            question=told.question,
            answer=told.answer,
            answer_type="amount" if claim is None else "label",
            bundle=self.base.name,
            choices=() if claim is None else (YES, NO),
            aliases=() if claim is None else (Alias(YES, (YES,)), Alias(NO, (NO,))),
            trace=steps,
            **explained.fields(),
            **annotate(explained).fields(),
            difficulty=_difficulty(solved, len(steps)),
            facts=typed(self.base, told.facts),
            program=reference(self.base, told.facts, claim),
            tags=(*tags, *_tags(solved)),
            plan=json.dumps({**told.plan, "names": part.names}, sort_keys=True),
            seed=seed,
            index=index,
            rulebase=self.base.fingerprint,
        )


def _numbers(facts: Facts) -> set[Value]:
    """All numbers that a case text can print, so that no answer can be copied from it."""
    lists = [record for value in facts.values() if isinstance(value, tuple) for record in value]
    plain = [value for value in facts.values() if isinstance(value, Fraction)]
    return {value for value in (*plain, *(v for record in lists for v in record.values())) if value}


def typed(base: RuleBase, facts: Facts) -> tuple[Fact, ...]:
    """Return the facts of a record as canonical text, in the order of the rule base; lists as JSON."""
    return tuple(Fact(name, decl.type.kind, canonical(facts[name])) for name, decl in base.facts.items())


def _tags(solved: Evaluation) -> tuple[str, ...]:
    facts, concepts = solved.facts, solved.concepts
    tests: dict[str, Callable[[], bool]] = {
        "exception": lambda: any(not solved.applies[p] for p in ("barred", "levy") if solved.triggered[p]),
        "exception to exception": lambda: bool(
            (solved.triggered["missing"] and solved.triggered["supported"] and solved.triggered["barred"])
            or (solved.triggered["diplomat"] and solved.triggered["settled"] and solved.triggered["levy"])
        ),
        "phase-out": lambda: concepts["income"] > 60000,  # type: ignore[operator]
        "children": lambda: bool(facts["children"]),
        "employer": lambda: bool(facts["helpers"]),
    }
    return (f"status {concepts['status']}", *(name for name, test in tests.items() if test()))


def _difficulty(solved: Evaluation, count: int) -> Difficulty:
    records = sum(len(value) for value in solved.facts.values() if isinstance(value, tuple))
    conflicts = len(solved.conflicts)
    load = records + 2 * conflicts + bool(solved.facts["married"]) + (solved.concepts["income"] > 60000)  # type: ignore[operator]
    return Difficulty(
        steps=count,
        height=10,  # the longest chain of definitions: dependants, surviving spouse, head, status, … , tax, amount
        concepts=len(solved.rulebase.concepts),
        policies=sum(solved.triggered.values()),
        conflicts=conflicts,
        scopes=records,
        tier="easy" if load <= 2 else "medium" if load <= 4 else "hard",
    )
