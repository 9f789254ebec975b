"""Law cases: item = f(rule base, seed, index). Plan first, then facts, then text, trace and program from one record."""

from __future__ import annotations

import functools
import json
import random
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from holmes.cases import Alias, Case, Fact, Pair
from holmes.derivations.derive import derive, verbatim
from holmes.derivations.operations import annotate
from holmes.derivations.parts import Part, canonical
from holmes.derivations.trace import told
from holmes.domains.law.planner.block_checks import Checks
from holmes.domains.law.planner.blocks import Block, Draw, draw_block, tiers
from holmes.domains.law.planner.kept import kept_plans
from holmes.domains.law.planner.neighbours import Changes, changes, omissions
from holmes.domains.law.planner.plans import BLOCK, Plans
from holmes.domains.law.planner.variants import Variant, variants
from holmes.errors import CheckFailed
from holmes.generation.case_builder import concepts_of, difficulty
from holmes.logic.engine.evaluate import Evaluation, evaluate
from holmes.logic.engine.record_space import Cell
from holmes.logic.english.render import rules_text
from holmes.logic.explain.explain import explain
from holmes.logic.explain.graph import Graph
from holmes.logic.language import model as m
from holmes.logic.narrative.render import case_text
from holmes.logic.prolog.program import constant, program

OPERATORS = {  # tag -> the ablated engine that fails on the case
    "priority": "no_priorities",
    "exception": "no_exceptions",
    "exception_to_exception": "no_rebuttals",
    "grounded": "one_pass",
    "negation": "no_negation",
}


IRRELEVANT = 2  # stated facts a case that bear on nothing, at least
REDRAWS = 8  # of a block, to get rid of records with fewer
CASE_MARK = "\n% The case"  # the line of a program after which its facts stand


@dataclass(frozen=True, slots=True)
class Planned:
    """A case before its text: the draw, the record, and what single changes of a fact do to it."""

    draw: Draw
    facts: Mapping[str, m.Value]
    decisive: tuple[str, ...]  # facts whose change alone changes the answer
    irrelevant: tuple[str, ...]  # facts whose change alone changes no policy's standing and not the answer
    omitted: tuple[str, ...]  # false facts that the text leaves out: no value of theirs changes the answer
    tags: tuple[str, ...]
    variant: Variant
    answer: str  # in the variant
    twin: int  # the index of the item with the same record under exchanged measures, itself if none


@dataclass(frozen=True, slots=True)
class Surveyed:
    """A block with the neighbours of its records and the facts that each text leaves out."""

    block: Block
    near: Changes
    omitted: tuple[tuple[str, ...], ...]


