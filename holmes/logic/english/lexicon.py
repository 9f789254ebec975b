"""The lexicon of a rule base: the wordings by which rule texts refer to facts, concepts, consequences and numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from holmes.logic.english.vocabulary import DETERMINERS, UNITS, VOCABULARY
from holmes.logic.language.model import Decision, FactDecl, RuleBase, Type

Words = tuple[str, ...]

WORD = re.compile(
    r"\d+/\d+|\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|[^\W\d_]+(?:[-'’][^\W\d_]+)*|\{\w+\}|[().,;:|%?!—–]",
)
_BE = ("is", "are", "was", "were")
_HAVE = ("has", "have", "had")
NUMERIC = ("int", "money", "date")


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a phrase stands for.

    kind: atom (Boolean fact or concept) | number (int, money, date) | enum | value | tail | label | policy | table |
    list | field. name: of the fact, concept, …. positive: false for an explicit denial. facts: for a value, the enum
    facts that have it.
    """

    kind: str
    name: str
    positive: bool = True
    facts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Lexicon:
    """Everything the reader of rule texts may know: names, types, wordings; never a condition.

    phrases: word sequence (lower case) -> meaning. units: words that follow a quantity. fillers: further words
    without meaning (entity kinds). types: of every fact and concept. clashes: (wording, name, name) that cannot be
    told apart. numbered: rule number -> concept (used to check "(Rule 1)").
    """

    phrases: Mapping[Words, Meaning]
    longest: int
    units: frozenset[str]
    fillers: frozenset[str]
    types: Mapping[str, Type]
    concepts: frozenset[str]
    facts: Mapping[str, FactDecl]
    decision: Decision
    families: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    clashes: tuple[tuple[str, str, str], ...] = ()
    empty: tuple[tuple[str, str], ...] = ()  # (name, wording) made of fillers alone
    source: RuleBase | None = None  # for names, entities and path only


def words(text: str) -> Words:
    """Cut a text into lower-case words, numbers and punctuation marks."""
    return tuple(WORD.findall(text.lower().replace("’", "'")))


def core(phrase: Words) -> Words:
    """Drop the determiners at the start of a phrase."""
    start = 0
    while start < len(phrase) - 1 and phrase[start] in DETERMINERS:
        start += 1
    return phrase[start:]


def _variants(phrase: Words) -> Iterator[tuple[Words, bool]]:
    """Yield (words, positive) for other tenses of the first form of *be* or *have*, and their denial with *not*."""
    for index, word in enumerate(phrase):
        forms = _BE if word in _BE else _HAVE if word in _HAVE else ()
        if not forms:
            continue
        before, after = phrase[:index], phrase[index + 1 :]
        extra = (
            (("must", "be"), ("be",), ("being",), ("has", "been")) if word in _BE else (("having",), ("must", "have"))
        )
        for form in (*((f,) for f in forms), *extra):
            yield (*before, *form, *after), True
            yield (*before, form[0], "not", *form[1:], *after), False
            if form[-1] in ("be", "being", "having"):
                yield (*before, "not", *form, *after), False
        return


class _Builder:
    def __init__(self) -> None:
        self.explicit: dict[Words, Meaning] = {}
        self.derived: dict[Words, Meaning | None] = {}
        self.clashes: list[tuple[str, str, str]] = []
        self.empty: list[tuple[str, str]] = []

    def add(self, phrase: Words, meaning: Meaning) -> None:
        there = self.explicit.get(phrase)
        if there is None:
            self.explicit[phrase] = meaning
        elif there.kind == meaning.kind == "value":
            self.explicit[phrase] = Meaning("value", meaning.name, True, there.facts + meaning.facts)
        elif there != meaning and not (there.kind == meaning.kind == "tail"):
            self.clashes.append((" ".join(phrase), there.name, meaning.name))

    def derive(self, phrase: Words, meaning: Meaning) -> None:
        there = self.derived.get(phrase, meaning)
        self.derived[phrase] = meaning if there == meaning else None

    def phrase(self, text: str, kind: str, name: str, positive: bool = True) -> None:
        """Add a wording, with its variants; a `{v}` splits it into the part before and the part after the value."""
        parts = [core(words(part)) if i == 0 else words(part) for i, part in enumerate(text.split("{v}"))]
        whole = [part for part in parts if part]
        if not whole:
            return
        head = whole[0]
        if kind != "label" and all(
            VOCABULARY.get((word,), ("", ""))[0] in ("filler", "soft", "and", "or") for word in head
        ):
            self.empty.append((name, text))
            return
        self.add(head, Meaning(kind, name, positive))
        for variant, agrees in _variants(head):
            if kind == "label" and not agrees:
                continue
            self.derive(core(variant), Meaning(kind, name, positive is agrees))
        if kind == "number" and len(parts) == 1:
            self.derive((*head[:-1], head[-1] + "s"), Meaning(kind, name))
        if len(parts) > 1 and parts[0] and parts[1]:
            self.add(parts[1], Meaning("tail", name))
        if kind == "atom" and head[0] in ("somebody", "someone"):
            for nobody in (("nobody",), ("no", "one")):
                self.derive((*nobody, *head[1:]), Meaning(kind, name, not positive))

    def result(self) -> dict[Words, Meaning]:
        found = {phrase: meaning for phrase, meaning in self.derived.items() if meaning is not None}
        return {**found, **self.explicit}


