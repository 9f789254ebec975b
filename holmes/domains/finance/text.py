"""Case texts: one claim, a joint claim of several people with lists of papers, a claim of several items; and back."""

from __future__ import annotations

import functools
import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from holmes.derivations.parts import Part as Component
from holmes.domains.finance.handbook import MATTERS, Clause, Exchange, clause
from holmes.errors import InputError
from holmes.logic.language import model as m
from holmes.logic.narrative.render import case_text, read_case, statements
from holmes.logic.narrative.values import NAMES, read_names, write_names

Facts = Mapping[str, m.Value]
OTHERS = ("visitors", "labour")  # clauses on another person than the one who files a claim of several items
PAPERS = "Papers. The lists are complete: whoever is not named handed in no such paper."
_HANDED = (
    "The {phrase} was handed in by {names}.",
    "The {phrase} is on file for {names}.",
    "The office holds the {phrase} of {names}.",
)
_NOBODY = (
    "Nobody handed in the {phrase}.",
    "The {phrase} is on file for nobody.",
    "The office holds no {phrase} of anybody.",
)
_PAPER = "{X} enclosed "  # how the first sentence of a fact that is a paper begins


@dataclass(frozen=True, slots=True)
class Part:
    """One component of a case: its clause, who or what it is about as the report names it, its record.

    edition: of the policy that the case prints; None where it is the policy as written.
    """

    clause: str
    subject: str
    name: str
    facts: Facts
    silent: tuple[str, ...] = ()
    edition: Exchange | None = None

    @property
    def stated(self) -> Clause:
        """The clause as the case prints it."""
        return clause(self.clause, self.edition)


def component(part: Part, many: bool) -> Component:
    """Return a part as services know it; many: whether the case has several, so that each is named."""
    stated = part.stated
    return Component(stated.base, part.facts, {"X": part.name}, part.subject if many else "", stated.offset)


@dataclass(frozen=True, slots=True)
class Split:
    """The facts of a clause by how a joint claim tells them: of all, of each person, in a list of papers."""

    shared: m.RuleBase
    own: m.RuleBase
    papers: tuple[str, ...]


@functools.lru_cache(maxsize=16)
def split(name: str) -> Split:
    """Return how a joint claim tells the facts of a clause.

    Raises InputError for a fact some of whose sentences name the claimant and some do not.
    """
    base = clause(name).base
    shared, own, papers = {}, {}, []
    for fact in base.facts.values():
        told = {"{X}" in sentence for sentence in (*fact.says, *fact.denies)}
        if len(told) != 1:
            raise InputError(f"{name}: fact {fact.name}: found sentences with and without {{X}}, expected one kind")
        if fact.type.kind == "bool" and fact.says[0].startswith(_PAPER):
            papers.append(fact.name)
        elif told == {True}:
            own[fact.name] = fact
        else:
            shared[fact.name] = fact
    return Split(replace(base, facts=shared), replace(base, facts=own), tuple(papers))


# ---------------------------------------------------------------- writing
def single(part: Part, rng: random.Random) -> str:
    """Write a claim of one item."""
    base = clause(part.clause).base
    return case_text(base, part.facts, rng, names={"X": part.name}, silent=part.silent)


def claimant(parts: Sequence[Part]) -> str:
    """Return the name of the person who files a claim."""
    return next((part.name for part in parts if part.clause not in OTHERS), parts[0].name)


def several(parts: Sequence[Part], rng: random.Random) -> str:
    """Write a claim of several items; each item names its matter, not its clause."""
    blocks = [f"{claimant(parts)} files one claim of {len(parts)} items."]
    for part in parts:
        blocks.append(f"{part.subject} ({rng.choice(MATTERS[part.clause])}):\n{single(part, rng)}")
    return "\n\n".join(blocks)


def joint(parts: Sequence[Part], rng: random.Random) -> str:
    """Write a joint claim: what holds of all once, the papers as lists of names, then each person."""
    kind, first = parts[0].clause, parts[0]
    told = split(kind)
    names = [part.name for part in parts]
    blocks = [f"Joint claim of {write_names(names)} ({rng.choice(MATTERS[kind])})."]
    common = {name: first.facts[name] for name in told.shared.facts}
    if common:
        blocks.append("For all of them:\n" + case_text(told.shared, common, rng, names={"X": first.name}))
    lines = []
    for paper in told.papers:
        having = [part.name for part in parts if part.facts[paper]]
        lines.append(list_sentence(kind, paper, having, rng.choice(range(len(_HANDED if having else _NOBODY)))))
    rng.shuffle(lines)
    blocks.append(PAPERS + "\n" + " ".join(lines))
    for part in parts:
        own = {name: part.facts[name] for name in told.own.facts}
        silent = tuple(name for name in part.silent if name in own)
        blocks.append(f"{part.name}:\n" + case_text(told.own, own, rng, names={"X": part.name}, silent=silent))
    return "\n\n".join(blocks)


