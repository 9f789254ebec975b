"""The case text: every stated fact in one of its phrasings, in varied order, and read back exactly."""

from __future__ import annotations

import random
import re
import threading
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from holmes.errors import InputError
from holmes.logic.model import FactDecl, RuleBase, Value
from holmes.logic.values import DAY, NAME, NAMES, NUMBER, pattern, read_names, read_value, write_names, write_value

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
_LOWER = frozenset(
    re.split(
        r"\W",
        "the|a|an|one|it|in|on|at|by|no|nobody|none|nothing|not|all|there|this|that|from|during|for|of|up|when|under|"
        "after|before|with|without|both|neither|some|any|every|each|somebody|someone|his|her|its|their|as",
    )
)
"""First words that may be written small; others may be names."""
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
class _Entry:
    """What a normalised sentence means: a fact, its value (None: read it from slot), and what each slot must hold."""

    fact: str
    value: Value | None
    slots: tuple[tuple[str, str], ...]  # (entity | literal | value, which)


@dataclass(frozen=True, slots=True)
class _Hit:
    """One statement found: a fact with its value and the names used, or a match that tells of a list."""

    fact: str
    value: Value | None = None
    people: tuple[tuple[str, str], ...] = ()
    match: re.Match[str] | None = None
    field: str = ""  # of the records; empty for the full list


