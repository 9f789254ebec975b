"""Families: decisive changes change the answer, controls do not, and everything else is rebuilt from the facts."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from holmes.cases import Case
from holmes.counterfactual.families import ROBUST, ROLES, family, interventions_of, options, plan
from holmes.counterfactual.gates import changed
from holmes.counterfactual.generator import originals, source
from holmes.domains.finance.handbook import clause
from holmes.domains.finance.planner.search import planner
from holmes.errors import InputError
from holmes.interventions.effects import Component
from holmes.logic.language.model import Value
from holmes.registry import derivations_of, domain_of
from holmes.services.statistics import check
from holmes.services.verify import by_prolog, by_text
from holmes.store import load_cases
from tests.counterfactual.conftest import STEP

ROOT = Path(__file__).resolve().parents[2]


def test_roles_answers_and_ids(families: list[tuple[Case, Case, Case]]) -> None:
    """Original, decisive with another answer, control with the same; ids and pair name the family and the change."""
    for rows in families:
        original, decisive, control = rows
        assert tuple(row.pair.role for row in rows) == ROLES
        assert original.answer == control.answer != decisive.answer
        name = original.id.removesuffix("/original")
        assert [row.id for row in rows] == [f"{name}/{role}" for role in ROLES]
        assert {row.pair.family for row in rows} == {name} and not original.pair.changed
        assert {(row.question, row.rules, row.choices, row.task, row.domain) for row in rows} == {
            (original.question, original.rules, original.choices, original.task, original.domain)
        }


def test_the_original_is_the_shipped_case(cases: list[Case], families: list[tuple[Case, Case, Case]]) -> None:
    """Nothing a model sees of the original differs from the case that is shipped in its own config."""
    shipped = {f"counterfactual/{case.id}/original": case for case in cases}
    for original, _, _ in families:
        case = shipped[original.id]
        assert (original.case, original.facts, original.answer, original.trace, original.program) == (
            case.case, case.facts, case.answer, case.trace, case.program,
        )  # fmt: skip


def test_one_fact_changes(families: list[tuple[Case, Case, Case]]) -> None:
    """One fact differs in each changed row (two in the decisive row of a robust family), and `pair` names it."""
    for original, decisive, control in families:
        here = interventions_of(original)
        assert len(changed(here, control)) == 1
        assert len(changed(here, decisive)) == 1 + (ROBUST in original.tags)
        for row in (decisive, control):
            for change in changed(here, row):
                assert str(change) in row.pair.changed


def test_every_row_is_solved_again(families: list[tuple[Case, Case, Case]]) -> None:
    """Answer and trace follow from the typed facts, the program prints the answer, the text tells the facts."""
    rows = [row for found in families for row in found]
    assert [row.id for row in rows if domain_of(row).solve(row).differences] == []
    assert by_prolog(rows) == [] and by_text(rows) == []
    for row in rows[::5]:
        check(row)
        assert row.derivations and row.derivations == derivations_of(row).fields(16)["derivations"]


def test_a_family_depends_on_case_and_seed_alone(cases: list[Case]) -> None:
    """The same family comes out in another process, and other seeds give others."""
    case = cases[3]
    code = (
        "import sys; from holmes.cases import read_cases; from holmes.counterfactual.families import family;"
        f"case = next(c for c in read_cases(sys.argv[1]) if c.id == {case.id!r});"
        "import json; print(json.dumps([row.to_dict() for row in family(case, 5)]))"
    )
    path = ROOT / "holmes" / "data" / case.task.split("_")[0] / "test.parquet"
    done = subprocess.run([sys.executable, "-c", code, str(path)], cwd=ROOT, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == [row.to_dict() for row in family(case, 5)]  # type: ignore[union-attr]
    assert len({family(case, seed)[1].pair.changed for seed in range(12)}) > 1  # type: ignore[index]


def test_the_laws_own_engine_finds_the_same_decisive_facts(cases: list[Case]) -> None:
    """The facts that the law generator calls decisive are those that the search by evaluation finds."""
    for case in [case for case in cases if case.domain == "law"]:
        found = {o.change.fact for o in options(interventions_of(case), random.Random(0)) if o.turned}
        assert found == set(json.loads(case.plan)["decisive"]), case.id


@pytest.mark.parametrize("step", [STEP, pytest.param(1, marks=pytest.mark.nightly)])
def test_every_decisive_fact_is_in_every_derivation(step: int) -> None:
    """A derivation that does not use a fact survives its change; so no decisive fact is missing in any member."""
    seen = 0
    for case in list(originals("test"))[::step]:
        here, necessary = interventions_of(case), derivations_of(case).family.necessary()
        for change in (option.change for option in options(here, random.Random(0)) if option.turned):
            prefix = f"{change.part + 1}." if len(here.parts) > 1 else ""
            assert any(label.startswith(f"{prefix}fact:{change.label}=") for label in necessary), (case.id, change)
            seen += 1
    assert seen > 400


def test_a_rule_on_what_the_text_leaves_out_is_avoided(cases: list[Case]) -> None:
    """After a change of a law case the facts left unsaid still do not matter, wherever such a change decides."""
    for case in [case for case in cases if case.domain == "law" and json.loads(case.plan)["omitted"]]:
        here = interventions_of(case)
        turning = [option for option in options(here, random.Random(0)) if option.turned and option.told]
        chosen = plan(here, random.Random(1))
        assert chosen is not None
        assert here.sound(chosen.decisive[0].change) or not any(here.sound(option.change) for option in turning)


def test_numbers_cross_a_threshold_or_stay_within(cases: list[Case]) -> None:
    """A number that decides changes what holds under the rules; one that may be a control changes nothing of it."""
    crossing = 0
    for case in cases:
        here = interventions_of(case)
        for option in options(here, random.Random(case.id)):
            change, component = option.change, here.components[option.change.part]
            if change.kind != "number":
                continue
            if option.still:
                assert option.effect.standing == component.now.standing
            if option.turned and case.answer_type == "label" and case.domain != "deontic":
                assert option.effect.standing != component.now.standing
                crossing += 1
    assert crossing > 10


def test_the_one_number_that_makes_two_sums_equal_is_found() -> None:
    """An invoice that fails only because its lines do not add up has a single decisive change, however far off."""
    base = clause("invoices").base
    facts = next(
        facts
        for seed in range(400)
        if planner("invoices").found(facts := _record(seed)) == ("Error", frozenset({"adds_up"}))
        and abs(facts["lines"] - facts["total"]) > 40
    )
    differ = lambda one, other: one != other  # noqa: E731
    component = Component(base, facts, lambda result: str(result.answer), differ, lambda _: None)
    found = [(change.after, look.answer) for change, look in component.changes(0, "total", random.Random(0))]
    assert (facts["lines"], "Correct") in found


def _record(seed: int) -> dict[str, Value]:
    return planner("invoices").draw(random.Random(seed), "Error")


def test_decisive_amounts_differ_by_more_than_the_tolerance(families: list[tuple[Case, Case, Case]]) -> None:
    """No output is right for the original and for the decisive member."""
    seen = 0
    for original, decisive, _ in families:
        if original.answer_type == "amount" and original.domain == "deontic":
            assert abs(Fraction(original.answer) - Fraction(decisive.answer)) > 2
            seen += 1
    assert seen


def test_parents_stay_older_than_their_children(cases: list[Case]) -> None:
    """Where a tax case is plausible, no change of a year of birth makes it absurd; the year of the question stays."""
    seen = 0
    for case in [case for case in cases if case.domain == "deontic"]:
        here = interventions_of(case)
        for change in (option.change for option in options(here, random.Random(0))):
            facts = change.applied(here.parts[0].facts)
            assert all(child["born"] - facts["birth_year"] >= 18 for child in facts["children"])  # type: ignore
            assert facts["tax_year"] == here.parts[0].facts["tax_year"]
            seen += 1
    assert seen > 50


def test_cases_without_a_single_decisive_change_are_robust() -> None:
    """No single change of such a case alters its answer; two facts change in its decisive row; the tag says so."""
    robust = {row.pair.family for row in load_cases("counterfactual", "every") if ROBUST in row.tags}
    case = next(c for c in originals("test") if f"counterfactual/{c.id}" in robust)
    assert not _turning(case)
    found = family(case)
    assert found is not None
    assert all(ROBUST in row.tags for row in found)
    assert len(changed(interventions_of(case), found[1])) == 2


def _turning(case: Case) -> bool:
    return any(option.turned for option in options(interventions_of(case), random.Random(0)))


def test_other_cases_are_refused(cases: list[Case]) -> None:
    """A case of another source or domain is named."""
    with pytest.raises(InputError, match="found deonticbench 'law', expected one of deontic"):
        family(replace(cases[0], source="deonticbench"))


def test_fresh_families(tmp_path: Path) -> None:
    """Item i is row i % 3 of family i // 3; domains take turns; each item is the same alone and in a build."""
    rows = [source().item(11, index) for index in range(9)]
    assert [row.pair.role for row in rows] == [*ROLES] * 3
    assert [row.domain for row in rows[::3]] == ["law", "finance", "deontic"]
    assert len({row.id for row in rows}) == 9
    source()._family.cache_clear()
    assert source().item(11, 4) == rows[4]
    assert source().tier(11, 4) == rows[3].difficulty.tier == rows[4].difficulty.tier
