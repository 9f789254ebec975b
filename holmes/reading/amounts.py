"""Amounts of money in text, exact: one written amount, and the amount a reply commits itself to."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from holmes.reading.answer import Answer
from holmes.reading.commitment import commitments, plain_lines
from holmes.reading.numbers import CHINESE, MOST_DIGITS, SCALES, chinese, decimal, spelled
from holmes.reading.plain import plain

_MONEY = (
    r"US\s?\$|HK\$|A\$|C\$|NT\$|\$|¥|€|£|₹|₽|₩|元|圆|块|人民币|美元|欧元|"
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
        (?P<chinese>(?:\d{{1,12}}(?:\.\d{{1,12}})?)?[{CHINESE}][{CHINESE}\d]{{0,40}})
      | (?P<number>\d+(?:[.,'_]\d+|[ ]\d{{3}}(?!\d))*|\.\d+)
        (?P<power>[eE][+-]?\d{{1,4}}(?![\w]))?
        (?:(?P<over>\s?/\s?|r)(?P<denominator>\d{{1,40}})(?![\d/]))?
        (?:[ ](?P<mixed>\d{{1,3}}/\d{{1,3}})(?![\d/]))?
        (?:\s{{0,2}}(?P<scale>(?:{_SCALE})(?![a-z])))?
        (?P<letter>[kKMB](?![A-Za-z]))?
    )
    (?:\s{{0,2}}(?P<after>{_MONEY}))?
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
_CUES = (
    r"(?:[a-z]{1,20}\s{1,2}){0,4}(?:results?|costs?|amount|totals?|tax|taxes|fees?|due|owed|payable|liability|reimbursement|"
    r"refund|balance|loss|sum|payment|price|gesamt|summe)|(?:共计|合计|总计|总额|总金额|金额|应付|应报销|报销金额|费用|税额)"
)
_STATES = re.compile(
    r"\b(?:equals?|totals?|totalling|totaling|comes to|amounts to|owes?|pays?)\b|"
    r"\b(?:tax|cost|amount|fee|sum|total|price) (?:is|of)\b|[=≈]|共计|合计|总计|上限|应付",
    re.IGNORECASE,
)
_LAST = 4  # lines at the end that may state the amount
_TEMPLATE = re.compile(r"\W*(?:n|x|number|amount|integer|your answer|<[^<>]*>|\[[^\[\]]*\]|\.+)\W*", re.IGNORECASE)
_EXPLAINED = re.compile(r"\s*(?:[,;.(—]|-\s|because|since|as\b|after|rounded|in total|for|per)", re.IGNORECASE)


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
    found = list(_scan(body, negatives))
    if len(found) != 1:
        return None
    outside = body[: found[0].start] + body[found[0].end :]
    return None if re.search(r"[^\s.,;:!?$()]", outside) else found[0].value


def amounts(text: str, *, negatives: bool = False) -> list[Found]:
    """Return every amount in a text; dates, citations, percentages, ordinals and counts of days or people are none."""
    return list(_scan(plain(text), negatives))


def last_amount(reply: str, *, negatives: bool = False) -> Fraction | None:
    """Return the amount a reply commits itself to, or None; see `committed_amount`."""
    answer = committed_amount(reply, negatives=negatives)
    return None if answer is None else answer.value


def committed_amount(reply: str, *, negatives: bool = False, cut: bool = False) -> Answer | None:
    """Read the last committed amount of a reply.

    reply: the text without its reasoning. negatives: see `amount`. cut: the generation did not end by itself, so that
    only answer lines count, and a number that ends the text may lack digits.
    The last answer line (``Answer:``, ``Total cost:``, a box, …) counts; without one, a last line that is an amount;
    then the last sentence, among the last lines, that states an amount.
    Returns an Answer whose `value` is the amount; malformed for two amounts at once, or for an answer line that holds
    none; None for no amount.
    """
    lines = plain_lines(reply.rstrip("0123456789.,") if cut else reply)
    if not cut and lines and (lone := amount(lines[-1].strip("\x01\x02"), negatives=negatives)) is not None:
        return Answer(None, lines[-1], reason="the last line is an amount", value=lone)
    for commitment in reversed(commitments(lines, _CUES)):
        if cut and not commitment.answer:
            continue
        answer = _judge(commitment.value, negatives)
        if answer is not None:
            return answer
        if commitment.answer and re.search(r"\w", commitment.value) and not _TEMPLATE.fullmatch(commitment.value):
            return Answer(None, commitment.value, True, f"the answer line holds no amount: {commitment.value:.60}")
    return None if cut or not lines else _stated(lines, negatives)


def _stated(lines: list[str], negatives: bool) -> Answer | None:
    """The amount that the end of a reply states without an answer line; lines without numbers are passed over."""
    for line in reversed(lines[-_LAST:]):
        found = list(_scan(line, negatives))
        if not found:
            continue
        opens = not line[: found[0].start].strip(" \"'*") and _EXPLAINED.match(line, found[0].end)
        if opens and line is lines[-1]:
            return Answer(None, line, reason="the last line opens with an amount", value=found[0].value)
        if money := [f for f in found if f.money]:
            return Answer(None, line, reason="the last amount of money", value=money[-1].value)
        verb = _STATES.search(line)
        stated = [f for f in found if verb and f.start >= verb.end()]
        return Answer(None, line, reason="the last stated number", value=stated[-1].value) if stated else None
    return None


def _judge(value: str, negatives: bool) -> Answer | None:
    """The amount a commitment names; of a calculation, its result; None when it names none."""
    lone = amount(value, negatives=negatives)
    if lone is not None:
        return Answer(None, value, reason="the last commitment is an amount", value=lone)
    tail = re.split(r"[=≈]", value)[-1] if re.search(r"[=≈]\s?\S*\d", value) else value
    found = list(_scan(tail, negatives))
    if any(f.money for f in found):
        found = [f for f in found if f.money]
    distinct = list(dict.fromkeys(f.value for f in found))
    if not distinct:
        return None
    if len(distinct) > 1:
        first = found[0]
        alternatives = re.match(r"\s*(?:or|and|to|-|–|/|,\s*(?:or|and))\s", tail[first.end :] + " ", re.IGNORECASE)
        if not tail[: first.start].strip(" $:*") and not alternatives and _EXPLAINED.match(tail[first.end :]):
            distinct = distinct[:1]
        elif states := list(
            re.finditer(r"\b(?:is|equals|totals|comes to|amounts to|therefore|so)\b", tail, re.IGNORECASE)
        ):
            after = [f for f in found if f.start >= states[-1].end()]
            distinct = list(dict.fromkeys(f.value for f in after)) or distinct
    if len(distinct) > 1:
        return Answer(None, value, True, f"the last commitment names {len(distinct)} amounts")
    return Answer(None, value, reason="the last commitment names one amount", value=distinct[0])


def _scan(text: str, negatives: bool) -> Iterator[Found]:
    """Every amount in plain text."""
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
        signs = (match["sign1"] or "").strip().lower() + (match["sign2"] or "")
        if signs in ("-", "minus", "negative", "负") or (negatives and match["open"] and match["close"]):
            value = -value
        if match["chinese"] and not money and len(match["chinese"]) == 1:
            continue  # 一 is a word more often than an amount
        yield Found(value, money, match.start(), match.end(), match.group())


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
