"""Every gate fails on data made to fail it, and holds on a sound build."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from holmes.audit.gate import report
from holmes.audit.independence import p_value
from holmes.audit.partial_input import contrast_pairs
from holmes.cases import Case
from holmes.domains.law.gates.ablations import ablated, rules
from holmes.domains.law.gates.clones import clones
from holmes.domains.law.gates.independence import independence
from holmes.domains.law.gates.partial import partial
from holmes.domains.law.gates.sample import Sample, of_cases, of_plans
from holmes.domains.law.gates.shortcuts import shortcuts
from holmes.domains.law.gates.wording import wording
from holmes.domains.law.generate import Generator
from holmes.domains.law.splits import LawSource
from holmes.errors import InputError
from holmes.results import Gate

NAME = "dragon_hatchery"


@pytest.fixture(scope="module")
def generator(law: LawSource) -> Generator:
    """One bundle."""
    return law.generator(NAME)


@pytest.fixture(scope="module")
def cases(generator: Generator) -> list[Case]:
    """A sound build of ninety cases."""
    return [generator.item(21, i, light=True) for i in range(90)]


@pytest.fixture(scope="module")
def fresh(generator: Generator) -> Sample:
    """Plans to fit predictors on."""
    return of_plans(generator, [generator.plan(22, i) for i in range(900)])


def _failing(gates: list[Gate]) -> set[str]:
    return {" ".join(gate.gate.split(" (")[0].split()[:3]) for gate in gates if not gate.ok}


def test_a_sound_build_passes(generator: Generator, cases: list[Case], fresh: Sample) -> None:
    """Ninety cases as built fail no gate."""
    sample = of_cases(generator, cases)
    gates = [*shortcuts(sample, fresh), *rules(sample, fresh), *clones(sample), *wording(sample)]
    gates += [*ablated([sample], NAME), *independence(sample), *contrast_pairs(cases, NAME)]
    assert report(gates)["failures"] == []


def test_one_answer_fails_the_majority_gates(generator: Generator, cases: list[Case], fresh: Sample) -> None:
    """A build with one answer is caught by the majority, by the single fact, and given a policy."""
    sample = of_cases(generator, cases)
    keep = np.flatnonzero(sample.answers == sample.answers[0])
    alone = of_cases(generator, [cases[i] for i in keep])
    assert "2 majority" in _failing(list(shortcuts(alone, fresh)))
    assert any(g.startswith("3 answer given") for g in _failing(list(rules(alone, fresh))))


def test_a_fact_that_tells_the_answer_is_caught(generator: Generator, fresh: Sample) -> None:
    """Where one fact goes with the answer, best fact and tree exceed their limit."""
    told = fresh.records.codes["torch"]
    answers = np.where(told == 1, 0, 1)
    rigged = dataclasses.replace(fresh, decided=dataclasses.replace(fresh.decided, answer=answers), final=answers)
    assert {"2 best fact", "2 tree"} <= _failing(list(shortcuts(rigged, rigged)))


def test_cases_without_conflicts_fail_the_ablations(generator: Generator, cases: list[Case]) -> None:
    """Cases that no operator decides are right under every ablated engine."""
    plain = [case for case in cases if not case.tags]
    failing = _failing(list(ablated([of_cases(generator, plain)], NAME)))
    assert {"3 no_priorities", "3 no_exceptions", "3 no_rebuttals", "3 one_pass", "3 no_negation"} <= failing


def test_a_copied_case_is_a_clone(generator: Generator, cases: list[Case]) -> None:
    """The same facts under another name and wording count as a clone."""
    copy = dataclasses.replace(cases[0], id="law/x/1-1", case=cases[0].case + " ")
    assert "4 clones" in _failing(list(clones(of_cases(generator, [*cases, copy]))))


def test_a_needed_fact_left_out_is_caught(generator: Generator, cases: list[Case]) -> None:
    """Leaving out a fact that decides is caught, whatever the plan calls it."""
    import json

    place, plan = next(
        (i, plan) for i, case in enumerate(cases) if (plan := json.loads(case.plan))["decisive"] and not plan["omitted"]
    )
    plan["omitted"] = plan["decisive"][:1]
    bad = dataclasses.replace(cases[place], plan=json.dumps(plan))
    assert "4 needed but" in _failing(list(clones(of_cases(generator, [bad]))))


def test_names_that_go_with_answers_are_caught(generator: Generator, cases: list[Case]) -> None:
    """A name a label is an association that chance does not give."""
    named = [dataclasses.replace(case, question=f"What is the final outcome for {case.answer}?") for case in cases]
    assert {g.split(",")[0] for g in _failing(list(independence(of_cases(generator, named))))}
    assert p_value(np.array([0, 1] * 50), np.array([0, 0, 1, 1] * 25)) == 1.0


def test_a_text_that_lost_a_fact_is_caught(generator: Generator, cases: list[Case]) -> None:
    """A case text that no longer tells a true fact does not read back; a symbol name is a leak."""
    case = next(c for c in cases if any(f.value == "true" for f in c.facts))
    start, _, rest = case.case.partition(". ")
    cut = [dataclasses.replace(case, case=rest) for _ in range(1)]
    failing = _failing(list(wording(of_cases(generator, cut))))
    assert start and "6 polarity said" in failing
    leak = dataclasses.replace(case, rules=case.rules + " egg_moved")
    assert "6 symbol names" in _failing(list(wording(of_cases(generator, [leak]))))


def test_a_word_a_label_fails_partial_input(generator: Generator, cases: list[Case]) -> None:
    """If the case text holds a word for its answer, a bag of words finds it."""
    told = [dataclasses.replace(case, case=f"{case.case} Word{case.answer}.") for case in cases]
    sample = of_cases(generator, told)
    assert "9 case only" in _failing(list(partial([(sample, sample)], NAME)))


def test_twins_with_equal_answers_are_caught(cases: list[Case]) -> None:
    """Twins whose answers were not exchanged are counted."""
    twin = [case for case in cases if case.pair.family]
    spoiled = [dataclasses.replace(case, answer=twin[0].answer) for case in twin]
    assert "9 twins whose" in _failing(list(contrast_pairs(spoiled, NAME)))
    assert "9 twins" in _failing(list(contrast_pairs([c for c in cases if not c.pair.family], NAME)))


def test_a_case_of_another_bundle_is_named(generator: Generator, law: LawSource) -> None:
    """A case that does not fit the rule base is refused with its id and the fact."""
    other = law.generator("road_traffic").item(1, 1, light=True)
    with pytest.raises(InputError, match=r"law/road_traffic/1-1.*facts: found no \w+, expected a value"):
        of_cases(generator, [other])
