"""Written numbers to exact fractions: every grouping, powers of ten, rationals, English words, Chinese numerals."""

from __future__ import annotations

import re
from fractions import Fraction

MOST_DIGITS = 400  # longer runs and larger powers are no amounts, and would cost time
_GROUPS = {sep: re.compile(rf"\d{{1,3}}(?:{re.escape(sep)}\d{{3}})+\Z") for sep in ",.' "}
_INDIAN = re.compile(r"\d{1,2}(?:,\d{2})*,\d{3}\Z")
_UNDERSCORES = re.compile(r"\d+(?:_\d+)+\Z")
SCALES = {
    "hundred": 100, "thousand": 10**3, "million": 10**6, "mio": 10**6, "mn": 10**6, "billion": 10**9, "bn": 10**9,
    "trillion": 10**12, "lakh": 10**5, "lakhs": 10**5, "lac": 10**5, "crore": 10**7, "crores": 10**7,
    "千": 10**3, "百": 100, "百万": 10**6, "千万": 10**7,
    "万": 10**4, "萬": 10**4, "亿": 10**8, "億": 10**8, "万亿": 10**12,
}  # fmt: skip
_DIGITS = dict(zip("零一二三四五六七八九", range(10), strict=True))
_DIGITS |= dict(zip("〇壹贰叁肆伍陆柒捌玖", range(10), strict=True)) | {"两": 2, "貳": 2, "參": 3, "陸": 6}
_SMALL = {"十": 10, "拾": 10, "百": 100, "佰": 100, "千": 1000, "仟": 1000}
_LARGE = {"万": 10**4, "萬": 10**4, "亿": 10**8, "億": 10**8}
_ONES = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_WORDS = {word: n for n, word in enumerate(_ONES)} | {word: 10 * n for n, word in enumerate(_TENS, 2)}
CHINESE = "".join([*_DIGITS, *_SMALL, *_LARGE])
CHINESE_DIGITS = "".join(_DIGITS)
POINT = "点點"
_POINTED = re.compile(
    rf"(?P<whole>[{CHINESE}\d]+)[{POINT}](?P<part>[{CHINESE_DIGITS}\d]+)(?P<unit>[{''.join([*_SMALL, *_LARGE])}]*)"
)


def decimal(text: str, *, european: bool = False) -> Fraction | None:
    """Read digits with grouping and decimal marks as an exact number.

    text: digits and marks only, no sign. Where both a comma and a dot occur, the last is the decimal mark; a single
    comma before exactly three digits groups; a single dot is the decimal mark, unless european and three digits follow.
    Apostrophes, spaces and underscores group. Indian grouping (``1,00,000``) is read.
    Returns the number, or None where the marks fit no convention.
    """
    if not text or len(text) > MOST_DIGITS:
        return None
    if _UNDERSCORES.match(text):
        return Fraction(text.replace("_", ""))
    whole, mark, rest = text, "", ""
    at = max(text.rfind(","), text.rfind("."))
    if at >= 0 and _is_decimal(text, at, european):
        whole, mark, rest = text[:at], text[at], text[at + 1 :]
    if rest and not rest.isdecimal():
        return None
    joined = _ungrouped(whole, mark) if whole else ("0" if mark == "." and rest else None)
    return None if joined is None else Fraction(f"{joined}.{rest}" if rest else joined)


def _is_decimal(text: str, at: int, european: bool) -> bool:
    mark, before, after = text[at], text[:at], text[at + 1 :]
    if mark in before:
        return False
    if any(other in before for other in ",.' "):
        return True
    if mark == ".":
        return not (european and len(after) == 3 and 1 <= len(before) <= 3 and before != "0")
    return len(after) in (1, 2) or (len(after) == 3 and before == "0")


def _ungrouped(text: str, decimal_mark: str) -> str | None:
    if text.isdecimal():
        return text
    for separator, pattern in _GROUPS.items():
        if separator != decimal_mark and pattern.match(text):
            return text.replace(separator, "")
    if decimal_mark != "," and _INDIAN.match(text):
        return text.replace(",", "")
    return None


def spelled(text: str) -> Fraction | None:
    """Read a number in English words and nothing besides: ``one thousand seven hundred and sixty``, ``zero``.

    Returns the number, or None for no numeral.
    """
    words = re.sub(r"[\s,-]+", " ", text.casefold().strip(" .")).split()
    if not words or len(words) > 30 or words[0] == "and":
        return None
    total = section = last = 0
    for word in words:
        if word in _WORDS:
            if last and (last < 20 or _WORDS[word] not in range(1, 10)):
                return None  # two figures in a row
            last = _WORDS[word]
            section += last
        elif word == "hundred" and section % 100 == last and section:
            section, last = section * 100, 0
        elif word in ("thousand", "million") and section:
            total, section, last = total + section * SCALES[word], 0, 0
        elif word != "and":
            return None
    return Fraction(total + section)


def chinese(text: str) -> Fraction | None:
    """Read a Chinese numeral: ``一千八百万`` is 18,000,000; a last figure counts the next lower unit.

    text: Chinese numeral characters, figures among them (``1千8百万``). ``三万五`` is 35,000, ``十五点八万`` 158,000.
    Returns the number, or None for no numeral.
    """
    if pointed := _POINTED.fullmatch(text[:60]) if len(text) <= 60 else None:
        whole, part = chinese(pointed["whole"]), "".join(_figure(c) for c in pointed["part"])
        scale = chinese("一" + pointed["unit"]) if pointed["unit"] else Fraction(1)
        return None if whole is None or scale is None else (whole + Fraction(f"0.{part}")) * scale
    if not text or len(text) > 60 or not re.fullmatch(rf"[{CHINESE}\d.]+", text):
        return None
    if all(c in _DIGITS for c in text):
        return Fraction("".join(str(_DIGITS[c]) for c in text))
    total = section = Fraction(0)
    figure: Fraction | None = None
    unit = 1
    after_zero = False
    for token in re.findall(r"\d+(?:\.\d+)?|.", text):
        if token[0].isascii() or token in _DIGITS:
            if figure not in (None, 0) or token == ".":
                return None  # two figures in a row within a numeral with units
            figure = Fraction(token) if token[0].isascii() else Fraction(_DIGITS[token])
            after_zero = after_zero or figure == 0
            continue
        if token in _SMALL:
            unit = _SMALL[token]
            section += (1 if figure is None else figure) * unit
        else:
            unit = _LARGE[token]
            section += figure or 0
            if not section and not total:
                return None
            if not section or unit > 10**4:
                total, section = (total + section) * unit, Fraction(0)  # 万亿 multiplies what stands before
            else:
                total, section = total + section * unit, Fraction(0)
        figure, after_zero = None, False
    if figure:
        section += figure * (unit // 10 if unit > 10 and not after_zero else 1)
    return total + section


def _figure(char: str) -> str:
    return char if char.isdecimal() else str(_DIGITS[char])
