"""The phrasings of a rule base compiled: a normalised sentence -> the fact it states."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from holmes.errors import InputError
from holmes.logic.language.model import FactDecl, RuleBase, Value
from holmes.logic.narrative.values import DAY, NAME, NAMES, NUMBER, filled, pattern, read_value

OPENERS = (
    "Moreover, ",
    "Besides, ",
    "In addition, ",
    "It is also on record that ",
    "The file adds that ",
    "According to the file, ",
    "As the file shows, ",
    "It should be added that ",
)
JOINERS = ("; ", ", and ")
ROSTER = (
    "The complete list of {phrase} reads {names}.",
    "All of {phrase} are on this list: {names}.",
    "Listed without a gap, {phrase} comes to {names}.",
)
EMPTY = (
    "The complete list of {phrase} is empty.",
    "Nobody and nothing is on the list of all of {phrase}.",
    "Listed without a gap, {phrase} comes to no entry at all.",
)


@dataclass(frozen=True, slots=True)
class Entry:
    """What a normalised sentence means: a fact, its value (None: read it from slot), and what each slot must hold."""

    fact: str
    value: Value | None
    slots: tuple[tuple[str, str], ...]  # (entity | literal | value, which)


@dataclass(frozen=True, slots=True)
class Hit:
    """One statement found: a fact with its value and the names used, or a match that tells of a list."""

    fact: str
    value: Value | None = None
    people: tuple[tuple[str, str], ...] = ()
    match: re.Match[str] | None = None
    field: str = ""  # of the records; empty for the full list


class Phrasings:
    """The sentences of one rule base, indexed by their words with names, numbers and days taken out."""

    def __init__(self, rulebase: RuleBase) -> None:
        self.rulebase = rulebase
        self.places = tuple(f"{{{name}}}" for name in rulebase.entities)
        self.index: dict[str, list[Entry]] = {}
        self.lists: list[tuple[re.Pattern[str], FactDecl, str]] = []
        self.pool = {name for names in rulebase.names.values() for name in names}
        self.marks = marks_of(self.pool)
        self.seen: dict[str, Hit | None] = {}
        for fact in rulebase.facts.values():
            for key, entry in self._entries(fact):
                self.index.setdefault(key, []).append(entry)
            if fact.type.kind == "list":
                self.lists += self._patterns(fact)

    def whole(self, sentence: str, marks: re.Pattern[str] | None) -> Hit | None:
        """Return what a sentence states as a whole; the usual names' sentences are remembered."""
        if marks is not None:
            return self._match(sentence, marks)
        try:
            return self.seen[sentence]
        except KeyError:
            found = self._match(sentence, self.marks)
        if len(self.seen) >= 50_000:
            self.seen.clear()
        self.seen[sentence] = found
        return found

    def _match(self, sentence: str, marks: re.Pattern[str]) -> Hit | None:
        key, values = _normal(sentence, marks)
        entries = [e for e in self.index.get(key, ()) if _fits(e, values)]
        if len(entries) > 1:
            facts = " and ".join(sorted({e.fact for e in entries}))
            raise InputError(f"case text: sentence {sentence!r}: found phrasings of {facts}, expected one fact")
        if entries:
            entry, value = entries[0], entries[0].value
            slots = list(zip(entry.slots, values, strict=True))
            for (kind, _), text in slots:
                if kind == "value":
                    value = read_value(text, self.rulebase.facts[entry.fact].type)
            people = tuple((which, text) for (kind, which), text in slots if kind == "entity")
            return Hit(entry.fact, value, people)
        for compiled, fact, field in self.lists:
            match = compiled.fullmatch(sentence) or compiled.fullmatch(sentence[:1].upper() + sentence[1:])
            if match:
                return Hit(fact.name, match=match, field=field)
        return None

    def ambiguous(self) -> Iterator[tuple[str, str, str]]:
        """Yield (fact, fact, sentence) where one sentence may state two facts, or two values of one."""
        for key, entries in self.index.items():
            for place, second in enumerate(entries):
                for first in entries[:place]:
                    fixed = [
                        (a[1], b[1])
                        for a, b in zip(first.slots, second.slots, strict=True)
                        if a[0] == b[0] == "literal"
                    ]
                    if all(a == b for a, b in fixed):
                        plain = key.replace("\1", "…").replace("\2", "…").replace("\3", "…")
                        yield first.fact, second.fact, plain

    # ------------------------------------------------------------ compiling
    def _entries(self, fact: FactDecl) -> Iterator[tuple[str, Entry]]:
        if fact.type.kind == "list":
            return
        for texts, value in ((fact.says, True), (fact.denies, False)):
            for text in texts:
                if fact.type.kind == "bool":
                    yield self._entry(text, fact.name, value)
                elif fact.type.kind == "enum":
                    for choice in fact.type.values:
                        shown = choice.replace("_", " ")
                        for told in dict.fromkeys((filled(text, shown), text.replace("{v}", shown))):
                            yield self._entry(told, fact.name, choice)
                else:
                    yield self._entry(text, fact.name, None)
                    if (one := filled(text, "1")) != text.replace("{v}", "1"):
                        yield self._entry(one, fact.name, Fraction(1))

    def _entry(self, text: str, fact: str, value: Value | None) -> tuple[str, Entry]:
        slots: list[tuple[str, str]] = []

        def mark(match: re.Match[str]) -> str:
            piece = match[0]
            if piece in self.places:
                slots.append(("entity", piece[1:-1]))
                return "\1"
            if piece == "{v}":
                slots.append(("value", ""))
                return "\3" if self.rulebase.facts[fact].type.kind == "date" else "\2"
            slots.append(("literal", piece))
            return "\3" if re.fullmatch(DAY, piece) else "\2" if re.fullmatch(NUMBER, piece) else "\1"

        known = "|".join(map(re.escape, sorted(self.pool, key=len, reverse=True)))
        extra = rf"|(?<!\w)(?:{known})(?!\w)" if known else ""
        compiled = rf"\{{\w+\}}|(?<![\w.])(?:{DAY}|{NUMBER})(?!\w){extra}"
        key = re.sub(compiled, mark, text)
        return key[:1].lower() + key[1:], Entry(fact, value, tuple(slots))

    def _patterns(self, fact: FactDecl) -> Iterator[tuple[re.Pattern[str], FactDecl, str]]:
        phrase = phrase_of(fact)
        for text in (*ROSTER, *EMPTY):
            plain = re.escape(capital(text.replace("{phrase}", phrase)))
            yield re.compile(plain.replace(r"\{names\}", f"(?P<names>{NAMES})")), fact, ""
        for field, texts in fact.field_says:
            kind = dict(fact.type.fields)[field]
            for text in texts:
                plain = re.escape(text).replace(r"\{names\}", f"(?P<names>{NAMES})")
                plain = plain.replace(r"\{name\}", f"(?P<name>{NAME})")
                if kind.kind != "bool":
                    plain = plain.replace(r"\{v\}", f"(?P<v>{pattern(kind)})")
                yield re.compile(plain), fact, field


