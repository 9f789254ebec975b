"""Rule text -> tokens: the longest wording of the lexicon or of the vocabulary at each place; nothing is skipped."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from fractions import Fraction

from holmes.errors import InputError
from holmes.logic.english.lexicon import Lexicon, words
from holmes.logic.english.vocabulary import DETERMINERS, LONGEST, NUMBERS, VOCABULARY
from holmes.logic.language.model import Expr

LAST = 9999
"""The highest rule number that a text may name."""
MONTHS = (
    "january february march april may june july august september october november december".split()  # noqa: SIM905
)


class TextError(InputError):
    """A sentence that cannot be read; `found` and `expected` say why."""

    def __init__(self, found: str, expected: str) -> None:
        self.found, self.expected = found, expected
        super().__init__(f"found {found}, expected {expected}")


@dataclass(frozen=True, slots=True)
class Token:
    """One token.

    kind: of words.py, or atom | number | date | num | enum | value | tail | label | policy | table | list | field |
    ref (numbers of rules) | item | mark (punctuation) | unit. expr: what an atom or number means.
    """

    kind: str
    value: str = ""
    text: str = ""
    expr: Expr | None = None
    number: Fraction | None = None
    day: date | None = None
    facts: tuple[str, ...] = ()
    positive: bool = True
    rules: tuple[int, ...] = ()
    gap: str = ""  # of a connective: the filler that follows it


_GLOSS = ("or", "both")
_IFF = re.compile(r"\b(if|where|when),? and only (?:if|where|when),?", re.IGNORECASE)


def tokenise(text: str, lexicon: Lexicon) -> list[Token]:
    """Cut a sentence into tokens.

    text: one rule, without its number. lexicon: of the rule base.
    Returns the tokens in order. Raises TextError naming a word that has no meaning.
    """
    text = _IFF.sub(r"\1 and only \1", text)
    found = words(text)
    gap = _unreadable(text, found)
    if gap:
        raise TextError(f"the sign {gap!r}", "words, numbers and . , ; : ( )")
    result: list[Token] = []
    place = 0
    while place < len(found):
        token, place = _next(found, place, lexicon)
        result.append(token)
    return result


def _unreadable(text: str, found: tuple[str, ...]) -> str:
    kept = "".join(found).replace(" ", "")
    plain = re.sub(r"\s+", "", text.lower().replace("’", "'"))
    for sign in plain:
        if sign not in kept and sign not in "\"'“”‘":
            return sign
    return ""


def _next(found: tuple[str, ...], place: int, lexicon: Lexicon) -> tuple[Token, int]:
    special = _reference(found, place) or _item(found, place) or _day(found, place)
    if special:
        return special
    for size in range(max(lexicon.longest, LONGEST), 0, -1):
        piece = found[place : place + size]
        if len(piece) < size:
            continue
        text = " ".join(piece)
        if meaning := lexicon.phrases.get(piece):
            kind = "num" if meaning.kind == "number" else meaning.kind
            return Token(kind, meaning.name, text, facts=meaning.facts, positive=meaning.positive), place + size
        if size == 1:
            break
        if (entry := VOCABULARY.get(piece)) and not (piece == _GLOSS and _opens(found, place + size, lexicon)):
            return Token(*entry, text), place + size
    word = found[place]
    if word[0].isdecimal():
        return Token("number", word, word, number=_number(word)), place + 1
    if word in NUMBERS:
        return Token("number", word, word, number=NUMBERS[word]), place + 1
    if entry := VOCABULARY.get((word,)):
        return Token(*entry, word), place + 1
    if word in lexicon.units:
        return Token("unit", word, word), place + 1
    if word in lexicon.fillers:
        return Token("filler", "", word), place + 1
    if word in ".,;:()|%!?—–":
        return Token("mark", {"!": ".", "?": ".", "—": ",", "–": ",", "|": "|"}.get(word, word), word), place + 1
    context = " ".join(found[max(0, place - 3) : place + 4])
    raise TextError(f"the word {word!r} in “{context}”", "a phrase of the lexicon, a connective or a filler")


def _opens(found: tuple[str, ...], place: int, lexicon: Lexicon) -> bool:
    """Tell whether a phrase starts here: `A, or both B and C` opens a group, `A or B, or both` ends one."""
    while found[place : place + 1] and found[place] in DETERMINERS:
        place += 1
    here = (lexicon.phrases.get(found[place : place + size]) for size in range(1, lexicon.longest + 1))
    return any(meaning is not None and meaning.kind == "atom" for meaning in here)


def _number(word: str) -> Fraction:
    if len(word) > 20 or word.endswith("/0"):
        raise TextError(f"the number {word[:24]}", "at most twenty digits, no division by zero")
    return Fraction(word.replace(",", ""))


def _reference(found: tuple[str, ...], place: int) -> tuple[Token, int] | None:
    """Read `Rule 5`, `Rules 3, 4 and 5`, `Rules 3 to 5`, `Rule 3 and Rule 4`."""
    if found[place] not in ("rule", "rules") or place + 1 >= len(found) or not found[place + 1].isdigit():
        return None
    many = found[place] == "rules"
    numbers, place = [int(found[place + 1])], place + 2
    while place + 1 < len(found) and (many or found[place + 1] in ("rule", "rules")):
        step, after = found[place], place + 1
        if step == "," and found[after] == "and" and after + 1 < len(found):
            after += 1
        if step not in (",", "and", "to"):
            break
        if found[after] in ("rule", "rules") and after + 1 < len(found):
            after += 1
        if not found[after].isdigit():
            break
        number = int(found[after])
        if number > LAST or (step == "to" and number < numbers[-1]):
            raise TextError(f"Rule {number}", f"rule numbers up to {LAST}, in order")
        numbers += range(numbers[-1] + 1, number + 1) if step == "to" else [number]
        place = after + 1
    return Token("ref", "", "rule", rules=tuple(numbers)), place


_ITEM = re.compile(r"[a-z]|[ivx]{1,4}")


def _item(found: tuple[str, ...], place: int) -> tuple[Token, int] | None:
    if (
        found[place : place + 1] == ("(",)
        and found[place + 2 : place + 3] == (")",)
        and _ITEM.fullmatch(found[place + 1])
    ):
        return Token("item", found[place + 1], found[place + 1]), place + 3
    return None


def _day(found: tuple[str, ...], place: int) -> tuple[Token, int] | None:
    piece = found[place : place + 3]
    if len(piece) == 3 and piece[0].isdigit() and piece[1] in MONTHS and re.fullmatch(r"\d{4}", piece[2]):
        try:
            day = date(int(piece[2]), MONTHS.index(piece[1]) + 1, int(piece[0]))
        except ValueError as error:
            raise TextError(f"the day {' '.join(piece)!r}", "a day of the calendar") from error
        return Token("date", " ".join(piece), " ".join(piece), day=day), place + 3
    return None
