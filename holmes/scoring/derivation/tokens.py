"""A line of a trace as tokens: rule references, names of the rule base, predicates known to assert or deny, signs."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import NamedTuple

from holmes.logic.english.lexicon import Meaning
from holmes.scoring.derivation.vocabulary import Vocabulary
from holmes.scoring.derivation.wording import PAIRS, PHRASES, STARTS

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
    r"⟨[\d,]+⟩|@[\d,]*\d|\d{4}-\d\d-\d\d"
    r"|(?:(?<=\s)-)?[$€£¥]?\d+(?:,\d{3})*(?:\.\d+)?(?:/\d+)?%?"
    r"|[^\W\d_一-鿿]+(?:[-'][^\W\d_]+)*|[一-鿿]"
    r"|[→←≻✓✗¬∧∨∈∉=:;,.?()\[\]|—!&+<>≥≤/]"
)
_DATE = re.compile(r"\d{4}-\d\d-\d\d")
_MARKS = frozenset("→←≻✓✗¬∧∨∈∉=:;,.?()[]|—!&+<>≥≤/")
_KEPT = 20_000  # words that a vocabulary remembers: a text with more must not fill the memory
_SIGN = {"✓": True, "✗": False}


def tokens(text: str, vocabulary: Vocabulary) -> list[Token]:
    """Cut a canonical line into tokens; the longest phrase wins, a name of the rule base before a general phrase."""
    raw = [value.lower() for value in _TOKEN.findall(text)[:LONGEST]]
    made: list[Token] = []
    place, total, known = 0, len(raw), vocabulary.seen
    while place < total:
        value = raw[place]
        first = known.get(value)
        if first is None:
            first = _first(value, vocabulary)
            if len(known) < _KEPT:
                known[value] = first
        longer, token = first
        if longer and place + 1 < total and (found := _phrase(raw, place, vocabulary)):
            made.append(found[1])
            place += found[0]
        else:
            made.append(token)
            place += 1
    return made


def _first(value: str, vocabulary: Vocabulary) -> tuple[bool, Token]:
    """Return whether a longer phrase begins with a token, and what the token is by itself."""
    if value[0] in "⟨@":
        numbers = tuple(int(n[:9]) for n in value.strip("⟨⟩@").split(",") if n)
        return False, Token("C" if value[0] == "⟨" else "R", value, NOTHING, numbers)
    if _DATE.fullmatch(value):
        return False, Token("w", value)
    longer = vocabulary.starts.get(value, 0) > 1 or value in STARTS
    key = (value,)
    if (meaning := vocabulary.terms.get(key)) is not None:
        return longer, Token("A", value, NOTHING, meaning)
    if (codes := PHRASES.get(key)) is not None:
        return longer, Token("P", value, codes)
    owned = vocabulary.terms.get((value[:-2],)) if value.endswith("'s") and len(value) > 3 else None
    if owned is not None:
        return longer, Token("A", value, NOTHING, owned)
    if value[0] in "-$€£¥" or value[0].isdecimal():
        return longer, Token("#", value, NOTHING, _number(value))
    if value in _SIGN:
        return longer, Token("S", value, NOTHING, _SIGN[value])
    return longer, Token(value if value in _MARKS else "w", value)


def _phrase(spoken: list[str], place: int, vocabulary: Vocabulary) -> tuple[int, Token] | None:
    """Return the longest phrase of two words or more at a place, and its length."""
    pair = (spoken[place], spoken[place + 1])
    longest = max(vocabulary.pairs.get(pair, 0), PAIRS.get(pair, 0))
    for size in range(min(longest, len(spoken) - place), 1, -1):
        key = tuple(spoken[place : place + size])
        if (meaning := vocabulary.terms.get(key)) is not None:
            return size, Token("A", " ".join(key), NOTHING, meaning)
        if (codes := PHRASES.get(key)) is not None:
            return size, Token("P", " ".join(key), codes)
    return None


def _number(text: str) -> Fraction | None:
    if text.isdecimal() and len(text) < 19:
        return Fraction(int(text))
    bare = re.sub("[$€£¥,]", "", text)
    rate = bare.endswith("%")
    over, _, under = bare.rstrip("%").partition("/")
    try:
        value = Fraction(over) / (int(under) if under else 1)
    except (ValueError, ZeroDivisionError):
        return None
    return value / 100 if rate else value
