"""Turns of phrase that a second writer used for right steps and that were misread at first."""

from __future__ import annotations

from functools import cache

import pytest

from holmes.cases import Case
from holmes.scoring.derivation import read_claims
from holmes.store import load_cases

SAFETY = "law/workplace_safety/20261129-8"
LIBRARY = "law/breathing_library/20261129-1"
TAX = "deontic_sara_binary/20261/69"


@cache
def case_of(name: str) -> Case:
    config = name.split("/")[0]
    return next(case for case in load_cases(config) if case.id == name)


def claims(name: str, text: str) -> list[tuple[str, bool]]:
    return [(claim.target.label, claim.right) for claim in read_claims(case_of(name), text)]


@pytest.mark.parametrize(
    ("name", "text", "label"),
    [
        (SAFETY, "Rule 5 (poisoned air): no strong solvent used → no poisoned air.", "concept:5:fumes=false"),
        (SAFETY, "- Rule 10 (fair redress): nothing paid -> no.", "concept:10:redress=false"),
        (SAFETY, "Rule 10 – fair redress: silenced a witness ⇒ not met", "concept:10:redress=false"),
        (SAFETY, "Rule 1 (overlong shift): 16 ≥ 12 → OK", "concept:1:overlong=true"),
        (SAFETY, "Rule 18: shift and deal → wage levy", "policy:18:timetable:triggered=true"),
        (SAFETY, "And because no solvent was used there was no poisoned air (Rule 5).", "concept:5:fumes=false"),
        (TAX, "Filing status: head [Section 6]", "concept:6:status=head"),
        (TAX, "Under Section 6 the filing status is head, not single.", "concept:6:status=head"),
    ],
)
def test_what_stands_last_counts(name, text, label):
    """A ground with a negation of its own before an arrow, or without a comma, does not turn the conclusion."""
    assert claims(name, text) == [(label, True)]


@pytest.mark.parametrize("said", ["defeats it", "sets it aside", "overrides this rule", "prevails over it"])
def test_the_object_is_the_rule_named_before(said):
    """Rule 20 defeats Rule 18 and applies itself: "Rule 20 defeats it" once read as "Rule 20 is defeated"."""
    expected = [("policy:18:admitting:triggered=true", True), ("conflict:20:inheriting>admitting", True)]
    found = claims(LIBRARY, f"Rule 18 is triggered. But Rule 20 {said}.")
    assert [(label.removesuffix("=true") if "conflict" in label else label, ok) for label, ok in found] == expected
    assert claims(LIBRARY, f"Rule 20 is triggered, but Rule 18 {said}.")[-1][1] is False


def test_who_defeats_something_unnamed_is_not_defeated():
    """Without a rule to defeat there is no claim about a conflict, and none that the winner does not apply."""
    assert claims(LIBRARY, "Rule 20 defeats the duty.") == []
    assert claims(LIBRARY, "Rule 20 is defeated.") == [("policy:20:inheriting:applies=true", False)]


def test_a_supposition_names_the_rule_that_it_means():
    """ "Rule 18 would apply, but it is overridden by Rule 20" says nothing of "applies" and all of the conflict."""
    *_, found = claims(LIBRARY, "Rule 18 would apply, but it is overridden by Rule 20.")
    assert found[0].startswith("conflict:20:") and found[1]


def test_this_under_another_rule_is_not_the_rule_before():
    """ "This is no exhausting duty under Rule 2" speaks of Rule 2, whatever rule came before it."""
    text = "Under Rule 1 there is an overlong shift, since it lasted long, this is not exhausting duty under Rule 2."
    assert ("concept:1:overlong=true", False) not in claims(SAFETY, text)


@pytest.mark.parametrize("listed", ["Rules 13-17", "Rules 13–17", "Rule 13 through Rule 17", "Rules 13 to 17"])
def test_ranges_name_every_rule_between(listed):
    """A claim about a range is one about each rule in it."""
    found = claims(SAFETY, f"{listed} are not triggered.")
    assert [label.split(":")[1] for label, _ in found] == ["13", "14", "15", "16", "17"] and all(ok for _, ok in found)


def test_a_comma_after_a_number_ends_it():
    """ "480, within 500" states 480."""
    found = claims(TAX, "Section 14: gross income 54500, below 80000.")
    assert found == [("concept:14:income=54500", True)]
