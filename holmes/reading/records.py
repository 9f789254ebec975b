"""A record told point by point: `“left a pledge” = yes, “mask loan” = 20`, read tolerantly and never guessed."""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from holmes.reading.plain import plain

Told = Mapping[str, bool | Fraction]

_LINE = re.compile(
    r"^[\W_]*(?:(?:my|the|a|final|counter-?)\s?)*(?:witness|example)(?:\s(?:case|record))?\s?(?:no\.\s?)?"
    r"(?P<number>[12])?[*_\"']*\s*[:=](?P<value>.*)$",
    re.IGNORECASE,
)
_NONE = re.compile(
    r"[\W_]*(?:(?:there (?:is|exists) )?"
    r"(?:none|no(?: such| valid| possible)?(?: witness| case| example| counter-?example)?|n/?a|nothing|impossible|"
    r"not (?:needed|applicable|required|possible|available)|does not exist|doesn't exist)"
    r"(?: (?:exists?|(?:is )?(?:needed|required|possible|available)|can (?:occur|exist)))?\b"
    r"(?:\s*[.,;:(—-].*)?)?[\W_]*",
    re.IGNORECASE,
)
_AHEAD = re.compile(r"([.;,)])\s+(?=[*_]{0,2}witness(?:\s[12])?[*_]{0,2}\s?[:=])", re.IGNORECASE)
_YES = "yes|true|holds|present|y|1"
_NO = "no|false|does not hold|doesn't hold|absent|n|0"
_REST = re.compile(
    r"\b(?:and |with )?(?:(?:all|every|any|everything|the|each)?\s?(?:of the )?(?:else|others?|remaining|"
    r"rest)(?: of (?:the|all))?"
    r"(?: (?:points?|facts?|values?|ones?|entries))?|(?:all|every) (?:points?|facts?))\s?(?:=|:|is|are|->|→|"
    r"being|set to|stays?|"
    r"remains?|at)?\s?(?:no|false|absent|0|default|their defaults?|the baseline|baseline|unset|unstated)\b"
    r"|\b(?:and |but |with )?(?:nothing|none|no (?:other|further|more)(?: (?:points?|facts?))?)\s?(?:else|more|"
    r"further|besides|other)?"
    r"\s?(?:holds?|is (?:true|so|stated|given|the case|present)|applies|happened|present|true)?\s?(?=[.;,)]|\Z)",
    re.IGNORECASE,
)
_SMALL = frozenset(
    "and with a an the case where in which of is it that point points fact facts value values number so".split()  # noqa: SIM905
)
LONGEST = 4000  # characters of a witness that are read


@dataclass(frozen=True, slots=True)
class Point:
    """One point of a record. name: of the fact. phrases: its wordings. low, high: of a number, None for yes or no."""

    name: str
    phrases: tuple[str, ...]
    low: Fraction | None = None
    high: Fraction | None = None


@dataclass(frozen=True, slots=True)
class Witness:
    """A witness as it was told. told: None for a text that is no record, with the reason; empty is the baseline."""

    told: Told | None
    reason: str = ""


def witness_lines(text: str) -> tuple[str, dict[int, str]]:
    """Cut the witness lines out of a reply.

    text: without its reasoning. Returns the rest of the text, and number (1 where none is given) -> what the last
    line of that number says; a line with nothing on it goes on until an empty line.
    """
    rest: list[str] = []
    found: dict[int, str] = {}
    open_ = 0
    for line in _AHEAD.sub(r"\1\n", text).splitlines():
        bare = plain(line)
        if match := _LINE.match(bare):
            number = int(match["number"] or 1)
            found[number] = match["value"].strip()
            open_ = 0 if found[number].strip("*_ ") else number
        elif open_ and bare.strip() and not re.match(r"[\W_]*(?:final )?answer\b", bare, re.I):
            found[open_] += f"; {bare.strip()}"
        else:
            open_ = 0 if not bare.strip() and open_ and found[open_].strip("*_ ") else open_
            open_ = 0 if bare.strip() else open_
            rest.append(line)
    return "\n".join(rest), found


_WHY = re.compile(
    r"\s*(?:\((?:so|thus|hence|then|here|because|since|this|the|it|P|Q|Rule|which|under|for|where|"
    r"in this)\b[^()]*\)\.?\s*\Z"
    r"|[\s,]{0,3}(?:[.;—]|\s-|,)\s+(?:so|thus|hence|then|here|because|since|as|this|it|P|Q|the first|the second|"
    r"which|under (?:P|Q|Rule)|"
    r"explanation|reason|why|in (?:this|that|such)|where|rule \d+|the (?:case|witness|policy|rule|exception|"
    r"record)|that|with (?:it|this)|"
    r"now|both|neither|only)\b.*\Z|\s(?:because|since|so that|→|=>)\s.*\Z|,\s*(?:so|hence|thus)\s.*\Z)",
    re.DOTALL | re.IGNORECASE,
)


