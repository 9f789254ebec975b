"""Records told point by point are read tolerantly; a text that says anything else is no record."""

from __future__ import annotations

from fractions import Fraction

import pytest

from holmes.reading.records import LONGEST, Point, is_none, read_record, witness_lines

POINTS = (
    Point("pledge", ("left a pledge", "leaving a pledge")),
    Point("curtain", ("behind a curtain",)),
    Point("loan", ("mask loan",), Fraction(2), Fraction(45)),
)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("“left a pledge” = yes, “mask loan” = 20", {"pledge": True, "loan": 20}),
        ("left a pledge: yes; mask loan: 20 days", {"pledge": True, "loan": 20}),
        ("- leaving a pledge = true; behind a curtain = false", {"pledge": True, "curtain": False}),
        ("not “left a pledge”, mask loan = 14 and all other points = no", {"pledge": False, "loan": 14}),
        ('{"left_a_pledge": true, "mask loan": 20}', {"pledge": True, "loan": 20}),
        ("left a pledge (Rule 3) = yes, everything else no", {"pledge": True}),
        ("| left a pledge | yes |", {"pledge": True}),
        ("; | point | value |; |---|---|; | “mask loan” | 20 |; | left a pledge | yes |", {"loan": 20, "pledge": True}),
        ("| mask loan | 20 days |", {"loan": 20}),
        ("mask loan of 14 days, left a pledge", {"loan": 14, "pledge": True}),
        ("“left a pledge” holds and “behind a curtain” does not hold", {"pledge": True, "curtain": False}),
        ("left a pledge=yes,behind a curtain=1", {"pledge": True, "curtain": True}),
        ("all points = no", {}),
        ("pledge = yes, loan = 15", {"pledge": True, "loan": 15}),
    ],
)
def test_records_are_read(text, told) -> None:
    """Quotes, signs, order, further wordings, JSON, tables, remarks in parentheses."""
    assert read_record(text, POINTS).told == told


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("a reveller who left a pledge", "'reveller'"),
        ("left a pledge = yes, left a pledge = no", "two values"),
        ("left a pledge = maybe", "'maybe'"),
        ("mask loan = 200", "2 to 45"),
        ("mask loan = 14.5", "2 to 45"),
        ("mask loan = -3", "2 to 45"),
        ("mask loan = yes", "no number"),
        ("left a pledge = 7", "yes or no"),
        ("P covers it and Q does not", "'P'"),
        ("left a pledge = yes " * LONGEST, "characters"),
    ],
)
def test_what_is_no_record_is_refused_with_its_reason(text, reason) -> None:
    """Foreign words, contradictions, ranges, missing numbers."""
    found = read_record(text, POINTS)
    assert found.told is None and reason in found.reason


def test_witness_lines_are_cut_out_of_a_reply() -> None:
    """The last line of each number counts; a list below an empty one belongs to it; the rest stays as it was."""
    text = "Witness: old\nSo.\n**Witness 1:** a = yes\n- Witness 2: b = no\nAnswer: no"
    assert witness_lines(text) == ("So.\nAnswer: no", {1: "a = yes", 2: "b = no"})
    assert witness_lines("Answer: no\nWitness:\n- a = yes\n- b = no\n\nDone.")[1] == {1: "; - a = yes; - b = no"}
    assert witness_lines("Answer: no. Witness: a") == ("Answer: no.", {1: "a"})
    assert witness_lines("A witness came.\nAnswer: no") == ("A witness came.\nAnswer: no", {})


def test_none_is_told_in_several_ways() -> None:
    """An empty line, none, n/a and the like, with or without a reason."""
    for text in ("", "none", "None.", "n/a (the answer is yes)", "no such case", "not needed", "—"):
        assert is_none(text), text
    for text in ("There is none.", "no such case exists", "None exists.", "does not exist", "no witness is needed"):
        assert is_none(text), text
    for text in (
        "no pledge = yes",
        "left a pledge = no",
        "nonsense",
        "nobody",
        "there is a pledge",
        "none left a pledge",
    ):
        assert not is_none(text), text
