"""Rule citations of a text: grouped, ranged, and in every spelling."""

from __future__ import annotations

import re
from collections.abc import Collection

from holmes.reading.numbers import CHINESE, chinese
from holmes.reading.plain import characters

_WORD = r"(?:rules?|articles?|arts?\.|规则|规定|条款|第)"
_NUMBER = rf"(?:\d{{1,9}}(?![\dA-Za-z]|\.\d)|[{CHINESE}]{{1,8}})"
_JOIN = r"(?:,\s{0,3}(?:and\b|&)|,|;|/|\+|&|\band\b|和|与|及|或|\bor\b)"
_RANGE = r"(?:--?|~|—|\bto\b|\bthrough\b|至|到)"
_MARK = rf"(?:{_WORD}|no\.?|number|nr\.?|n°|№|#|号|条)"
_BRACKET = re.compile(r"[\[(]([^\[\]()]{1,400})[\])]")
_UNIT = r"\s{0,3}(?:号|条|规则|规定){0,3}"
_MARKS = rf"(?:{_MARK}\s{{0,4}}){{0,3}}"
_LIST = re.compile(
    rf"(?<![A-Za-z]){_WORD}[\s:.-]{{0,4}}{_MARKS}{_NUMBER}{_UNIT}"
    rf"(?:\s{{0,3}}(?:{_JOIN}|{_RANGE})\s{{0,3}}{_MARKS}{_NUMBER}{_UNIT})*",
    re.IGNORECASE,
)
_STEP = re.compile(rf"(?P<number>{_NUMBER})|(?P<range>{_RANGE})", re.IGNORECASE)
_WIDEST = 500  # a wider range is a slip, not a citation of everything between


def citations(text: str, allowed: Collection[int] | None = None, *, bare: bool = False) -> tuple[int, ...]:
    """Return the rule numbers that a text cites, in order, repetitions kept.

    text: any text. Brackets hold a citation: ``[Rule 3, 5]``, ``[Rules 3-5]``, ``[Rule 12, Rule 7]``, ``【规则12】``,
    ``\\[Rule 12\\]``, ``[**Rule 12**]``, ``[Rule #12]``, ``[Rule 012]``, ``(Rule 3)``. ``Rule 12a`` and ``Rule 3.1``
    are other rules. allowed: the numbers that exist; others are left out. bare: read mentions without brackets as well;
    they are read anyway where the whole text has no bracketed citation.
    Returns the numbers.
    """
    plain = _plain(text)
    found: list[int] = []
    if not bare:
        for bracket in _BRACKET.finditer(plain):
            for match in _LIST.finditer(bracket[1]):
                found += _numbers(match.group())
    if not found:
        for match in _LIST.finditer(plain):
            found += _numbers(match.group())
    return tuple(n for n in found if allowed is None or n in allowed)


def _plain(text: str) -> str:
    text = characters(text).replace("\\", "")
    return re.sub(r"[*_`]+|</?(?:b|strong|i|em)>", "", text)


def _numbers(listed: str) -> list[int]:
    found: list[int] = []
    ranged = False
    for match in _STEP.finditer(listed):
        if match["range"]:
            ranged = bool(found)
            continue
        number = _number(match["number"])
        if number is None:
            continue
        if ranged and 0 <= abs(number - found[-1]) <= _WIDEST:
            step = 1 if number >= found[-1] else -1
            found += range(found[-1] + step, number + step, step)
        else:
            found.append(number)
        ranged = False
    return found


def _number(text: str) -> int | None:
    if text.isdecimal():
        return int(text)
    value = chinese(text)
    return None if value is None else int(value)