def is_none(text: str) -> bool:
    """Tell whether a witness line says that there is no witness."""
    return _NONE.fullmatch(plain(text)) is not None


def read_record(text: str, points: tuple[Point, ...]) -> Witness:
    """Read the points that a text tells.

    text: one line, such as `“left a pledge” = yes, mask loan: 20`; a point without a value holds; `not` before a point
    denies it; parentheses without a point are passed over. points: those that there are.
    Returns the values told. A word that belongs to no point, a number out of range, a point told twice in two ways or
    a number without a value makes it no record: `told` is None and `reason` says why.
    """
    if len(text) > LONGEST:
        return Witness(None, f"found {len(text)} characters, expected at most {LONGEST}")
    known = {point.name: point for point in points}
    pattern, names = _compiled(points)
    row = _REST.sub(" ", " ".join(plain(text).replace("`", "").split()))
    row = re.sub(r"\([^()]*\)", lambda inner: inner[0] if pattern.search(inner[0]) else " ", row)
    row = _unexplained(" ".join(row.split()), pattern)
    told: dict[str, bool | Fraction] = {}
    left, end = [], 0
    for match in pattern.finditer(row):
        left.append(row[end : match.start()])
        end = match.end()
        point = known[names[_key(match["phrase"])]]
        value = _value(point, match["value"], match["number"], bool(match["not"]))
        if isinstance(value, str):
            return Witness(None, value)
        if told.setdefault(point.name, value) != value:
            return Witness(None, f"found two values of {match['phrase']!r}, expected one")
    left.append(row[end:])
    odd = [word for word in re.findall(r"[^\W_]+", " ".join(left)) if word.lower() not in _SMALL]
    if odd:
        return Witness(None, f"found {odd[0]!r}, expected points of a case and their values")
    return Witness(told)


def _unexplained(row: str, pattern: re.Pattern[str]) -> str:
    """The row without the explanation that follows its points on the same line; an explanation tells no point."""
    ends = [match.end() for match in pattern.finditer(row) if match["value"] or match["number"]]
    for end in reversed(ends):
        why = _WHY.match(row, end)
        if why and not any(m["value"] or m["number"] for m in pattern.finditer(row, end)):
            return row[:end]
        if why is None:
            break
    return row


def _value(point: Point, value: str | None, number: str | None, denied: bool) -> bool | Fraction | str:
    if point.low is None or point.high is None:
        if number is not None and number not in ("0", "1"):
            return f"found {number} for {point.phrases[0]!r}, expected yes or no"
        said = (value or number or "yes").lower()
        return (re.fullmatch(_YES, said) is not None and not denied) or (re.fullmatch(_NO, said) is not None and denied)
    if number is None:
        return f"found no number for {point.phrases[0]!r}, expected one"
    read = Fraction(number)
    if denied or not point.low <= read <= point.high or read.denominator != 1:
        return f"found {number} for {point.phrases[0]!r}, expected {point.low} to {point.high}"
    return read


def _key(text: str) -> str:
    return " ".join(text.replace("_", " ").casefold().split())


@functools.lru_cache(maxsize=128)
def _compiled(points: tuple[Point, ...]) -> tuple[re.Pattern[str], dict[str, str]]:
    names: dict[str, str] = {}
    for point in points:
        for phrase in (*point.phrases, point.name):
            for text in (phrase, re.sub(r"^(?:an?|the) ", "", phrase)):
                names.setdefault(_key(plain(text)), point.name)
    body = "|".join(re.escape(text).replace(r"\ ", r"[\s_]") for text in sorted(names, key=lambda t: (-len(t), t)))
    said = f"{_YES}|{_NO}".replace("|1", "").replace("|0", "")
    pattern = (
        rf"(?:(?P<not>\b(?:not|no)\b)\s?)?[\"']?(?<!\w)(?P<phrase>{body})(?!\w)[\"'*]*"
        rf"\s?(?:=|:|\||->|→|\bis\b|\bof\b)?=?\s?[\"'*]*"
        rf"(?:(?P<value>(?:{said}))\b(?!\s+[a-z]+\s*=)|(?P<number>-?\d+(?:\.\d+)?)"
        r"(?:\s(?:%|[a-z]+))?(?=\s*(?:[,;.|})\]\"'*(—]|-\s|(?:and|because|since|so)\b|$)))?"
    )
    return re.compile(pattern, re.IGNORECASE), names
