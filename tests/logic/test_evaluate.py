"""Evaluation of the fixtures: worked examples, both semantics of defeat, ablations, and refused facts."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from fractions import Fraction
from typing import Any

import pytest

from holmes.errors import InputError
from holmes.logic.engine.evaluate import evaluate
from holmes.logic.engine.rewrite import ABLATIONS
from holmes.logic.language.model import Value
from tests.logic.bases import NAMES, base, random_facts

LOCK: dict[str, Value] = {
    "opened_sluice": True,
    "apprentice": True,
    "flood_bell": True,
    "rang_it_self": True,
    "rise_cm": Fraction(12),
}
GUILD: dict[str, Value] = {
    "grade": "master",
    "city": "Moss",
    "fund": "grant",
    "grant_open": True,
    "nights": Fraction(24),
    "lodging": Fraction(6000),
    "meals": Fraction(2500),
    "waiver": True,
}
FERRY: dict[str, Any] = {
    "crew": (
        {"name": "Ada", "rank": "mate", "papers": True, "joined": date(2020, 1, 1)},
        {"name": "Ben", "rank": "hand", "papers": True, "joined": date(2020, 1, 1)},
    ),
    "sailed_on": date(2020, 6, 1),
    "income": Fraction(5500),
}


def test_an_exception_to_the_exception_revives_under_grounded_only() -> None:
    """Micro-example 6: the false alarm defeats the alarm, so the apprentice is warned; one_pass takes no measure."""
    lock = base("lock_keepers")
    grounded = evaluate(lock, LOCK)
    assert grounded.answer == "warning"
    assert grounded.defeated == ("release", "alarm")
    assert grounded.applying == ("learner",)
    assert [(c.winner, c.loser, c.active) for c in grounded.conflicts] == [
        ("learner", "release", True),
        ("alarm", "release", False),
        ("alarm", "learner", False),
        ("false_alarm", "alarm", True),
    ]
    assert evaluate(lock, LOCK, defeat="one_pass").answer == "no_measure"
    assert evaluate(lock, LOCK, ablate=frozenset({"one_pass"})).answer == "no_measure"


def test_gates_and_the_exact_amount() -> None:
    """Micro-example 5: a waiver replaces the invoice, two standard gates fail, 8328 crowns are paid."""
    result = evaluate(base("guild_travel"), GUILD)
    assert (result.answer, result.amount) == ("Partial", 8328)
    assert result.gates == (
        ("documented_w", True),
        ("lodging_ok", False),
        ("meals_ok", False),
        ("sponsor_open", True),
    )
    assert result.concepts == {"lodging_limit": Fraction(5928)}
    assert evaluate(base("guild_travel"), {**GUILD, "grant_open": False}).answer == "Rejection"
    assert evaluate(base("guild_travel"), {**GUILD, "grant_open": False, "fund": "core"}).answer == "Partial"


def test_lists_dates_range_tables_and_families() -> None:
    """One seasoned mate fails the check on seasoned mates, so the duty of the third range is doubled."""
    result = evaluate(base("ferry_company"), FERRY)
    assert (result.answer, result.amount) == ("fined", 1000)
    assert [name for name, there in result.triggered.items() if there] == ["manned", "strict"]
    assert evaluate(base("ferry_company"), {**FERRY, "first_season": True}).answer == "warned"
    assert evaluate(base("ferry_company"), {**FERRY, "income": Fraction("1000.5")}).amount == Fraction("0.1")


@pytest.mark.parametrize(
    ("ablation", "answer"),
    [
        ("no_priorities", "fine"),
        ("no_exceptions", "warning"),
        ("no_exceptions_to_exceptions", "no_measure"),
        ("one_pass", "no_measure"),
        ("no_negation", "warning"),
        ("first_triggered", "fine"),
        ("gravest_triggered", "fine"),
    ],
)
def test_ablated_engines(ablation: str, answer: str) -> None:
    """Each ablated engine overlooks its operator and nothing else."""
    assert evaluate(base("lock_keepers"), LOCK, ablate=frozenset({ablation})).answer == answer


def test_negation_overlooked_changes_a_watched_release() -> None:
    """Without negation a sluice opened beside a warden counts as an unwatched release."""
    facts: dict[str, Value] = {"opened_sluice": True, "warden_present": True, "rise_cm": Fraction(0)}
    assert evaluate(base("lock_keepers"), facts).answer == "no_measure"
    assert evaluate(base("lock_keepers"), facts, ablate=frozenset({"no_negation"})).answer == "fine"


@pytest.mark.parametrize("name", NAMES)
def test_order_of_facts_does_not_matter(name: str) -> None:
    """The same facts in another order give the same values everywhere."""
    for seed in range(40):
        facts = random_facts(base(name), seed)
        one, two = evaluate(base(name), facts), evaluate(base(name), dict(reversed(facts.items())))
        assert (one.answer, one.amount, one.applies, one.concepts) == (
            two.answer,
            two.amount,
            two.applies,
            two.concepts,
        )


@pytest.mark.parametrize("name", NAMES)
def test_every_ablation_is_total(name: str) -> None:
    """Every ablated engine still answers with one of the declared answers."""
    rulebase = base(name)
    for seed in range(20):
        for ablation in ABLATIONS:
            answer = evaluate(rulebase, random_facts(rulebase, seed), ablate=frozenset({ablation})).answer
            assert answer in rulebase.decision.type.values


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"rise_cm": Fraction(1, 2)}, "fact rise_cm: found Fraction 1/2, expected a whole number from 0 to 90"),
        ({"rise_cm": 99}, "fact rise_cm: found int 99"),
        ({"rise_cm": True}, "fact rise_cm: found bool True"),
        ({"rise_cm": 1.0}, "fact rise_cm: found float 1.0"),
        ({"typo": True}, "found the unknown fact 'typo'"),
        ({"flood_bell": "yes"}, "fact flood_bell: found 'yes', expected true or false"),
        ({"flood_bell": 1}, "fact flood_bell: found int 1"),
    ],
)
def test_facts_outside_their_type_are_refused(change: dict[str, Any], message: str) -> None:
    """A value that its fact cannot have is refused with fact, found and expected."""
    with pytest.raises(InputError, match=message.replace("(", r"\(")):
        evaluate(base("lock_keepers"), {**LOCK, **change})


def test_missing_facts() -> None:
    """A missing Boolean is false in a closed world and refused in an open one; a missing number always is refused."""
    lock = base("lock_keepers")
    facts = {"opened_sluice": True, "rise_cm": Fraction(0)}
    assert evaluate(lock, facts).answer == "fine"
    with pytest.raises(InputError, match="fact rise_cm: found nothing"):
        evaluate(lock, {"opened_sluice": True})
    with pytest.raises(InputError, match="found nothing, expected true or false"):
        evaluate(replace(lock, closed_world=False), facts)


@pytest.mark.parametrize(
    ("crew", "message"),
    [
        (({"name": "Ada"},), r"crew\[1\].rank: found 'nothing', expected one of mate, hand"),
        (({"name": "Ada", "rank": "cook", "joined": date(2020, 1, 1)},), r"crew\[1\].rank: found 'cook'"),
        ((3,), r"crew\[1\]: found int 3"),
        ("Ada", "crew: found 'Ada'"),
        (tuple({"name": f"N{i}", "rank": "hand", "joined": date(2020, 1, 1)} for i in range(6)), "at most 5 records"),
    ],
)
def test_records_are_checked_field_by_field(crew: Any, message: str) -> None:
    """A record with a missing or misfit field is refused with its place in the list."""
    with pytest.raises(InputError, match=message):
        evaluate(base("ferry_company"), {**FERRY, "crew": crew})


def test_a_changed_rule_base_is_compiled_anew() -> None:
    """A rule base changed by `replace` keeps its fingerprint and is not confused with the original."""
    lock = base("lock_keepers")
    assert evaluate(lock, LOCK).answer == "warning"
    assert evaluate(replace(lock, relations=()), LOCK).answer == "fine"
    assert evaluate(lock, LOCK).answer == "warning"


def test_an_unknown_ablation_is_refused() -> None:
    """An ablation that does not exist is refused with the list of those that do."""
    with pytest.raises(InputError, match="no_priorities"):
        evaluate(base("lock_keepers"), LOCK, ablate=frozenset({"no_exeptions"}))
