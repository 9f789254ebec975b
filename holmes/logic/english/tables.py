"""A printed table read back: keys from its head, rows from its lines."""

from __future__ import annotations

import re
from fractions import Fraction

from holmes.logic.english.formula import read_formula
from holmes.logic.english.lexicon import Lexicon, core, words
from holmes.logic.english.quantities import reference
from holmes.logic.english.tokenizer import TextError, Token
from holmes.logic.language.model import MONEY, Const, Expr, Ref, Table, TableRow

Cut = str | tuple[Fraction, Fraction | None]
_RANGE = re.compile(r"from (-?[\d./]+) (?:to under (-?[\d./]+)|up)")
_QUIET = ("filler", "table", "num", "enum", "soft", "mark", "and", "ref")


def read_table(tokens: list[Token], rows: tuple[str, ...], number: int, text: str, lexicon: Lexicon) -> Table:
    """Read a table.

    tokens: of its sentence, which names the table and only its keys. rows: printed lines, head first.
    Returns the table. Raises TextError for a row, key or value that does not fit.
    """
    named = [t.value for t in tokens if t.kind == "table"]
    if len(set(named)) != 1:
        raise TextError(f"{len(set(named))} tables named", "one")
    if odd := [t for t in tokens if t.kind not in _QUIET]:
        raise TextError(f"{odd[0].text!r} in the sentence of a table", "the table and its keys")
    cells = [[cell.strip() for cell in row.strip().strip("|").split("|")] for row in rows]
    if len(cells) < 2 or any(len(row) != len(cells[0]) for row in cells):
        raise TextError("a table of uneven rows", "a head and rows of one length")
    head, *body = cells
    found: list[tuple[list[str], str]] = []
    if " / " in head[0]:
        heads = head[0].split(" / ")
        found = [([row[0], second], cell) for row in body for second, cell in zip(head[1:], row[1:], strict=True)]
    else:
        heads = head[:-1]
        found = [(row[:-1], row[-1]) for row in body]
    keys = tuple(_key(text, lexicon) for text in heads)
    for token in tokens:
        if token.kind in ("num", "enum") and Ref(token.value, _reference(token.value, lexicon).kind) not in keys:
            raise TextError(f"{token.text!r} in the sentence of a table", f"its keys {', '.join(heads)} only")
    listed = tuple(
        TableRow(
            tuple(_cut(text, key, lexicon) for text, key in zip(cuts, keys, strict=True)), read_formula(cell, lexicon)
        )
        for cuts, cell in found
    )
    first = listed[0].value
    kind = first.type if isinstance(first, Const) and isinstance(first.value, str) else MONEY
    return Table(named[0], number, keys, listed, kind, text)


def _reference(name: str, lexicon: Lexicon) -> Ref:
    return reference(name, lexicon)


def _key(text: str, lexicon: Lexicon) -> Expr:
    meaning = lexicon.phrases.get(core(words(text)))
    if meaning is not None and meaning.kind in ("number", "enum"):
        return _reference(meaning.name, lexicon)
    return read_formula(text, lexicon)


def _cut(text: str, key: Expr, lexicon: Lexicon) -> Cut:
    if match := _RANGE.fullmatch(text):
        return Fraction(match[1]), Fraction(match[2]) if match[2] else None
    values = lexicon.types[key.name].values if isinstance(key, Ref) else ()
    for value in values:
        if value.replace("_", " ") == text:
            return value
    raise TextError(f"the key {text!r} in a table", f"one of {', '.join(values)}" if values else "a range")
