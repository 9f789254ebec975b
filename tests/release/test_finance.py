"""The finance release: its rules on hand-worked records, its golds and traces, and planted defects."""

from __future__ import annotations

import json
import re
import shutil
from collections import Counter

import pytest

from holmes.errors import InputError
from holmes.services.importing import bring
from holmes.services.solve import solve
from holmes.sources.holmes_release.defects import audit
from holmes.sources.holmes_release.finance import documents, events, fees, travel
from holmes.sources.holmes_release.finance.conditions import Conditions


class Rest(dict):
    """Fields that a record of a test does not name are false."""

    def __missing__(self, key: str) -> str:
        return "false"


def record(**values) -> Conditions:
    """A record from keyword arguments; underscores stand for blanks."""
    shown = {True: "true", False: "false"}
    return Conditions(
        Rest({k.replace("_", " "): shown.get(v, str(v)) if isinstance(v, bool) else str(v) for k, v in values.items()})
    )


def test_condition_lines_are_read():
    """Booleans, numbers, symbols and strings; a field named twice keeps both values; other lines are refused."""
    c = Conditions.read(["a b must be true", "n must be set to 7", "city must be set to ''BJ''", "n must be set to 8"])
    assert c.values == {"a b": "true", "n": "7", "city": "BJ", "n 2": "8"}
    assert c.yes("a b") and c.num("n 2") == 8
    with pytest.raises(InputError, match="field left out: found nothing, expected a condition"):
        c.yes("left out")
    with pytest.raises(InputError, match="x: found 'a is true'"):
        Conditions.read(["a is true"], "x")
    with pytest.raises(InputError, match="field a b: found 'true', expected a whole number"):
        c.num("a b")


TRAIN = record(
    training_participant_role="Role_Division_Chief_And_Below", training_duration_days=35, training_exceeds_30_days=True,
    training_days_beyond_30=10, training_accommodation_expense=13000, training_meals_expense=4000,
    training_venue_materials_transport_expense=1000, training_other_expense=1000, training_total_expense=19000,
    training_accommodation_quota=340, training_meals_quota=130, training_venue_materials_transport_quota=50,
    training_other_quota=30, training_total_quota=550, has_training_expense_detailed_list=True,
    has_trainee_list_with_contact=True, has_training_service_provider_receipts=True, instructor_lecture_fees=0,
    instructor_accommodation_expense=0, instructor_meals_expense=0, instructor_transportation_expense=0,
)  # fmt: skip


def test_training_is_capped_item_by_item():
    """340 · (30 + 0.7 · 10) = 12,580 caps the lodging, so 12,580 + 4,000 + 1,000 + 1,000 = 18,580 in part."""
    found = fees.training(TRAIN, "amount")
    assert (found.verdict, found.amount) == ("Partial_Approval", 18580)
    without = Conditions(Rest({**TRAIN.values, "has trainee list with contact": "false"}))
    assert (fees.training(without, "plain").verdict, fees.training(without, "plain").amount) == ("Rejection", 0)


def test_a_lecture_that_is_not_after_tax_is_open():
    """The lecture's rate is unknown, the amount 0, whatever else is claimed."""
    c = record(
        expense_graduate_thesis_review_defense=False, expense_lecture_fees=True, expense_expert_consultation_fees=True,
        lecture_fee_is_after_tax=False, lecture_speaker_role="Role_Academician", lecture_fee_per_class_hour=1400,
        lecture_class_hours=8, lecture_half_days=2, consultation_participant_role="Role_Academician",
        consultation_type_in_person=True, consultation_days=3, consultation_fee_per_day=450,
    )  # fmt: skip
    assert (fees.experts(c, "amount").verdict, fees.experts(c, "amount").amount) == ("Unknown", 0)
    taxed = Conditions(Rest({**c.values, "lecture fee is after tax": "true"}))
    # 8 hours of 1,400, and three days at the late rate of 400
    assert (fees.experts(taxed, "amount").verdict, fees.experts(taxed, "amount").amount) == ("Partial_Approval", 12400)


@pytest.mark.parametrize(
    ("city", "month", "rank", "cap"),
    [("HEN_LY", 4, "Lodging_Other", 500), ("HEN_LY", 6, "Lodging_Other", 330), ("SH_ALL", 1, "Lodging_Bureau", 600),
     ("NOWHERE", 1, "Lodging_Other", 0)],
)  # fmt: skip
def test_lodging_limits_depend_on_city_month_and_rank(city, month, rank, cap):
    """In season and out of it; a city that the table does not know has no limit to spend."""
    assert travel.nightly_cap(record(city_key=city, travel_month=month, lodging_rank_of_traveler=rank)) == cap


