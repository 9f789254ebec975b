"""Whom or what a row of a report means: a person by any usual form of the name, an item by its number or matter."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence

_TITLES = {
    "mr",
    "mrs",
    "ms",
    "miss",
    "mx",
    "dr",
    "prof",
    "professor",
    "associate",
    "sir",
    "madam",
    "dean",
    "the",
    "and",
}
_TITLES |= {"claimant", "person", "subject", "employee", "of", "for"}
_LONGEST = 300  # characters; a longer text is no name
_COUNTED = (
    ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"),
    ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x"),
)
_NUMBERS = {word: n for words in _COUNTED for n, word in enumerate(words, 1)}
_NUMBER = rf"(?:\d{{1,3}}(?:\.0|st|nd|rd|th)?|{'|'.join(sorted(_NUMBERS, key=len, reverse=True))})(?![\w.]|\s?%)"
_KIND = r"(?:claim\s)?(?:items?|positions?|pos|entry|claims?|parts?|cases?)"
_MARK = r"(?:(?:no|nr|number|num)\b|[#.:\s(])*"
_LISTED = rf"{_NUMBER}(?:\s*(?:,|;|&|\+|-|\band\b|\bto\b)+\s*(?:{_KIND}\b{_MARK})?{_NUMBER})*"
_ITEM = re.compile(rf"(?:(?:the\s)?{_KIND}{_MARK}(?P<after>{_LISTED})|(?P<before>{_NUMBER})\s{_KIND}\b)", re.I)
_BARE = re.compile(r"[#(\s]*(?:no\.?\s?)?(?P<after>\d{1,3}(?:\.0)?)(?:\s*[.):]?\s*\Z|\s?[:)]\s|\.\s|\s[-—–]\s)", re.I)
_LETTER = re.compile(
    r"(?:[Tt]he\s)?(?:[Ii]tem|ITEM|[Cc]laim|[Pp]art)\s\(?(?P<letter>[A-HJ-UWYZ])\)?(?:\s*\Z|\s?[:.,;()|=-])"
)
_AND = re.compile(r"(?:\s|,|;|/|&|\+|\b(?:and|both|all|each|as well as)\b)*\Z", re.I)


class Subjects:
    """The subjects of one case, found again in what a report calls them."""

    __slots__ = ("_matters", "_names", "_numbers")

    def __init__(self, subjects: Sequence[str], matters: Mapping[str, str] | None = None) -> None:
        """Take the subjects in the order of the case.

        subjects: as the gold names them; ``Item 1`` and its like are known by number. matters: what the case calls a
        subject besides, to the subject; a matter of two subjects is no name of either.
        """
        self._names = {subject: _words(subject) for subject in subjects}
        numbers = ((subject, re.fullmatch(r"Item (\d+)", subject)) for subject in subjects)
        self._numbers = {int(match[1]): subject for subject, match in numbers if match}
        self._matters = {_words(text): subject for text, subject in (matters or {}).items()}

    def find(self, name: object) -> tuple[str, ...]:
        """Return the subjects that a name means; several for “Ann Lee and Bo Ray” or “Items 1-2”; () for none.

        name: a text, or a number. A name that fits two subjects and does not list them means none.
        """
        if isinstance(name, bool) or not isinstance(name, str | int):
            return ()
        text = _plain(str(name)[:_LONGEST])
        words = _words(text)
        if not words or len(str(name)) > _LONGEST:
            return ()
        if same := [subject for subject, own in self._names.items() if own == words]:
            return tuple(same)
        if self._numbers:
            return self._numbered(text) or tuple(filter(None, [self._matters.get(words)]))
        return self._persons(text, words)

    def counted_from_zero(self, names: Sequence[object]) -> bool:
        """Tell whether the names number the subjects from 0, so that none of them may be taken by its number."""
        numbers = {match for name in names for match in _numbers(_plain(str(name)[:_LONGEST]))}
        return bool(self._numbers) and 0 in numbers

    def _numbered(self, text: str) -> tuple[str, ...]:
        numbers = (
            [" ABCDEFGHIJKLMNOPQRSTUVWXYZ".index(match["letter"])] if (match := _LETTER.match(text)) else _numbers(text)
        )
        return tuple(dict.fromkeys(self._numbers[n] for n in numbers if n in self._numbers))

    def _persons(self, text: str, words: str) -> tuple[str, ...]:
        inside = [subject for subject, own in self._names.items() if f" {own} " in f" {words} "]
        if len(inside) > 1:  # “Ann Lee and Bo Ray” lists them; “Ann Lee (see Bo Ray)” does not
            rest = f" {words} "
            for subject in inside:
                rest = rest.replace(f" {self._names[subject]} ", " ")
            return tuple(inside) if _AND.match(rest) else ()
        if inside:
            return tuple(inside)
        bare = [word for word in _words(re.sub(r"\([^()]*\)", " ", text)).split() if word not in _TITLES]
        squeezed = "".join(bare)
        meant = [
            subject
            for subject, own in self._names.items()
            if squeezed == own.replace(" ", "") or _same_person(bare, own.split())
        ]
        return tuple(meant) if len(meant) == 1 else ()


def _same_person(found: Sequence[str], own: Sequence[str]) -> bool:
    """Tell whether the words found are words of the name, in any order, some of them initials but not all."""
    left = list(own)
    whole = 0
    for word in found:
        match = next((w for w in left if w == word), None)
        whole += match is not None
        if match is None and len(word) == 1:
            match = next((w for w in left if w.startswith(word)), None)
        if match is None:
            return False
        left.remove(match)
    return whole > 0


def _numbers(text: str) -> list[int]:
    """Return the numbers by which a text names items: “Item 2”, “second item”, “2”, “#2”, “Items 1-3”."""
    match = _BARE.match(text) or _ITEM.match(text.strip(" (")) or _ITEM.search(text)
    if match is None:
        return []
    listed = match["after"] or match.groupdict().get("before") or ""
    found: list[int] = []
    for piece in re.finditer(rf"(?P<to>-|\bto\b)?\s*(?:{_KIND}\b{_MARK})?(?P<number>{_NUMBER})", listed, re.I):
        word = re.sub(r"(?<=\d)(?:\.0|st|nd|rd|th)\Z", "", piece["number"].casefold())
        number = int(word) if word.isdecimal() else _NUMBERS[word]
        found += range(found[-1] + 1, number) if piece["to"] and found else ()
        found.append(number)
    return found


def _plain(text: str) -> str:
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Za-z])(?=\d)", " ", text.replace("_", " ").replace("’", "'"))
    folded = "".join(c for c in unicodedata.normalize("NFKD", spaced) if not unicodedata.combining(c))
    return " ".join(re.sub(r"[*`\"“”|<>\[\]]+", " ", folded).split())


def _words(text: str) -> str:
    return " ".join(re.findall(r"[^\W_]+(?:'[^\W_]+)*", _plain(text).casefold()))