def list_sentence(kind: str, paper: str, names: Sequence[str], number: int) -> str:
    """Return the sentence that lists who handed in a paper, in one of its three forms (0 to 2)."""
    form = (_HANDED if names else _NOBODY)[number]
    return form.format(phrase=told_phrase(kind, paper), names=write_names(names) if names else "")


def told_phrase(kind: str, fact: str) -> str:
    """Return the words by which a list names a paper."""
    return clause(kind).base.facts[fact].phrases[0]


# ---------------------------------------------------------------- reading back
def read_single(kind: str, text: str, name: str) -> Facts:
    """Read the record of one item back from its text; raises InputError naming a sentence that fits no fact."""
    return read_case(clause(kind).base, text, names={"X": name})


@dataclass(frozen=True, slots=True)
class Span:
    """A piece of a case text: where it begins and ends."""

    start: int
    end: int

    def of(self, text: str) -> str:
        """Return the piece."""
        return text[self.start : self.end]

    def put(self, text: str, piece: str) -> str:
        """Return the text with another piece in its place."""
        return text[: self.start] + piece + text[self.end :]


def _spans(text: str, titles: str) -> list[tuple[str, Span]]:
    """Return the pieces that stand under titles, each with its title."""
    found = list(re.finditer(rf"(?:\A|\n\n)({titles})\n", text))
    ends = [*(match.start() for match in found[1:]), len(text)]
    return [(match[1], Span(match.end(), end)) for match, end in zip(found, ends, strict=True)]


def item_spans(text: str) -> list[Span]:
    """Return where each item of a claim is told."""
    return [span for _, span in _spans(text, r"Item \d+ \([^)\n]*\):")]


def joint_spans(text: str, names: Sequence[str]) -> dict[str, Span]:
    """Return where a joint claim tells what: by title, the lists of papers under ``""``."""
    titles = "|".join(["For all of them:", re.escape(PAPERS), *(re.escape(f"{name}:") for name in names)])
    return {"" if title == PAPERS else title: span for title, span in _spans(text, titles)}


def read_several(kinds: Sequence[str], text: str, names: Sequence[str]) -> list[Facts]:
    """Read every item of a claim back; raises InputError where the items are not as many as `kinds` and `names`."""
    spans = item_spans(text)
    if len(spans) != len(kinds):
        raise InputError(f"case text: found {len(spans)} items, expected {len(kinds)}")
    return [read_single(kind, span.of(text), name) for kind, span, name in zip(kinds, spans, names, strict=True)]


def read_joint(kind: str, text: str) -> dict[str, Facts]:
    """Read a joint claim back: each person's record, by name; raises InputError for a sentence that fits nothing."""
    told = split(kind)
    head = re.match(rf"Joint claim of ({NAMES}) \(", text)
    if head is None:
        raise InputError("case text: found no head of a joint claim, expected `Joint claim of …`")
    names = read_names(head[1])
    blocks = {title: span.of(text) for title, span in joint_spans(text, names).items()}
    common: dict[str, m.Value] = {}
    if told.shared.facts:
        common = {**_blank(told.shared), **statements(told.shared, blocks["For all of them:"], names={"X": names[0]})}
    lists = {paper: listed.names for paper, listed in read_lists(kind, blocks[""]).items()}
    if missing := [paper for paper in told.papers if paper not in lists]:
        raise InputError(f"case text: papers: found no list of {missing[0]}, expected one")
    result: dict[str, Facts] = {}
    for name in names:
        own = {**_blank(told.own), **statements(told.own, blocks[f"{name}:"], names={"X": name})}
        facts = {**common, **own, **{paper: name in lists[paper] for paper in told.papers}}
        result[name] = {fact: facts[fact] for fact in clause(kind).base.facts}
    return result


def _blank(base: m.RuleBase) -> dict[str, m.Value]:
    return {fact.name: False for fact in base.facts.values() if fact.type.kind == "bool"}


@dataclass(frozen=True, slots=True)
class Listed:
    """A list of papers as read: who is on it, and the number of its form."""

    names: list[str]
    number: int


def read_lists(kind: str, text: str) -> dict[str, Listed]:
    """Return who handed in each paper, for every list in some sentences."""
    found: dict[str, Listed] = {}
    for sentence in re.split(r"(?<=\.)\s+", text.strip()):
        for paper in split(kind).papers:
            phrase = re.escape(told_phrase(kind, paper))
            for forms, named in ((_NOBODY, False), (_HANDED, True)):
                for number, form in enumerate(forms):
                    pattern = re.escape(form).replace(r"\{phrase\}", phrase).replace(r"\{names\}", f"({NAMES})")
                    if match := re.fullmatch(pattern, sentence):
                        found[paper] = Listed(read_names(match[1]) if named else [], number)
    return found
