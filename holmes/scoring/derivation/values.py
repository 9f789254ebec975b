"""The value that a statement gives to a step that is no truth: a number, a day, a word of an enum, a rule."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from fractions import Fraction

from holmes.logic.english.lexicon import words
from holmes.logic.english.vocabulary import NUMBER_WORDS
from holmes.logic.language.model import Type, Value
from holmes.scoring.derivation.tokens import Token

_CUES = frozenset({"at", "of", "for", "to", "total", "totals", "equals", "equal"})
_COUNTED = frozenset({"item", "items", "step", "row", "line", "member", "members", "clause", "section"})


def stated(kind: Type, found: Sequence[Token]) -> Value | None:
    """Return the value of a type that a statement gives; None where it commits to none."""
    if kind.kind in ("int", "money"):
        return _number(found)
    if kind.kind == "date":
        return _day(found)
    return _word(found, kind) if kind.kind == "enum" else None


def _number(found: Sequence[Token]) -> Fraction | None:
    """Return the only number, or the one after the last "is", "=" or "of" before the last number."""
    figures = [
        n
        for n, t in enumerate(found)
        if t.kind == "#" and isinstance(t.value, Fraction) and not (n and found[n - 1].text in _COUNTED)
    ]
    if not figures:
        return _spelled(found)
    if any(found[n].text.endswith("%") and n + 1 < len(found) and found[n + 1].text == "of" for n in figures):
        return None  # "6 % of 2350"
    if len(figures) > 1:
        last = figures[-1]
        cue = max((n for n in range(last) if found[n].kind == "=" or _cue(found[n])), default=-1)
        figures = [n for n in figures if n > cue]
        if cue < 0:
            return None  # "limit 1 · 50000": a sum that is not worked out
    first = figures[0]
    value = found[first].value
    assert isinstance(value, Fraction)
    return value * 100 if found[first].text.endswith("%") else value


def _cue(token: Token) -> bool:
    return "V" in token.codes or token.text in _CUES


def _spelled(found: Sequence[Token]) -> Fraction | None:
    for token in found:
        if token.text in ("zero", "nothing", "nil"):
            return Fraction(0)
        if token.text in NUMBER_WORDS:
            return Fraction(NUMBER_WORDS.index(token.text))
    return Fraction(0) if any(t.text in ("no", "none") for t in found[:3]) else None


def _word(found: Sequence[Token], kind: Type) -> str | None:
    """Return the last value of an enum that is named and not denied ("head, not single"); None for none."""
    said = [word for token in found for word in token.text.split()]
    best: tuple[int, str] | None = None
    for value in sorted(kind.values, key=len):
        spoken = list(words(value.replace("_", " ")))
        for place in range(len(said) - len(spoken), -1, -1):
            if said[place : place + len(spoken)] == spoken:
                end = place + len(spoken)
                denied = any(w in ("not", "no", "neither", "nor", "never") for w in said[max(0, place - 2) : place])
                if not denied and (best is None or end >= best[0]):
                    best = (end, value)
                break
    return best[1] if best else None


def _day(found: Sequence[Token]) -> date | None:
    """Return the last ISO date."""
    for token in reversed(found):
        if len(token.text) == 10 and token.text[4] == token.text[7] == "-":
            try:
                return date.fromisoformat(token.text)
            except ValueError:
                return None
    return None
