"""What a reply says of its answer: mentions with a status and the strength of their cue, and the one that counts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction


class Status(StrEnum):
    """What a reply does with a value that it mentions; only an affirmed one can be its answer."""

    AFFIRMED = "affirmed"
    NEGATED = "negated"
    BOUNDED = "bounded"
    RANGED = "ranged"
    COMPUTED = "computed"
    STRUCK = "struck out"
    HYPOTHETICAL = "hypothetical"
    QUESTIONED = "questioned"
    RETRACTED = "retracted"
    ECHOED = "quoted or echoed"
    SEVERAL = "one of several"
    REFUSED = "refused"
    UNCLEAR = "not understood"


class Cue(StrEnum):
    """What marks a mention as the answer, the strongest first."""

    CONTRACT = "contract line"  # Answer: X, as the prompts ask
    LINE = "answer line"  # Verdict: X, Antwort: X, [Answer] X
    BOX = "box"
    TAG = "tag"  # an answer tag, a key of an object, a call
    SENTENCE = "sentence"  # the answer is X
    ALONE = "last line"
    TOPIC = "topic line"  # Total cost: X
    BARE = "bare"  # prose without a cue


STRENGTH = {Cue.TOPIC: 1, Cue.BARE: 0}
"""Strength of a cue where it is not 2: among cues of one strength the last counts."""

READ_AS = {Cue.CONTRACT: "contract", Cue.ALONE: "inferred", Cue.BARE: "inferred"}
"""How an answer was read, by its cue; "cue" for all others."""

# These say nothing about the answer: an earlier mention stands.
_PASSED = frozenset({Status.ECHOED, Status.STRUCK})


@dataclass(frozen=True, slots=True)
class Mention:
    """One value in a reply.

    value: a label, an exact amount, or None where there is none to read. raw: the words. status, cue: see there.
    line: from 0, of the prepared text. firm: the cue names an answer, so that a value that is not read is malformed.
    why: one phrase. taken: it is the answer.
    """

    value: str | Fraction | None
    raw: str
    status: Status
    cue: Cue
    line: int = 0
    firm: bool = False
    why: str = ""
    taken: bool = False


@dataclass(frozen=True, slots=True)
class Answer:
    """A committed answer.

    label: one of the labels; None when malformed or when an amount was asked. raw: the words read.
    malformed: the reply commits itself outside the contract, or to two things at once. reason: one sentence.
    value: the amount, exact, where one was asked. read_as: contract, cue or inferred. mentions: all of the reply.
    """

    label: str | None
    raw: str
    malformed: bool = False
    reason: str = ""
    value: Fraction | None = None
    read_as: str = ""
    mentions: tuple[Mention, ...] = ()


def withdrawn(mentions: Sequence[Mention], lines: Sequence[str], retracts: Callable[[str], bool]) -> list[Mention]:
    """Return the mentions with those retracted that a later line takes back: the last affirmed one before it.

    lines: of the prepared text, which the mentions count. retracts: whether a line takes back what stands before it.
    """
    found = list(mentions)
    for number in (number for number, line in enumerate(lines) if retracts(line)):
        before = [n for n, one in enumerate(found) if one.status is Status.AFFIRMED and one.line < number]
        if before:
            found[before[-1]] = replace(found[before[-1]], status=Status.RETRACTED, why="taken back by a later line")
    return found


def decide(mentions: Sequence[Mention]) -> Answer | None:
    """Return the answer that mentions commit a reply to: the last affirmed one of the strongest cue.

    mentions: in the order of the text. What is echoed or struck out is passed over; a later denial of the same value
    takes it back; a firm mention that cannot be read is the last word.
    Returns the Answer, malformed where the last word is none of the asked values; None for no answer.
    """
    for strength in (2, 1, 0):
        denied: set[object] = set()
        for place in reversed(range(len(mentions))):
            one = mentions[place]
            if STRENGTH.get(one.cue, 2) != strength:
                continue
            if one.status is Status.NEGATED and one.value is not None:
                denied.add(one.value)
            if one.status is Status.AFFIRMED and one.value not in denied:
                marked = (*mentions[:place], replace(one, taken=True), *mentions[place + 1 :])
                label, amount = (one.value, None) if isinstance(one.value, str) else (None, one.value)
                reason = f"{one.cue}: {one.why}"
                return Answer(label, one.raw, False, reason, amount, READ_AS.get(one.cue, "cue"), marked)
            taken_back = one.status in (Status.AFFIRMED, Status.RETRACTED)
            if taken_back or (one.firm and one.status not in _PASSED):
                why = "taken back" if taken_back else one.why
                return Answer(None, one.raw, True, f"{one.cue}: {why}", mentions=tuple(mentions))
    return None
