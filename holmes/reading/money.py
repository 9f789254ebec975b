"""Amounts of money in text, exact, in every way to write one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from holmes.reading.numbers import CHINESE, CHINESE_DIGITS, MOST_DIGITS, POINT, SCALES, chinese, decimal, spelled
from holmes.reading.plain import plain

_MONEY = (
    r"US\s?\$|HK\$|A\$|C\$|NT\$|\$|¥|€|£|₹|₽|₩|元|圆|圓|块|塊|角|人民币|美元|欧元|"
    r"(?<![A-Za-z])(?:USD|RMB|CNY|EUR|GBP|INR|CHF|JPY|HKD|AUD|CAD|Rs\.?|yuan|renminbi|marks?|dollars?|euros?|pounds?|rupees?|francs?)(?![A-Za-z])"
)
_SCALE = "|".join(sorted(SCALES, key=len, reverse=True))
_DATE = (
    r"\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/]\d{1,2}[-/]\d{2,4}|\d{1,2}:\d{2}(?::\d{2})?|"
    r"\d{4}年(?:\d{1,2}月)?(?:\d{1,2}日)?"
)
_REFERENCE = (
    r"(?<![A-Za-z])(?:rules?|articles?|art\.|sections?|sec\.|steps?|cases?|no\.|lines?|pages?|paragraphs?|para\.?|chapters?|"
    r"clauses?|items?|questions?|scenarios?|tables?|examples?|parts?|days?|years?|months?|levels?|schedules?|form|tier)"
    r"\s{0,2}[#(]?\s?|§{1,2}\s?|#|规则\s?|第\s?|步骤\s?|百分之\s?"
)
_TOKEN = re.compile(
    rf"""
    (?P<date>(?<![\d.,])(?:{_DATE})(?!\d))
  | (?P<open>\()?
    (?P<sign1>(?<![\w.)])[-+]|\b(?:minus|negative)\s{{1,2}}|负)?
    (?:(?P<before>{_MONEY})\s{{0,2}}|(?<![A-Za-z_\d.,/]))
    (?P<sign2>[-+])?
    (?:
        (?P<chinese>(?:\d{{1,12}}(?:\.\d{{1,12}})?)?[{CHINESE}][{CHINESE}{POINT}\d]{{0,40}})
      | (?P<number>\d+(?:[.,'_]\d+|[ ]\d{{3}}(?!\d))*|\.\d+)
        (?P<power>[eE][+-]?\d{{1,4}}(?![\w]))?
        (?:(?P<over>/|r)(?P<denominator>\d{{1,40}})(?![\d/]))?
        (?:[ ](?P<mixed>\d{{1,3}}/\d{{1,3}})(?![\d/]))?
        (?:\s{{0,2}}(?P<scale>(?:{_SCALE})(?![a-z])))?
        (?P<letter>[kKMB](?![A-Za-z]))?
    )
    (?:\s{{0,2}}(?P<after>{_MONEY}))?
    (?:(?P<jiao>[\d{CHINESE_DIGITS}]{{1,2}})\s?角)?(?:零?(?P<fen>[\d{CHINESE_DIGITS}]{{1,2}})\s?分(?!钟))?[整正]?
    (?P<close>\))?
    (?P<rate>\s{{0,2}}(?:[%‰]|percent|per\scent|per\smille|pct|percentage|basis\spoints?|bps|个百分点))?
    (?P<glued>[A-Za-z_]|\([a-z0-9]{{1,4}}\)|[天日年月人次号条岁届级步])?
    """,
    re.VERBOSE | re.IGNORECASE,
)
_REFERENCE_END = re.compile(rf"(?:{_REFERENCE})\Z", re.IGNORECASE)
_OTHER_UNIT = re.compile(
    r"\s{0,2}(?:days?|years?|months?|weeks?|hours?|minutes?|nights?|people|persons?|km|miles?|kg|lbs?|bags?|times)\b",
    re.IGNORECASE,
)
_LETTERS = {"k": 1000, "m": 10**6, "b": 10**9}


@dataclass(frozen=True, slots=True)
class Found:
    """One amount in a text: its exact value, whether a currency is named, and its place in the plain text."""

    value: Fraction
    money: bool
    start: int
    end: int
    raw: str


def amount(text: str, *, negatives: bool = False) -> Fraction | None:
    """Read a text that is one written amount and nothing else.

    text: for example ``$1,166.00``, ``1.166,00 EUR``, ``1'166``, ``1,00,000``, ``-5``, ``1.0e16``, ``2333r2``, ``7/2``,
    ``1.2 million``, ``３．５万元``, ``一千八百万元``; final punctuation is allowed. negatives: whether a figure in
    parentheses is a loss, as accountants write; by default it is an aside, amounts being non-negative.
    Returns the exact amount; None for a percentage, an unbound variable (``_123``), text, or no number.
    """
    body = plain(text).strip().strip("\"'[]{}").strip()
    if (value := spelled(re.sub(rf"\s+(?:{_MONEY})\W*\Z", "", body, flags=re.IGNORECASE))) is not None:
        return value
    body = re.sub(r"^([-+])\s{1,3}", r"\1", body)
    found = list(scan(body, negatives))
    if len(found) != 1:
        return None
    outside = body[: found[0].start] + body[found[0].end :]
    return None if re.search(r"[^\s.,;:!?$()]", outside) else found[0].value


def amounts(text: str, *, negatives: bool = False) -> list[Found]:
    """Return every amount in a text; dates, citations, percentages, ordinals and counts of days or people are none."""
    return list(scan(plain(text), negatives))


def scan(text: str, negatives: bool) -> Iterator[Found]:
    """Yield every amount in plain text; see `amounts`."""
    for match in _TOKEN.finditer(text):
        if match["date"] or match["rate"] or match["glued"]:
            continue
        before = text[max(0, match.start() - 24) : match.start()]
        last = before.rstrip(" (")[-1:]
        if (last.isalpha() or last in (*".#§",)) and _REFERENCE_END.search(before):
            continue
        money = bool(match["before"] or match["after"])
        if not money and _OTHER_UNIT.match(text, match.end()):
            continue
        value = _value(match)
        if value is None:
            continue
        value = _coins(match, value)
        signs = (match["sign1"] or "").strip().lower() + (match["sign2"] or "")
        if signs in ("-", "minus", "negative", "负") or (negatives and match["open"] and match["close"]):
            value = -value
        if match["chinese"] and not money and len(match["chinese"]) == 1:
            continue  # 一 is a word more often than an amount
        yield Found(value, money, match.start(), match.end(), match.group())


def _coins(match: re.Match[str], value: Fraction) -> Fraction:
    """The amount with what follows the yuan: ``123元1角1分``; ``5角`` is half a yuan."""
    if match["after"] == "角":
        value /= 10
    elif not match["after"]:
        return value
    for coins, part in ((match["jiao"], 10), (match["fen"], 100)):
        if coins:
            value += (Fraction(coins) if coins.isdecimal() else chinese(coins) or Fraction(0)) / part
    return value


def _value(match: re.Match[str]) -> Fraction | None:
    if match["chinese"]:
        return chinese(match["chinese"])
    marks = ((match["before"] or "") + (match["after"] or "")).lower()
    value = decimal(match["number"], european="€" in marks or "eur" in marks)
    if value is None:
        return None
    if match["power"]:
        power = int(match["power"][1:])
        if abs(power) > MOST_DIGITS:
            return None
        value *= Fraction(10) ** power
    if match["denominator"]:
        if not int(match["denominator"]):
            return None
        value /= int(match["denominator"])
    if match["mixed"]:
        upper, lower = match["mixed"].split("/")
        if not int(lower):
            return None
        value += Fraction(int(upper), int(lower))
    if match["scale"]:
        value *= SCALES[match["scale"].lower()]
    if match["letter"]:
        value *= _LETTERS[match["letter"].lower()]
    return value
