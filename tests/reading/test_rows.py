"""Rows of reports in whatever shape, and copies of the prompt, which say nothing."""

from __future__ import annotations

import json

import pytest

from holmes.reading.echo import without_echo
from holmes.reading.repair import Cut, repaired, strict_json
from holmes.reading.report import read_reports, without_reports
from holmes.reading.rows import read_rows, under
from holmes.reading.subjects import Subjects

TWO = Subjects(["Ann Lee", "Bo Ray"])
FULL = '{"subject": "Ann Lee", "verdict": "Full"}'
NONE = '{"subject": "Bo Ray", "verdict": "Rejection"}'


def verdicts(text, **options):
    return {row.subject: row.fields.get("verdict") for row in read_rows(text, TWO, **options)}


@pytest.mark.parametrize(
    "text",
    [
        f'{{"items": [{FULL}, {NONE}]}}',
        f"[{FULL}, {NONE}]",
        f"{FULL}\n{NONE}",
        f"{FULL},\n{NONE}",
        f"```json\n{FULL}\n{NONE}\n```",
        f"```json\n{FULL},\n{NONE},\n```",
        f"```json\n[\n{FULL},\n{NONE}\n]\n```",
        f'{{"title": "Audit", "report": {{"items": [{NONE}, {FULL}]}}}}',
        f'{{"policy": "Lindle", "findings": [{FULL}, {NONE}]}}',
        f'{{"items": {{"0": {FULL}, "1": {NONE}}}}}',
        '{"Ann Lee": "Full", "Bo Ray": "Rejection", "remarks": "none"}',
        '{"items": {"Ann Lee": {"verdict": "Full"}, "Bo Ray": {"verdict": "Rejection"}}}',
        '{"items": [["Ann Lee", "Full"], ["Bo Ray", "Rejection"]]}',
        '{"items": ["Ann Lee: Full", "Bo Ray:Rejection"]}',
        '{"items": [{"Ann Lee": "Full"}, {"Bo Ray": "Rejection"}]}',
        '{"names": ["Bo Ray", "Ann Lee"], "verdicts": ["Rejection", "Full"]}',
        '{"draft": {"Ann Lee": "Rejection"}, "final": {"Ann Lee": "Full", "Bo Ray": "Rejection"}}',
        json.dumps({"report": f'{{"items": [{FULL}, {NONE}]}}'}),
        f'{{"items": [{FULL}, {NONE}, {{"subject": "Cy Fox", "verdict": "Full"}}]}}',
        f'{{"items": [{{"subject": {{"name": "Ann Lee"}}, "verdict": "Full"}}, {NONE}]}}',
        f'{{"results": [{{"rule": 3, "result": "fails"}}], "items": [{FULL}, {NONE}]}}',
    ],
)
def test_rows_are_found_in_any_shape(text):
    assert {s: v.strip() for s, v in verdicts(text).items()} == {"Ann Lee": "Full", "Bo Ray": "Rejection"}


@pytest.mark.parametrize(
    "text", ["", "{}", '{"items": []}', '{"verdict": "Full"}', '{"items": [{"rule": 3}]}', "[1, 2]"]
)
def test_reports_without_a_named_row(text):
    assert [row for row in read_rows(text, TWO) if row.subject] == []


def test_later_rows_come_later_even_from_a_correction():
    """A correction of one row stands after the rows of the report that it corrects."""
    draft = '{"subject": "Ann Lee", "verdict": "Rejection"}'
    assert verdicts(f'{{"items": [{draft}, {NONE}]}}\nCorrection: {{"items": [{FULL}]}}')["Ann Lee"] == "Full"


def test_items_numbered_from_zero_are_taken_in_their_order():
    """Where a list counts from 0, its number 1 is not Item 1."""
    items = Subjects(["Item 1", "Item 2"])
    rows = read_rows('{"items": [{"id": 0, "verdict": "Full"}, {"id": 1, "verdict": "Rejection"}]}', items)
    assert [(row.subject, row.fields["verdict"]) for row in rows] == [(None, "Full"), (None, "Rejection")]


def test_what_is_under_a_key_is_found_at_the_first_depth():
    """Lists of several and drafts are gone past; a list of one and objects are opened."""
    assert under({"a": {"verdict": 1}, "verdict": 2}, ("verdict",)) == [2]
    assert under({"a": [{"verdict": 1}]}, ("verdict",)) == [1]
    assert under({"a": [{"verdict": 1}, {"verdict": 2}], "alternative": {"verdict": 3}}, ("verdict",)) == []


# ---- braces, ends and copies


@pytest.mark.parametrize(
    "prose", ["The set {12, 13} fails.", "Let S = {12, 13 and so on.", "See {draft}.", r"\frac{1}{2}"]
)
def test_braces_in_prose_open_no_report(prose):
    """A set, a remark or a formula hides no object, before it or after it, and stays prose."""
    for text in (f"{prose}\n{FULL}", f"{FULL}\n{prose}"):
        assert [dict(report.value) for report in read_reports(text)] == [json.loads(FULL)]
        assert without_reports(text).strip() == prose


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"n": [1, 2], "verdict": "Full App', "Full App"),
        ("{'n': [1, 2], 'verdict': 'Full App", "Full App"),
        ('{"items": [{"verdict": "Full App', "Full App"),
    ],
)
def test_a_string_that_the_end_cut_off_is_marked(text, value):
    """What was meant by it is not known; a value before it is whole."""
    found = repaired(text)
    last = found["items"][0]["verdict"] if "items" in found else found["verdict"]
    assert last == value and isinstance(last, Cut)


def test_whole_values_are_not_marked_and_cut_numbers_vanish():
    assert not isinstance(repaired('{"verdict": "Full"')["verdict"], Cut)
    assert not isinstance(repaired('{"verdict": "Full", ')["verdict"], Cut)
    assert repaired('{"n": [], "amount": 17') == {"n": [], "amount": None}
    assert repaired('{"n": [], "amount": 17, ')["amount"] == 17


def test_a_key_that_stands_twice_is_refused_where_keys_are_unique():
    assert strict_json('{"a": 1, "a": 2}') == {"a": 2}
    assert strict_json('{"a": 1, "a": 2}', unique=True) is None
    assert strict_json('{"a": {"b": 1}, "b": 2}', unique=True) == {"a": {"b": 1}, "b": 2}


def test_copies_of_the_prompt_are_taken_out():
    """Whole lines, sentences and beginnings of them; a short line that is no whole line of the prompt stays."""
    prompt = "Rule 3: The fee must not exceed 800.\nVerdicts: Full or Rejection, as the rules say.\n| final | 1 |\nFull"
    assert without_echo(f"{prompt}\nAnswer: Full", prompt).split("\n")[-1] == "Answer: Full"
    assert without_echo("Full", prompt) == "Full"
    for copied in ("> The fee must not exceed", "- Rule 3: The fee must not exceed 800.", "| final  | 1 |"):
        assert without_echo(copied, prompt) == ""
    assert without_echo("It is 900. The fee must not exceed 800. So it fails.", prompt) == "It is 900. So it fails."
