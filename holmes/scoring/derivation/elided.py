"""Statements without a subject of their own, and those whose rule stands in brackets alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from holmes.logic.english.lexicon import Meaning
from holmes.scoring.derivation.names import parts_named
from holmes.scoring.derivation.predicates import TRUTH, agent_of, han, predicate, side_of, truth_of
from holmes.scoring.derivation.segments import AXES, Group, Segment
from holmes.scoring.derivation.statement import State, Statement, Subject, made, negations
from holmes.scoring.derivation.tokens import NOTHING, Token
from holmes.scoring.derivation.vocabulary import Vocabulary


def elided(segment: Segment, group: Group, state: State) -> Iterator[Statement]:
    """Read "does not hold", "✗", "so not met": of the subject that waits, else of the one spoken of last."""
    found = segment.tokens
    if segment.before == "?" and len(found) == 1:
        return  # "FAIL? No, …"
    grounds = segment.ground and segment.before != "("
    grounds = grounds and not (segment.before == "G" and found and "I" in found[0].codes)
    if grounds and segment.after != ":":
        return
    told = predicate(found)
    if segment.after == ":" and told and not state.topic and len(found) <= 5 and told[0] & AXES:
        state.prefix = told[:2]  # "Triggered: R14, R15"
        return
    if grounds:
        return
    signs = [t for t in found if t.kind == "S"]
    waiting = [subject for subject in state.topic if subject[0] or subject[1]]
    if waiting and waiting[-1][1] and any(t.kind == "#" for t in found) and not signs and not told:
        named_ = waiting[-1][1]  # "Day rate: 180 marks"
        others = [t for one in group.segments for t in one.tokens if t.kind not in "#=" and "V" not in t.codes]
        linked = (Token("A", named_.name, value=named_), Token("=", "="), *found, *others)
        yield Statement("name", (), (), named_, NOTHING, None, linked, group.cited)
        return
    if waiting and signs:
        state.used = True
        yield from _signed(segment, group, waiting, signs)
        return
    if told is None or (told[0] & {"D+", "D-"}):
        label = next((t for t in found if t.kind == "A" and t.meaning.kind == "label"), None)
        rules = tuple(n for subject in waiting for n in subject[0])
        if label and rules and segment.before == "→" and not negations(found):
            yield made("draw", segment, group, rules=rules)
        return
    codes, value, _ = told
    strange = [
        t
        for t in found
        if (t.kind in "wA" and not t.codes and not han(t)) or t.kind in ("#", "∈", "∉", "∧", "∨", "≥", "≤")
    ]
    if segment.cell and codes <= TRUTH:
        codes = frozenset({segment.cell})
    if waiting and not strange:
        state.used = True
    if waiting and (not strange or (segment.concludes and len(strange) <= 1)):
        for rules, meaning, denied in waiting:
            if rules:
                yield made("rule", segment, group, rules=rules, codes=codes, value=value)
            elif not denied:
                yield made("name", segment, group, meaning=meaning, value=truth_of(codes, value))
        return
    if strange or state.subject is None or (segment.before in (".", "") and not _refers(found) and not state.nested):
        return
    rules, meaning, _ = state.subject
    if found and found[0].text in ("which", "whose") and state.named and rules:
        rules = state.named  # "Rule 20 defeats Rule 13, which falls away"
    if rules and (_refers(found) or state.nested or segment.before in ("B", "&", ",", "Q", "(", "—")):
        agent = agent_of(found[told[2] :], ())
        if agent and "U+" in codes:
            yield made("conflict", segment, group, rules=agent, losers=rules, value=value)
        else:
            yield made("rule", segment, group, rules=rules, codes=codes, value=value)
    elif meaning and (_refers(found) or segment.before in ("B", "&")) and not codes & TRUTH:
        yield made("name", segment, group, meaning=meaning, value=truth_of(codes, value))


def _refers(found: Sequence[Token]) -> bool:
    """Say whether a segment begins with a pronoun, a verb or a negation, so that its subject is that before it."""
    return bool(found) and bool(found[0].codes & {"I", "N", "V", "B"} or found[0].text in ("does", "do", "did", "it"))


def _signed(segment: Segment, group: Group, waiting: Sequence[Subject], signs: Sequence[Token]) -> Iterator[Statement]:
    """Give the ticks of a segment to the subjects that wait: one each in order, or one for all."""
    codes = frozenset({segment.cell or "V+"})
    flat: list[tuple[tuple[int, ...], Meaning | None]] = []
    for rules, meaning, _ in waiting:
        flat += [((n,), None) for n in rules] if rules else [((), meaning)]
    values = [t.value is True for t in signs]
    if len(set(values)) == 1:
        values = [values[0]] * len(flat)
    if len(values) != len(flat):
        return
    for (rules, meaning), value in zip(flat, values, strict=True):
        if rules:
            yield made("rule", segment, group, rules=rules, codes=codes, value=value)
        else:
            yield made("name", segment, group, meaning=meaning, value=value)


_RULED = frozenset({"rule", "conflict"})
_ARISES = frozenset({"arises", "arise", "arose", "raised"})


def cited_statements(
    group: Group, vocabulary: Vocabulary, own: Sequence[Statement], state: State
) -> Iterator[Statement]:
    """Read a group whose own statements do not name what it cites: a word of the concept, a verdict, a consequence."""
    topic = tuple(n for rules, _, _ in state.topic for n in rules)
    cited = group.cited or topic
    if not cited:
        return
    if any(s.kind == "rule" and set(s.rules) & set(cited) for s in own):
        return
    doubtful = any(segment.supposed for segment in group.segments)
    for segment in reversed(group.segments):
        if segment.supposed or segment.ground:
            continue
        if segment.would:
            label = next((t.meaning for t in segment.tokens if t.kind == "A" and t.meaning.kind == "label"), None)
            if label and group.cited and not doubtful and not negations(segment.tokens):
                yield Statement("draw", cited, (), label, NOTHING, True, tuple(segment.tokens), cited)
            break
        last = segment is group.segments[-1]
        for meaning, value in parts_named(segment, last and bool(group.cited), vocabulary):
            yield Statement("part", cited, (), meaning, NOTHING, value, tuple(segment.tokens), cited)
        found = segment.tokens
        labels = [t for t in found if t.kind == "A" and t.meaning.kind == "label"]
        denied = negations(found) or any(t.codes & {"A-", "U+", "H-", "P-"} for t in found)
        if labels and not denied and not doubtful and group.cited and not any(t.kind == "R" for t in found):
            yield Statement("draw", cited, (), labels[-1].meaning, NOTHING, True, tuple(found), cited)
        gives = any(t.text == "gives" for t in found)  # "the row clerk gives lower" compares nothing
        if len(cited) == 1 and (gives or not side_of([word for t in found for word in t.text.split()])):
            row = [t for s in group.segments for t in s.tokens if t.kind != "R"] if group.alone and gives else found
            yield Statement("value", cited, (), None, NOTHING, None, tuple(row), cited)
        for token in found if len(cited) == 1 else ():
            if token.kind == "A" and token.meaning.name not in vocabulary.concepts and not segment.ground:
                holds = (negations(found) % 2 == 0) is token.meaning.positive
                yield Statement("fact", cited, (), token.meaning, NOTHING, holds, tuple(found), cited)
        told = predicate(found)
        strange = [t for t in found if t.kind in "wAR#" and not t.codes]
        arises = len(strange) < 3 and any(t.text in _ARISES for t in found)
        if told and group.cited and not topic and not any(s.kind in _RULED for s in own) and (not strange or arises):
            yield Statement("rule", cited, (), None, told[0], told[1], tuple(found), cited)
        break
