"""The JSON report of a reply: strict first, then repaired, the last complete object with the required keys."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from holmes.reading.fences import Block, blocks
from holmes.reading.repair import BRACES, repaired, strict_json

FAILING = (
    *("failing_rules", "failed_rules", "failing", "failed", "fails", "failures", "rules_failed"),
    *("violated_rules", "violations", "failed_checks"),
)
"""Keys under which a report lists the rules that fail, the one asked for first."""

_DEEPEST = 200  # nesting; Python itself gives up near a thousand
_MOST, _REPAIRED = 40, 8  # objects tried from the end as they stand, and repaired
_PROSE = ("", "text", "txt", "plain", "plaintext", "markdown", "md")
# A brace opens an object where a key can follow: "{12, 13}" and "{draft}" are sets and remarks of the prose.
_KEYED = re.compile(r"\{\s*(?:\\*[\"'“”‘’`„＂]|&(?:quot|apos|#3[49]);|[\w-]{1,60}\s*[:：]|/[/*]|#|[{}]|\Z)")
_COMMAND = re.compile(r"\\[A-Za-z]{1,18}\s?\Z")  # \\boxed{answer: 5} is a box
_BETWEEN = re.compile(r"(?:[\s,;\[\]]|//[^\n]*)*\Z")


@dataclass(frozen=True, slots=True)
class Report:
    """A JSON object that a reply holds.

    value: its keys and values; numbers are int or an exact Fraction. strict: it parsed as it stood. start, end: where
    in the reply the object, or the block that holds it, begins and ends.
    """

    value: Mapping[str, Any]
    strict: bool
    end: int = 0
    start: int = 0


@dataclass(frozen=True, slots=True)
class _Candidate:
    text: str
    end: int
    start: int = 0


def read_report(reply: str, required: Collection[str] = (), *, strict: bool = False) -> Report | None:
    """Read the report of a reply.

    reply: the text without its reasoning. required: keys that the report must have. strict: accept only JSON that
    parses as it stands.
    Fenced blocks and objects in the prose are tried from the last to the first; of each, the text as it stands, then
    repaired (full-width or curly marks as syntax, trailing commas, inner quotes, a missing end).
    Returns the Report, or None where no object has the required keys.
    """
    for place, candidate in enumerate(reversed(_candidates(reply))):
        found = _read(candidate, required, repair=not strict and place < _REPAIRED)
        if found is not None:
            return found
    return None


def read_reports(reply: str) -> list[Report]:
    """Return every report of a reply in the order in which they end, each as it stands or repaired; see `read_report`.

    Objects that cannot be read are left out; of a long reply the last ones count.
    """
    candidates = _candidates(reply)
    first = len(candidates) - _REPAIRED
    found = (_read(candidate, (), repair=place >= first) for place, candidate in enumerate(candidates))
    return [report for report in found if report is not None]


def closed_objects(text: str) -> list[Report]:
    """Return the objects that stand in a text without fences, in their order and with their places.

    One that is never closed counts where it goes on to the end without an empty line: else it is a brace of the prose.
    """
    places = [_Candidate(inner, start + len(inner), start) for start, inner in _objects(text)]
    places = [place for place in places if not _deep(place.text)][-_MOST:]
    whole = [place for place in places if place.text.endswith(("}", "｝")) or not re.search(r"\n\s*\n", place.text)]
    first = len(whole) - _REPAIRED
    found = (_read(place, (), repair=number >= first) for number, place in enumerate(whole))
    return [report for report in found if report is not None]


def _read(candidate: _Candidate, required: Collection[str], *, repair: bool) -> Report | None:
    value = strict_json(candidate.text)
    strict = _complete(value, required)
    if not strict and repair:
        value = repaired(candidate.text)
    return Report(_exact(value), strict, candidate.end, candidate.start) if _complete(value, required) else None


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


def _candidates(reply: str) -> list[_Candidate]:
    """Texts that may be reports, in the order in which they end; objects in the prose come before later blocks."""
    found: list[_Candidate] = []
    position = 0
    fenced = [b for b in blocks(reply) if "{" in b.text or "｛" in b.text]
    for block in fenced:
        found += _within(reply[position : block.start], position)
        found += _of_block(block)
        position = block.end
    found += _within(reply[position:], position)
    return [candidate for candidate in found if not _deep(candidate.text)][-_MOST:]


def _within(text: str, offset: int) -> Iterator[_Candidate]:
    for start, inner in _objects(text):
        yield _Candidate(inner, offset + start + len(inner), offset + start)


def _of_block(block: Block) -> Iterator[_Candidate]:
    """The objects of a block, if it holds several and they can be told apart; else the whole of it."""
    objects = list(_objects(block.text))
    if len(objects) > 1:
        rest, position = "", 0
        for start, text in objects:
            rest += block.text[position:start]
            position = start + len(text)
        apart = _BETWEEN.match(rest + block.text[position:])
        if apart or all(isinstance(strict_json(text), dict) for _, text in objects):
            yield from (_Candidate(text, block.end, block.start) for _, text in objects)
            return
    yield _Candidate(block.text, block.end, block.start)


def _deep(text: str) -> bool:
    """Tell whether brackets nest deeper than in any report; those in strings count too."""
    depth = 0
    for char in re.findall(r"[{}\[\]]", text.translate(BRACES)):
        depth += 1 if char in "{[" else -1
        if depth > _DEEPEST:
            return True
    return False


def _objects(text: str) -> Iterator[tuple[int, str]]:
    """The outermost brace pairs of a text, ignoring braces in strings where the strings are well formed."""
    depth = start = 0
    quoted = False
    plain = text.translate(BRACES)
    for match in re.finditer(r'\\.|["{}\n]', plain, re.DOTALL):
        char = match.group()
        if char == '"' and depth:
            quoted = not quoted
        elif char == "\n":
            quoted = False  # a quote left open does not swallow the rest
        elif char == "{" and not quoted:
            if not depth:
                if not _KEYED.match(plain, match.start()) or _COMMAND.search(
                    plain, max(0, match.start() - 20), match.start()
                ):
                    continue
                start = match.start()
            depth += 1
        elif char == "}" and not quoted and depth:
            depth -= 1
            if not depth:
                yield start, text[start : match.end()]
    if depth:
        yield start, text[start:]


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