def spellings(decision: Decision, label: str) -> tuple[str, ...]:
    """Return the wordings of an answer; the first one is shown. Without `labels`, they are made from its name."""
    for name, texts in decision.labels:
        if name == label and texts:
            return texts
    plain = label.replace("_", " ")
    stem = plain[:-3] if plain.endswith("ing") else plain
    made = (plain, stem + ("d" if stem.endswith("e") else "ed"))
    return tuple(dict.fromkeys((*made, *(f"{be} {made[1]}" for be in ("is", "are")))))


def labels(decision: Decision) -> tuple[str, ...]:
    """Return the answers of a decision: the values of its type, else the labels declared."""
    inner = dict(decision.type.fields).get("item", decision.type)
    return decision.type.values or inner.values or tuple(name for name, _ in decision.labels)


def _units(facts: Mapping[str, FactDecl]) -> Iterator[str]:
    for fact in facts.values():
        if fact.type.kind not in ("int", "money"):
            continue
        for sentence in fact.says:
            match = re.search(r"\{v\}\s*([^\W\d_]+)", sentence)
            if match:
                yield match[1].lower()


def lexicon(rulebase: RuleBase) -> Lexicon:
    """Collect the wordings of a rule base.

    rulebase: only names, types, wordings, labels, families and entity kinds are read from it.
    Returns the lexicon. Source: docs/rule-english.md, section 1.
    """
    build = _Builder()
    types: dict[str, Type] = {}
    for fact in rulebase.facts.values():
        types[fact.name] = fact.type
        kind = fact.type.kind
        kind = "atom" if kind == "bool" else "number" if kind in NUMERIC else kind
        for text in fact.phrases:
            build.phrase(text, kind, fact.name)
        for text in fact.negated:
            build.phrase(text, kind, fact.name, positive=False)
        for value in fact.type.values if kind == "enum" else ():
            build.add(words(value.replace("_", " ")), Meaning("value", value, True, (fact.name,)))
        for name, part in fact.type.fields if kind == "list" else ():
            types[f"{fact.name}.{name}"] = part
            build.add(words(name.replace("_", " ")), Meaning("field", name, True, (fact.name,)))
            for value in part.values:
                build.add(words(value.replace("_", " ")), Meaning("value", value, True, (f"{fact.name}.{name}",)))
    for concept in rulebase.concepts.values():
        types[concept.name] = concept.type
        kind = "atom" if concept.type.kind == "bool" else "number"
        for text in concept.phrases:
            build.phrase(text, kind, concept.name)
        for text in concept.negated:
            build.phrase(text, kind, concept.name, positive=False)
        for value in concept.type.values if concept.type.kind == "enum" else ():
            build.add(words(value.replace("_", " ")), Meaning("value", value, True, (concept.name,)))
    for label in labels(rulebase.decision):
        for text in spellings(rulebase.decision, label):
            build.phrase(text, "label", label)
    for policy in rulebase.policies.values():
        if policy.operator in ("compose", "select"):
            build.add(words(policy.name.replace("_", " ")), Meaning("policy", policy.name))
    for family in rulebase.families:
        for text in dict.fromkeys((family, family.removesuffix("s"))):
            build.add(words(text.replace("_", " ")), Meaning("family", family))
    for table in rulebase.tables:
        build.add(words(table.replace("_", " ")), Meaning("table", table))
    found = build.result()
    kinds = {kind for entity in rulebase.entities.values() for kind in (entity, entity + "s", entity + "'s")}
    return Lexicon(
        phrases=found,
        longest=max(map(len, found), default=1),
        units=UNITS | frozenset(_units(rulebase.facts)),
        fillers=frozenset(kinds),
        types=types,
        concepts=frozenset(rulebase.concepts),
        facts=rulebase.facts,
        decision=rulebase.decision,
        families=rulebase.families,
        clashes=tuple(build.clashes),
        empty=tuple(build.empty),
        source=rulebase,
    )
