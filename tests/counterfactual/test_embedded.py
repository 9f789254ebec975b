"""The shipped families: current, nested, balanced; gate 8 holds but for the answers that are known to miss it."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from holmes.cases import Case
from holmes.counterfactual.families import ROBUST, family
from holmes.counterfactual.gates import audit, gates, grouped, places, seen
from holmes.counterfactual.generator import chosen, hard, originals, rows, smoke, source
from holmes.derivations.operations import TYPES
from holmes.errors import InputError
from holmes.results import Gate
from holmes.scoring.counterfactual import type_of
from holmes.store import load_cases

RENEW = "renew them with: python -m holmes build counterfactual --embedded"


@pytest.mark.parametrize("split", ["test", "dev", "train"])
def test_the_shipped_families_are_current(split: str) -> None:
    """What is shipped is what the builder makes of the shipped cases now."""
    assert load_cases("counterfactual", split) == list(rows(chosen(split))), RENEW


def test_hard_and_smoke_are_current() -> None:
    """The smaller splits are whole families of test."""
    assert load_cases("counterfactual", "hard") == list(rows(hard())), RENEW
    assert load_cases("counterfactual", "smoke") == list(rows(smoke())), RENEW


@pytest.mark.parametrize("step", [17, pytest.param(1, marks=pytest.mark.nightly)])
def test_all_families_are_current(step: int) -> None:
    """The split `every` holds the family of every shipped test case that has one (a sample of them is built here)."""
    shipped = {found[0].pair.family: tuple(found) for found in grouped(load_cases("counterfactual", "every"))}
    cases = list(originals("test"))
    assert set(shipped) <= {f"counterfactual/{case.id}" for case in cases}, RENEW
    for case in cases[::step]:
        assert shipped.get(f"counterfactual/{case.id}") == family(case), RENEW


def test_families_a_type() -> None:
    """Fifty families of each operation type in test, whose originals have it; none is robust; types take turns."""
    firsts = load_cases("counterfactual", "test")[::3]
    assert Counter(map(type_of, firsts)) == dict.fromkeys(TYPES, 50)
    assert all(type_of(case) in case.hol_types and ROBUST not in case.tags for case in firsts)
    assert [type_of(case) for case in firsts[:5]] == list(TYPES)


def test_a_family_in_all_is_that_of_test() -> None:
    """A family of test is in `every` with the same id and content, the tag of its type apart."""
    every = {case.id: case for case in load_cases("counterfactual", "every")}
    for case in load_cases("counterfactual", "test"):
        assert replace(case, tags=every[case.id].tags) == every[case.id]


def test_gates_of_the_shipped_families() -> None:
    """Every gate holds."""
    assert audit(seed=None, n=0, bundle="")["failures"] == []


def test_gates_of_fresh_families() -> None:
    """The gates that every build must meet hold for fresh families of a seed."""
    document = audit(seed=41, n=60, bundle="")
    assert not [failure for failure in document["failures"] if "failing rules" not in failure], document["failures"]


@pytest.fixture(scope="module")
def sample() -> list[list[Case]]:
    """Some shipped families of every domain."""
    return [list(found) for found in grouped(load_cases("counterfactual", "smoke"))]


def failed(families: list[list[Case]]) -> set[str]:
    """The names of the gates on single families that fail."""
    found: list[Gate] = list(gates([seen(rows) for rows in families]))
    return {gate.gate for gate in found if not gate.ok and gate.limit == "<= 0"}


def test_a_text_that_differs_elsewhere_is_found(sample: list[list[Case]]) -> None:
    """Two sentences exchanged in a control fail the gate on texts, though the text still reads back."""
    assert failed(sample) == set()
    broken = [list(rows) for rows in sample]
    first, second, rest = broken[0][2].case.split(". ", 2)
    broken[0][2] = replace(broken[0][2], case=f"{second}. {first}. {rest}")
    assert "8 texts that differ elsewhere" in failed(broken)


def test_roles_exchanged_are_found(sample: list[list[Case]]) -> None:
    """A control in the place of the decisive member fails the gate on answers."""
    first = sample[0]
    exchanged = [first[0], replace(first[2], pair=first[1].pair), replace(first[1], pair=first[2].pair)]
    assert "8 answers not as their role asks" in failed([exchanged])


def test_an_unfinished_family_is_named(sample: list[list[Case]]) -> None:
    """Rows that are no whole family are refused."""
    with pytest.raises(InputError, match="found no whole family"):
        list(grouped(sample[0][:2]))
    with pytest.raises(InputError, match="expected none: families are audited together"):
        audit(seed=None, n=1, bundle="law")


def test_places() -> None:
    """Sentences that differ are counted, paragraphs too."""
    assert places("A b. C d. E f.", "A b. C x. E f.") == 1
    assert places("A b. C d.", "A b. C d. E f.") == 1
    assert places("A b. C d.\n\nE f.", "A x. C d.\n\nE y.") == 2
    assert places("A b.\n\nC d.", "A b. C d.") >= 1


def test_the_source_names_its_rule_bases() -> None:
    """The fingerprint depends on every domain's."""
    assert len(source().fingerprint) == 16
