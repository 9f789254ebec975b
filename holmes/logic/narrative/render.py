"""The case text: every stated fact in one of its phrasings, in varied order, and read back exactly."""

from __future__ import annotations

import random
import re
import threading
from collections.abc import Collection, Iterator, Mapping, Sequence

from holmes.errors import InputError
from holmes.logic.language.model import FactDecl, RuleBase, Value
from holmes.logic.narrative import parse as caseread
from holmes.logic.narrative.phrasings import EMPTY, JOINERS, OPENERS, ROSTER, Phrasings, capital, key_of, phrase_of
from holmes.logic.narrative.values import NAME, filled, write_names, write_value

_LOWER = frozenset(
    re.split(
        r"\W",
        "the|a|an|one|it|in|on|at|by|no|nobody|none|nothing|not|all|there|this|that|from|during|for|of|up|when|under|"
        "after|before|with|without|both|neither|some|any|every|each|somebody|someone|his|her|its|their|as",
    )
)
"""First words that may be written small; others may be names."""


_CLUMSY = ("the file ", "that ")  # behind `as the file shows` and `it is on record that`


class CaseText(Phrasings):
    """The phrasings of one rule base, compiled once, and the writer of its cases."""

    # ------------------------------------------------------------ writing
    def write(
        self,
        facts: Mapping[str, Value],
        rng: random.Random,
        names: Mapping[str, str],
        silent: Collection[str] = (),
    ) -> str:
        """Return the case text (see `case_text`)."""
        rulebase = self.rulebase
        for entity in rulebase.entities:
            if not re.fullmatch(r"[^\W\d_][^.;,!?\d\n\x01-\x03]*", names.get(entity, "")):
                raise InputError(f"names: found {names.get(entity)!r} for {entity}, expected a name such as Ann Lee")
        sentences: list[str] = []
        for name, fact in rulebase.facts.items():
            if name not in facts:
                raise InputError(f"fact {name}: found no value, expected one (a false Boolean may be silent)")
            value = facts[name]
            if name in silent:
                if value is not False or not rulebase.closed_world:
                    raise InputError(f"fact {name}: found {value!r} left unsaid, expected a false Boolean")
                continue
            sentences += self._sentences(fact, value, rng)
        rng.shuffle(sentences)
        return _paragraphs([self._named(s, names) for s in sentences], rng, set(names.values()))

    def _named(self, sentence: str, names: Mapping[str, str]) -> str:
        for entity, place in zip(self.rulebase.entities, self.places, strict=True):
            if place in sentence:
                sentence = sentence.replace(place, names[entity])
        return sentence

    def _sentences(self, fact: FactDecl, value: Value, rng: random.Random) -> Iterator[str]:
        if fact.type.kind == "list":
            yield from self._list_sentences(fact, value, rng)
        elif fact.type.kind == "bool":
            if not isinstance(value, bool):
                raise InputError(f"fact {fact.name}: found {value!r}, expected true or false")
            yield _choose(fact.says if value else fact.denies, rng, fact.name)
        else:
            yield filled(_choose(fact.says, rng, fact.name), write_value(value, fact.type, fact.name))

    def _list_sentences(self, fact: FactDecl, value: Value, rng: random.Random) -> Iterator[str]:
        if not isinstance(value, tuple):
            raise InputError(f"fact {fact.name}: found {value!r}, expected a tuple of records")
        key = key_of(fact)
        names = [str(record[key]) for record in value]
        if bad := [n for n in names if not re.fullmatch(NAME, n) or names.count(n) > 1]:
            raise InputError(f"fact {fact.name}: found the member {bad[0]!r}, expected names, each once")
        phrase = phrase_of(fact)
        roster = _choose(ROSTER if names else EMPTY, rng, fact.name)
        yield capital(roster.replace("{phrase}", phrase).replace("{names}", write_names(names) if names else ""))
        for field, texts in fact.field_says:
            kind = dict(fact.type.fields)[field]
            if kind.kind == "bool":
                having = [n for n, record in zip(names, value, strict=True) if record[field] is True]
                text = _choose(texts, rng, fact.name)
                if having:
                    yield text.replace("{names}", write_names(having))
                continue
            for name, record in zip(names, value, strict=True):
                text = _choose(texts, rng, fact.name).replace("{name}", name)
                yield text.replace("{v}", write_value(record[field], kind, f"{fact.name}.{field}"))