class Generator:
    """Cases of one law rule base.

    rulebase: a checked law base. The plans are worked out once, at the first item.
    """

    def __init__(self, rulebase: m.RuleBase) -> None:
        self.rulebase = rulebase
        self._block = functools.lru_cache(maxsize=64)(self._draw_block)

    @functools.cached_property
    def plans(self) -> Plans:
        """All plans of the rule base."""
        return kept_plans(self.rulebase)

    @functools.cached_property
    def checks(self) -> Checks:
        """What a block of this rule base must not give away."""
        return Checks(self.plans)

    @functools.cached_property
    def variants(self) -> tuple[Variant, ...]:
        """The rule base and its variants with exchanged measures."""
        return variants(self.rulebase)

    @functools.cached_property
    def _parts(self) -> Mapping[str, tuple[str, ...]]:
        return concepts_of(self.rulebase)

    @functools.cached_property
    def rules(self) -> tuple[str, ...]:
        """The printed rules of each variant."""
        return tuple(rules_text(variant.rulebase) for variant in self.variants)

    def _key(self, seed: int) -> str:
        return f"{self.rulebase.name}/{seed}"

    def _draw_block(self, seed: int, block: int) -> Surveyed:
        """Draw a block; rows with fewer than two irrelevant facts are banned and the block is drawn again."""
        banned: frozenset[int] = frozenset()
        for _ in range(REDRAWS):
            drawn = draw_block(self.plans, self.checks, self.variants, self._key(seed), block, banned)
            rows = np.array([draw.row for draw in drawn.draws], dtype=np.int64)
            near = changes(self.rulebase, self.plans.records, rows)
            bare = {int(row) for place, row in enumerate(rows) if len(near.irrelevant(place)) < IRRELEVANT}
            if not bare:
                break
            banned |= bare
        rng = random.Random(f"{self._key(seed)}/omit/{block}")
        return Surveyed(drawn, near, omissions(self.rulebase, self.plans.records, drawn, near, rng))

    def tier(self, seed: int, index: int) -> str:
        """Return the tier of an item without building it."""
        return tiers(self._key(seed), index // BLOCK)[index % BLOCK]

    def plan(self, seed: int, index: int) -> Planned:
        """Return the plan of item `index` of `seed`: the record and what depends on what, no text."""
        here, place = self._block(seed, index // BLOCK), index % BLOCK
        draw, twin = here.block.draws[place], here.block.contrast_pairs.get(place, place) - place + index
        rng = random.Random(f"{self._key(seed)}/{min(index, twin)}/facts")
        records = self.plans.records
        facts = {name: _value(records.cell(name, draw.row), rng) for name in records.facts}
        decisive, irrelevant = here.near.decisive(place), here.near.irrelevant(place)
        omitted = here.omitted[place]
        tags = [tag for tag, engine in OPERATORS.items() if self.plans.broken[engine][draw.row]]
        if any(self.rulebase.facts[name].type.kind == "int" for name in decisive):
            tags.append("numeric")
        if not decisive:
            tags.append("robust")
        if twin != index:
            tags.append("twin")
        variant = self.variants[draw.variant]
        return Planned(draw, facts, decisive, irrelevant, omitted, tuple(tags), variant, draw.answer, twin)

    @functools.cached_property
    def _programs(self) -> dict[int, tuple[str, str]]:
        """What stands before and after the facts in the program of each variant asked for so far."""
        return {}

    def _program(self, planned: Planned) -> str:
        """Return the reference program: the rules are printed once a variant, the facts once a case."""
        number = planned.variant.number
        if number not in self._programs:
            whole = program(planned.variant.rulebase, planned.facts)
            head, _, rest = whole.partition(CASE_MARK)
            self._programs[number] = head + CASE_MARK, rest[rest.index("\n\n") :]
        head, rest = self._programs[number]
        lines = [
            f"fact({name})." if value is True else f"value({name}, {constant(value)})."
            for name, value in planned.facts.items()
            if value is not False
        ]
        return head + "".join(f"\n{line}" for line in lines) + rest

    def item(self, seed: int, index: int, *, light: bool = False) -> Case:
        """Return item `index` of `seed` in full.

        seed, index: any integer, 0 or more. light: leave out program, trace, derivations and types, most of the time.
        Returns the case; it depends on the rule base, seed and index alone.
        Raises CheckFailed when planner and evaluator disagree (they are two engines).
        """
        planned = self.plan(seed, index)
        base = planned.variant.rulebase
        result = evaluate(base, planned.facts)
        identity = f"law/{base.name}/{seed}-{index}"
        _agree(identity, planned, result, int(self.plans.conflicts[planned.draw.row]))
        first = min(index, planned.twin)  # twins share their text: the rules alone differ
        rng = random.Random(f"{self._key(seed)}/{first}/text")
        names = {entity: rng.choice(base.names[entity]) for entity in base.entities}
        text = case_text(self.rulebase, planned.facts, rng, names=names, silent=planned.omitted)
        graph = None if light else explain(base, planned.facts)
        return Case(
            id=identity,
            domain="law",
            task="law",
            source="holmes",
            rules=self.rules[planned.variant.number],
            case=text,
            question=f"What is the final outcome for {next(iter(names.values()))}?",
            answer=str(result.answer),
            answer_type="label",
            bundle=base.name,
            choices=base.decision.type.values,
            aliases=tuple(Alias(label, spellings) for label, spellings in base.decision.labels),
            trace=() if graph is None else told(base, graph, names),
            **({} if graph is None else _explained(identity, Part(base, planned.facts, names), graph)),
            difficulty=difficulty(result, planned.draw.tier, self._parts),
            facts=tuple(
                Fact(name, base.facts[name].type.kind, canonical(value)) for name, value in planned.facts.items()
            ),
            program="" if light else self._program(planned),
            pair=_pair(base, seed, index, planned),
            tags=planned.tags,
            plan=json.dumps(_plan_record(names, planned, result), separators=(",", ":")),
            seed=seed,
            index=index,
            rulebase=base.fingerprint,
        )


def _explained(identity: str, part: Part, graph: Graph) -> dict[str, Any]:
    """Return the fields of a case that its graph gives: derivations, critical labels, higher-order types."""
    found = derive((part,), "decision", verbatim, (graph,), where=identity)
    return found.fields() | annotate(found).fields()


def _value(cell: Cell, rng: random.Random) -> m.Value:
    """Choose a value of a cell; a third of the numbers stand right at the threshold."""
    if cell.low is None or cell.high is None:
        return cell.value
    edge = rng.random()
    if edge < 1 / 6:
        return Fraction(cell.low)
    if edge < 1 / 3:
        return Fraction(cell.high)
    return Fraction(rng.randint(cell.low, cell.high))


def _agree(identity: str, planned: Planned, result: Evaluation, conflicts: int) -> None:
    if result.answer != planned.draw.answer or len(result.conflicts) != conflicts:
        raise CheckFailed(
            f"{identity}: plan and evaluation differ: found {result.answer} with {len(result.conflicts)} conflicts, "
            f"expected {planned.draw.answer} with {conflicts}"
        )


def _pair(base: m.RuleBase, seed: int, index: int, planned: Planned) -> Pair:
    if planned.twin == index:
        return Pair()
    first = min(index, planned.twin)
    return Pair(
        family=f"law/{base.name}/{seed}-{first}",
        role="original" if index == first else "decisive",
        changed="" if index == first else "rules: two measures exchanged",
    )


def _plan_record(names: Mapping[str, str], planned: Planned, result: Evaluation) -> dict[str, Any]:
    """Return what the planner chose, in names of the rule base."""
    return {
        "tier": planned.draw.tier,
        "variant": planned.variant.number,
        "names": dict(names),
        "answer": planned.draw.answer,
        "target_articles": [name for name, there in result.triggered.items() if there],
        "applicable_articles": list(result.applying),
        "conflicts": [[c.winner, c.loser, "defeats" if c.active else "idle"] for c in result.conflicts],
        "decisive": list(planned.decisive),
        "irrelevant": [name for name in planned.irrelevant if name not in planned.omitted],
        "omitted": list(planned.omitted),
    }
