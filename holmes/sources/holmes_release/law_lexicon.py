"""Which literal each sentence of the released law texts states, learned over a bundle by wording and co-occurrence."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, replace

SENTENCE = re.compile(r"(?<=[.!?])\s+")
_CAPITAL = re.compile(r"\b[A-Z][a-z]+\b")
_NEGATION = re.compile(r"\b(?:no|not|never|neither|nor|without any)\b", re.I)
_SYMBOL = re.compile(r"\b\w*[A-Za-z0-9]_[A-Za-z]\w*\b|\\<\w+>")
_ENDINGS = ("ing", "ed", "es", "s", "d", "e")
Literal = tuple[str, bool]


@dataclass(frozen=True, slots=True)
class Lexicon:
    """Sentence pattern (names replaced) -> the literal it states; names: the words that were replaced."""

    states: Mapping[str, Literal]
    patterns: Mapping[str, tuple[str, ...]]  # case id -> its sentences as patterns
    plain: frozenset[str]  # words that are no names: written small somewhere, or of a symbol
    known: frozenset[str]

    def names(self, sentence: str) -> list[str]:
        """Return the names in a sentence: words with a capital that are written small nowhere and are of no symbol."""
        return [word for word in _CAPITAL.findall(sentence) if self._name(word)]

    def pattern(self, sentence: str) -> str:
        """Return a sentence with its names replaced."""
        return _CAPITAL.sub(lambda match: "X" if self._name(match[0]) else match[0], sentence)

    def _name(self, word: str) -> bool:
        return word.lower() not in self.plain and stem(word) not in self.known

    def said(self, case: str) -> dict[str, set[bool]]:
        """Return atom -> the values that the text of a case states for it."""
        found: dict[str, set[bool]] = defaultdict(set)
        for pattern in self.patterns[case]:
            if pattern in self.states:
                atom, value = self.states[pattern]
                found[atom].add(value)
        return dict(found)


def stem(word: str) -> str:
    """Return a crude stem: inflections removed, five letters at most."""
    word = word.lower()
    while ending := next((e for e in _ENDINGS if word.endswith(e) and len(word) - len(e) > 2), ""):
        word = word[: -len(ending)]
    return word[:5]


def stems(text: str) -> frozenset[str]:
    """Return the stems of the words of a text or symbol."""
    return frozenset(stem(word) for word in re.findall(r"[A-Za-z]+", text.replace("_", " ")))


def symbols(text: str) -> list[str]:
    """Return program symbols that a text leaks (words joined by underscores, Isabelle tokens)."""
    return [match[0] for match in _SYMBOL.finditer(text)]


def learn(texts: Mapping[str, str], facts: Mapping[str, Mapping[str, bool]]) -> Lexicon:
    """Learn a bundle's lexicon.

    texts: case id -> case text. facts: case id -> atom -> value, complete and with the same atoms everywhere.
    Returns the Lexicon: each sentence pattern goes to the literal whose symbol it shares most words with, among equals
    to the one that holds where the sentence stands, of the polarity that its wording has. A pattern that shares no
    word with any symbol states nothing.
    """
    sentences = {case: [s.strip() for s in SENTENCE.split(text.strip()) if s.strip()] for case, text in texts.items()}
    atoms = list(next(iter(facts.values()), {}))
    known = frozenset(part for atom in atoms for part in stems(atom))
    lower = {word for parts in sentences.values() for s in parts for word in re.findall(r"\b[a-z]+\b", s)}

    names = Lexicon({}, {}, frozenset(lower), known)
    patterns = {case: tuple(names.pattern(s) for s in parts) for case, parts in sentences.items()}
    where: dict[str, set[str]] = defaultdict(set)
    for case, parts in patterns.items():
        for pattern in parts:
            where[pattern].add(case)
    holds = {(a, v): {c for c in facts if facts[c].get(a) is v} for a in atoms for v in (True, False)}
    states = {}
    for pattern, cases in where.items():
        words, negated = stems(pattern), bool(_NEGATION.search(pattern))
        best = max(
            (
                (len(words & stems(atom)) / len(stems(atom)), -len(cases - there) / len(cases), value != negated,
                 -len(there ^ cases), atom, value)
                for (atom, value), there in holds.items()
            ),
            default=None,
        )  # fmt: skip
        if best is not None and best[0] > 0:
            states[pattern] = (str(best[4]), bool(best[5]))
    return replace(names, states=states, patterns=patterns)
