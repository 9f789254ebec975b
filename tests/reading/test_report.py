"""JSON reports: strict, repaired, the last complete one."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holmes.reading.report import read_report
from tests.reading.growth import growth


def value(text, required=("verdict",), **options):
    report = read_report(text, required, **options)
    return None if report is None else dict(report.value)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"reason": "Art. 7 says "no claim", so denied", "verdict": "denied"}',
         {"reason": 'Art. 7 says "no claim", so denied', "verdict": "denied"}),
        ('{"reason": "the "fatal" one", "verdict": "x"}', {"reason": 'the "fatal" one', "verdict": "x"}),
        ('{"verdict"："approved"，"amount"：650}', {"verdict": "approved", "amount": 650}),
        ("{“verdict”：“approved”}", {"verdict": "approved"}),
        ('｛"verdict"："a，b：c"｝', {"verdict": "a，b：c"}),
        ('{"verdict":"approved","note":"see [1,]","items":[1,2,],}',
         {"verdict": "approved", "note": "see [1,]", "items": [1, 2]}),
        ('{"verdict":"x", // why\n "n": 1}', {"verdict": "x", "n": 1}),
        ("{'verdict': 'approved'}", {"verdict": "approved"}),
        ('{verdict: "x"}', {"verdict": "x"}),
        ('{"verdict": "x", "ok": True}', {"verdict": "x", "ok": True}),
        ('{"verdict": "approved"', {"verdict": "approved"}),
        ('{"verdict": "a\nb"}', {"verdict": "a\nb"}),
        ('{"verdict": "x", "url": "http://a//b"}', {"verdict": "x", "url": "http://a//b"}),
    ],
)  # fmt: skip
def test_broken_json_is_repaired_outside_strings(text, expected):
    """Repair changes syntax only: every string keeps its characters."""
    assert value(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        '```json\n{"verdict":"denied"}\n```\nRevised:\n```json\n{"verdict":"approved"}\n```\nNote {draft}.',
        '{"verdict":"denied"} then {"verdict":"approved"}',
        'Report: {"verdict":"approved"} done {"other": 1}',
        '```\n{"verdict":"approved"}\n```\n{"a": {"b": 2}}',
        'x {"verdict":"denied"}\n```json\n{"verdict":"approved"}',
        '[{"verdict":"approved"}]',
        '{"a": {"verdict": "inner"}, "verdict": "approved"}',
    ],
)
def test_the_last_complete_object_is_the_report(text):
    """Drafts, remarks in braces and objects without the required keys are not the report."""
    assert value(text)["verdict"] == "approved"


@pytest.mark.parametrize("text", ["", "no json", "{}", '{"other": 1}', "[1, 2]", '"verdict"', '{"verdict', "{" * 50])
def test_no_report(text):
    """Text without an object that has the keys gives nothing."""
    assert value(text) is None


def test_strict_takes_only_json():
    """The strict reading repairs nothing, and says so where the tolerant one did."""
    broken = '{"verdict": "x",}'
    assert value(broken, strict=True) is None and read_report(broken).strict is False
    assert read_report('{"verdict": "x"}').strict is True
    assert value('{"verdict": NaN}', strict=True) is None


def test_numbers_are_exact():
    """A decimal is an exact fraction, and a monstrous power is no number."""
    assert value('{"verdict": 0.1}') == {"verdict": Fraction(1, 10)}
    assert value('{"verdict": 1166.0}') == {"verdict": 1166}
    assert value('{"verdict": 1e999999999}', strict=True) is None


@given(
    st.dictionaries(
        st.text(min_size=1, max_size=5), st.text(max_size=12) | st.integers() | st.booleans(), min_size=1, max_size=4
    )
)
def test_written_json_is_read_back(report):
    """Whatever is written as JSON is read as it was, bare or in a fence."""
    text = json.dumps(report, ensure_ascii=False)
    for wrapped in (text, f"```json\n{text}\n```", f"So:\n{json.dumps(report)}\nDone."):
        assert value(wrapped, required=tuple(report)) == report


@given(st.text(alphabet='{}[]":,\\\n`1a“：', max_size=40))
def test_any_text_is_read(text):
    """Nothing crashes."""
    read_report(text, ["a"])


@pytest.mark.parametrize("unit", ["{", '{"a":', '"', "{}", "[", ",", '{"a":1}', "```\n{", '\\"', "{ "])
def test_reading_time_is_linear(unit):
    """Long hostile replies take time in proportion to their length."""
    assert growth(lambda t: read_report(t, ["v"]), unit, small=2_000) < 5
