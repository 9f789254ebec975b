"""Fenced code blocks of a model's reply, read as CommonMark reads them, and a little more forgivingly."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|\Z)")
_OPEN = re.compile(r"(?P<prefix>[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?)(?P<fence>`{3,}|~{3,})(?P<info>.*)\Z")
_LATE_OPEN = re.compile(r"[^`]*[^`\s][ \t]*(?P<fence>`{3,})(?P<info>[A-Za-z][\w+.#-]*)[ \t]*\Z")


@dataclass(frozen=True, slots=True)
class Block:
    """One fenced block: its info string, its text without the fences, and where it stands.

    closed: False when the reply ended, or another block began, before a closing fence.
    start, end: offsets of the whole block, fences included, in the text it was read from.
    """

    info: str
    text: str
    closed: bool
    start: int = 0
    end: int = 0

    @property
    def language(self) -> str:
        """The first word of the info string in lower case, without the braces and dot of pandoc's spelling."""
        words = self.info.strip("{} \t").split()
        return words[0].strip("{}.,:").lower() if words else ""


@dataclass(frozen=True, slots=True)
class _Opening:
    fence: str
    info: str
    indent: int
    quotes: int
    start: int


def blocks(text: str) -> list[Block]:
    """Return the fenced blocks of a reply in order.

    text: a reply, usually without its thinking. Backtick and tilde fences of any length from three, indented,
    quoted or in list items, any line ends; a block open at the end is kept, not `closed` (CommonMark ends it there).
    Beyond CommonMark, because models write it: a new opening line with an info string ends an open block of the
    same kind; a fence at the end of a code line closes; an opening with a language may end a line of prose; a block
    may stand on one line.
    Returns the blocks; their lines end in a bare newline. Linear in the length of the text.
    """
    found: list[Block] = []
    opening: _Opening | None = None
    lines: list[str] = []
    for start, end, line in _lines(text):
        if opening is None:
            whole = _one_line(line, start, end)
            if whole is not None:
                found.append(whole)
            else:
                opening, lines = _opening(line, start), []
            continue
        verdict = _within(line, opening)
        if isinstance(verdict, str):
            lines.append(verdict)
        elif isinstance(verdict, _Opening):
            found.append(_block(opening, lines, closed=False, end=start))
            opening, lines = _opening(line, start), []
        else:
            lines += verdict
            found.append(_block(opening, lines, closed=True, end=end))
            opening = None
    if opening is not None:
        found.append(_block(opening, lines, closed=False, end=len(text)))
    return found


def outside(text: str) -> str:
    """Return the text with every fenced block replaced by an empty line: the prose alone."""
    pieces, position = [], 0
    for block in blocks(text):
        pieces += [text[position : block.start], "\n"]
        position = block.end
    return "".join([*pieces, text[position:]])


def _lines(text: str) -> Iterator[tuple[int, int, str]]:
    for match in _LINE.finditer(text):
        if match.end() > match.start():
            yield match.start(), match.end(), match.group().rstrip("\r\n")


def _opening(line: str, start: int) -> _Opening | None:
    match = _OPEN.match(line)
    if match is None:
        match = _LATE_OPEN.match(line)
        return _Opening(match["fence"], match["info"], 0, 0, start) if match else None
    if match["fence"][0] == "`" and "`" in match["info"]:
        return None  # CommonMark: then it is a code span
    prefix = match["prefix"]
    quoted = prefix.rfind(">") + 1
    inner = prefix[quoted + 1 :] if prefix[quoted : quoted + 1] == " " and quoted else prefix[quoted:]
    return _Opening(match["fence"], match["info"].strip(), len(inner), prefix.count(">"), start)


def _one_line(line: str, start: int, end: int) -> Block | None:
    match = _OPEN.match(line)
    if match is None or match["fence"][0] != "`":
        return None
    info = match["info"].rstrip()
    inner = info.rstrip("`")
    if len(info) - len(inner) < 3 or "`" in inner or not re.search(r"\s", inner.strip()):
        return None  # a code span of one word is prose
    language, _, program = inner.partition(" ")
    if not re.fullmatch(r"[A-Za-z][\w+.#-]*", language):
        language, program = "", inner
    return Block(language, program.strip(), True, start, end)


def _within(line: str, opening: _Opening) -> str | list[str] | _Opening:
    """A line of an open block: its text, or the text before a closing fence, or the next opening."""
    content = _content(line, opening)
    stripped = content.strip()
    mark = opening.fence[0]
    if stripped.startswith(opening.fence):
        rest = stripped.lstrip(mark)
        if not rest:
            return []
        if mark not in rest and re.match(r"[A-Za-z{][\w+.#{}-]*\Z", rest.strip()):
            return _Opening("", "", 0, 0, 0)
    elif mark == "`" and stripped.endswith(opening.fence):
        before = stripped.rstrip(mark)
        if mark not in before:
            return [content[: content.rfind(before[-1]) + 1]]
    return content


def _content(line: str, opening: _Opening) -> str:
    """The line without the quote marks and the indentation that its opening had."""
    for _ in range(opening.quotes):
        bare = line.lstrip(" \t")
        if not bare.startswith(">"):
            break
        line = bare[2:] if bare[1:2] == " " else bare[1:]
    removable = len(line) - len(line.lstrip(" \t"))
    return line[min(opening.indent, removable) :]


def _block(opening: _Opening, lines: list[str], *, closed: bool, end: int) -> Block:
    return Block(opening.info, "\n".join(lines), closed, opening.start, end)