def marks_of(names: Collection[str]) -> re.Pattern[str]:
    known = "|".join(map(re.escape, sorted(names, key=lambda n: (-len(n), n))))
    extra = rf"(?P<n>(?<!\w)(?:{known})(?!\w))|" if known else ""
    return re.compile(rf"{extra}(?<![\w.])(?:(?P<d>{DAY})|{NUMBER})(?!\w)")


def _normal(sentence: str, marks: re.Pattern[str]) -> tuple[str, list[str]]:
    values: list[str] = []

    def mark(match: re.Match[str]) -> str:
        values.append(match[0])
        return "\1" if match.lastgroup == "n" else "\3" if match.lastgroup == "d" else "\2"

    key = marks.sub(mark, sentence)
    return key[:1].lower() + key[1:], values


def _fits(entry: Entry, values: Sequence[str]) -> bool:
    return all(kind != "literal" or which == text for (kind, which), text in zip(entry.slots, values, strict=True))


def key_of(fact: FactDecl) -> str:
    for name, kind in fact.type.fields:
        if kind.kind == "name":
            return name
    raise InputError(f"fact {fact.name}: found records without a name, expected a field of type name")


def phrase_of(fact: FactDecl) -> str:
    return fact.phrases[0] if fact.phrases else fact.name.replace("_", " ")


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]