def test_an_invoice_fault_makes_the_first_two_checks_pass():
    """Passing the negative condition is bad: the polarity of the release."""
    assert documents.invoices(record(invoice_forged=True)).values[:3] == (True, True, False)
    assert documents.invoices(record()).verdict == "Invoice_Correct"


@pytest.mark.parametrize(
    ("days", "same_city", "verdict"), [(30, True, "Can_Borrow"), (31, True, "Cannot_Borrow"), (60, False, "Can_Borrow")]
)
def test_loans_are_written_off_in_time(days, same_city, verdict):
    """Thirty days within the city, sixty elsewhere."""
    c = record(
        is_special_business_for_temp_loan=True, cannot_get_invoice_in_advance=True, borrower_is_postdoc=True,
        borrower_signed_reservation_form=True, is_same_city_settlement=same_city, is_nonlocal_settlement=not same_city,
        days_until_writeoff=days,
    )  # fmt: skip
    assert documents.loans(c).verdict == verdict


@pytest.mark.parametrize(("guests", "hosts", "fits"), [(10, 3, True), (10, 4, False), (12, 4, True), (12, 5, False)])
def test_hosts_are_limited_by_guests(guests, hosts, fits):
    """Three up to ten guests, a third beyond."""
    c = record(
        is_working_meal_necessary=True, meal_type_boxed_lunch_or_buffet=True, daily_meal_standard_per_person=100,
        visitor_count=guests, accompanying_person_count=hosts, accompanying_staff_simple_meal_standard=50,
    )  # fmt: skip
    assert events.hospitality(c, "plain").values[2] is fits


@pytest.fixture
def copy(releases_dir, tmp_path, monkeypatch):
    """A copy of the finance release that tests may change; its cache is private."""
    monkeypatch.setenv("HOLMES_CACHE", str(tmp_path / "cache"))
    shutil.copytree(releases_dir / "holmes" / "finance_data", tmp_path / "copy" / "finance_data")
    for path in (tmp_path / "copy" / "finance_data").iterdir():
        path.chmod(0o644)
    return tmp_path / "copy"


@pytest.mark.release
def test_the_authors_finance_release(copy):
    """1,042 golds agree, 120 of 120 amounts, 1,062 traces come out byte for byte; the rest are told apart."""
    bring("holmes-release", str(copy))
    document = solve(config="finance_release").document()
    assert (document["cases"], document["agree"]) == (1079, 1042)
    assert document["fields"] == {"verdict": 922, "amount": 120, "trace_steps": 1062, "trace_text": 1062}
    assert Counter(d["odd"] for d in document["disagreements"] if d["field"] == "verdict") == {"gold": 37}
    counts = Counter(d["kind"] for d in audit()["defects"])
    assert counts["wrong_gold"] == 37
    assert counts["shifted_trace"] == 17
    assert counts["copied_text"] == 1
    assert counts["wrong_count"] == 70
    assert counts["truncated_trace"] == counts["wrong_trace"] == 0


@pytest.mark.release
def test_planted_finance_defects_are_found(copy):
    """A swapped and a cut trace, a wrong amount, a copied text, a leaked symbol, a number left out."""
    bring("holmes-release", str(copy))
    before = {(d["kind"], d["id"]) for d in audit()["defects"]}
    path = copy / "finance_data" / "sample3.json"
    rows = {row["id"]: row for row in json.loads(path.read_text())}
    key = "natural_language_trace"
    rows[20][key], rows[21][key] = rows[21][key], rows[20][key]
    rows[30][key] = "\n".join(rows[30][key].splitlines()[:6])
    rows[400]["case_ch"] = rows[401]["case_ch"]
    rows[450]["case_ch"] += " The R9_Class1 standard applies."
    nights = rows[190]["case_ch"]
    rows[190]["case_ch"] = nights.replace("470", "a sum")
    path.write_text(json.dumps(list(rows.values())))
    gold = copy / "finance_data" / "gold.json"
    values = json.loads(gold.read_text())
    values["amount"]["gold_values"][3] += 5
    gold.write_text(json.dumps(values))
    bring("holmes-release", str(copy))
    new = {(d["kind"], d["id"].rsplit("/", 1)[1]) for d in audit()["defects"] if (d["kind"], d["id"]) not in before}
    assert {("shifted_trace", "20"), ("shifted_trace", "21")} <= new
    assert ("truncated_trace", "30") in new
    assert ("copied_text", "400") in new
    assert ("symbol_leak", "450") in new
    assert ("omitted_fact", "190") in new
    assert ("wrong_gold", "186") in new
    assert {kind for kind, _ in new} == {
        "shifted_trace", "truncated_trace", "copied_text", "symbol_leak", "omitted_fact", "wrong_gold",
    }  # fmt: skip


