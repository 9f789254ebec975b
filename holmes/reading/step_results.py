"""The typed result of a step: boolean, number with unit, label, or none."""

from __future__ import annotations

import json
import math
import re
import unicodedata
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction


class ResultKind(StrEnum):
    """The type of a step's result."""

    BOOLEAN = "boolean"
    NUMBER = "number"
    LABEL = "label"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Result:
    """A typed result: kind, canonical value ("true", "3/4", "full approval", ""), exact number and unit, raw text."""

    kind: ResultKind
    value: str = ""
    number: Fraction | None = None
    unit: str = ""
    raw: str = ""


NONE = Result(ResultKind.NONE)

_TRUE = {"pass", "passed", "passes", "true", "yes", "y", "ok", "met", "satisfied", "fulfilled", "complies", "compliant"}
_TRUE |= {"holds", "triggered", "established", "applicable", "applies", "✓", "✔", "✅", "☑", "√", "complied", "success"}
_TRUE |= {"通过", "是", "满足", "符合", "适用", "成立"}
_FALSE = {"fail", "failed", "fails", "false", "no", "n", "unmet", "unsatisfied", "unfulfilled", "violated", "violates"}
_FALSE |= {"inapplicable", "untriggered", "✗", "✘", "❌", "×", "✖", "☒", "defeated", "overridden", "noncompliant"}
_FALSE |= {"不通过", "未通过", "否", "不满足", "不符合", "不适用", "不成立"}
_BESIDE = re.compile(
    r"(?P<left>[✓✔✅☑√✗✘❌✖☒])\ufe0f?[\s*_:—–-]*(?P<after>[^\s✓✔✅☑√✗✘❌✖☒*].*?)[\s*_]*"
    r"|(?P<before>[^✓✔✅☑√✗✘❌✖☒]*?[^\s*_✓✔✅☑√✗✘❌✖☒])[\s*_:—–(-]*(?P<right>[✓✔✅☑√✗✘❌✖☒])\ufe0f?\)?"
)
_NOTHING = {"", "n/a", "na", "none", "null", "nil", "-", "—", "not stated", "undetermined", "nan", "inf", "-inf"}
_NEGATIONS = ("not ", "is not ", "are not ", "does not ", "do not ", "cannot be ", "no longer ", "never ", "un", "non-")

_UNITS = {"rmb": "cny", "cny": "cny", "yuan": "cny", "¥": "cny", "元": "cny", "人民币": "cny", "renminbi": "cny"}
_UNITS |= {"$": "usd", "usd": "usd", "dollar": "usd", "us$": "usd", "€": "eur", "eur": "eur", "euro": "eur"}
_UNITS |= {"%": "%", "percent": "%", "天": "day", "晚": "night", "人": "person"}
_NUMBER = re.compile(
    r"(?P<before>[^\d\s.,+\-−]{0,8})\s?(?P<sign>[+\-−]?)\s?(?P<digits>\d{1,3}(?:,\d{3}){1,12}|\d{1,40})"
    r"(?P<decimals>\.\d{1,40})?(?P<over>/\d{1,20})?(?P<exponent>[eE][+\-]?\d{1,2})?\s?(?P<after>[^\d.,;:]{0,24})"
)
_CONTINENTAL = re.compile(r"(?<![\d.,])\d{1,3}(?:\.\d{3}){1,12},\d{1,2}(?![\d.,])")
_LONGEST = 10**60


def read_result(value: object) -> Result:
    """Read one result value of any JSON type into a typed result.

    value: text ("PASS", "RMB 1,300", "Full Approval"), a number, a truth value, null, or any odd structure.
    Returns the typed result; never raises. NaN, infinities and absurdly long numbers are no result.
    """
    if value is None:
        return NONE
    if isinstance(value, bool):
        return _boolean(value, str(value))
    if isinstance(value, int):
        return _number(Fraction(value), "", "") if abs(value) < _LONGEST else NONE
    if isinstance(value, float):
        return (
            _number(Fraction(str(value)), "", str(value))
            if math.isfinite(value)
            else Result(ResultKind.NONE, raw="NaN")
        )
    if isinstance(value, dict):
        for name in ("value", "result", "amount", "outcome"):
            if name in value and not isinstance(value[name], dict):
                unit = value.get("unit", value.get("currency", ""))
                inner = value[name]
                joined = f"{inner} {unit}" if isinstance(inner, int | float | str) and isinstance(unit, str) else inner
                return read_result(inner if isinstance(inner, bool) or not unit else joined)
        return _label(_dump(value))
    if isinstance(value, list | tuple):
        return read_result(value[0]) if len(value) == 1 else (_label(_dump(value)) if value else NONE)
    return _from_text(str(value))


