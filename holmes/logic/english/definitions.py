"""Sentences with a condition: rules with a consequence, and definitions of concepts (docs/rule-english.md, 5 and 6)."""

from __future__ import annotations

from holmes.logic.english.conditions import condition, joined, parse
from holmes.logic.english.lexicon import Lexicon
from holmes.logic.english.tokenizer import TextError, Token
from holmes.logic.language.model import Expr


def consequence(tokens: list[Token]) -> Expr:
    """Parse a rule with a consequence: its wording is the border between two conditions, both needed."""
    places = [i for i, t in enumerate(tokens) if t.kind == "label"]
    if len(places) > 1:
        names = " and ".join(repr(tokens[i].text) for i in places)
        raise TextError(f"two consequences, {names}", "one")
    place = places[0]
    before = [t for t in tokens[:place] if t.kind not in ("filler", "must", "quant")]
    if before and before[-1].kind == "not":
        raise TextError(f"{before[-1].text!r} before the consequence", "a consequence that is stated")
    row = [t for t in tokens if t.kind != "means"]
    return condition([Token("border") if t.kind == "label" else t for t in row])


def definition(tokens: list[Token], lexicon: Lexicon) -> tuple[str, Expr]:
    """Read the sentence of a concept: the concept it defines and its body (docs/rule-english.md, section 5)."""
    means = [i for i, t in enumerate(tokens) if t.kind == "means"]
    if means:
        left = [t for t in tokens[: means[0]] if t.kind == "atom"]
        if len(left) != 1 or not _head(left[0], lexicon):
            raise TextError(f"{tokens[means[0]].text!r} after no concept", "the phrase of one concept before it")
        rest = [t for i, t in enumerate(tokens) if i > means[0] and t.kind != "means"]
        return left[0].value, condition(rest)
    row = joined(tokens)
    borders = [i for i, t in enumerate(row) if t.kind == "border"]
    if not row:
        raise TextError("no phrase", "a definition or a rule with a consequence")
    if not borders:
        if _head(row[0], lexicon) and len(row) > 1 and row[1].kind in ("soft", "except"):
            rest = row[1:] if row[1].kind == "except" else row[2:]
            return row[0].value, parse(rest)
        if row[0].kind == "except" and _head(row[-1], lexicon):
            raise TextError("an exception with no concept after a comma", "`Unless P, there is a C`")
        raise TextError("neither a consequence nor a concept that is defined", "a frame of docs/rule-english.md")
    if len(borders) > 1:
        raise TextError("three phrases side by side", "connectives between them")
    place = borders[0]
    if place + 1 < len(row) and _head(row[place + 1], lexicon):
        after = row[place + 2 :]
        if after and after[0].kind == "soft":
            after = after[1:]
        elif after and after[0].kind not in ("except", "same"):
            raise TextError(f"{after[0].text!r} after the concept defined", "`if`, `unless`, or the end")
        return row[place + 1].value, parse([*row[:place], Token("border"), *after])
    if place == 1 and _head(row[0], lexicon):
        return row[0].value, parse(row[2:])
    raise TextError(
        "a sentence without a consequence that defines no concept", "the phrase of a concept at its end or start"
    )


def _head(token: Token, lexicon: Lexicon) -> bool:
    return token.kind == "atom" and token.positive and token.value in lexicon.concepts
