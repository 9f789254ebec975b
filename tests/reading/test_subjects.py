"""Names in reports: every usual form of a person's name, items by number or matter, nothing by guess."""

from __future__ import annotations

import pytest

from holmes.reading.subjects import Subjects

PEOPLE = Subjects(["Ann Lee", "Bo Ray", "Ann Ray", "Jörg O'Neil"])
ITEMS = Subjects(["Item 1", "Item 2", "Item 3"], {"a table for visitors": "Item 2"})


@pytest.mark.parametrize(
    "name",
    ["Ann Lee", "ANN LEE", "Lee, Ann", "A. Lee", "Ann L.", "Lee", "Ms. Lee", "Prof. Dr. Ann Lee", "Ann Lee (professor)",
     "AnnLee", "ann_lee", "annlee", "1. Ann Lee", "**Ann Lee**", "Ann-Lee", "claim of Ann Lee", "<Ann Lee>"],
)  # fmt: skip
def test_a_person_is_known_by_any_form_of_the_name(name):
    assert PEOPLE.find(name) == ("Ann Lee",)


@pytest.mark.parametrize(
    "name",
    ["Ann", "Ray", "A. R.", "A. L.", "Annabel Lee", "Ann Leeson", "Person 1", "all", "Ann Lee (see Bo Ray)", "", "1",
     True, None, 1, ["Ann Lee"], "Ann Lee " * 60],
)  # fmt: skip
def test_a_name_of_nobody_or_of_two_is_not_guessed(name):
    assert PEOPLE.find(name) == ()


def test_accents_and_apostrophes_do_not_matter():
    for name in ("Jorg O’Neil", "JÖRG O'NEIL", "O'Neil"):
        assert PEOPLE.find(name) == ("Jörg O'Neil",)


@pytest.mark.parametrize(
    "name",
    ["Item 2", "item_2", "ITEM2", "item-2", "2", "2.", "#2", 2, "2.0", "Item No. 2", "item two", "second item",
     "Item II", "the 2nd item", "Item 2 (goods of 5 kinds)", "Item 2: a trip of 3 nights", "2: trip", "2 - trip",
     "a flight (item 2)", "A Table for Visitors", "**Item 2**", "Claim 2", "Item 2 of 3"],
)  # fmt: skip
def test_an_item_is_known_by_its_number_or_its_matter(name):
    assert ITEMS.find(name) == ("Item 2",)


@pytest.mark.parametrize(
    "name",
    ["Item 12", "Item 0", "Clause 2", "Rule 2", "3 nights abroad", "2024", "Item 2.1", "20 % of it", "item",
     "item in doubt", "part of it"],
)  # fmt: skip
def test_other_numbers_name_no_item(name):
    assert ITEMS.find(name) == ()


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("Ann Lee and Bo Ray", ("Ann Lee", "Bo Ray")),
        ("both Ann Lee, Bo Ray", ("Ann Lee", "Bo Ray")),
    ],
)
def test_several_persons_in_one_name(name, meant):
    assert PEOPLE.find(name) == meant


@pytest.mark.parametrize(
    ("name", "numbers"),
    [("Items 1-3", "123"), ("Item 1 and Item 3", "13"), ("items 1, 2 and 3", "123"), ("items 2 to 3", "23")],
)
def test_several_items_in_one_name(name, numbers):
    assert ITEMS.find(name) == tuple(f"Item {number}" for number in numbers)