class CaseText:
    """The phrasings of one rule base, compiled once for writing and reading."""

    def __init__(self, rulebase: RuleBase) -> None:
        self.rulebase = rulebase
        self.places = tuple(f"{{{name}}}" for name in rulebase.entities)
        self.index: dict[str, list[_Entry]] = {}
        self.lists: list[tuple[re.Pattern[str], FactDecl, str]] = []
        self.pool = {name for names in rulebase.names.values() for name in names}
        self.marks = _marks(self.pool)
        self.seen: dict[str, _Hit | None] = {}
        for fact in rulebase.facts.values():
            for key, entry in self._entries(fact):
                self.index.setdefault(key, []).append(entry)
            if fact.type.kind == "list":
                self.lists += self._patterns(fact)

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
            yield _choose(fact.says, rng, fact.name).replace("{v}", write_value(value, fact.type, fact.name))

    def _list_sentences(self, fact: FactDecl, value: Value, rng: random.Random) -> Iterator[str]:
        if not isinstance(value, tuple):
            raise InputError(f"fact {fact.name}: found {value!r}, expected a tuple of records")
        key = _key(fact)
        names = [str(record[key]) for record in value]
        if bad := [n for n in names if not re.fullmatch(NAME, n) or names.count(n) > 1]:
            raise InputError(f"fact {fact.name}: found the member {bad[0]!r}, expected names, each once")
        phrase = _phrase(fact)
        roster = _choose(ROSTER if names else EMPTY, rng, fact.name)
        yield _capital(roster.replace("{phrase}", phrase).replace("{names}", write_names(names) if names else ""))
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

    # ------------------------------------------------------------ reading
    def statements(self, text: str, names: Mapping[str, str] | None = None) -> dict[str, Value]:
        """Return the facts that a text states, and no others (see `read_case`)."""
        marks = _marks(self.pool | set(names.values())) if names is not None else None
        found: dict[str, Value] = {}
        people: dict[str, str] = dict(names or {})
        rows: dict[str, list[_Hit]] = {}
        for sentence in re.split(r"(?<=[.!?])\s+", text.strip()):
            for hit in self._hits(sentence, marks):
                for entity, name in hit.people:
                    if people.setdefault(entity, name) != name:
                        known = people[entity]
                        raise InputError(f"case text: sentence {sentence!r}: found {name!r}, expected {known!r}")
                if hit.match is not None:
                    rows.setdefault(hit.fact, []).append(hit)
                elif hit.fact in found:
                    raise InputError(f"case text: sentence {sentence!r}: found {hit.fact} stated again, expected once")
                else:
                    assert hit.value is not None
                    found[hit.fact] = hit.value
        for name, hits in rows.items():
            found[name] = self._records(self.rulebase.facts[name], hits)
        return found

    def read(self, text: str, names: Mapping[str, str] | None = None) -> dict[str, Value]:
        """Return all facts (see `read_case`)."""
        found = self.statements(text, names)
        result: dict[str, Value] = {}
        for name, fact in self.rulebase.facts.items():
            if name in found:
                result[name] = found[name]
            elif fact.type.kind == "bool" and self.rulebase.closed_world:
                result[name] = False
            else:
                raise InputError(f"case text: fact {name}: found nothing, expected a sentence that states it")
        return result

    def _hits(self, sentence: str, marks: re.Pattern[str] | None) -> tuple[_Hit, ...]:
        """Return the statements of one sentence; joined ones are taken apart."""
        if hit := self._whole(sentence, marks):
            return (hit,)
        opener = next((o for o in OPENERS if sentence.startswith(o)), "")
        if opener and (hit := self._whole(sentence[len(opener) :], marks)):
            return (hit,)
        ways = []
        for joiner in JOINERS:
            for match in re.finditer(re.escape(joiner), sentence):
                left = self._whole(sentence[: match.start()] + ".", marks)
                right = self._whole(sentence[match.end() :], marks)
                if left and right:
                    ways.append((left, right))
        if len(ways) != 1:
            found = "nothing that states a fact" if not ways else "two ways to take it apart"
            raise InputError(f"case text: sentence {sentence!r}: found {found}, expected the phrasing of one fact")
        return ways[0]

    def _whole(self, sentence: str, marks: re.Pattern[str] | None) -> _Hit | None:
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

    def _match(self, sentence: str, marks: re.Pattern[str]) -> _Hit | None:
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
            return _Hit(entry.fact, value, people)
        for compiled, fact, field in self.lists:
            match = compiled.fullmatch(sentence) or compiled.fullmatch(sentence[:1].upper() + sentence[1:])
            if match:
                return _Hit(fact.name, match=match, field=field)
        return None

    def _records(self, fact: FactDecl, hits: Sequence[_Hit]) -> tuple[Mapping[str, Value], ...]:
        found = [(hit.field, hit.match) for hit in hits if hit.match is not None]
        rosters = [match for field, match in found if not field]
        if len(rosters) != 1:
            raise InputError(f"case text: fact {fact.name}: found {len(rosters)} full lists, expected one")
        names = read_names(rosters[0]["names"]) if "names" in rosters[0].groupdict() else []
        key = _key(fact)
        records: dict[str, dict[str, Value]] = {name: {key: name} for name in names}
        kinds = dict(fact.type.fields)
        for field, match in found:
            if not field:
                continue
            for name in read_names(match["names"]) if kinds[field].kind == "bool" else [match["name"]]:
                if name not in records or field in records[name]:
                    raise InputError(f"case text: sentence {match[0]!r}: found {name!r}, expected a member, once")
                records[name][field] = True if kinds[field].kind == "bool" else read_value(match["v"], kinds[field])
        for name, record in records.items():
            for field, kind in kinds.items():
                if field not in record and kind.kind != "bool":
                    raise InputError(f"case text: {fact.name}: {name}: found no {field}, expected a sentence on it")
                record.setdefault(field, False)
        return tuple({field: record[field] for field in kinds} for record in records.values())

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
    def _entries(self, fact: FactDecl) -> Iterator[tuple[str, _Entry]]:
        if fact.type.kind == "list":
            return
        for texts, value in ((fact.says, True), (fact.denies, False)):
            for text in texts:
                if fact.type.kind == "bool":
                    yield self._entry(text, fact.name, value)
                elif fact.type.kind == "enum":
                    for choice in fact.type.values:
                        yield self._entry(text.replace("{v}", choice.replace("_", " ")), fact.name, choice)
                else:
                    yield self._entry(text, fact.name, None)

    def _entry(self, text: str, fact: str, value: Value | None) -> tuple[str, _Entry]:
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
        return key[:1].lower() + key[1:], _Entry(fact, value, tuple(slots))

    def _patterns(self, fact: FactDecl) -> Iterator[tuple[re.Pattern[str], FactDecl, str]]:
        phrase = _phrase(fact)
        for text in (*ROSTER, *EMPTY):
            plain = re.escape(_capital(text.replace("{phrase}", phrase)))
            yield re.compile(plain.replace(r"\{names\}", f"(?P<names>{NAMES})")), fact, ""
        for field, texts in fact.field_says:
            kind = dict(fact.type.fields)[field]
            for text in texts:
                plain = re.escape(text).replace(r"\{names\}", f"(?P<names>{NAMES})")
                plain = plain.replace(r"\{name\}", f"(?P<name>{NAME})")
                if kind.kind != "bool":
                    plain = plain.replace(r"\{v\}", f"(?P<v>{pattern(kind)})")
                yield re.compile(plain), fact, field


