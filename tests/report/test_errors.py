"""`holmes errors` as people use it: the sample, the sheet, a judge model, the agreement of a filled sheet."""

from __future__ import annotations

import csv
import json
from collections import Counter

from click.testing import CliRunner

from holmes.commands.errors import errors
from holmes.report.taxonomy import MECHANISMS
from tests.chatserver import chat_server
from tests.report import planted


def test_the_sample_takes_operations_in_turn(report):
    """Two wrong replies of cases with several operations: each of two operations gets one, whichever comes first."""
    told = CliRunner().invoke(errors, [str(report.folders["slow"]), "--json", "--wrong", "12", "--right", "0"])
    items = json.loads(told.stdout)["items"]
    wrong = {id for id, kind in report.plans["slow"].items() if kind == "wrong"}
    assert {item["id"] for item in items} == wrong and len(items) == len(wrong)
    assert max(Counter(item["operation"] for item in items).values()) == 1


def test_a_sheet_is_judged_filled_and_evaluated(report, tmp_path):
    """The judge's label stands in its column where it names one; two labels at once are none; kappa of all pairs."""
    said = iter(["transformation", "**Priority or exception**", "transformation, or entity or fact"] * 20)
    sheet = tmp_path / "sheet.csv"
    with chat_server(lambda prompt, _: next(said)) as server:
        told = CliRunner().invoke(
            errors,
            [str(report.folders["quick"]), "--sheet", str(sheet), "--judge", server.url, "--judge-model", "m"],
        )
    assert told.exit_code == 0, told.output
    rows = list(csv.DictReader(sheet.open(encoding="utf-8")))
    judged = [row["judge"] for row in rows]
    assert judged[:3] == ["transformation", "priority or exception", ""]
    assert {row["suggested"] for row in rows} <= {*MECHANISMS, "not told", "none"}
    for place, row in enumerate(rows):
        row["reviewer_1"], row["reviewer_2"] = "transformation", "Transformation " if place else "entity or fact"
    with sheet.open("w", encoding="utf-8") as handle:
        writer = csv.DictWriter(handle, rows[0])
        writer.writeheader()
        writer.writerows(rows)
    told = CliRunner().invoke(errors, ["--agreement", str(sheet), "--json"])
    (first, *_) = json.loads(told.stdout)
    assert first["rows"] == len(rows) and first["agree"] == (len(rows) - 1) / len(rows)
    assert all(row["task"] == planted.TASK for row in rows)


def test_what_is_missing_is_named(report):
    """No results, or a judge without its model, is a question of usage."""
    for given in ([], [str(report.folders["slow"]), "--judge", "http://x"]):
        told = CliRunner().invoke(errors, given)
        assert told.exit_code == 2 and "--judge with --judge-model" in told.output
