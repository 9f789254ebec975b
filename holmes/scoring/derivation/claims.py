"""Clauses to claims: what each is about (cited rule, stage word, alias, overlap) and the value it gives (step 2, 3)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from holmes.errors import InputError
from holmes.logic.frames import relation
from holmes.logic.lexicon import Words, words
from holmes.logic.model import Value
from holmes.reading.citations import citations
from holmes.scoring.derivation import wording
from holmes.scoring.derivation.clauses import Clause, predicates
from holmes.scoring.derivation.reference import Reference
from holmes.scoring.derivation.targets import Target, Targets
from holmes.scoring.derivation.values import value_of
from holmes.scoring.derivation.vocabulary import Match, normal

TAU, DELTA = 0.75, 0.15
"""Least overlap of a clause without citation or alias with its target, and least lead over the next one."""
CITED, ALIAS, OVERLAP = 3, 2, 1  # how firmly a claim is tied to its target


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


Found = tuple[Target, Value, int]


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
        if keys & self.reference.quoted and not (clause.cited and self.relation(clause.text)):
            return []
        parts = [p for p in self.reference.parts if clause.subject in (None, p.graph.part.subject)]
        lead = wording.LEAD.match(clause.text)
        body = clause.text[lead.end() :] if lead else clause.text
        for text in dict.fromkeys((clause.text, body)):
            if said := self.relation(text):
                return list(self.conflicts(parts, *said))
        background = list(citations(lead["rules"], bare=True)) if lead else []
        background += [n for n in clause.cited if n not in background]
        subject = wording.SUBJECT.match(body)
        if subject:
            rules = citations(subject["rules"], bare=True)
            others = [n for n in (*background, *citations(subject["rest"], bare=True)) if n not in rules]
            negative = bool(re.match(r"\s*(?:neither|none)\b", body, re.I))
            rest = f"it {subject['rest'].strip()}"  # a verb alone has no polarity
            found = [f for rule in rules for f in self.about(parts, clause, rest, rule, others, negative)]
            return found if found or not (set(background) - set(rules)) else self.cited(parts, clause, body, background)
        background += [n for n in citations(body, bare=True) if n not in background]
        if background:
            return self.cited(parts, clause, body, background)
        return self.free(parts, clause, body)

    # ------------------------------------------------------------ conflicts
    def relation(self, text: str) -> tuple[tuple[int, ...], tuple[int, ...], bool] | None:
        """Read "Rule 3 defeats Rules 4 and 5": winners, losers, and whether it is asserted."""
        if not re.search(r"\brules?\s+\d", text, re.I) or len(text) > 300:
            return None
        plain = re.sub(r"\b(?:so|thus|therefore|hence|then|also|now|clearly)\s+", "", text.strip(" .,"), flags=re.I)
        tried = [(plain, True)]
        if wording.NOT.search(plain):
            bare = re.sub(r"\b(?:does|do|did) not (\w+)", lambda m: f"{m[1]}s", plain)
            tried = [(re.sub(r"\b(is|are|was|were) not\b", r"\1", bare), False)]
        for shown, holds in tried:
            try:
                said = relation(re.sub(r"\b(?:was|were)\b", "is", shown))
            except InputError:
                return None
            if said:
                return said.winners, said.losers, holds
        return None

    def conflicts(
        self, parts: Sequence[Targets], winners: Iterable[int], losers: Sequence[int], holds: bool
    ) -> Iterator[Found]:
        for winner in winners:
            for loser in losers:
                there = [t for part in parts if (t := part.conflict(winner, loser))]
                if len(there) == 1:
                    yield there[0], holds, CITED

    # ------------------------------------------------------------ a rule as the subject
    def about(
        self, parts: Sequence[Targets], clause: Clause, rest: str, rule: int, others: Sequence[int], negative: bool
    ) -> Iterator[Found]:
        """Read what a clause with a rule as its subject says of it."""
        there = [part for part in parts if part.by_rule.get(rule) or rule in part.policies]
        if len(there) != 1:
            return
        part, stage = there[0], wording.stage(rest)
        if stage == "defeated" and part.of(rule, "triggered"):
            yield from self.defeated(part, rest, rule, others, negative)
            return
        if stage == "waived":
            waivers = [t for t in part.by_key.values() if self.waives(part, t)]
            found = [t for t in waivers if self.waives(part, t) == rule] or [t for t in waivers if t.rule == rule]
            if len(found) == 1 and not wording.NOT.search(rest):
                yield found[0], True, CITED
            return
        if stage == "follows":
            yield from self.selected(part, rest, rule, others)
            return
        target = self.staged(part, rule, stage)
        if target is None:
            target = self.only(part.of(rule))
            if target is not None and target.type.kind == "bool" and not stage:
                target = target if clause.result.raw or wording.GENERIC.search(rest) else None
        if target is None and self.consequence(part, rule, rest):
            target = self.only(part.of(rule, "triggered"))
        if target is not None:
            value = value_of(part, target, clause, rest, negative)
            if value is not None:
                yield target, value, CITED

    def selected(self, part: Targets, rest: str, rule: int, others: Sequence[int]) -> Iterator[Found]:
        """Read "By Rule 9, Rule 5 is the one to follow": of the rule cited, else of the one that could select it."""
        if (own := self.only(part.of(rule, "selection"))) and others:  # "Rule 9 selects Rule 5"
            if not wording.NOT.search(rest):
                yield own, Fraction(others[-1]), CITED
            return
        found = [t for other in others for t in part.of(other, "selection")]
        if not found:
            base, name = part.graph.part.base, part.policies.get(rule)
            every = [t for t in part.by_key.values() if t.kind == "selection"]
            found = [t for t in every if name in dict(base.policies[t.key[1]].branches).values()]
        target = self.only(found)
        if target is not None and not wording.NOT.search(rest):
            yield target, Fraction(rule), CITED

    def staged(self, part: Targets, rule: int, stage: str) -> Target | None:
        found = part.of(rule, *wording.KINDS.get(stage, ("",)))
        if not found and stage == "applies":
            found = part.of(rule, "triggered")  # without a consequence, and not defeated: the same
        if not found and stage in ("triggered", "passes", "applies"):
            found = part.of(rule, "gate", "transform", "compose", "concept")
        return self.only(found)

    def defeated(self, part: Targets, rest: str, rule: int, others: Sequence[int], negative: bool) -> Iterator[Found]:
        """Read "Rule 3 is defeated (by Rule 5)", or "Rule 3 is set aside [Rule 5]"."""
        holds = not (negative or wording.NOT.search(re.sub(r"\bno effect\b", "", rest)))
        for other in others:
            name = part.policies.get(rule)
            stated = [t for t in part.of(other, "conflict") if t.key[2] == name]
            if other in part.policies and (not stated or re.search(rf"\bby rule {other}\b", rest, re.I)):
                stated = [t for t in (part.conflict(other, rule),) if t]
            if len(stated) == 1:
                yield stated[0], holds, CITED
                return
        target = self.only(part.of(rule, "applies"))
        triggered = self.only(part.of(rule, "triggered"))
        if target is not None and (holds or (triggered is not None and triggered.value is True)):
            yield target, not holds, CITED

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
            targets = [t for part, rule in there if (t := self.staged(part, rule, stage))]
            plain = [t for part, rule in there for t in part.of(rule) if t.kind != "conflict"]
            every = [t for part, rule in there for t in part.of(rule)]
            targets = targets or self.rows(plain if len(plain) > 0 else every, found)
            if len(targets) != 1:
                targets = [
                    t for part, rule in there if self.consequence(part, rule, body) for t in part.of(rule, "triggered")
                ]
        target = self.only(targets)
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

    def consequence(self, part: Targets, rule: int, text: str) -> bool:
        """Say whether a text draws the consequence of a rule."""
        name = part.policies.get(rule)
        wanted = part.graph.part.base.policies[name].consequence if name is not None else ""
        if not wanted:
            return False
        matches = part.vocabulary.scan(words(text))
        return any(m.meaning.kind == "label" and m.meaning.name == wanted for m in matches)

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
            target = self.only(list(aliased))
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
            target = self.staged(part, rule, wording.stage(body))
        else:
            target = self.only(list(part.tables.get(name, ())) if kind == "table" else [part.by_key[kind, name, ""]])
        if target is None:
            return []
        value = value_of(part, target, clause, body, False)
        return [] if value is None else [(target, value, OVERLAP)]

    # ------------------------------------------------------------ help
    def waives(self, part: Targets, target: Target) -> int:
        """Return the printed number of the policy that a transformation is made from, 0 for what is none."""
        policies = part.graph.part.base.policies
        policy = policies.get(target.key[1]) if target.kind in ("gate", "transform") else None
        made = policy is not None and policy.operator == "transform"
        return policies[policy.base].rule + part.graph.part.offset if made and policy is not None else 0

    @staticmethod
    def only(found: Sequence[Target]) -> Target | None:
        unique = list(dict.fromkeys(found))
        return unique[0] if len(unique) == 1 else None


_HEADS = wording.ALIASES | {"label", "list"}


def _within(part: Words, whole: Words) -> bool:
    return any(whole[i : i + len(part)] == part for i in range(len(whole) - len(part) + 1))
