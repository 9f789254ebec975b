"""The lines of a reply as groups of segments: bullets off, headings and answers known, table rows by columns."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from holmes.reading.symbols import canonical
from holmes.scoring.derivation.segments import AXES, Group, Segment, groups_of, unmarked
from holmes.scoring.derivation.tokens import Token, tokens
from holmes.scoring.derivation.vocabulary import Vocabulary

LONGEST = 6000  # characters of a line
_ANSWER = re.compile(r"^\W*(?:the )?(?:final )?(?:answer|答案)\W{0,3}\s*(?:is\b|[:=])", re.I)
_RULED = re.compile(r"^\|?[\s:|—-]{3,}\|?$")
_ABBREVIATIONS = (
    (re.compile(r"\bi\.\s?e\.,?", re.I), "that is"), (re.compile(r"\be\.\s?g\.", re.I), "for example"),
    (re.compile(r"\b(?:cf|resp|approx|vs|etc)\.", re.I), " "),
)  # fmt: skip
_COLUMNS = (
    (
        "rule",
        re.compile(r"^\W*(?:rules?|no\.?|nr\.?|#|§|ruling|measure no\.?|article|clause|check|gate|规则)\W*$", re.I),
    ),
    ("c", re.compile(r"conclu|finding|result|follows|derived|holding|statement", re.I)),
    ("T", re.compile(r"trigger|fires|raised|arises|condition met|engaged|prima facie|触发", re.I)),
    ("A", re.compile(r"appl|fate|stand|surviv|final|in force|remain|effect|defeat", re.I)),
    (
        "-",
        re.compile(
            r"fact|reason|why|ground|basis|test|input|comment|because|note|evidence|explan|premis|cond|理由", re.I
        ),
    ),
)


class Line(NamedTuple):
    """One line. text: canonical. depth: its indentation. heading: it only says what follows. cells: of a table row."""

    text: str
    depth: int
    heading: bool
    cells: tuple[str, ...] = ()
    header: tuple[str, ...] = ()


def lines_of(text: str, sections: bool = False) -> Iterator[Line]:
    """Yield the lines of a text that may be steps, in canonical signs; answer lines and table heads are none."""
    header: tuple[str, ...] = ()
    rows = text.splitlines()
    for number, raw in enumerate(rows):
        line = _line(raw[: LONGEST * 4], sections)
        if line is None:
            continue
        if line.cells:
            if number + 1 < len(rows) and "|" in rows[number + 1] and _RULED.match(rows[number + 1].strip()):
                header = line.cells
                continue
            if header and len(header) != len(line.cells):
                header = ()
            line = line._replace(header=header)
        else:
            header = ()
        yield line


@functools.lru_cache(maxsize=16384)
def _line(raw: str, sections: bool) -> Line | None:
    raw = canonical(raw, sections)
    bare = raw.strip()
    if not bare or bare.startswith("```") or _ANSWER.match(bare):
        return None
    if bare.startswith("|") or (bare.endswith("|") and bare.count("|") > 1):
        if _RULED.match(bare):
            return None
        return Line(bare, 0, False, tuple(cell.strip() for cell in bare.strip("|").split("|")))
    line = unmarked(raw)[:LONGEST]
    heading = bare.startswith("#") or (len(bare) < 60 and bare.endswith(":"))
    if "." in line:
        for pattern, word in _ABBREVIATIONS:
            line = pattern.sub(word, line)
    return Line(line, len(raw) - len(raw.lstrip()), heading)


def row_groups(line: Line, vocabulary: Vocabulary) -> list[Group]:
    """Return a table row as one group: its rules first, then its cells, those of grounds marked."""
    roles = [next((role for role, pattern in _COLUMNS if pattern.search(h)), "") for h in line.header]
    roles += [""] * (len(line.cells) - len(roles))
    first: list[Segment] = []
    rest: list[Segment] = []
    cited: tuple[int, ...] = ()
    concluding = "c" in roles
    numbered = any("@" in cell or "⟨" in cell for cell in line.cells)  # then a bare number counts the rows
    for cell, role in zip(line.cells, roles, strict=True):
        if re.fullmatch(r"\d{1,4}\.?", cell):
            if numbered:
                continue
            text = f"@{cell.strip('.')}" if role == "rule" else cell
        else:
            text = cell
        found = [Token("R", t.text, t.codes, t.value) if t.kind == "C" else t for t in tokens(text, vocabulary)]
        if not found:
            continue
        if all(t.kind == "R" or (t.codes <= {"D", "&"} and t.kind == "P") or t.kind == "," for t in found):
            merged = tuple(n for t in found for n in t.rules)
            if concluding and role != "c" and any(one.before == "→" for one in rest):
                cited += merged
                continue
            first.append(Segment([Token("R", cell, value=merged)], "", "|"))
            continue
        named = len(found) == 1 and found[0].kind == "A"
        for segment in (s for group in groups_of(found) for s in group.segments):
            segment.cell = f"{role}+" if role in ("T", "A") else ""
            segment.ground = segment.ground or (role == "-" and (concluding or not named))
            segment.before = segment.before or ("→" if role == "c" else "|")
            segment.after = segment.after or "|"
            rest.append(segment)
    return [Group([*first, *rest], cited)] if first or rest else []


def predicate_of(found: Sequence[Token]) -> tuple[frozenset[str], bool] | None:
    """Return what a heading says of what stands under it ("Not triggered", "What is left"); None for nothing."""
    told = [t for t in found if t.codes & AXES]
    if len(found) > 7 or len(told) != 1 or any(t.kind in "RA#" for t in found):
        return None
    codes = told[0].codes & AXES
    if codes & {"D+", "D-"} and not codes & {"T+", "A+"}:
        return None
    place = list(found).index(told[0])
    return codes - {"R+"} or frozenset({"T+"}), sum("N" in t.codes for t in found[:place]) % 2 == 0
