"""What a clause says of the rules in it: one defeats another, is set aside, waived, selected, triggered, applies."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction

from holmes.errors import InputError
from holmes.logic.english.frames import relation
from holmes.logic.english.lexicon import words
from holmes.logic.language.model import Value
from holmes.scoring.derivation import wording
from holmes.scoring.derivation.clauses import Clause
from holmes.scoring.derivation.targets import Target, Targets
from holmes.scoring.derivation.values import value_of

CITED, ALIAS, OVERLAP = 3, 2, 1  # how firmly a claim is tied to its target
Found = tuple[Target, Value, int]


def related(text: str) -> tuple[tuple[int, ...], tuple[int, ...], bool] | None:
    """Read "Rule 3 defeats Rules 4 and 5": winners, losers, and whether it is asserted."""
    if not re.search(r"\brules?\s+\d", text, re.I) or len(text) > 300:
        return None
    plain = re.sub(r"\b(?:so|thus|therefore|hence|then|also|now|clearly)\s+", "", text.strip(" .,"), flags=re.I)
    plain = re.sub(r"\b(?:removes|takes away|knocks out|rules out)(?= rules?\b)", "defeats", plain, flags=re.I)
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


def conflicts(parts: Sequence[Targets], winners: Iterable[int], losers: Sequence[int], holds: bool) -> Iterator[Found]:
    """Yield a claim for each pair of winner and loser that belongs to exactly one part."""
    for winner in winners:
        for loser in losers:
            there = [t for part in parts if (t := part.conflict(winner, loser))]
            if len(there) == 1:
                yield there[0], holds, CITED


def about(
    parts: Sequence[Targets], clause: Clause, rest: str, rule: int, others: Sequence[int], negative: bool
) -> Iterator[Found]:
    """Read what a clause with a rule as its subject says of it."""
    there = [part for part in parts if part.by_rule.get(rule) or rule in part.policies]
    if len(there) != 1:
        return
    part, stage = there[0], wording.stage(rest)
    if stage == "defeated" and wording.DEFEATS.match(rest):
        return  # "Rule 20 defeats the duty": what is set aside is not said by number
    if stage == "defeated" and part.of(rule, "triggered"):
        yield from _defeated(part, rest, rule, others, negative)
        return
    if stage == "waived":
        waivers = [t for t in part.by_key.values() if _waives(part, t)]
        found = [t for t in waivers if _waives(part, t) == rule] or [t for t in waivers if t.rule == rule]
        if len(found) == 1 and not wording.NOT.search(rest):
            yield found[0], True, CITED
        return
    if stage == "follows":
        yield from _selected(part, rest, rule, others)
        return
    target = staged(part, rule, stage)
    if target is None:
        target = only(part.of(rule))
        if target is not None and target.type.kind == "bool" and not stage:
            target = target if clause.result.raw or wording.GENERIC.search(rest) else None
    if target is None and draws(part, rule, rest):
        target = only(part.of(rule, "triggered"))
    if target is not None:
        value = value_of(part, target, clause, rest, negative)
        if value is not None:
            yield target, value, CITED


def _selected(part: Targets, rest: str, rule: int, others: Sequence[int]) -> Iterator[Found]:
    """Read "By Rule 9, Rule 5 is the one to follow": of the rule cited, else of the one that could select it."""
    if (own := only(part.of(rule, "selection"))) and others:  # "Rule 9 selects Rule 5"
        if not wording.NOT.search(rest):
            yield own, Fraction(others[-1]), CITED
        return
    found = [t for other in others for t in part.of(other, "selection")]
    if not found:
        base, name = part.graph.part.base, part.policies.get(rule)
        every = [t for t in part.by_key.values() if t.kind == "selection"]
        found = [t for t in every if name in dict(base.policies[t.key[1]].branches).values()]
    target = only(found)
    if target is not None and not wording.NOT.search(rest):
        yield target, Fraction(rule), CITED


def staged(part: Targets, rule: int, stage: str) -> Target | None:
    """Return the one step of a rule that a stage word speaks of; None for none or several."""
    found = part.of(rule, *wording.KINDS.get(stage, ("",)))
    if not found and stage == "applies":
        found = part.of(rule, "triggered")  # without a consequence, and not defeated: the same
    if not found and stage in ("triggered", "passes", "applies"):
        found = part.of(rule, "gate", "transform", "compose", "concept")
    return only(found)


def _defeated(part: Targets, rest: str, rule: int, others: Sequence[int], negative: bool) -> Iterator[Found]:
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
    target = only(part.of(rule, "applies"))
    triggered = only(part.of(rule, "triggered"))
    if target is not None and (holds or (triggered is not None and triggered.value is True)):
        yield target, not holds, CITED


def draws(part: Targets, rule: int, text: str) -> bool:
    """Say whether a text draws the consequence of a rule."""
    name = part.policies.get(rule)
    wanted = part.graph.part.base.policies[name].consequence if name is not None else ""
    if not wanted:
        return False
    matches = part.vocabulary.scan(words(text))
    return any(m.meaning.kind == "label" and m.meaning.name == wanted for m in matches)


def _waives(part: Targets, target: Target) -> int:
    """Return the printed number of the policy that a transformation is made from, 0 for what is none."""
    policies = part.graph.part.base.policies
    policy = policies.get(target.key[1]) if target.kind in ("gate", "transform") else None
    made = policy is not None and policy.operator == "transform"
    return policies[policy.base].rule + part.graph.part.offset if made and policy is not None else 0


def only(found: Sequence[Target]) -> Target | None:
    """Return the one target found; None for none or for a tie, which is never guessed."""
    unique = list(dict.fromkeys(found))
    return unique[0] if len(unique) == 1 else None
