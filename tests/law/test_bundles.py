"""Packaged rule bases, one line each: clean, of the promised size and shape, fit for building cases."""

from __future__ import annotations

import json

import pytest

from holmes.domains.law.planner.plans import numbers
from holmes.domains.law.rulebases import beyond, bundles, path_of, rulebase_of
from holmes.domains.law.splits import LawSource
from holmes.logic.engine.evaluate import evaluate
from holmes.logic.engine.record_space import walk
from holmes.logic.language import model as m
from holmes.logic.loader import load_rulebase
from holmes.logic.narrative.render import read_case

RULES = {  # a new bundle is one rule-base file and one line here: its name and how many rules it has
    "breathing_library": 29,
    "data_protection": 31,
    "dragon_hatchery": 29,
    "food_hygiene": 31,
    "hospital_access": 29,
    "masked_city": 29,
    "moon_apiary": 30,
    "road_traffic": 31,
    "shadow_market": 30,
    "tenancy": 29,
    "workplace_safety": 30,
}


@pytest.fixture(scope="module", params=sorted(RULES))
def base(request: pytest.FixtureRequest) -> m.RuleBase:
    """Each listed rule base, checked in full."""
    return load_rulebase(path_of(request.param), semantics=True, text=True)


def conditions(base: m.RuleBase) -> list[m.Expr]:
    """The conditions of all concepts and policies."""
    found = [c.body for c in base.concepts.values()] + [p.when for p in base.policies.values()]
    return [one for one in found if one is not None]


def test_every_packaged_bundle_is_listed() -> None:
    """The list names every rule base in the package; ten or more of them are law, with 285 rules or more."""
    assert set(RULES) == {*bundles(), *beyond()}
    assert len(bundles()) >= 10 and sum(RULES[name] for name in bundles()) >= 285


def test_rules_are_numbered_without_gaps(base: m.RuleBase) -> None:
    """Rules 1 to n, n as listed, between 26 and 32."""
    count = RULES[base.name]
    assert numbers(base) == tuple(range(1, count + 1)) and 26 <= count <= 32


def test_facts_are_said_in_three_ways(base: m.RuleBase) -> None:
    """Three sentences or more for each polarity, no two alike in the whole bundle."""
    said = [text for fact in base.facts.values() for text in (*fact.says, *fact.denies)]
    assert len(set(said)) == len(said)
    for fact in base.facts.values():
        assert len(fact.says) >= 3 and (fact.type.kind != "bool" or len(fact.denies) >= 3), fact.name


def test_operators_of_the_design_occur(base: m.RuleBase) -> None:
    """A chain of three concepts, negations, disjunctions, priorities, exceptions, and exceptions to exceptions."""
    kinds = {type(part) for one in conditions(base) for part in walk(one)}
    assert {m.Not, m.Or} <= kinds
    height: dict[str, int] = {}
    for name, concept in base.concepts.items():
        assert concept.body is not None
        height[name] = 1 + max((height.get(p.name, 0) for p in walk(concept.body) if isinstance(p, m.Ref)), default=0)
    assert max(height.values()) >= 3
    excepted = {r.winner for r in base.relations if r.kind == "exception"}
    assert {r.kind for r in base.relations} == {"stronger", "exception"}
    assert any(set(r.losers) & excepted for r in base.relations if r.kind == "exception")


def test_cases_follow_from_their_text(base: m.RuleBase, law: LawSource) -> None:
    """Facts read back from the text of a case give its answer under the rules of the case."""
    generator = law.generator(base.name)
    for index in range(6):
        case = generator.item(23, index)
        facts = read_case(base, case.case, names=json.loads(case.plan)["names"])
        assert evaluate(rulebase_of(case), facts).answer == case.answer
