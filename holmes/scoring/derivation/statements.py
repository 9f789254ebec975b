"""What the segments of a line state: of rules by number, of concepts by name; asserted, denied, or nothing at all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from holmes.logic.english.lexicon import Meaning
from holmes.scoring.derivation.elided import cited_statements, elided
from holmes.scoring.derivation.names import named, short
from holmes.scoring.derivation.predicates import side_of
from holmes.scoring.derivation.ruled import led_by, of_rules, provisional
from holmes.scoring.derivation.segments import AXES, SAYS, Group, Segment
from holmes.scoring.derivation.statement import State, Statement, made, negations
from holmes.scoring.derivation.tokens import Token
from holmes.scoring.derivation.vocabulary import Vocabulary


def line_statements(groups: Sequence[Group], vocabulary: Vocabulary, state: State) -> list[Statement]:
    """Return the statements of one line, in order; state is brought up to date for the next one."""
    state.topic, state.prefix, state.used, state.named = [], None, False, ()
    state.subject = (state.last, None, False) if state.last else None
    found: list[Statement] = []
    for group in groups:
        own: list[Statement] = []
        for place, segment in enumerate(group.segments):
            last = place == len(group.segments) - 1
            own += _segment(segment, group, vocabulary, state, last)
        own += cited_statements(group, vocabulary, own, state)
        found += own
        if group.cited or group.alone:
            state.topic = []
    if state.subject and state.subject[0]:
        state.last = state.subject[0]
    return found


def _segment(segment: Segment, group: Group, vocabulary: Vocabulary, state: State, last: bool) -> Iterator[Statement]:
    found = segment.tokens
    rules = [n for n, t in enumerate(found) if t.kind == "R"]
    if rules and not segment.supposed and (rest := led_by(found, rules[0])):
        state.topic, state.used = [(found[rules[0]].rules, None, False)], False
        inner = Segment(
            rest, segment.before if segment.before in ("→", "Q", ":") else ",", segment.after, segment.ground
        )
        if any(t.kind == "R" or t.kind == "A" or t.codes & SAYS for t in rest):
            inner.cell, inner.would = segment.cell, segment.would
            yield from _segment(inner, group, vocabulary, state, last)
        return
    if segment.would and rules and not any(one.supposed for one in group.segments):
        yield from provisional(segment, group, rules)
    if segment.supposed or segment.would:
        if rules:
            state.subject = (found[rules[0]].rules, None, False)
            if len(found) < 4:  # "Check Rule 15. Result: PASS"
                state.topic, state.used = [state.subject], False
        return
    names = [n for n, t in enumerate(found) if t.kind == "A" and t.meaning.name in vocabulary.concepts]
    if rules:
        yield from of_rules(segment, group, rules, state)
    elif names:
        pass
    elif brief := short(found, segment, vocabulary):
        yield made("name", segment, group, meaning=brief[0], value=brief[1])
        return
    else:
        yield from elided(segment, group, state)
        return
    if len(names) + sum(t.kind == "A" for t in found) > 1 and not segment.ground:
        yield from _limits(segment, group, vocabulary)
    waits = not rules and _waits(segment, group)
    for meaning, value in named(segment, names, group.cited, last, vocabulary):
        if value is _BARE or (waits and value is True and len(names) == 1):
            ruled = any(subject[0] for subject in state.topic) and segment.before not in ("", ".", ";")
            if not rules and not ruled and (not segment.ground or segment.before == "G"):
                kept = [] if state.used or segment.before not in (",", "&") else state.topic
                state.topic, state.used = [*kept, ((), meaning, _denied(found))], False
                state.subject = ((), meaning, False)
            continue
        state.subject = ((), meaning, False) if not rules else state.subject
        if segment.before in (",", "&") and not state.used and isinstance(value, bool) and len(names) > 1:
            for _, other, denied in state.topic:  # "clamour, a greedy harvest and smuggling are absent"
                if other is not None and not denied:
                    yield made("name", segment, group, meaning=other, value=value)
            state.topic = []
        yield made("name", segment, group, meaning=meaning, value=value if isinstance(value, bool) else None)


def _limits(segment: Segment, group: Group, vocabulary: Vocabulary) -> Iterator[Statement]:
    """Read "the price stays within the spending limit": a requirement by the two things that it compares."""
    found = segment.tokens
    policies = vocabulary.gates.get(frozenset(t.meaning.name for t in found if t.kind == "A"), ())
    own = side_of([word for t in found for word in t.text.split()])
    if len(policies) == 1 and own:
        yield made("gate", segment, group, meaning=Meaning("gate", policies[0]), value=own < 0)


def _waits(segment: Segment, group: Group) -> bool:
    """Say whether a name alone gets its predicate later on: "dangerous driving, in the sense of Rule 4, is not …"."""
    if any(t.codes & {"V", "N"} or t.codes & AXES or t.kind in ("S", "=", "¬") for t in segment.tokens):
        return False
    place = next((n for n, one in enumerate(group.segments) if one is segment), len(group.segments))
    for later in group.segments[place + 1 :]:
        if later.before == ":":
            return bool(later.tokens) and all(t.codes & {"V+", "V-", "N", "D"} or t.kind == "S" for t in later.tokens)
        if later.before not in (",", "(", ")", "—"):
            return False
        first = next((t for t in later.tokens if not t.codes <= {"D"} or not t.codes), None)
        if first is not None and (first.codes & {"V", "N"} or first.codes & AXES or later.tokens[0].text in _DO):
            return True
        if not any(t.kind == "R" for t in later.tokens) and later.before != "(":
            return False
    return False


_DO = frozenset({"does", "do", "did", "is", "are", "was", "were", "has", "have"})


_BARE, _VALUE = "bare", "value"


def _denied(found: Sequence[Token]) -> bool:
    return negations(found) % 2 == 1
