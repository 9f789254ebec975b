"""The words of a rule base as a reader of traces needs them: aliases, quotations, restated facts, weighted overlap."""

from __future__ import annotations

import functools
import math
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from holmes.cases import Case
from holmes.derivations.parts import Part
from holmes.logic.english.lexicon import Meaning, Words, lexicon, words
from holmes.logic.language.model import FactDecl, RuleBase, Type
from holmes.reading.step_citations import without_citations
from holmes.reading.step_lines import sentences_of

_COMMON = frozenset({
    "a", "an", "the", "of", "to", "in", "on", "at", "by", "for", "from", "with", "and", "or", "not", "no", "is",
    "are", "was", "were", "be", "been", "has", "have", "had", "it", "its", "there", "this", "that", "which", "who",
    "whose", "as", "if", "then", "so", "than", "but", "he", "she", "they", "his", "her", "their", "him", "them",
    "one", "any", "every", "each", "does", "do", "did", "under", "rule", "rules", "section", "sections", "where",
    "when", "must", "may", "shall", "can", "condition",
})  # fmt: skip
Name = tuple[str, str]  # concept, policy or table, and its name


@dataclass(frozen=True, slots=True)
class Match:
    """An alias found in a text: words from start to end, and what they mean."""

    start: int
    end: int
    meaning: Meaning


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Aliases and weighted words of one rule base.

    phrases, longest: of its lexicon. weights: inverse document frequency of a stem over the rules. bags: the stems of
    the rules that define a concept, a policy or a table.
    """

    phrases: Mapping[Words, Meaning]
    longest: int
    weights: Mapping[str, float]
    bags: Mapping[Name, frozenset[str]]

    def scan(self, found: Words) -> list[Match]:
        """Return the aliases in a text, from left to right, the longest at each place."""
        matches: list[Match] = []
        place = 0
        while place < len(found):
            for size in range(min(self.longest, len(found) - place), 0, -1):
                meaning = self.phrases.get(found[place : place + size])
                if meaning is not None:
                    matches.append(Match(place, place + size, meaning))
                    place += size - 1
                    break
            place += 1
        return matches

    def overlap(self, found: Words) -> list[tuple[float, Name]]:
        """Return (weighted Dice overlap, name) of a text with every concept, policy and table, best first."""
        own = {s for s in stems(found) if s in self.weights}
        weight = sum(self.weights[s] for s in own)
        scored = []
        for name, bag in self.bags.items():
            common = sum(self.weights[s] for s in own & bag)
            total = weight + sum(self.weights[s] for s in bag)
            if len(own & bag) >= min(2, len(bag)) and common:  # one word of several is no name
                scored.append((2 * common / total, name))
        return sorted(scored, key=lambda pair: (-pair[0], pair[1]))


def stems(found: Iterable[str]) -> Iterator[str]:
    """Yield the content words of a text, endings of number and tense dropped."""
    for word in found:
        if word.isalpha() and word not in _COMMON:
            yield re.sub(r"(?:ies|es|s|ed|ing)$", "", word) if len(word) > 4 else word


_VOCABULARIES: dict[str, Vocabulary] = {}


def vocabulary_of(base: RuleBase) -> Vocabulary:
    """Return the vocabulary of a rule base, made once."""
    if base.fingerprint not in _VOCABULARIES:
        known = lexicon(base)
        bags: dict[Name, frozenset[str]] = {}
        for name, concept in base.concepts.items():
            spoken = concept.phrases or (name.replace("_", " "),)
            bags["concept", name] = frozenset(s for text in spoken for s in stems(words(text)))
        for name, policy in base.policies.items():
            if not policy.gate and policy.operator == "condition":
                bags["policy", name] = frozenset(stems(words(policy.text)))
        for name in base.tables:
            bags["table", name] = frozenset(stems(words(name.replace("_", " "))))
        count: dict[str, int] = {}
        for bag in bags.values():
            for stem in bag:
                count[stem] = count.get(stem, 0) + 1
        weights = {stem: math.log((1 + len(bags)) / n) for stem, n in count.items()}
        _VOCABULARIES[base.fingerprint] = Vocabulary(known.phrases, known.longest, weights, bags)
    return _VOCABULARIES[base.fingerprint]


# ---------------------------------------------------------------- what is only repeated
def normal(text: str, names: Collection[str] = ()) -> str:
    """Return a sentence as a key: lower case, numbers and names made alike, marks dropped."""
    for name in names:
        text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", "x", text)
    found = words(re.sub(r"\bsection(s?)\b", r"rule\1", without_citations(text), flags=re.I))
    return " ".join("#" if word[0].isdigit() else word for word in found if any(c.isalnum() for c in word))


@functools.lru_cache(maxsize=64)
def quotations(rules: str) -> frozenset[str]:
    """Return the keys of the sentences of a rule text, without and with the number in front."""
    found = set()
    for line in rules.splitlines():
        body = re.sub(r"^\s*(?:Rule\s+)?\d+\s*(?:\([a-z]+\))?\s*[.:]\s*", "", line)
        for text in (line, body, *sentences_of(body)):
            found.add(normal(text))
    found.discard("")
    return frozenset(found)


def restatements(case: Case, parts: Sequence[Part]) -> frozenset[str]:
    """Return the keys of sentences that only repeat: those of case and question, and every wording of every fact."""
    people = names_of(parts)
    found: set[str] = set()
    for line in (*case.case.splitlines(), case.question):
        for sentence in sentences_of(line) or [line]:
            found |= {normal(piece, people) for piece in (sentence, *re.split(r";\s+|,\s+and\s+", sentence))}
    for base in {part.base.fingerprint: part.base for part in parts}.values():
        found |= _wordings(base)
    found.discard("")
    return frozenset(found)


def names_of(parts: Sequence[Part]) -> tuple[str, ...]:
    """Return the names of the people of a case."""
    return tuple(dict.fromkeys(name for part in parts for name in part.names.values() if name))


_WORDINGS: dict[str, frozenset[str]] = {}


def _wordings(base: RuleBase) -> frozenset[str]:
    if base.fingerprint not in _WORDINGS:
        found = set()
        for fact in base.facts.values():
            for kind, texts in ((fact.type, (*fact.says, *fact.denies)), *_fields(fact)):
                for value in kind.values or ("1",):
                    for text in texts:
                        filled = re.sub(r"\{\w+\}", "x", text.replace("{v}", value.replace("_", " ")))
                        found.add(normal(filled))
        _WORDINGS[base.fingerprint] = frozenset(found)
    return _WORDINGS[base.fingerprint]


def _fields(fact: FactDecl) -> Iterator[tuple[Type, tuple[str, ...]]]:
    kinds = dict(fact.type.fields)
    for name, texts in fact.field_says:
        yield kinds.get(name, fact.type), texts
