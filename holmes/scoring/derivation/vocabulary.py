"""The words of a rule base as a reader of traces needs them: aliases, quotations, restated facts, weighted overlap."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from holmes.derivations.parts import Part
from holmes.logic.english.lexicon import Meaning, Words, lexicon, words
from holmes.logic.language.model import RuleBase
from holmes.reading.step_lines import sentences_of
from holmes.reading.symbols import canonical

_COMMON = frozenset({
    "a", "an", "the", "of", "to", "in", "on", "at", "by", "for", "from", "with", "and", "or", "not", "no", "is",
    "are", "was", "were", "be", "been", "has", "have", "had", "it", "its", "there", "this", "that", "which", "who",
    "whose", "as", "if", "then", "so", "than", "but", "he", "she", "they", "his", "her", "their", "him", "them",
    "one", "any", "every", "each", "does", "do", "did", "under", "rule", "rules", "section", "sections", "where",
    "when", "must", "may", "shall", "can", "condition",
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class Match:
    """An alias found in a text: words from start to end, and what they mean."""

    start: int
    end: int
    meaning: Meaning


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The names of one rule base as traces use them.

    terms: of its lexicon, and the heads of longer names that no other wording uses ("abuse" of "abuse of a mask").
    starts: the longest term that begins with a word. parts: word -> (concept, whether it says the same) for each word
    of a concept's name and its opposite ("excused" of "unexcused default"). gates: the names that the text of a
    requirement holds -> its policies. concepts: the names of concepts and tables; truths: those that hold or do not.
    verbal: the wordings that are a verb with its object ("keeps a home") and so state what they name. pairs: the
    longest term that begins with two words. seen: the words met so far, each with what `tokens` found out about it.
    """

    terms: dict[Words, Meaning]
    starts: dict[str, int]
    parts: Mapping[str, tuple[tuple[str, bool], ...]]
    gates: Mapping[frozenset[str], tuple[str, ...]]
    concepts: frozenset[str]
    truths: frozenset[str]
    verbal: frozenset[str]
    pairs: Mapping[Words, int] = field(default_factory=dict)
    seen: dict[str, tuple[bool, Any]] = field(default_factory=dict, compare=False, repr=False)

    def scan(self, found: Words) -> list[Match]:
        """Return the names in a text, from left to right, the longest at each place."""
        matches: list[Match] = []
        place = 0
        while place < len(found):
            for size in range(min(self.starts.get(found[place], 0), len(found) - place), 0, -1):
                meaning = self.terms.get(found[place : place + size])
                if meaning is not None:
                    matches.append(Match(place, place + size, meaning))
                    place += size - 1
                    break
            place += 1
        return matches


def stems(found: Iterable[str]) -> Iterator[str]:
    """Yield the content words of a text, endings of number and tense dropped."""
    for word in found:
        if word.isalpha() and word not in _COMMON:
            yield re.sub(r"(?:ies|es|s|ed|ing)$", "", word) if len(word) > 4 else word


_VOCABULARIES: dict[str, Vocabulary] = {}
_CUTS = ("of", "to", "in", "against", "from", "for")
_PREFIXES = ("un", "in", "non-", "dis", "im", "non")


def vocabulary_of(base: RuleBase) -> Vocabulary:
    """Return the vocabulary of a rule base, made once."""
    if base.fingerprint not in _VOCABULARIES:
        terms = {phrase: meaning for phrase, meaning in lexicon(base).phrases.items() if meaning.kind not in _UNUSED}
        for concept in base.concepts.values():  # "odd": a sentence has it at its end alone, or no wording of its own
            spoken_as = concept.phrases or (concept.name.replace("_", " "),)
            for text in spoken_as if concept.type.kind == "bool" else ():
                terms.setdefault(words(text), Meaning("atom", concept.name))
        verbal = dict(_verbal(base))
        terms |= {phrase: meaning for phrase, meaning in verbal.items() if phrase not in terms}
        terms |= dict(_heads(base, terms))
        terms |= {phrase: meaning for phrase, meaning in _inverted(base) if phrase not in terms}
        starts: dict[str, int] = {}
        pairs: dict[Words, int] = {}
        for phrase in terms:
            starts[phrase[0]] = max(starts.get(phrase[0], 0), len(phrase))
            if len(phrase) > 1:
                pairs[phrase[:2]] = max(pairs.get(phrase[:2], 0), len(phrase))
        truths = {n for n, c in base.concepts.items() if c.type.kind == "bool"}
        truths |= {n for n, t in base.tables.items() if t.type.kind == "bool"}
        concepts = frozenset(base.concepts) | frozenset(base.tables)
        spoken = frozenset(" ".join(phrase) for phrase in verbal)
        made = Vocabulary(terms, starts, _parts(base), {}, concepts, frozenset(truths), spoken, pairs)
        gates: dict[frozenset[str], tuple[str, ...]] = {}
        for name, policy in base.policies.items():
            if policy.gate and policy.operator == "condition":
                names = frozenset(m.meaning.name for m in made.scan(words(policy.text)))
                gates[names] = (*gates.get(names, ()), name)
        _VOCABULARIES[base.fingerprint] = replace(made, gates=gates)
    return _VOCABULARIES[base.fingerprint]


