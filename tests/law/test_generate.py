"""Law cases: item = f(rule base, seed, index), planner and evaluator agree, text reads back, answers are balanced."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from holmes.cases import Case
from holmes.domains.law.gates.sample import of_plans
from holmes.domains.law.generate import OPERATORS, Generator
from holmes.domains.law.planner.plans import TIERS, tier
from holmes.domains.law.rulebases import beyond, bundle, bundles, rulebase_of
from holmes.domains.law.splits import LawSource
from holmes.logic.engine.evaluate import evaluate
from holmes.logic.engine.record_space import space
from holmes.logic.engine.vectorized import ABLATIONS, Engine, decide
from holmes.logic.narrative.render import read_case
from holmes.logic.prolog.program import program

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module", params=("road_traffic", "dragon_hatchery"))
def generator(request: pytest.FixtureRequest, law: LawSource) -> Generator:
    """The generator of each packaged bundle."""
    return law.generator(request.param)


@pytest.mark.parametrize("name", (*bundles(), *beyond()))
def test_every_bundle_gives_cases_that_read_back(law: LawSource, name: str) -> None:
    """In every packaged bundle, of law or not, the text of a case reads back to facts that give its answer."""
    generator = law.generator(name) if name in bundles() else Generator(bundle(name))
    for index in range(8):
        case = generator.item(13, index)
        facts = read_case(generator.rulebase, case.case, names=json.loads(case.plan)["names"])
        base = next(v.rulebase for v in generator.variants if v.rulebase.fingerprint == case.rulebase)
        assert evaluate(base, facts).answer == case.answer
        assert base == rulebase_of(case)


def test_engine_and_evaluator_agree_on_scattered_records(generator: Generator) -> None:
    """The column engine and the evaluator give the same concepts, triggers, standings and answer."""
    base, records = generator.rulebase, generator.plans.records
    decided = decide(base, records)
    for row in range(0, len(records), max(1, len(records) // 60)):
        result = evaluate(base, {name: records.cell(name, row).value for name in records.facts})
        assert result.answer == decided.labels[int(decided.answer[row])]
        assert result.concepts == {n: bool(c[row]) for n, c in decided.concepts.items()}
        assert result.triggered == {n: bool(c[row]) for n, c in decided.triggered.items()}
        assert result.applies == {n: bool(c[row]) for n, c in decided.applies.items()}


def test_item_depends_on_seed_and_index_alone(generator: Generator) -> None:
    """A generator that has built other items before gives the same item as a fresh one."""
    ahead = [generator.item(5, i) for i in (37, 3, 31)]
    fresh = Generator(generator.rulebase)
    assert [fresh.item(5, i) for i in (31, 3, 37)] == ahead[::-1]
    assert fresh.item(6, 3) != fresh.item(5, 3)


def test_text_and_plan_agree_with_the_row(generator: Generator) -> None:
    """The text reads back to the facts, the plan names what evaluation finds, the tier is that of the schedule."""
    for index in range(40):
        case = generator.item(11, index)
        base, plan = rulebase_of(case), json.loads(case.plan)
        facts = read_case(generator.rulebase, case.case, names=plan["names"])
        result = evaluate(base, facts)
        assert result.answer == case.answer == plan["answer"]
        assert plan["target_articles"] == [n for n, there in result.triggered.items() if there]
        assert case.difficulty.conflicts == len(plan["conflicts"]) == len(result.conflicts)
        assert case.difficulty.tier == generator.tier(11, index) == tier(case.difficulty.steps, len(plan["conflicts"]))
        assert len(plan["irrelevant"]) >= 2
        assert not set(plan["omitted"]) & set(plan["decisive"])
        assert Case.from_dict(case.to_dict()) == case


def test_blocks_of_thirty_are_balanced(generator: Generator) -> None:
    """Each block holds every answer as often as the others, the tiers 8/9/9/4, and gives nothing away."""
    for block in range(4):
        plans = [generator.plan(2, 30 * block + i) for i in range(30)]
        counts = Counter(p.answer for p in plans)
        assert max(counts.values()) - min(counts.values()) <= 1
        assert [sum(p.draw.tier == t for p in plans) for t in TIERS] == [8, 9, 9, 4]
        rows = np.array([p.draw.row for p in plans], dtype=np.int64)
        assert generator.checks.faults(rows, sum("twin" in p.tags for p in plans) // 2) == 0


def test_decisive_and_irrelevant_facts_are_what_they_claim(generator: Generator) -> None:
    """Changing a decisive fact changes the answer, changing an irrelevant one changes no policy."""
    for index in range(12):
        planned = generator.plan(4, index)
        base = planned.variant.rulebase
        before = evaluate(base, planned.facts)
        for name, value in planned.facts.items():
            if not isinstance(value, bool):
                continue
            after = evaluate(base, {**planned.facts, name: not value})
            if name in planned.irrelevant:
                assert (after.answer, after.applies) == (before.answer, before.applies)
            if name in planned.decisive:
                assert after.answer != before.answer


def test_twins_differ_in_the_rules_alone(generator: Generator) -> None:
    """Twins share case text and question, and exchanging two measures exchanges their answers."""
    found = 0
    for index in range(30):
        planned = generator.plan(2, index)
        if planned.twin > index:
            one, two = generator.item(2, index), generator.item(2, planned.twin)
            assert (one.case, one.question, one.facts) == (two.case, two.question, two.facts)
            assert one.rules != two.rules and one.answer != two.answer and one.pair.family == two.pair.family
            found += 1
    assert found >= 1


def test_program_is_that_of_the_printer(generator: Generator) -> None:
    """The program put together from parts is the one that the printer gives for the case's rules and facts."""
    for index in range(20):
        case, planned = generator.item(8, index), generator.plan(8, index)
        assert case.program == program(planned.variant.rulebase, planned.facts)


def test_tags_name_the_engine_that_fails(generator: Generator) -> None:
    """A case tagged with an operator is one that the engine without it gets wrong, and only then."""
    plans = [generator.plan(3, i) for i in range(60)]
    sample = of_plans(generator, plans)
    for tag, name in OPERATORS.items():
        wrong = decide(generator.rulebase, sample.records, ABLATIONS[name]).answer != sample.answers
        assert [tag in p.tags for p in plans] == wrong.tolist()


def test_dropping_a_relation_that_a_rule_states_leaves_it() -> None:
    """A relation stated inside a rule goes with that rule, not on its own number."""
    base = bundle("road_traffic")
    records = space(base)
    whole, cut = decide(base, records), decide(base, records, Engine(drop=frozenset({29})))
    assert ("signalled", "running") in cut.clashes and ("rescuing", "grave_case") not in cut.clashes
    assert (whole.answer != cut.answer).any()


def test_items_do_not_depend_on_the_hash_seed() -> None:
    """Two processes with different hash seeds build the same item."""
    code = "from holmes.domains.law.splits import source; print(source().item(9, 3).to_dict())"
    runs = [
        subprocess.run(
            [sys.executable, "-c", code],
            env={"PYTHONHASHSEED": seed, "PATH": "/usr/bin:/bin", "PYTHONPATH": str(ROOT)},
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    ]
    assert runs[0] == runs[1]
