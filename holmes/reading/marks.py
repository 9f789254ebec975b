"""A reply prepared for reading: lines of plain prose, with boxes, tags and objects marked in their places."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from holmes.reading.cues import BOLD
from holmes.reading.fences import blocks
from holmes.reading.plain import plain
from holmes.reading.report import Report, closed_objects

BOX, BOX_END, TAG, TAG_END, OBJECT = "\x01", "\x02", "\x03", "\x04", "\x05"
"""Marks around the content of a box or of an answer tag, and before the number of an object."""

_STRUCK = re.compile(
    r"(?<!~)~~(?![~\s])(?P<tilde>[^~\r\n]{1,400})~~(?!~)"
    r"|<(?P<tag>s|del|strike)\b[^<>]{0,80}>(?P<html>[^<>]{0,400}(?:<(?!/?(?:s|del|strike)\b)[^<>]{0,80}>[^<>]{0,400}){0,8})"
    r"</(?P=tag)\s?>"
    r"|\\(?:sout|st|cancel|xcancel|bcancel)\s?\{(?P<tex>[^{}]{0,400})\}"
    r"|(?P<dashed>(?:[^\n]̶){2,})",
    re.IGNORECASE,
)
_NAMES = r"(?:final[\s_-]?)?(?:answer|verdict|decision|amount|result|response|label|classification)|final"
_ANSWER_TAG = re.compile(
    rf"<(?P<name>{_NAMES})>(?P<inner>[^<]*)(?:</(?:{_NAMES})>|\Z)"
    rf"|<parameter(?:\s+name\s?=\s?|=)[\"']?(?:{_NAMES})[\"']?\s?>(?P<held>[^<]*)</parameter>"
    rf"|\[(?:{_NAMES})\](?P<square>[^\[\]\n]{{0,400}})\[/(?:{_NAMES})\]",
    re.IGNORECASE,
)
_BOXED = re.compile(r"\\(?:boxed|fbox|framebox)\s?\{")
_CELL = re.compile(r"</t[dh]>\s{0,9}<t[dh](?:\s[^<>]{0,80})?>", re.IGNORECASE)
_ROW = re.compile(r"</?(?:tr|table|thead|tbody|li|ul|ol|dl|dt|dd|div|p|h[1-6])(?:\s[^<>]{0,80})?\s?/?>", re.IGNORECASE)
_ENDS = re.compile(r"</?t[dh](?:\s[^<>]{0,80})?>", re.IGNORECASE)
_FORMAT = re.compile(
    r"</?(?:b|i|u|em|strong|span|code|mark|center|font|ins|sub|big|small)(?:\s[^<>]{0,80})?\s?/?>", re.I
)
_CODE = {
    *("prolog", "pl", "swipl", "swi-prolog", "python", "py", "python3", "javascript", "js", "typescript", "ts", "bash"),
    *("sh", "shell", "sql", "c", "cpp", "java", "r", "ruby", "go", "rust", "haskell", "lisp", "lean", "isabelle"),
}
_BREAKS = re.compile(r"[\r\n\v\f\u2028\u2029]+")


@dataclass(frozen=True, slots=True)
class Prepared:
    """A reply ready to be read: its lines that are not blank, its objects by number, and what was struck out."""

    lines: tuple[str, ...]
    objects: tuple[Mapping[str, Any], ...]
    struck: tuple[str, ...]


def prepared(reply: str) -> Prepared:
    """Return a reply as lines of plain characters, boxes and answer tags marked, objects apart, code left out.

    reply: without its reasoning. What is struck out (``~~X~~``, ``<s>``, ``<del>``, ``\\sout``) is gone from the lines.
    """
    text, struck = unstruck(unicodedata.normalize("NFC", _unmarked(reply)))
    if struck:
        text = re.sub(r"\$\s{0,3}\$", " ", text)  # a formula that held nothing else
    text = _FORMAT.sub("", _opened(text))
    found: list[Report] = closed_objects(text)
    pieces, position = [], 0
    for number, report in enumerate(found):
        pieces += [text[position : report.start], f"\n{OBJECT}{number}\n"]
        position = report.end
    text = "".join([*pieces, text[position:]])
    text = _ANSWER_TAG.sub(_tagged, text)
    if "<" in text:
        text = _ENDS.sub(" ", _ROW.sub("\n", _CELL.sub(" | ", text)))
    text = plain(_boxes(BOLD.sub(r"\g<cue>:", text)))
    lines = tuple(line for line in map(str.strip, _BREAKS.split(text)) if line)
    return Prepared(lines, tuple(report.value for report in found), struck)


def unstruck(text: str) -> tuple[str, tuple[str, ...]]:
    """Return a text without what is struck out in it, and what that was."""
    if not re.search(r"~~|</|\\|̶", text):
        return text, ()
    struck: list[str] = []

    def out(match: re.Match[str]) -> str:
        words = match["tilde"] or match["html"] or match["tex"] or (match["dashed"] or "").replace("̶", "")
        struck.append(words.strip())
        return " "

    return _STRUCK.sub(out, text), tuple(struck)


def _tagged(match: re.Match[str]) -> str:
    inner = match["inner"] or match["held"] or match["square"] or ""
    return f"{TAG}{' '.join(inner.split())}{TAG_END}"


def _unmarked(text: str) -> str:
    return re.sub(r"[\x01-\x05]", " ", text)


def _opened(reply: str) -> str:
    """The reply with its fences taken off: prose in them is kept, code in another language than JSON is not."""
    pieces, position = [], 0
    for block in blocks(reply):
        code = block.closed and block.language in _CODE
        pieces += [reply[position : block.start], "\n", "" if code else block.text, "\n"]
        position = block.end
    return "".join([*pieces, reply[position:]])


def _boxes(text: str) -> str:
    """The text with every box marked; braces may nest."""
    if "\\" not in text or not _BOXED.search(text):
        return text
    closing: dict[int, int] = {}
    stack: list[int] = []
    for match in re.finditer(r"\\.|[{}]", text, re.DOTALL):
        if match.group() == "{":
            stack.append(match.start())
        elif match.group() == "}" and stack:
            closing[stack.pop()] = match.start()
    pieces, position = [], 0
    for match in _BOXED.finditer(text):
        end = closing.get(match.end() - 1)
        if end is None or match.start() < position:
            continue
        inner = " ".join(text[match.end() : end].split())
        pieces += [text[position : match.start()], BOX, inner, BOX_END]
        position = end + 1
    return "".join([*pieces, text[position:]])
