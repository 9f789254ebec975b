"""The JSON report of a reply: strict first, then repaired, the last complete object with the required keys."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from holmes.reading.fences import blocks, outside
from holmes.reading.numbers import MOST_DIGITS

FAILING = (
    *("failing_rules", "failed_rules", "failing", "failed", "fails", "failures", "rules_failed"),
    *("violated_rules", "violations", "failed_checks"),
)
"""Keys under which a report lists the rules that fail, the one asked for first."""

_LONGEST = 50_000  # a longer report is no report, and repair is slow
_MOST_BRACKETS = 300  # json_repair takes quadratic time on open brackets
_DEEPEST = 200  # nesting; Python itself gives up near a thousand
_MOST, _REPAIRED = 40, 8  # objects tried from the end as they stand, and repaired
_PROSE = ("", "text", "txt", "plain", "plaintext", "markdown", "md")
_SYNTAX = dict(zip("：，｛｝［］“”＂„\u00a0", ':,{}[]"""" ', strict=True))
_BRACES = str.maketrans("｛｝", "{}")


@dataclass(frozen=True, slots=True)
class Report:
    """A JSON object that a reply holds.

    value: its keys and values; numbers are int or an exact Fraction. strict: it parsed as it stood.
    """

    value: Mapping[str, Any]
    strict: bool


def read_report(reply: str, required: Collection[str] = (), *, strict: bool = False) -> Report | None:
    """Read the report of a reply.

    reply: the text without its reasoning. required: keys that the report must have. strict: accept only JSON that
    parses as it stands.
    Fenced blocks and objects in the prose are tried from the last to the first; of each, the text as it stands, then
    repaired (full-width or curly marks as syntax, trailing commas, inner quotes, a missing end).
    Returns the Report, or None where no object has the required keys.
    """
    candidates = list(_candidates(reply))[-_MOST:]
    for place, text in enumerate(reversed(candidates)):
        value = strict_json(text)
        if _complete(value, required):
            return Report(_exact(value), True)
        if strict or place >= _REPAIRED:
            continue
        value = _repaired(text)
        if _complete(value, required):
            return Report(_exact(value), False)
    return None


def read_reports(reply: str) -> list[Report]:
    """Return every report of a reply in the order in which they end, each as it stands or repaired; see `read_report`.

    Objects that cannot be read are left out; of a long reply the last ones count.
    """
    found: list[Report] = []
    candidates = list(_candidates(reply))[-_MOST:]
    for place, text in enumerate(candidates):
        value = strict_json(text)
        strict = _complete(value, ())
        if not strict and place >= len(candidates) - _REPAIRED:
            value = _repaired(text)
        if _complete(value, ()):
            found.append(Report(_exact(value), strict))
    return found


def without_reports(reply: str) -> str:
    """Return the prose of a reply: without JSON objects and without fenced blocks that hold one or a program."""
    pieces, position = [], 0
    for block in blocks(reply):
        pieces.append(reply[position : block.start])
        if block.language in _PROSE and "{" not in block.text:
            pieces.append(block.text)
        position = block.end
    pieces.append(reply[position:])
    kept = []
    for piece in pieces:
        end = 0
        for start, text in _objects(piece):
            kept.append(piece[end:start])
            end = start + len(text)
        kept.append(piece[end:])
    return "\n".join(kept)


def _complete(value: object, required: Collection[str]) -> bool:
    return isinstance(value, dict) and bool(value) and all(key in value for key in required)


def _candidates(reply: str) -> Iterator[str]:
    """Texts that may be reports, in the order in which they end; objects in the prose come before later blocks."""
    found: list[tuple[int, str]] = []
    position = 0
    fenced = [b for b in blocks(reply) if "{" in b.text or "｛" in b.text]
    for block in fenced:
        found += [(position + at, text) for at, text in _objects(reply[position : block.start])]
        found.append((block.start, block.text))
        position = block.end
    found += [(position + at, text) for at, text in _objects(reply[position:])]
    if not found and "{" in (rest := outside(reply)):
        found.append((0, rest[rest.index("{") :]))
    texts = (text[:_LONGEST] for _, text in sorted(found, key=lambda pair: pair[0]))
    yield from (text for text in texts if not _deep(text))


def _deep(text: str) -> bool:
    """Tell whether brackets nest deeper than in any report; those in strings count too."""
    depth = 0
    for char in re.findall(r"[{}\[\]]", text.translate(_BRACES)):
        depth += 1 if char in "{[" else -1
        if depth > _DEEPEST:
            return True
    return False


def _objects(text: str) -> Iterator[tuple[int, str]]:
    """The outermost brace pairs of a text, ignoring braces in strings where the strings are well formed."""
    depth = start = 0
    quoted = False
    for match in re.finditer(r'\\.|["{}\n]', text.translate(_BRACES), re.DOTALL):
        char = match.group()
        if char == '"' and depth:
            quoted = not quoted
        elif char == "\n":
            quoted = False  # a quote left open does not swallow the rest
        elif char == "{" and not quoted:
            if not depth:
                start = match.start()
            depth += 1
        elif char == "}" and not quoted and depth:
            depth -= 1
            if not depth:
                yield start, text[start : match.end()]
    if depth:
        yield start, text[start:]


def strict_json(text: str) -> object:
    """Return what a text is as JSON, decimals exact; None where it is none, or holds NaN or a monstrous power."""
    try:
        return json.loads(text, parse_float=_number, parse_constant=_refuse)
    except (ValueError, RecursionError, ZeroDivisionError, OverflowError):
        return None


def _number(text: str) -> Fraction:
    if abs(int(re.split("[eE]", text + "e0")[1])) > MOST_DIGITS:
        raise ValueError("the power is too large")
    return Fraction(text)


def _refuse(name: str) -> object:
    raise ValueError(f"{name} is no JSON number")


def _repaired(text: str) -> object:
    import json_repair

    marked = _syntax(text[max(0, text.translate(_BRACES).find("{")) :])
    plain = _requoted(marked)
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
        return objects[-1] if objects else None
    return value


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


def _exact(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(key): _exact(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_exact(inner) for inner in value]
    if isinstance(value, float):
        try:
            value = Fraction(str(value))
        except ValueError:  # inf, nan
            return None
    if isinstance(value, Fraction) and value.denominator == 1:
        return int(value)
    return value