def _choose(texts: Sequence[str], rng: random.Random, fact: str) -> str:
    """Choose one phrasing with exactly one draw, so that the draw does not depend on the polarity."""
    if not texts:
        raise InputError(f"fact {fact}: found no phrasing, expected three or more")
    return texts[int(rng.random() * len(texts))]


def _paragraphs(sentences: list[str], rng: random.Random, names: Collection[str]) -> str:
    """Join sentences: some in pairs, some behind an opener; a blank line after five to eight of them."""
    result: list[str] = []
    left = 5 + int(rng.random() * 4)
    place = 0
    while place < len(sentences):
        text = sentences[place]
        draw = rng.random()
        after = sentences[place + 1] if place + 1 < len(sentences) else ""
        if draw < 0.12 and place and (opened := lowered(text, names)) and not opened.startswith(_CLUMSY):
            text = OPENERS[int(rng.random() * len(OPENERS))] + opened
        elif draw < 0.3 and after and joins(text) and joins(after) and (joined := lowered(after, names)):
            text = text[:-1] + JOINERS[int(rng.random() * len(JOINERS))] + joined
            place += 1
        result.append(text)
        place += 1
        left -= 1
        if not left and place < len(sentences):
            result[-1] += "\n"
            left = 5 + int(rng.random() * 4)
    return re.sub(r"\n ", "\n\n", " ".join(result))


def joins(text: str) -> bool:
    """Tell whether a sentence may be joined to another."""
    return text.endswith(".") and "; " not in text and ", and " not in text


def lowered(text: str, names: Collection[str]) -> str:
    """Return a sentence as it goes on after a comma; empty where its first word cannot be told from a name."""
    first = text.split(" ", 1)[0].lower()
    if first in _LOWER:
        return text[0].lower() + text[1:]
    return text if any(text.startswith(name) for name in names) else ""


_CACHE: dict[int, CaseText] = {}
_LOCK = threading.Lock()


def compiled(rulebase: RuleBase) -> CaseText:
    """Return the compiled phrasings of a rule base; the last 256 are kept."""
    found = _CACHE.get(id(rulebase))
    if found is None or found.rulebase is not rulebase:
        found = CaseText(rulebase)
        with _LOCK:
            while len(_CACHE) >= 256:
                del _CACHE[next(iter(_CACHE))]
            _CACHE[id(rulebase)] = found
    return found


def case_text(
    rulebase: RuleBase,
    facts: Mapping[str, Value],
    rng: random.Random,
    *,
    names: Mapping[str, str],
    silent: Collection[str] = (),
) -> str:
    """Write a case: one sentence a stated fact, phrasing and order drawn from `rng` alone.

    facts: a value for every fact. rng: decides phrasing, order, joins. names: entity -> name (capitalised words).
    silent: false Booleans that are left out (closed world). Returns paragraphs. Raises InputError naming the fact.
    """
    return compiled(rulebase).write(facts, rng, names, silent)


def read_case(rulebase: RuleBase, text: str, *, names: Mapping[str, str] | None = None) -> dict[str, Value]:
    """Read a case text back: exactly the typed facts it was written from.

    text: as `case_text` wrote it. names: entity -> name, where they are not in the rule base's `names`.
    Returns a value for every fact; what is not stated is false. Raises InputError naming a sentence that matches
    no fact, two facts, or states a fact again.
    """
    return caseread.read(compiled(rulebase), text, names)


def statements(rulebase: RuleBase, text: str, *, names: Mapping[str, str] | None = None) -> dict[str, Value]:
    """Return only the facts that the text states explicitly."""
    return caseread.statements(compiled(rulebase), text, names)
