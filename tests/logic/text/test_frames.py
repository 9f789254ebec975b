"""Every frame that docs/rule-english.md shows is read, and read as the document says."""

import re
from pathlib import Path

import pytest

from holmes.logic.english.lexicon import lexicon
from holmes.logic.english.reader import read_line
from holmes.logic.english.rule_lines import Line, ReadError, Reading
from holmes.logic.language.model import And, Not, Or, Ref
from tests.logic.text.lock import lock_keepers

DOCUMENT = (Path(__file__).parents[3] / "docs" / "rule-english.md").read_text(encoding="utf-8")
LEXICON = lexicon(lock_keepers())
P, Q = Ref("rang_it_self", "fact"), Ref("apprentice", "fact")
ADRIFT = Ref("boat_adrift", "fact")
_NEXT = r"(?<=\.)\s{2,}|(?<=\.) (?=Nobody may|Rule [nab]\b|A person|If Rules|Between|Where Rule|P is|Whoever)"


def frames(section):
    """Yield the frames of a section's code blocks, line by line."""
    text = next(part for part in DOCUMENT.split("\n## ") if part.startswith(section))
    for block in re.findall(r"```\n(.*?)```", text, re.S):
        for line in block.splitlines():
            yield from (piece.strip() for piece in re.split(_NEXT, line.strip()) if piece.strip())


def read(text):
    """Read one sentence as Rule 9."""
    reading = Reading()
    read_line(LEXICON, Line(9, "", text), reading)
    return reading


def filled(frame):
    """Put phrases of the lock keepers into a frame."""
    text = frame.replace("(a) …; (b) …", "(a) P; (b) a barge breaks loose")
    for letter, phrase in (
        ("P", "rang the flood bell"),
        ("Q", "an apprentice"),
        ("C", "unwatched release"),
        ("Z", "is fined"),
    ):
        text = re.sub(rf"\b{letter}\b", phrase, text)
    text = re.sub(r"Rules a and b", "Rules 4 and 3", text)
    return re.sub(r"Rule (\w)\b", lambda m: f"Rule { {'a': 4, 'b': 3, 'n': 6}.get(m[1], m[1]) }", text)


def expected(frame):
    """Return the condition that a frame states."""
    if "(a)" in frame:
        return Or((P, ADRIFT))
    if not re.search(r"\bQ\b", frame):
        return Not(P) if frame.startswith("Unless") else P
    if "same" in frame:
        return Or((P, Q))
    if re.search(r"[Uu]nless|except|not hold|not apply", frame):
        return And((P, Not(Q)))
    return And((P, Q))


@pytest.mark.parametrize("frame", list(frames("5")))
def test_every_frame_of_a_concept_is_read(frame):
    """A definition gives the concept named and exactly the condition that the frame states."""
    assert read(filled(frame)).concepts == {9: ("unwatched_release", expected(frame))}


@pytest.mark.parametrize("frame", list(frames("6")))
def test_every_frame_of_a_policy_is_read(frame):
    """A policy gives condition and consequence; one that disarms gives its relation too."""
    reading = read(filled(frame))
    policy = reading.policies[9]
    if "Rule n" in frame:
        assert (policy.when, policy.consequence) == (P, "")
        assert reading.relations == [("exception", 9, (6,), 9, True)]
    else:
        assert (policy.when, policy.consequence) == (expected(frame), "fine")
        assert reading.relations == []


@pytest.mark.parametrize("frame", [f for f in frames("7") if f not in ("stronger:", "exception:")])
def test_every_frame_of_a_relation_is_read(frame):
    """A relation gives its kind, the winner and the loser, whichever is named first."""
    exceptions = list(frames("7"))
    kind = "exception" if exceptions.index(frame) > exceptions.index("exception:") else "stronger"
    assert read(filled(frame)).relations == [(kind, 4, (3,), 9, False)]


def test_the_document_shows_twenty_frames_of_each_kind():
    """Authors can write texts that do not all look alike."""
    policies = list(frames("6"))
    assert len(list(frames("5"))) >= 40
    assert sum("Rule n" in f for f in policies) >= 20
    assert sum("Rule n" not in f for f in policies) >= 40
    assert len(list(frames("7"))) >= 40


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("Whoever rang the flood bell without a lock warden stands by or an apprentice is fined.", "without"),
        ("Whoever rang the flood bell is punished severely.", "severely"),
        ("Whoever rang the flood bell an apprentice is fined.", "side by side"),
        ("Whoever is an apprentice and is fined.", "before the predicate"),
        ("Whoever is an apprentice is not fined.", "'fined'"),
        ("Whoever is an apprentice gets not a fine.", "before the consequence"),
        ("Whoever is an apprentice is fined and loses the post.", "two consequences"),
        ("Where rise the flood bell was ringing, no measure is taken.", "rise"),
        ("Where the lower basin rises by, no measure is taken.", "lower basin rises by"),
        ("Where 40 cm or more, no measure is taken.", "quantity of nothing"),
        ("Whoever (is an apprentice is fined.", "closing bracket"),
        ("Whoever is both an apprentice is fined.", "both"),
        ("Where either the flood bell was ringing, no measure is taken.", "either"),
        (
            "Where at least three of the following hold: (a) an apprentice; (b) rang the flood bell, he is fined.",
            "at least",
        ),
        ("An apprentice rang the flood bell.", "defines no concept"),
        ("No measure is taken.", "no condition"),
        ("", "no phrase"),
        ("Where the flood bell was ringing (Rule 2), no measure is taken.", "Rule 2"),
        ("Whoever is an apprentice is fined, unless P.", "'p'"),
        ("Whoever is an apprentice is fined @ once.", "'@'"),
    ],
)
def test_a_text_that_cannot_be_read_is_refused_with_its_reason(text, word):
    """Ambiguous, incomplete and unknown wording is never guessed at."""
    with pytest.raises(ReadError) as error:
        read(text)
    assert error.value.rule == 9
    assert word in str(error.value)
