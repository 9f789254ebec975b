"""A line of a trace as tokens: rule references, names of the rule base, predicates known to assert or deny, signs."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import NamedTuple

from holmes.logic.english.lexicon import Meaning
from holmes.scoring.derivation.vocabulary import Vocabulary
from holmes.scoring.derivation.wording import PHRASES, STARTS

NOTHING: frozenset[str] = frozenset()
LONGEST = 4000  # tokens of a line: no step is longer, and hostile text must not cost more


class Token(NamedTuple):
    """One token.

    kind: R a rule reference, C one alone in brackets, A a name of the rule base, P a phrase of `wording` (codes says
    which), S a sign of truth, # a number, w another word, else the mark itself. value: of R and C the numbers, of A the
    Meaning, of S a bool, of # a Fraction or None. text: as written, lower case.
    """

    kind: str
    text: str
    codes: frozenset[str] = NOTHING
    value: object = None

    @property
    def rules(self) -> tuple[int, ...]:
        """The rule numbers of a reference."""
        return self.value if isinstance(self.value, tuple) else ()

    @property
    def meaning(self) -> Meaning:
        """What a name stands for."""
        assert isinstance(self.value, Meaning)
        return self.value


_TOKEN = re.compile(
    r"(?P<cite>⟨[\d,]+⟩)|(?P<rule>@[\d,]*\d)|(?P<date>\d{4}-\d\d-\d\d)"
    r"|(?P<number>(?:(?<=\s)-)?[$€£¥]?\d+(?:,\d{3})*(?:\.\d+)?(?:/\d+)?%?)"
    r"|(?P<word>[^\W\d_一-鿿]+(?:[-'][^\W\d_]+)*)|(?P<han>[一-鿿])"
    r"|(?P<mark>[→←≻✓✗¬∧∨∈∉=:;,.?()\[\]|—!&+<>≥≤/])"
)
_SIGN = {"✓": True, "✗": False}


def tokens(text: str, vocabulary: Vocabulary) -> list[Token]:
    """Cut a canonical line into tokens; the longest phrase wins, a name of the rule base before a general phrase."""
    raw: list[tuple[str, str]] = []
    for found in _TOKEN.finditer(text):
        raw.append((str(found.lastgroup), found[0].lower()))
        if len(raw) >= LONGEST:
            break
    spoken = [value if kind in ("word", "han", "number", "mark") else "" for kind, value in raw]
    made: list[Token] = []
    place, total = 0, len(raw)
    phrases, starts = vocabulary.terms, vocabulary.starts
    while place < total:
        kind, value = raw[place]
        if kind in ("word", "han", "mark", "number"):
            size, token = _phrase(spoken, place, total, phrases, starts)
            if size:
                made.append(token)
                place += size
                continue
        place += 1
        if kind == "cite" or kind == "rule":
            numbers = tuple(int(n) for n in value.strip("⟨⟩@").split(",") if n)
            made.append(Token("C" if kind == "cite" else "R", value, NOTHING, numbers))
        elif kind == "number":
            made.append(Token("#", value, NOTHING, _number(value)))
        elif value in _SIGN:
            made.append(Token("S", value, NOTHING, _SIGN[value]))
        elif kind == "mark":
            made.append(Token(value, value))
        else:
            made.append(Token("w", value))
    return made


def _phrase(
    spoken: list[str], place: int, total: int, phrases: dict[tuple[str, ...], Meaning], starts: dict[str, int]
) -> tuple[int, Token]:
    first = spoken[place]
    own, general = starts.get(first, 0), STARTS.get(first, 0)
    for size in range(min(max(own, general), total - place), 0, -1):
        key = tuple(spoken[place : place + size])
        if size <= own and (meaning := phrases.get(key)) is not None:
            return size, Token("A", " ".join(key), NOTHING, meaning)
        if size <= general and (codes := PHRASES.get(key)) is not None:
            return size, Token("P", " ".join(key), codes)
    if first.endswith("'s") and len(first) > 3 and first[:-2] in starts:
        meaning = phrases.get((first[:-2],))
        if meaning is not None:
            return 1, Token("A", first, NOTHING, meaning)
    return 0, Token("w", first)


def _number(text: str) -> Fraction | None:
    bare = re.sub("[$€£¥,]", "", text)
    rate = bare.endswith("%")
    over, _, under = bare.rstrip("%").partition("/")
    try:
        value = Fraction(over) / (int(under) if under else 1)
    except (ValueError, ZeroDivisionError):
        return None
    return value / 100 if rate else value
