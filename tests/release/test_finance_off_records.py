"""The release's finance engine off the released records: what the printed rules say where no released record tells."""

from __future__ import annotations

import random

import pytest

from holmes.sources.holmes_release.finance.conditions import Conditions
from holmes.sources.holmes_release.finance.gold import RULES, rule_of
from holmes.sources.holmes_release.finance_import import components, read_finance


@pytest.fixture(scope="module")
def records(releases_dir) -> list[tuple[str, str, dict[str, str]]]:
    """Rule, form and record of every released component that can be read by itself."""
    found = []
    for case in read_finance(releases_dir / "holmes"):
        form = "amount" if "amount" in case.tags else "plain"
        for part in components(case):
            record = Conditions.read(part["conditions"], case.id)
            if "linked rule9 case" not in record.values:
                found.append((rule_of(record), form, dict(record.values)))
    return found


def mutated(records, rule: str, form: str, count: int):
    """Records of a rule with a third of their Booleans flipped and their numbers moved, by a fixed seed."""
    rng = random.Random(f"{rule}/{form}")
    pool = [r for n, f, r in records if n == rule and f == form]
    for _ in range(count):
        record = dict(rng.choice(pool))
        for field, value in record.items():
            if rng.random() < 0.3:
                if value in ("true", "false"):
                    record[field] = "false" if value == "true" else "true"
                elif value.isdigit() and field != "travel month":
                    record[field] = str(rng.choice((0, int(value) + 1, 2 * int(value), 40, 300)))
        yield Conditions(record, "mutated")


def paid_for_a_journey(r: Conditions, cap: int, fares_allowed: bool) -> int:
    """What rule 7 pays, item by item as it is printed; cap: of all nights; fares_allowed: whether the class is."""
    if not (r.yes("has trip report form") and r.yes("signed by unit head and sealed")):
        return 0  # (1)
    if r.yes("is unit head self trip") and not r.yes("unit head self trip has other leader sign"):
        return 0
    total, days = 0, r.num("trip days calendar")
    field = r.yes("transport ticket unobtainable in remote research") and r.yes(
        "has approved special explanation for transport no ticket"
    )
    proof = r.yes("has intercity transport invoice") or (
        field and r.yes("has other valid supporting docs for transport no ticket")
    )
    if r.yes("has intercity transport expense") and proof and fares_allowed:  # (2), (4)
        total += r.num("claimed intercity total v2")
    bed = r.yes("has lodging invoice") or (
        r.yes("lodging invoice unobtainable")
        and r.yes("has approved special explanation for lodging no invoice")
        and r.yes("has handwritten receipt signed by payee")
    )
    if r.yes("has lodging expense") and bed:  # (3), (4)
        total += min(cap, r.num("claimed lodging total v2"))
    borne = r.yes("intercity and lodging both paid by external unit")
    if r.yes("only one of intercity or lodging paid by external unit"):  # (6)
        borne = borne or not (
            r.yes("has signed special explanation for partial external support")
            and r.yes("has valid notice or invitation for partial external support")
        )
    if r.yes("transport or meal already paid by external unit"):  # (10)
        borne = borne or r.yes("claimed transport or meal again in school")
    guest, car = r.yes("is external invitee"), r.yes("uses self drive or rental")
    if not borne and not guest:  # (8), (11)
        rate = 120 if r.word("region type") == "Xinjiang_Qinghai_Tibet" else 100
        total += min(rate * days, r.num("meal subsidy claimed total"))
    if not borne and r.yes("has city transport expense"):  # (9)
        if r.yes("use city transport lump sum"):
            total += 0 if guest or car else min(80 * days, r.num("city transport lump sum claimed total"))
        elif r.yes("has city transport receipts"):
            total += r.num("city transport actual claimed total")
    if car and r.yes("has signed special explanation for self drive"):  # (7)
        total += min(r.num("rental fuel toll total"), r.num("public transport lowest standard total"))
    return total


@pytest.mark.release
def test_journeys_are_paid_as_the_rule_is_printed(records) -> None:
    """2,000 mutated records of rule 7: the engine pays what a reading of its own pays."""
    wrong, amounts = [], set()
    for record in mutated(records, "7", "amount", 2000):
        found = RULES["7"](record, "amount")
        checks = RULES["7"](record, "plain").values  # 2nd: the class of travel; 15th: the limit of all nights
        expected = paid_for_a_journey(record, int(checks[14]), bool(checks[1]))
        amounts.add(found.amount)
        if found.amount != expected:
            wrong.append((found.amount, expected, record.values))
    assert len(amounts) > 200 and wrong == []


@pytest.mark.release
@pytest.mark.parametrize(
    ("changes", "paid"),
    [
        ({}, True),
        ({"has trip report form": "false"}, False),
        ({"signed by unit head and sealed": "false"}, False),
    ],
)
def test_without_its_report_a_journey_is_not_paid(records, changes, paid) -> None:
    """Rule 7(1): no report, or one without signature and seal, and nothing is paid."""
    record = next(r for n, f, r in records if (n, f) == ("7", "amount") and r["has trip report form"] == "true")
    assert (RULES["7"](Conditions({**record, **changes}), "amount").amount > 0) is paid


@pytest.mark.release
@pytest.mark.parametrize(
    ("absent", "amount"),
    [
        ("has intercity transport expense", "claimed intercity total v2"),
        ("has lodging expense", "claimed lodging total v2"),
        ("has city transport expense", "city transport actual claimed total"),
        ("has city transport receipts", "city transport actual claimed total"),
        ("training has instructor fees", "instructor lecture fees"),
        ("expense lecture fees", "lecture class hours"),
    ],
)
def test_what_is_absent_costs_nothing(records, absent, amount) -> None:
    """An amount beside a field that says there is no such expense, or no receipt for it, changes nothing."""
    tried = 0
    for rule, form, record in records:
        if absent in record and amount in record and rule in ("7", "10", "13") and (rule != "7" or form == "amount"):
            without = [RULES[rule](Conditions({**record, absent: "false", amount: n}), form).amount for n in "07"]
            assert without[0] == without[1], record
            tried += 1
    assert tried >= 40


@pytest.mark.release
def test_the_party_of_a_contract_matters_for_monographs_only(records) -> None:
    """Rule 6(6) asks for approval of a contract with a person where a monograph is subsidised, and nowhere else."""
    party = {"contract party is individual or department": "true", "contract approved by project fund admin": "false"}
    verdicts = set()
    for rule, form, record in records:
        if rule == "6" and RULES["6"](Conditions(record), form).verdict == "Full_Approval":
            found = RULES["6"](Conditions({**record, **party}), form).verdict
            monograph = record["expense monograph publication subsidy"] == "true"
            assert found == ("Rejection" if monograph else "Full_Approval")
            verdicts.add(found)
    assert len(verdicts) == 2


@pytest.mark.release
@pytest.mark.parametrize("item", ["airfare", "accommodation"])
def test_advances_for_travel_abroad(records, item) -> None:
    """Rule 8(4): an advance needs a stay of over a month, or special circumstances."""
    advance = {f"travel advance for {item} arranged": "true"}
    record = next(r for n, f, r in records if n == "8" and RULES["8"](Conditions(r), f).verdict == "Full_Approval")
    for more, verdict in (
        ({}, "Rejection"),
        ({"trip duration over one month": "true"}, "Full_Approval"),
        ({"has special circumstances for advance": "true"}, "Full_Approval"),
    ):
        assert RULES["8"](Conditions({**record, **advance, **more}), "plain").verdict == verdict
