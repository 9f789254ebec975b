"""A fact told otherwise: the text read back gives the new facts, and nothing but the fact's own words has changed."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from holmes.cases import Case
from holmes.counterfactual.families import interventions_of, options
from holmes.domains.law.rulebases import bundle
from holmes.errors import InputError
from holmes.interventions.base import Interventions
from holmes.logic.narrative.edit import edit_text
from holmes.logic.narrative.phrasings import JOINERS, OPENERS
from holmes.registry import domain_of, parts_of


def retold(here: Interventions, change, seed: str = "x") -> str:
    """The text of a world's case with one change told."""
    return here.edit_text(here.case.case, [part.facts for part in here.parts], change, random.Random(seed))


def middle(one: str, other: str) -> tuple[str, str]:
    """What is left of two texts without what they begin and end with alike."""
    start = alike(one, other)
    end = alike(one[start:][::-1], other[start:][::-1])
    return one[start : len(one) - end], other[start : len(other) - end]


def alike(one: str, other: str) -> int:
    """How many characters two texts begin with alike."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((place for place, (a, b) in pairs if a != b), min(len(one), len(other)))


def test_every_change_of_every_fact_reads_back(cases: list[Case]) -> None:
    """Whatever single fact changes, the new text tells exactly the new facts; what words cannot fit is refused."""
    told = refused = 0
    for case in cases[::2]:
        here = interventions_of(case)
        for option in options(here, random.Random(case.id)):
            try:
                text = retold(here, option.change)
            except InputError:
                refused += 1
                continue
            told += 1
            expected = [dict(part.facts) for part in here.parts]
            expected[option.change.part] = option.change.applied(expected[option.change.part])
            assert [dict(facts) for facts in domain_of(case).read_text(replace(case, case=text))] == expected, (
                case.id,
                option.change,
            )
    assert told > 500 and refused < told / 50


def test_only_one_sentence_changes(cases: list[Case]) -> None:
    """The texts differ in one stretch that holds at most one sentence; a partner joined to it stays word for word."""
    joined = 0
    for case in cases:
        here = interventions_of(case)
        for option in options(here, random.Random(case.id))[:12]:
            if not here.tells(option.change):
                continue
            old, new = middle(case.case, retold(here, option.change))
            added = not (old and new)  # the stretch of an added sentence may begin within a like one
            for piece in (old, new):
                assert sum(piece.rstrip().count(mark) for mark in (". ", ".\n", "? ", "! ")) <= added, (case.id, piece)
            assert not any(joiner in old and joiner in new for joiner in JOINERS if case.domain == "law")
            joined += any(joiner in case.case for joiner in JOINERS)
    assert joined


def test_openers_and_joiners_stay(cases: list[Case]) -> None:
    """A law or finance text keeps every opener and joiner, and its paragraphs."""
    for case in [case for case in cases if case.domain == "law"]:
        here = interventions_of(case)
        for option in options(here, random.Random(case.id)):
            if option.told and here.tells(option.change):
                text = retold(here, option.change)
                for mark in (*OPENERS, "\n\n"):
                    assert text.count(mark) == case.case.count(mark)


def test_a_sentence_keeps_the_number_of_its_phrasing() -> None:
    """The denial that stands in the same place of the rule base as the statement takes its place."""
    base = bundle("road_traffic")
    name = next(name for name, fact in base.facts.items() if fact.type.kind == "bool" and len(fact.denies) > 2)
    fact, people = base.facts[name], {entity: names[0] for entity, names in base.names.items()}
    for number in range(3):
        before, after = (
            sentence.replace("{" + next(iter(people)) + "}", next(iter(people.values())))
            for sentence in (fact.says[number], fact.denies[number])
        )
        assert edit_text(base, before, name, False, names=people, rng=random.Random(0)) == after
        assert edit_text(base, after, name, True, names=people, rng=random.Random(0)) == before


def test_a_fact_left_unsaid_adds_its_sentence_alone(cases: list[Case]) -> None:
    """Where the text said nothing of a fact, one sentence is added and every other character stays."""
    added = 0
    for case in cases:
        here = interventions_of(case)
        for option in options(here, random.Random(case.id)):
            if not option.told and option.change.kind == "bool" and here.tells(option.change):
                old, new = middle(case.case, retold(here, option.change))
                if len(parts_of(case)) == 1 and case.domain != "deontic":
                    assert old == "" and new
                    added += 1
    assert added


def test_a_paper_of_a_joint_claim_changes_one_name(cases: list[Case]) -> None:
    """In a list of papers a name comes or goes; the sentence of the list is the only one that differs."""
    seen = 0
    for case in [case for case in cases if "parallel" in case.task]:
        here = interventions_of(case)
        for option in options(here, random.Random(case.id)):
            if option.change.fact in here._papers():  # type: ignore[attr-defined]
                old, new = middle(case.case, retold(here, option.change))
                assert "\n" not in old + new
                seen += 1
    assert seen


def test_a_text_that_states_nothing_is_refused() -> None:
    """A sentence that no phrasing fits is named."""
    base = bundle("road_traffic")
    people = {entity: names[0] for entity, names in base.names.items()}
    with pytest.raises(InputError, match="found nothing that states a fact"):
        edit_text(base, "The moon rose.", next(iter(base.facts)), True, names=people, rng=random.Random(0))
