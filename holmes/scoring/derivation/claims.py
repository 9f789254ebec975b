"""Clauses to claims: what each is about (cited rule, stage word, alias, overlap) and the value it gives (step 2, 3)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from holmes.logic.english.lexicon import Words, words
from holmes.logic.language.model import Value
from holmes.reading.citations import citations
from holmes.scoring.derivation import wording
from holmes.scoring.derivation.clauses import Clause, predicates
from holmes.scoring.derivation.reference import Reference
from holmes.scoring.derivation.subjects import (
    ALIAS,
    CITED,
    OVERLAP,
    Found,
    about,
    conflicts,
    draws,
    only,
    related,
    staged,
)
from holmes.scoring.derivation.targets import Target, Targets
from holmes.scoring.derivation.values import value_of
from holmes.scoring.derivation.vocabulary import Match, normal

TAU, DELTA = 0.75, 0.15
"""Least overlap of a clause without citation or alias with its target, and least lead over the next one."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A statement of a trace about one target. order: its place among the claims of the trace, from 0."""

    target: Target
    value: Value
    weight: int
    order: int
    text: str

    @property
    def right(self) -> bool:
        """True where the claimed value is the evaluated one."""
        return self.value == self.target.value


def claims_of(reference: Reference, clauses: Sequence[Clause]) -> list[Claim]:
    """Return the claims of a trace in its order, those of the answer too.

    Quotations, restated facts and what stays ambiguous make none.
    """
    found: list[Claim] = []
    reader = _Reader(reference)
    for clause in clauses:
        for target, value, weight in reader.read(clause):
            found.append(Claim(target, value, weight, len(found), clause.text))
    return found