_UNUSED = frozenset({"tail", "field", "family"})


def _heads(base: RuleBase, terms: Mapping[Words, Meaning]) -> Iterator[tuple[Words, Meaning]]:
    """Yield what stands before "of", "to", … in the name of a concept, where no other wording has these words."""
    others: dict[str, int] = {}
    for phrase in {words(t) for c in base.concepts.values() for t in c.phrases} | {
        words(t) for f in base.facts.values() for t in (*f.phrases, *f.says, *f.denies)
    }:
        for word in set(phrase):
            others[word] = others.get(word, 0) + 1
    values = {words(v.replace("_", " ")) for c in base.concepts.values() for v in c.type.values}  # "status: head"
    for concept in base.concepts.values():
        for text in concept.phrases:
            spoken = words(text)
            cut = next((n for n, word in enumerate(spoken) if word in _CUTS), 0)
            head = spoken[:cut]
            if head and head not in terms and head not in values and all(others.get(word, 0) <= 1 for word in head):
                yield head, Meaning("atom" if concept.type.kind == "bool" else "number", concept.name)


def _verbal(base: RuleBase) -> Iterator[tuple[Words, Meaning]]:
    """Yield "keeps a home", "keep a home" for concepts that are named by a verb with its object."""
    for concept in base.concepts.values():
        for text in concept.phrases if concept.type.kind == "bool" else ():
            spoken = words(text)
            if len(spoken) > 2 and spoken[0].endswith("s") and spoken[1] in ("a", "an", "the"):
                yield spoken, Meaning("atom", concept.name)
                yield (spoken[0][:-1], *spoken[1:]), Meaning("atom", concept.name)


def _inverted(base: RuleBase) -> Iterator[tuple[Words, Meaning]]:
    """Yield "the record is clean", "the loan is not unsecured" for *clean record*, *unsecured loan*."""
    for concept in base.concepts.values():
        for text in concept.phrases if concept.type.kind == "bool" else ():
            spoken = words(text)
            if not 1 < len(spoken) < 4 or not all(word.isalpha() and word not in _CUTS for word in spoken):
                continue
            for be in ("is", "are", "was", "were"):
                yield (*spoken[1:], be, spoken[0]), Meaning("said", concept.name)
                for middle in (("not",), ("no", "longer"), ("never",), ("not", "an"), ("not", "a")):
                    yield (*spoken[1:], be, *middle, spoken[0]), Meaning("said", concept.name, False)


def _parts(base: RuleBase) -> dict[str, tuple[tuple[str, bool], ...]]:
    found: dict[str, dict[str, bool]] = {}
    for concept in base.concepts.values():
        for text in concept.phrases:
            for word in words(text):
                if not word.isalpha() or word in _COMMON or len(word) < 4:
                    continue
                found.setdefault(word, {})[concept.name] = True
                for prefix in _PREFIXES:
                    if word.startswith(prefix) and len(word) > len(prefix) + 3:
                        found.setdefault(word[len(prefix) :].lstrip("-"), {}).setdefault(concept.name, False)
                for prefix in ("un", "non-"):
                    found.setdefault(prefix + word, {}).setdefault(concept.name, False)
    return {word: tuple(names.items()) for word, names in found.items()}


# ---------------------------------------------------------------- what is only repeated
_LETTERS = re.compile(r"[^\W\d_]+")


def key_of(text: str) -> str:
    """Return a sentence as a key: its words in lower case, figures and marks left out."""
    return " ".join(_LETTERS.findall(text.lower()))


def cites_sections(rules: str) -> bool:
    """Say whether a rule text is cited by section: none of its lines begins with "Rule 3"."""
    return re.search(r"^\s*Rule\s+\d", rules, re.MULTILINE) is None


@functools.lru_cache(maxsize=64)
def quotations(rules: str) -> Mapping[str, int]:
    """Return the keys of the sentences of a rule text, without and with the number in front -> the rule's number."""
    found: dict[str, int] = {}
    sections = cites_sections(rules)
    for line in rules.splitlines():
        lead = re.match(r"\s*(?:Rule\s+)?(\d+)\s*(?:\([a-z]+\))?\s*[.:]\s*", line)
        body = line[lead.end() :] if lead else line
        found[canonical(line, sections).strip()] = int(lead[1]) if lead else -1
        for text in (line, body, *sentences_of(body)):
            key = key_of(canonical(text, sections))
            if " " in key:
                found[key] = int(lead[1]) if lead else -1
    return found


def names_of(parts: Sequence[Part]) -> tuple[str, ...]:
    """Return the names of the people of a case."""
    return tuple(dict.fromkeys(name for part in parts for name in part.names.values() if name))