def _marks(names: Collection[str]) -> re.Pattern[str]:
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


def _fits(entry: _Entry, values: Sequence[str]) -> bool:
    return all(kind != "literal" or which == text for (kind, which), text in zip(entry.slots, values, strict=True))


def _choose(texts: Sequence[str], rng: random.Random, fact: str) -> str:
    """Choose one phrasing with exactly one draw, so that the draw does not depend on the polarity."""
    if not texts:
        raise InputError(f"fact {fact}: found no phrasing, expected three or more")
    return texts[int(rng.random() * len(texts))]


def _key(fact: FactDecl) -> str:
    for name, kind in fact.type.fields:
        if kind.kind == "name":
            return name
    raise InputError(f"fact {fact.name}: found records without a name, expected a field of type name")


def _phrase(fact: FactDecl) -> str:
    return fact.phrases[0] if fact.phrases else fact.name.replace("_", " ")


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _paragraphs(sentences: list[str], rng: random.Random, names: Collection[str]) -> str:
    """Join sentences: some in pairs, some behind an opener; a blank line after five to eight of them."""
    result: list[str] = []
    left = 5 + int(rng.random() * 4)
    place = 0
    while place < len(sentences):
        text = sentences[place]
        draw = rng.random()
        after = sentences[place + 1] if place + 1 < len(sentences) else ""
        if draw < 0.12 and place and (opened := _lowered(text, names)):
            text = OPENERS[int(rng.random() * len(OPENERS))] + opened
        elif draw < 0.3 and after and _joins(text) and _joins(after) and (joined := _lowered(after, names)):
            text = text[:-1] + JOINERS[int(rng.random() * len(JOINERS))] + joined
            place += 1
        result.append(text)
        place += 1
        left -= 1
        if not left and place < len(sentences):
            result[-1] += "\n"
            left = 5 + int(rng.random() * 4)
    return re.sub(r"\n ", "\n\n", " ".join(result))


def _joins(text: str) -> bool:
    return text.endswith(".") and "; " not in text and ", and " not in text


def _lowered(text: str, names: Collection[str]) -> str:
    """Return a sentence as it goes on after a comma; empty where its first word cannot be told from a name."""
    first = text.split(" ", 1)[0].lower()
    if first in _LOWER:
        return text[0].lower() + text[1:]
    return text if any(text.startswith(name) for name in names) else ""


_CACHE: dict[int, CaseText] = {}
_LOCK = threading.Lock()


def compiled(rulebase: RuleBase) -> CaseText:
    """Return the compiled phrasings of a rule base; the last sixteen are kept."""
    found = _CACHE.get(id(rulebase))
    if found is None or found.rulebase is not rulebase:
        found = CaseText(rulebase)
        with _LOCK:
            while len(_CACHE) >= 16:
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
    return compiled(rulebase).read(text, names)


def statements(rulebase: RuleBase, text: str, *, names: Mapping[str, str] | None = None) -> dict[str, Value]:
    """Return only the facts that the text states explicitly."""
    return compiled(rulebase).statements(text, names)