class _Reader:
    def __init__(self, reference: Reference) -> None:
        self.reference = reference
        self.known: dict[object, list[Found]] = {}

    def read(self, clause: Clause) -> list[Found]:
        """Return what a clause claims; the same words are read once a trace."""
        key = (clause.text, clause.sentence, clause.subject, clause.cited, clause.result, clause.ground)
        if key not in self.known:
            self.known[key] = self.fresh(clause)
        return self.known[key]

    def fresh(self, clause: Clause) -> list[Found]:
        keys = {normal(text, self.reference.people) for text in (clause.text, clause.sentence)}
        if keys & self.reference.restated:
            return []
        if keys & self.reference.quoted and not (clause.cited and related(clause.text)):
            return []
        parts = [p for p in self.reference.parts if clause.subject in (None, p.graph.part.subject)]
        lead = wording.LEAD.match(clause.text)
        body = clause.text[lead.end() :] if lead else clause.text
        for text in dict.fromkeys((clause.text, body)):
            if said := related(text):
                return list(conflicts(parts, *said))
        background = list(citations(lead["rules"], bare=True)) if lead else []
        background += [n for n in clause.cited if n not in background]
        subject = wording.SUBJECT.match(body)
        if subject:
            rules = citations(subject["rules"], bare=True)
            others = [n for n in (*background, *citations(subject["rest"], bare=True)) if n not in rules]
            negative = bool(re.match(r"\s*(?:neither|none)\b", body, re.I))
            rest = f"it {subject['rest'].strip()}"  # a verb alone has no polarity
            found = [f for rule in rules for f in about(parts, clause, rest, rule, others, negative)]
            return found if found or not (set(background) - set(rules)) else self.cited(parts, clause, body, background)
        background += [n for n in citations(body, bare=True) if n not in background]
        if background:
            return self.cited(parts, clause, body, background)
        return self.free(parts, clause, body)

    # ------------------------------------------------------------ rules cited
    def cited(self, parts: Sequence[Targets], clause: Clause, body: str, rules: Sequence[int]) -> list[Found]:
        """Read a clause that cites rules without having one as its subject."""
        found = words(body)
        there = [(part, rule) for part in parts for rule in rules if part.by_rule.get(rule)]
        if not there:
            return []
        named: dict[Target, Match] = {}
        for part, rule in there:
            for match in part.vocabulary.scan(found):
                for one in part.of(rule, "concept", "table"):
                    if match.meaning.name == one.key[1].partition("[")[0] and match.meaning.kind in wording.ALIASES:
                        named[one] = match
        stage = wording.stage(body)
        if named:
            targets = self.rows(list(named), found)
        else:
            targets = [t for part, rule in there if (t := staged(part, rule, stage))]
            plain = [t for part, rule in there for t in part.of(rule) if t.kind != "conflict"]
            every = [t for part, rule in there for t in part.of(rule)]
            targets = targets or self.rows(plain if len(plain) > 0 else every, found)
            if len(targets) != 1:
                targets = [t for part, rule in there if draws(part, rule, body) for t in part.of(rule, "triggered")]
        target = only(targets)
        if target is None or (not named and self.restates(target, body, found)):
            return []
        part = self.reference.parts[target.part]
        value = value_of(part, target, clause, body, False, named.get(target))
        return [] if value is None else [(target, value, CITED)]

    def rows(self, targets: list[Target], found: Words) -> list[Target]:
        """Of several rows of one table, keep the one whose keys the clause names."""
        if len(targets) < 2 or any(t.kind != "table" for t in targets):
            return targets
        hits = []
        for target in targets:
            keys = target.key[1].partition("[")[2].rstrip("]").split(",")
            spoken = [words(key.replace("_", " ")) for key in keys]
            hits.append(sum(_within(key, found) for key in spoken) if spoken else 0)
        best = [t for t, hit in zip(targets, hits, strict=True) if hit == max(hits)]
        return best if max(hits) else targets

    def restates(self, target: Target, body: str, found: Words) -> bool:
        """Say whether a clause under a concept's rule only repeats a fact that the rule asks for."""
        if target.kind != "concept":
            return False
        part = self.reference.parts[target.part]
        facts = part.graph.part.base.facts
        return any(m.meaning.name in facts for m in part.vocabulary.scan(found)) and not wording.GENERIC.search(body)

    # ------------------------------------------------------------ nothing cited
    def free(self, parts: Sequence[Targets], clause: Clause, body: str) -> list[Found]:
        """Read a clause that cites no rule: its longest alias, else weighted overlap, else nothing."""
        found = words(body)
        if not (predicates(body) or clause.result.raw):
            return []
        best: list[tuple[int, Targets, Match]] = []
        for part in parts:
            best += [(m.end - m.start, part, m) for m in part.vocabulary.scan(found) if m.meaning.kind in _HEADS]
        if best:
            longest = max(size for size, _, _ in best)
            top = [(part, m) for size, part, m in best if size == longest]
            aliased: dict[Target, Match] = {}
            for part, match in top:
                if part.by_key.get(("concept", match.meaning.name, "")) is None and match.meaning.kind != "table":
                    return []  # a fact or the answer is as prominent
                for one in self.rows(list(self.named(part, match)), found):
                    aliased[one] = match
            target = only(list(aliased))
            if target is None:
                return []
            part = self.reference.parts[target.part]
            value = value_of(part, target, clause, body, False, aliased[target])
            return [] if value is None else [(target, value, ALIAS)]
        return [] if clause.ground else self.overlapping(parts, clause, body, found)

    def named(self, part: Targets, match: Match) -> Iterator[Target]:
        name = match.meaning.name
        if match.meaning.kind == "table":
            yield from part.tables.get(name, ())
        elif target := part.by_key.get(("concept", name, "")):
            yield target

    def overlapping(self, parts: Sequence[Targets], clause: Clause, body: str, found: Words) -> list[Found]:
        scored: list[tuple[float, Targets, tuple[str, str]]] = []
        for part in parts:
            scored += [(score, part, name) for score, name in part.vocabulary.overlap(found)[:2]]
        scored.sort(key=lambda entry: -entry[0])
        if not scored or scored[0][0] < TAU or (len(scored) > 1 and scored[0][0] - scored[1][0] < DELTA):
            return []
        _, part, (kind, name) = scored[0]
        if kind == "policy":
            rule = part.graph.part.base.policies[name].rule + part.graph.part.offset
            target = staged(part, rule, wording.stage(body))
        else:
            target = only(list(part.tables.get(name, ())) if kind == "table" else [part.by_key[kind, name, ""]])
        if target is None:
            return []
        value = value_of(part, target, clause, body, False)
        return [] if value is None else [(target, value, OVERLAP)]


_HEADS = wording.ALIASES | {"label", "list"}


def _within(part: Words, whole: Words) -> bool:
    return any(whole[i : i + len(part)] == part for i in range(len(whole) - len(part) + 1))