def _from_text(raw: str) -> Result:
    text = unicodedata.normalize("NFKC", raw).strip().strip("*_`\"'“”‘’[]").strip().rstrip(".。!;, ").strip()
    low = " ".join(text.casefold().split())
    if low in _NOTHING:
        return Result(ResultKind.NONE, raw=raw.strip())
    truth = _truth(low)
    if truth is not None:
        return _boolean(truth, raw)
    return read_number(text) or _label(text)


def _truth(low: str) -> bool | None:
    if low in _TRUE or low in _FALSE:
        return low in _TRUE
    if (signed := _BESIDE.fullmatch(low)) is not None:  # "✓ PASS", "FAIL ❌": one truth value, said twice
        told = _truth(signed["left"] or signed["right"])
        word = _truth(signed["after"] if signed["left"] else signed["before"])
        return word if told is word else None
    for negation in _NEGATIONS:
        rest = low.removeprefix(negation)
        if rest != low and (rest in _TRUE or rest in _FALSE or rest in ("apply", "hold", "pass", "comply")):
            return rest in _FALSE
    for start in ("is ", "are ", "has "):
        if low.startswith(start) and (low[len(start) :] in _TRUE or low[len(start) :] in _FALSE):
            return low[len(start) :] in _TRUE
    # "PASS (all receipts signed)", "FAIL - no signature": the first word decides if it stands apart.
    head = re.match(
        r"(pass(?:ed)?|fail(?:ed)?|true|false|yes|no|✓|✔|✅|✗|✘|❌)\s*(?:[(:;,\-–—.]|because\b|since\b|$)", low
    )
    return head.group(1) in _TRUE if head else None


def read_number(text: str) -> Result | None:
    """Read a text that is one number with an optional currency or unit, exactly; None for anything else.

    A percentage is a rate: "60%" is 3/5 with unit "%". Examples: "¥1,300.50", "RMB 1300", "-5", "3/4", "12 days".
    """
    text = unicodedata.normalize("NFKC", text).strip()
    if _CONTINENTAL.search(text):  # 1.166,00 is eleven hundred and sixty-six
        text = text.replace(".", "").replace(",", ".")
    match = _NUMBER.fullmatch(text)
    if match is None:
        return None
    before, after = _UNITS.get(match["before"].strip().casefold().rstrip("."), ""), _unit(match["after"])
    if (match["before"].strip() and not before) or after is None or (before and after and before != after):
        return None
    number = Fraction(match["digits"].replace(",", "") + (match["decimals"] or ""))
    if match["over"]:
        denominator = int(match["over"][1:])
        if not denominator:
            return None
        number /= denominator
    if match["exponent"]:
        number *= Fraction(10) ** int(match["exponent"][1:])
    if match["sign"] in ("-", "−"):
        number = -number
    unit = before or after
    return _number(number / 100 if unit == "%" else number, unit, text)


def _unit(word: str) -> str | None:
    """Return the canonical unit, "" for none, None for something that is no unit."""
    name = word.strip().casefold().rstrip(".")
    if not name:
        return ""
    if name in _UNITS:
        return _UNITS[name]
    singular = name[:-1] if name.endswith("s") and len(name) > 3 else name
    if singular in _UNITS:
        return _UNITS[singular]
    return singular if re.fullmatch(r"[a-z]{1,12}|[a-z]{1,9}²|km|一?[个]", singular) else None


def _number(number: Fraction, unit: str, raw: str) -> Result:
    return Result(ResultKind.NUMBER, str(number), number, unit, raw or str(number))


def _boolean(value: bool, raw: str) -> Result:
    return Result(ResultKind.BOOLEAN, "true" if value else "false", raw=raw.strip())


def _label(text: str) -> Result:
    words = re.sub(r"[\W_]+", " ", unicodedata.normalize("NFKC", text).casefold()).strip()
    return Result(ResultKind.LABEL, words, raw=text.strip()) if words else NONE


def _dump(value: object) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=False, default=str)
