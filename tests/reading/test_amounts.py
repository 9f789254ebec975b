"""Amounts: every way to write one, and which one a reply commits itself to."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holmes.reading.amounts import amount, amounts, committed_amount, last_amount
from holmes.reading.numbers import chinese
from tests.reading.growth import growth


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("$1,166.00.", 1166), ("1.166,00 EUR", 1166), ("1'166", 1166), ("CHF 1’166.00", 1166), ("1 166,00", 1166),
        ("1\u202f166", 1166), ("1,00,000", 100000), ("Rs. 12,34,567.00", 1234567), ("1_000_000", 10**6),
        ("\\$1,166", 1166), ("$1{,}166$", 1166), ("１１６６元", 1166), ("٣٤", 34), ("1166²", 1166), ("1166①", 1166),
        ("¥650", 650), ("￥650", 650), ("650元", 650), ("RMB 650", 650), ("CNY650", 650), ("650 yuan", 650),
        ("US$ 1,166", 1166), ("1166dollars", 1166), ("-5", -5), ("−50", -50), ("–5", -5), ("-$50", -50), ("$-50", -50),
        ("- 5", -5), ("minus 5", -5), ("负500元", -500), ("+5", 5), ("(42).", 42), ("(1,166)", 1166),
        ("1.0e16", 10**16), ("1.5E+3", 1500), ("1.0×10¹⁶", 10**16), ("2333r2", Fraction(2333, 2)),
        ("7/2", Fraction(7, 2)),
        ("\\frac{7}{2}", Fraction(7, 2)), ("3½", Fraction(7, 2)), ("1.2 million", 1200000), ("$1.2M", 1200000),
        ("$12k", 12000), ("12 lakh", 1200000), ("3.5万元", 35000), ("1,200万", 12000000), ("一千八百万元", 18000000),
        ("1亿2千万元", 120000000), ("壹仟壹佰陆拾陆元", 1166), (".5", Fraction(1, 2)), ("0,50 €", Fraction(1, 2)),
        ("1.166", Fraction(1166, 1000)), ("1.166 EUR", 1166), ("1.166.000", 1166000), ("1166,5", Fraction(2333, 2)),
        ("**$1,166**", 1166), ("0.1", Fraction(1, 10)), ("1166.0", 1166), ("711", 711), ("33.14", Fraction(3314, 100)),
    ],
)  # fmt: skip
def test_one_amount_is_read_exactly(text, expected):
    """Currency, grouping, signs, powers, rationals, word scales and Chinese numerals give one exact number."""
    assert amount(text) == expected


@pytest.mark.parametrize(
    "text",
    ["60%", "60 %", "60％", "60 percent", "百分之六十", "60‰", "_123", "_G12", "x2", "", "yes", "nan", "1.0Inf",
     "1e999999", "9" * 500, "1/0", "10-20",
     "2017-02-03", "1,1660", "1,166,00", "Rule 12", "152(b)", "3rd", "10:30", "1 2", "万"],
)  # fmt: skip
def test_what_is_no_amount(text):
    """Percentages, unbound variables, dates, citations, ordinals, impossible marks and endless digits are none."""
    assert amount(text) is None


def test_parentheses_are_losses_only_where_asked():
    """Amounts are non-negative by default, so brackets are an aside; a task may read them as accountants do."""
    assert (amount("(1,166)"), amount("(1,166)", negatives=True)) == (1166, -1166)
    assert (last_amount("Refund: (1,166)"), last_amount("Refund: (1,166)", negatives=True)) == (1166, -1166)
    assert last_amount("The answer is (42).") == 42


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Thus the total cost is $1,166.00.", 1166),
        ("Gesamt: 1.166,00 EUR", 1166),
        ("fees \\$150 then total \\$1,166", 1166),
        ("上限一千八百万元", 18000000),
        ("共计１１６６元", 1166),
        ("1166² (footnote mark)", 1166),
        ("ANSWER: 711", 711),
        ("Tax result: 2333r2", Fraction(2333, 2)),
        ("Answer: 12 × $50 = $600", 600),
        ("Answer: $1,166.00 (1,200 - 34)", 1166),
        ("Answer: the tax on $50,000 is $1,166", 1166),
        ("\\boxed{1166}", 1166),
        ("In 2017 the tax is $500. See Rule 3.", 500),
        ("Answer: N\nAnswer: 5", 5),
        ('{"answer": 1166.0}', 1166),
        ("Total cost: $1,166.00\nTotal cost: $1,200", 1200),
        ("Answer: $500. Wait. Answer: $600", 600),
        ("**Total tax due:** $ 1,166", 1166),
        ("The total is 500. This covers 3 bags.", 500),
        ("答案：650元", 650),
        ("Answer:\n\n$5", 5),
        ("Answer: -5", -5),
        ("Answer: 0", 0),
    ],
)
def test_the_committed_amount(text, expected):
    """The last answer line, else a last line that is an amount, else the last amount stated."""
    assert last_amount(text) == expected


@pytest.mark.parametrize(
    "text", ["I do not know.", "Rule 12 says nothing.", "", "See 152(b) for 3 days.", "Tax result: _123"]
)
def test_no_amount_is_abstention(text):
    """Citations and counts of days are no amounts, nor is an unbound variable."""
    assert committed_amount(text) is None


@pytest.mark.parametrize(
    "text", ["Answer: $100 or $200", "Answer: 60%", "Answer: between 100 and 200", "Answer: unclear"]
)
def test_two_amounts_or_none_on_the_answer_line_are_malformed(text):
    """An answer line that names two amounts, or something that is none, is malformed."""
    answer = committed_amount(text)
    assert answer.malformed and answer.value is None


def test_a_cut_reply_commits_by_answer_lines_only():
    """A draft amount is no answer where the generation was cut, and a number that ends the text may lack digits."""
    assert last_amount("Bag fee: $150. The total is $166") == 166
    for text in ("Bag fee: $150. The total is $166", "The tax is $116", "Answer: $11", "116"):
        answer = committed_amount(text, cut=True)
        assert answer is None or answer.value is None
    assert committed_amount("Answer: $1,166\nSince", cut=True).value == 1166


def test_only_the_end_of_a_reply_states_an_amount():
    """Without an answer line, money named far above the end is part of the reasoning."""
    assert last_amount("She pays $1,166.\n\nHope this helps!") == 1166
    assert last_amount("Wages are $50,000.\n\n" + "I cannot tell.\n" * 5) is None
    assert last_amount("Her income is 5000, but I cannot compute it.") is None


def test_numbers_are_compared_as_numbers():
    """A suffix, a lost sign or a lost figure never makes two amounts equal."""
    assert amount("711") != amount("11") and amount("-5") != amount("5") and amount("33.14") != amount("3.14")
    assert amount("1166.0") == amount("$1,166")


@pytest.mark.parametrize(
    ("text", "expected"),
    [("一千八百万", 18000000), ("十二", 12), ("两百零五", 205), ("三万五", 35000), ("三万零五", 30005), 
     ("一亿二千万", 120000000),
     ("二〇一七", 2017), ("一万亿", 10**12), ("一百五", 150), ("1千8百万", 18000000), ("一二十", None), ("万", None)],
)  # fmt: skip
def test_chinese_numerals(text, expected):
    """Units multiply the whole section before them; zero keeps places apart."""
    assert chinese(text) == expected


@given(st.fractions(min_value=0, max_value=10**9, max_denominator=1).map(int), st.integers(0, 99))
def test_every_grouping_of_one_number_is_the_same(whole, cents):
    """American, European, Swiss and spaced spellings of one amount agree."""
    expected = whole + Fraction(cents, 100)
    american = f"{whole:,}.{cents:02}"
    european = american.translate(str.maketrans(",.", ".,"))
    for text in (
        american,
        european,
        american.replace(",", "'"),
        american.replace(",", " "),
        f"${american}",
        f"{european} €",
    ):
        assert amount(text) == expected


@given(st.text(alphabet="0123456789.,'()-$ %e/r万一零\n:=A", max_size=40))
def test_any_text_is_read(text):
    """Nothing crashes on any mixture of digits and marks."""
    amount(text)
    amounts(text)
    committed_amount(text)


@pytest.mark.parametrize(
    "unit", ["1", "1,", "1 ", "1.", "$", "(", "-", "一", "万", "1,000", "1/", "rule ", "e", "1e", "is 1. ", "1 000 "]
)
def test_reading_time_is_linear(unit):
    """Long hostile replies take time in proportion to their length."""
    assert growth(committed_amount, unit, small=1_000) < 4
    assert growth(lambda t: committed_amount(t, cut=True), unit, small=1_000) < 4
    assert growth(committed_amount, unit, head="Answer: ", small=1_000) < 4
