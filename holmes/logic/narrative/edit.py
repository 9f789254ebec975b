"""One fact of a case text told otherwise: its own sentence changes, every other character stays."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping, Sequence

from holmes.errors import InputError
from holmes.logic.language.model import FactDecl, RuleBase, Value
from holmes.logic.narrative.parse import Clause, clauses
from holmes.logic.narrative.phrasings import marks_of
from holmes.logic.narrative.render import compiled, joins, lowered
from holmes.logic.narrative.values import filled, write_value

_BREAK = re.compile(r"(?<=[.!?])\s+")


def edit_text(
    rulebase: RuleBase, text: str, fact: str, value: Value, *, names: Mapping[str, str], rng: random.Random
) -> str:
    """Return a case text in which one fact has another value.

    rulebase, text, names: as for `narrative.parse.read_case`; the fact is no list. value: the new one. rng: of
    the phrasing and the place of a sentence that is added, where the fact was left unsaid; nothing else is drawn.
    A sentence keeps the number of its phrasing, its opener or joiner and its place; where the new words do not fit
    behind an opener or joiner, the next phrasing that does is taken.
    Raises InputError where none fits, or a sentence states no fact.
    """
    decl = rulebase.facts[fact]
    phrasings = compiled(rulebase)
    marks = marks_of(phrasings.pool | set(names.values()))
    ends = []
    for start, sentence in sentences(text):
        for clause in clauses(phrasings, sentence, marks):
            if clause.hit.fact == fact:
                told = sentence[clause.start : clause.end]
                new = _reworded(decl, told, clause, value, names)
                return text[: start + clause.start] + new + text[start + clause.end :]
        ends.append(start + len(sentence))
    words = _words(decl, value, names)
    place = ends[int(rng.random() * len(ends))]
    return f"{text[:place]} {words[int(rng.random() * len(words))]}{text[place:]}"


def sentences(text: str) -> Iterator[tuple[int, str]]:
    """Yield the sentences of a case text with the places where they begin."""
    start = len(text) - len(text.lstrip())
    for gap in _BREAK.finditer(text.rstrip()):
        yield start, text[start : gap.start()]
        start = gap.end()
    yield start, text[start:].rstrip()


def _words(decl: FactDecl, value: Value, names: Mapping[str, str]) -> list[str]:
    """Return every sentence that states a value of a fact."""
    texts = decl.denies if value is False else decl.says
    shown = "" if decl.type.kind == "bool" else write_value(value, decl.type, decl.name)
    return [_named(filled(text, shown), names) for text in texts]


def _named(text: str, names: Mapping[str, str]) -> str:
    for entity, name in names.items():
        text = text.replace(f"{{{entity}}}", name)
    return text


def _reworded(decl: FactDecl, told: str, clause: Clause, value: Value, names: Mapping[str, str]) -> str:
    assert clause.hit.value is not None
    told_as = _words(decl, clause.hit.value, names)
    old = [*told_as, *(_named(text.replace("{v}", "1"), names) for text in decl.says)]  # `1 days` is read too
    number = [sentence.rstrip(".").lower() for sentence in old].index(told.rstrip(".").lower()) % len(told_as)
    new = _words(decl, value, names)
    first = number * len(new) // len(told_as)
    for sentence in (*new[first:], *new[:first]):
        if fitted := _fitted(sentence, clause.bound, tuple(names.values())):
            return fitted
    raise InputError(
        f"case text: fact {decl.name}: found no phrasing of {value} that fits {clause.bound} of {told!r}, expected one"
    )


def _fitted(sentence: str, bound: str, names: Sequence[str]) -> str:
    """Return a sentence as it reads in its place; empty where it cannot stand there."""
    if bound in ("left", "right") and not joins(sentence):
        return ""
    if bound == "left":
        return sentence[:-1]
    return lowered(sentence, names) if bound else sentence
