"""Which rules a report says to fail, and what becomes of records that are broken."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from holmes.answers.audit_report.checks import failing_numbers, judge_checks
from holmes.domains.finance.tables import tables
from holmes.errors import InputError
from holmes.scoring.core import score
from tests.finance.conftest import report


@pytest.mark.parametrize(
    ("value", "numbers"),
    [
        *((value, set()) for value in ([], None, "", "none", "[]", "No rule fails.", "n/a", ["none"], [None], "-")),
        *((value, {41}) for value in (
            41, "41", ["R41"], "Rule 41", ["Rule 41 (clause 7)"], ["Rule 41: price 900 exceeds 800"], ["x", "Rule 41"],
            ["41: price 900 exceeds 800"], {"rule": 41, "limit": 800}, [{"rule": "Rule 41"}], {"41": "no invoice"},
            ["§ 41"], ["４１"])),
        *((value, {41, 46}) for value in (
            [41, 46], "41 and 46", "Rules 41, 46", [[41, 46]], {"41": "x", "Rule 46": "y"})),
        ("Rules 41-43", {41, 42, 43}),
        *((value, None) for value in (["<numbers>"], "<numbers>", ["the form"], True, ["12.5"], [True])),
    ],
)  # fmt: skip
def test_failing_rules_in_every_spelling(value, numbers) -> None:
    """Numbers of rules, not of marks; a placeholder is no list of failures, and no empty one either."""
    assert failing_numbers(value) == numbers


def test_a_report_that_lists_nothing_has_no_check_right(smoke) -> None:
    """A refusal, a placeholder and a verdict alone say nothing of any rule; an empty list says that all pass."""
    for case in smoke:
        data = report(case)
        for row in data.get("items", [data]):
            row["failing_rules"] = ["<numbers>"]
        assert score(case, json.dumps(data)).parts["checks"] == 0.0
        for row in data.get("items", [data]):
            row["failing_rules"] = []
        checks = judge_checks(case, json.dumps(data))
        assert [check.right for check in checks] == [check.passes for check in checks]


def test_verdicts_and_checks_are_read_from_the_same_rows(smoke) -> None:
    """However a report is shaped, its subjects are the same for both."""
    case = next(c for c in smoke if c.difficulty.components == 3)
    rows = report(case)["items"]
    for shaped in (rows, {"result": {row["subject"]: row for row in rows}}, {"findings": rows, "note": "x"}):
        found = score(case, json.dumps(shaped))
        assert (
            found.value == 1.0 and found.parts["checks"] == score(case, json.dumps({"items": rows})).parts["checks"] > 0
        )


def test_broken_records_name_case_and_field(smoke) -> None:
    """A gold or a record of checks that cannot be read is an error of the data, never a score."""
    joint = next(c for c in smoke if c.answer_type == "report")
    amount = next(c for c in smoke if c.answer_type == "amount")
    broken = [(replace(joint, answer=answer), "answer") for answer in ("[]", "{}", "x", '[{"subject": "A"}]')]
    broken += [
        (replace(joint, plan=plan), "plan") for plan in ("{", "{}", '{"parts": [7]}', '{"parts": [{"clause": "x"}]}')
    ]
    for case, field in [*broken, (replace(amount, answer="much"), "answer")]:
        with pytest.raises(InputError, match=f"{case.id}.*field {field}: found .*, expected"):
            score(case, "{}")


def test_tables_count_outputs_that_never_came(smoke) -> None:
    """No output, none of K, or an empty one: silent on every rule, wrong on every subject; nothing is dropped."""
    cases = [case for case in smoke if case.answer_type == "report"][:3]
    found = tables([(cases[0], []), (cases[1], [None, ""]), (cases[2], ["<think>"])])
    assert all((row["silent"], row["accuracy"]) == (1.0, 0.0) for row in found["checks"])
    parts = [case.difficulty.components for case in cases]
    clauses = [row for row in found["subjects"] if row["by"] == "clause"]
    assert sum(row["n"] for row in clauses) == parts[0] + 2 * parts[1] + parts[2]
    assert all(row["accuracy"] == 0.0 for row in found["subjects"])