@pytest.mark.release
def test_the_odd_one_out_is_told(copy):
    """Changed alone, a gold, a record or a trace is the odd one; where no two agree, gold and trace are named."""
    gold, sample = copy / "finance_data" / "gold.json", copy / "finance_data" / "sample3.json"
    rows = {row["id"]: row for row in json.loads(sample.read_text())}
    golds = json.loads(gold.read_text())
    invoices = [n for n, row in rows.items() if row["rules_used"] == ["rule4"]]
    amounts = [n for n, row in rows.items() if "amount" in row["case_category"]]
    right = [n for n, label in zip(invoices, golds["invoice"]["gold_labels"], strict=True) if label.endswith("Correct")]
    lines = rows[right[0]]["isabelle_case_conditions_nl"][0]["conditions_nl"]
    place = next(n for n, line in enumerate(lines) if line.startswith("invoice forged"))
    lines[place] = "invoice forged must be true"
    for position, change in ((3, 5), (7, 9)):
        golds["amount"]["gold_values"][position] += change
    text = rows[amounts[7]]["natural_language_trace"]
    rows[amounts[7]]["natural_language_trace"] = re.sub(r"approved amount: \d+", "approved amount: 1", text)
    text = rows[amounts[9]]["natural_language_trace"]
    rows[amounts[9]]["natural_language_trace"] = text.replace("Step 1: ", "Step 1: Then ", 1)
    sample.write_text(json.dumps(list(rows.values())))
    gold.write_text(json.dumps(golds))
    bring("holmes-release", str(copy))
    odd = {(d["id"], d["field"]): d["odd"] for d in solve(config="finance_release").document()["disagreements"]}
    assert odd[f"finance/sample3/{right[0]}", "verdict"] == "conditions"
    assert odd[f"finance/sample3/{amounts[3]}", "amount"] == "gold"
    assert odd[f"finance/sample3/{amounts[7]}", "amount"] == "gold and trace"
    assert (f"finance/sample3/{amounts[9]}", "amount") not in odd
    assert odd[f"finance/sample3/{amounts[9]}", "trace_text"] == "trace"


@pytest.mark.release
def test_a_wrong_gold_names_the_claim_and_what_others_say_of_the_same_record(copy):
    """The gold of claim 4 differs from what its conditions, its trace and most golds on the same record say."""
    bring("holmes-release", str(copy))
    found = {d["id"]: d["evidence"] for d in audit()["defects"] if d["kind"] == "wrong_gold"}
    assert len(found) == 37 and all(" and so does the released trace; claim " in text for text in found.values())
    assert found["finance/sample1/105"].endswith("; claim 4: 11 of 19 golds on this record say Full_Approval")
    named = [text for text in found.values() if ", it is named " in text]
    assert len(named) == 10 and all("; claim 1: 1 of 11 golds on this record say Full_Approval, " in t for t in named)


@pytest.mark.release
@pytest.mark.parametrize(
    ("start", "line", "message"),
    [
        (
            "conf scope must",
            "conf scope must be set to Elsewhere",
            "field conf scope: found 'Elsewhere', expected one of",
        ),
        (
            "fund type must be set to R9",
            "fund type must be set to Research_Fund",
            "field fund type: found 'Research_Fund', expected one",
        ),
        ("linked rule9 case", "linked rule9 case must be set to case9_lost", "'case9_lost', expected the name of a"),
        (
            "claim type must",
            "claim type must be set to Claim_All",
            "field claim type: found 'Claim_All', expected one of",
        ),
        ("hotel star must", "star must be set to 4", "field hotel star: found nothing, expected a condition"),
    ],
)
def test_a_damaged_record_is_one_clear_line(copy, start, line, message):
    """A symbol of another field, an unknown one, a lost link or a lost field names case, component and field."""
    for number in (1, 3):
        path = copy / "finance_data" / f"sample{number}.json"
        rows = json.loads(path.read_text())
        hits = [
            (part["conditions_nl"], place)
            for row in rows
            for part in row["isabelle_case_conditions_nl"]
            for place, text in enumerate(part["conditions_nl"])
            if text.startswith(start)
        ]
        if hits:
            hits[0][0][hits[0][1]] = line
            path.write_text(json.dumps(rows))
            break
    bring("holmes-release", str(copy))
    with pytest.raises(InputError, match=rf"finance/sample\d/\d+: component .*{message}"):
        solve(config="finance_release").document()
