"""Every shipped test case is proved, and row, certificate, theory and script of each belong together."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from holmes.errors import InputError
from holmes.formal import certificates, dataset
from holmes.formal.verify import stratified
from holmes.report.caseview import views
from holmes.report.show import render
from holmes.store import load_cases

CONFIGS = certificates.embedded()


@pytest.fixture(scope="module")
def shipped():
    return [(config, case) for config in CONFIGS for case in load_cases(config, dataset.SPLIT)]


@pytest.mark.parametrize("config", CONFIGS)
def test_every_shipped_test_case_has_a_certificate_by_the_kernel(config) -> None:
    """The rows of today are those that were proved: facts, rules, text, question, plan, gold."""
    cases = load_cases(config, "test")
    assert cases
    held = [certificates.certificate_of(case, config) for case in cases]
    lacking = [case.id for case, one in zip(cases, held, strict=True) if one is None or not one.proved]
    assert not lacking, f"{len(lacking)} of {len(cases)} not proved as they stand, make proof: {lacking[:3]}"
    assert all(one.claims > 0 and one.steps >= one.claims for one in held if one)
    assert {"python", "text"} <= set.intersection(*(set(one.checkers) for one in held if one))


def test_a_changed_case_has_no_certificate() -> None:
    """A certificate is of one row: another fact, word, plan or gold has none."""
    (case, *_) = load_cases("law", "smoke")
    fact = replace(case.facts[0], value="7")
    for changed in (
        replace(case, facts=(fact, *case.facts[1:])),
        replace(case, case=f"{case.case} "),
        replace(case, answer="other"),
        replace(case, plan="{}"),
        replace(case, rules=case.rules.replace("Rule 1", "Rule 2", 1)),
    ):
        assert certificates.certificate_of(changed, "law") is None
    assert certificates.certificate_of(case, "law") is not None


def test_the_dataset_holds_theory_and_script_of_every_case(shipped) -> None:
    """One row a case, the theories that they import beside them."""
    rows = dataset.read()
    assert {case.id for _, case in shipped} == {row.id for row in rows.values() if row.kind == dataset.CASE}
    assert all(row.proved and row.script and row.theory for row in rows.values() if row.kind == dataset.CASE)
    names = {row.theory_name for row in rows.values()}
    assert len(names) == len(rows)
    for row in rows.values():
        imported = row.theory.partition("imports ")[2].partition("\n")[0].split()
        assert imported and set(imported) <= names | {"Main"}, row.id
    assert Counter(row.kind for row in rows.values())[dataset.SHARED] > 20


def test_the_stored_texts_are_those_of_the_cases(shipped) -> None:
    """Put formally anew, cases of every config and bundle give the stored theory and script."""
    sample = stratified([case for _, case in shipped], 24, lambda case: (case.domain, case.bundle))
    of = {case.id: config for config, case in reversed(shipped)}
    assert dataset.disagreements([(of[case.id], case) for case in sample]) == []


@pytest.mark.nightly
def test_all_stored_texts_are_those_of_the_cases(shipped) -> None:
    """The same for all."""
    assert dataset.disagreements(shipped) == []


def test_what_does_not_agree_is_named(shipped, tmp_path) -> None:
    """A damaged script, another theory, a row that is missing, a certificate of another row."""
    (config, case), (_, other) = shipped[0], shipped[1]
    rows = [row for row in dataset.read().values() if row.kind == dataset.SHARED or row.id in (case.id, other.id)]
    path = tmp_path / "formal.parquet"
    damages = {
        "script": lambda row: replace(row, script=f"{row.script};;"),
        "theory": lambda row: replace(row, theory=row.theory.replace("by ", "by (*x*) ", 1)),
        "content": lambda row: replace(row, content="0" * 20),
        "checkers": lambda row: replace(row, checkers=("python",)),
    }
    for what, damage in damages.items():
        dataset.write([damage(row) if row.id == case.id else row for row in rows], path)
        assert dataset.disagreements([(config, case)], path) == [f"{case.id}: {what} is not that of the case"]
    dataset.write([row for row in rows if row.id != case.id], path)
    assert dataset.disagreements([(config, case)], path) == [f"{case.id}: found no row, expected one"]
    dataset.write(rows, path)
    assert dataset.disagreements([(config, replace(case, answer="x"))], path) == [
        f"{case.id}: found no certificate of this version, expected one"
    ]
    with pytest.raises(InputError, match=r"python -m holmes\.formal\.dataset"):
        dataset.read(tmp_path / "none.parquet")


def test_show_and_the_page_say_what_was_proved() -> None:
    """`holmes show` lists the claims, the case view says who confirmed the gold; neither of a changed case."""
    (case, *_) = load_cases("law", "smoke")
    held = certificates.certificate_of(case, "law")
    told = render(case)
    assert f"hol-light: {held.claims} claims in {held.steps} steps" in told
    assert f"result:{case.answer}" in told.partition("\nproved:")[2].partition("\nrefuted:")[0]
    (view,) = views([case], {})
    assert view["proved"].startswith("Gold confirmed by python, prolog, text, hol-light; hol-light: ")
    assert views([replace(case, answer="x")], {})[0]["proved"] == ""
