"""Released law cases changed in one fact, told by sentences of the other cases of a bundle."""

from __future__ import annotations

import functools
import random
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from holmes.cases import Case
from holmes.errors import InputError
from holmes.interfaces import Domain
from holmes.interventions.base import Interventions, derivations_in
from holmes.interventions.coherence import Facts
from holmes.interventions.effects import Intervention
from holmes.logic.engine.evaluate import Evaluation
from holmes.sources.holmes_release.law_import import find_root
from holmes.sources.holmes_release.law_lexicon import SENTENCE, Lexicon, Literal, learn
from holmes.sources.holmes_release.law_rulebases import recover
from holmes.sources.holmes_release.names import NAME
from holmes.store import original

# words that begin sentences and are names of nobody
_NOBODY = frozenset(("There", "They", "He", "She", "It", "The", "This", "That", "These", "His", "Her", "Their", "No"))


@dataclass(frozen=True, slots=True)
class Words:
    """The sentences of a bundle: its lexicon, and for each literal the sentence that tells it, and of whom.

    A sentence is told of the person of the case that it is from, or of nobody (empty name).
    """

    lexicon: Lexicon
    telling: Mapping[Literal, tuple[str, str]]

    def literals(self, text: str) -> list[tuple[str, Literal | None]]:
        """Return the sentences of a text, each with the literal that it tells; None where it tells none."""
        return [(part, self.lexicon.states.get(self.lexicon.pattern(part))) for part in _sentences(text)]

    def sentence(self, literal: Literal, text: str) -> str | None:
        """Return a sentence that tells a literal of the person of a text; None where the bundle has no words for it."""
        if literal not in self.telling:
            return None
        told, whom = self.telling[literal]
        if not whom:
            return told
        name = person(self.lexicon, text)
        return re.sub(rf"\b{whom}\b", name, told) if name else None


def _sentences(text: str) -> list[str]:
    return [part.strip() for part in SENTENCE.split(text.strip()) if part.strip()]


def person(lexicon: Lexicon, text: str) -> str:
    """Return the name that a text mentions most often; empty where it names nobody."""
    names = Counter(name for part in _sentences(text) for name in lexicon.names(part) if name not in _NOBODY)
    return min(names, key=partial(_rare, names)) if names else ""


def words(bundle: str) -> Words:
    """Return the words of a bundle of the imported release."""
    return _words(find_root(original(NAME)))[bundle]


@functools.lru_cache(maxsize=4)
def _words(root: Path) -> Mapping[str, Words]:
    found = {}
    for bundle in recover(root):
        facts = {case.id: case.theory.assignment() for case in bundle.cases}
        texts = {case.id: str(case.row.value["case_text"]) for case in bundle.cases}
        lexicon = learn(texts, facts)
        telling: dict[Literal, tuple[str, str]] = {}
        for case, text in texts.items():
            whom = person(lexicon, text)
            for part in _sentences(text):
                told = lexicon.states.get(lexicon.pattern(part))
                others = set(lexicon.names(part)) - _NOBODY - {whom}
                if told is not None and not others and facts[case][told[0]] is told[1]:
                    telling.setdefault(told, (part, whom if whom in lexicon.names(part) else ""))
        found[bundle.name] = Words(lexicon, telling)
    return found


def _rare(seen: Counter[str], name: str) -> tuple[int, str]:
    return -seen[name], name


class ReleasedInterventions(Interventions):
    """A released law case: what its text does not tell is false, by the closed world of its rules."""

    def __init__(self, domain: Domain, case: Case) -> None:
        self._domain, self._words = domain, words(case.bundle)
        super().__init__(case, domain.parts(case), lambda: derivations_in(domain, case))

    def gold(self, result: Evaluation) -> str:
        """Return the answer of the part."""
        return str(result.answer)

    def stated(self) -> frozenset[tuple[int, str]]:
        """Return the facts that the text tells."""
        return frozenset((0, told[0]) for _, told in self._words.literals(self.case.case) if told is not None)

    def edit_text(self, text: str, told: Sequence[Facts], change: Intervention, rng: random.Random) -> str:
        """Return the text with the sentence of a fact exchanged for one that tells its new value.

        A fact that becomes false and has no words for that is left out. Raises InputError where one becomes true and
        has none.
        """
        after = bool(change.after)
        new = self._words.sentence((change.fact, after), text)
        if new is None and after:
            raise InputError(f"case {self.case.id!r}: field {change.fact}: found no sentence for it, expected one")
        parts, placed = [], False
        for part, literal in self._words.literals(text):
            if literal is None or literal[0] != change.fact:
                parts.append(part)
            elif new is not None and not placed:
                parts.append(new)
                placed = True
        if new is not None and not placed:
            parts.append(new)
        return " ".join(parts)

    def rebuild(self, facts: Sequence[Facts], text: str) -> Case:
        """Return the case anew: answer, trace, derivations and profile follow from the facts."""
        from holmes.sources.holmes_release.law_parts import changed

        return changed(self._domain, self.case, self.parts[0], facts[0], text)
