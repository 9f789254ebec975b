"""Rule citations, grouped, ranged and in every spelling."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holmes.reading.citations import citations
from tests.reading.growth import growth


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[Rule 3, 5]", (3, 5)), ("[Rule 12, Rule 7]", (12, 7)), ("[Rules 3-5]", (3, 4, 5)), 
        ("[Rules 3–5, 7 and 9]", (3, 4, 5, 7, 9)),
        ("[Rules 3 to 5]", (3, 4, 5)), ("[Rule 3; Rule 5]", (3, 5)), ("[Rule 3 & 5]", (3, 5)), ("[Rule 3/5]", (3, 5)),
        ("[Rule 3][Rule 4]", (3, 4)), ("[规则 3、5 和 7]", (3, 5, 7)), ("【第3条、第5条】", (3, 5)),
        ("[规则3至5]", (3, 4, 5)),
        ("[Rules 5-3]", (5, 4, 3)), ("[Rules 1-1000000]", (1, 1000000)), ("x [Rule 2] y [Rule 2]", (2, 2)),
    ],
)  # fmt: skip
def test_groups_and_ranges(text, expected):
    """A list names each of its rules, a range every rule in it; an absurd range only its ends."""
    assert citations(text) == expected


@pytest.mark.parametrize(
    "text",
    ["[rule 12]", "【规则12】", "[Rule１２]", "[Rule 012]", "\\[Rule 12\\]",
     "[**Rule 12**]", "**[Rule 12]**", "[Rule #12]",
     "(Rule 12)",
     "［Rule 12］", "[Rule No. 12]", "【规则十二】", "[第十二条]", "[RULE-12]", "[Rule_12]",
     "[Rule:12]", "[see Rule 12]",
     "[Rule\n12]",
     "[`Rule 12`]", "[Article 12]", "By Rule 12 this holds.", "[Rule 12: applies because 2 of 5 hold]"],
)  # fmt: skip
def test_spellings_are_form(text):
    """Case, full-width marks, zero padding, escapes, emphasis and language do not change the number."""
    assert citations(text) == (12,)


@pytest.mark.parametrize(
    "text", ["[Rule 12a]", "[Rule 3.1]", "[12]", "overrule 9", "[Step 3]", "", "[Rule]", "Rules apply 3 times"]
)
def test_what_is_no_citation(text):
    """Other rules' numbers, bare figures and longer words cite nothing."""
    assert citations(text) == ()


def test_allowed_and_bare():
    """Unknown numbers are left out on request; mentions in prose count only on request or without any bracket."""
    assert citations("[Rule 3, 99]", allowed={3, 4}) == (3,)
    assert citations("Rule 9 fails. [Rule 3]") == (3,)
    assert citations("Rule 9 fails. [Rule 3]", bare=True) == (9, 3)


@given(st.lists(st.integers(1, 60), min_size=1, max_size=8))
def test_what_is_written_is_read(numbers):
    """A list of numbers is read back in order."""
    assert citations(f"[Rules {', '.join(map(str, numbers))}]") == tuple(numbers)


@given(st.text(alphabet="[]()Rule s规则0123456789,-–;至\n*\\", max_size=60))
def test_any_text_is_read(text):
    """Nothing crashes."""
    citations(text)


@pytest.mark.parametrize(
    "unit", ["[", "[Rule ", "Rule 1, ", "1,", "[Rule 1-", "Rule ", " ", "rule 1 ", "规则", "[Rule 1    "]
)
def test_reading_time_is_linear(unit):
    """Long hostile texts take time in proportion to their length."""
    assert growth(citations, unit) < 4
    assert growth(citations, unit, head="[Rule 1") < 4
