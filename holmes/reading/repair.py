"""JSON as models break it, mended outside its strings: foreign marks, comments, inner quotes, a missing end."""

from __future__ import annotations

import html
import json
import re
from fractions import Fraction
from typing import Any

from holmes.reading.numbers import MOST_DIGITS

BRACES = str.maketrans("｛｝", "{}")
"""Full-width braces to plain ones."""

_LONGEST = 50_000  # repair is slow
_MOST_BRACKETS = 300  # json_repair takes quadratic time on open brackets
_SYNTAX = dict(zip("：，｛｝［］“”＂„\u00a0", ':,{}[]"""" ', strict=True))


class Cut(str):
    """A string that the end of the text cut off: what was meant is not known."""

    __slots__ = ()


def strict_json(text: str, *, unique: bool = False) -> object:
    """Return what a text is as JSON, decimals exact; None where it is none, or holds NaN or a monstrous power.

    unique: whether an object that has a key twice is refused; JSON itself lets the last one stand.
    """
    try:
        return json.loads(
            text, parse_float=_number, parse_constant=_refuse, object_pairs_hook=_unique if unique else None
        )
    except (ValueError, RecursionError, ZeroDivisionError, OverflowError):
        return None


def repaired(text: str) -> object:
    """Return the object that a text was meant to be, or None where it cannot be told.

    text: from the brace that opens the object; what stands before it is passed over.
    A string that the end of the text cut off is a `Cut`, a number that may lack digits is None.
    """
    import json_repair

    text = text[:_LONGEST]
    if "&quot;" in text and '"' not in text:
        text = html.unescape(text)
    marked = _syntax(text[max(0, text.translate(BRACES).find("{")) :])
    plain = _scalars(_requoted(marked))
    for attempt in (marked, plain):
        if (value := strict_json(attempt)) is not None:
            return value
    if len(re.findall(r"[{\[]", plain)) > _MOST_BRACKETS:
        return None
    try:
        value = json_repair.loads(plain, skip_json_loads=True)
    except (ValueError, RecursionError, IndexError, KeyError, AttributeError, TypeError):
        return None
    if isinstance(value, list):  # text after the object makes a list of it
        objects = [v for v in value if isinstance(v, dict)]
        value = objects[-1] if objects else None
    return _cut(value, text.rstrip())


def _cut(value: Any, text: str) -> Any:
    """Return the value with its last leaf marked, where the text ends in the middle of it."""
    if isinstance(value, dict) and value:
        last = next(reversed(value))
        return value | {last: _cut(value[last], text)}
    if isinstance(value, list) and value:
        return [*value[:-1], _cut(value[-1], text)]
    if isinstance(value, str):
        return Cut(value) if value.strip() and text.endswith(value.strip()[-20:]) else value
    if isinstance(value, int | float) and not isinstance(value, bool) and re.search(r"\d\.?\Z", text):
        return None
    return value


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len({key for key, _ in pairs}) < len(pairs):
        raise ValueError("a key stands twice")
    return dict(pairs)


def _number(text: str) -> Fraction:
    if abs(int(re.split("[eE]", text + "e0")[1])) > MOST_DIGITS:
        raise ValueError("the power is too large")
    return Fraction(text)


def _refuse(name: str) -> object:
    raise ValueError(f"{name} is no JSON number")


def _syntax(text: str) -> str:
    """Full-width and curly marks outside strings become JSON's own, trailing commas and ``//`` comments vanish."""
    pieces: list[str] = []
    closing = ""
    escaped = comment = False
    for char in text:
        if closing:
            if escaped:
                escaped = False
            elif char == "\\":
                escaped = True
            elif char == closing or (closing == "”" and char == "“"):
                closing, char = "", '"'
            pieces.append(char)
            continue
        if comment or (char == "/" and pieces and pieces[-1] == "/"):
            if not comment:
                pieces.pop()
            comment = char != "\n"
            continue
        plain = _SYNTAX.get(char, char)
        if plain == '"':
            closing = "”" if char in "“„" else char
        if plain in "]}":
            at = len(pieces) - 1
            while at >= 0 and pieces[at].isspace():
                at -= 1
            if at >= 0 and pieces[at] == ",":
                del pieces[at]
        pieces.append(plain)
    return "".join(pieces)


_SCALAR = re.compile(
    r"""(?P<string>"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\\n])*'(?=\s*[,:}\]]))"""
    r"""|:\s*(?P<run>\d{1,3}(?:,\d{3})+(?=\s*(?:[}\n]|,\s*["'}\n]))|[^\s"'\\\[\]{},:][^,}\]\n"]*)"""
)
_LITERAL = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?\.?|true|false|null|True|False|None|NaN|nan")


def _scalars(text: str) -> str:
    """Values without quotes that are no JSON are quoted whole: ``650*2`` is no 650, and ``1,760`` no 1."""

    def quoted(match: re.Match[str]) -> str:
        run = match["run"]
        if run is None or _LITERAL.fullmatch(run.strip()):
            return match.group()
        return match.group()[: match.start("run") - match.start()] + json.dumps(run.strip(), ensure_ascii=False)

    return _SCALAR.sub(quoted, text)


def _requoted(text: str) -> str:
    """Quotes inside a string value are escaped: a quote closes only where syntax follows that can go on."""
    pieces: list[str] = []
    inside = False
    position = 0
    for match in re.finditer(r'\\.|"', text, re.DOTALL):
        pieces.append(text[position : match.start()])
        position = match.end()
        if match.group() != '"':
            pieces.append(match.group())
        elif not inside:
            inside = True
            pieces.append('"')
        elif _closes(text, position):
            inside = False
            pieces.append('"')
        else:
            pieces.append('\\"')
    return "".join([*pieces, text[position:]])


_AFTER = re.compile(r'\s*(?:[:}\]]|\Z|,\s*(?:"[^"\n]{1,80}"\s*:|[{\[}\]]|-?\d|true|false|null|"[^"\n]*"\s*[,\]]))')


def _closes(text: str, position: int) -> bool:
    return _AFTER.match(text, position) is not None
