"""Every word of the closed vocabulary does what the document says of its kind, in a sentence."""

import pytest

from holmes.logic.english.lexicon import lexicon
from holmes.logic.english.reader import read_line
from holmes.logic.english.rule_lines import Line, ReadError, Reading
from holmes.logic.english.vocabulary import UNITS, VOCABULARY
from holmes.logic.language.unparse import unparse
from tests.logic.text.lock import lock_keepers

LEXICON = lexicon(lock_keepers())


def condition(text):
    """Read `… is fined` as Rule 9 and return its condition in the notation of the files."""
    reading = Reading()
    read_line(LEXICON, Line(9, "", text), reading)
    assert reading.policies[9].consequence == "fine"
    return unparse(reading.policies[9].when)


def entries(kind, value=None):
    """Return the wordings of a kind."""
    return [" ".join(words) for words, (k, v) in VOCABULARY.items() if k == kind and value in (None, v)]


P, Q, R = "rang the flood bell", "an apprentice", "a barge breaks loose"


@pytest.mark.parametrize(
    ("kind", "frame", "meaning"),
    [
        ("and", f"Whoever {P} {{w}} {Q} is fined.", "rang_it_self and apprentice"),
        ("soft", f"Whoever {P} {{w}} {Q} is fined.", "rang_it_self and apprentice"),
        ("soft", f"The person is fined {{w}} {Q}.", "apprentice"),
        ("or", f"Whoever {P} {{w}} {Q} is fined.", "rang_it_self or apprentice"),
        ("except", f"Whoever {P} is fined, {{w}} {Q}.", "rang_it_self and not apprentice"),
        ("except", f"A person is fined if {P}, {{w}} {Q} or {R}.", "rang_it_self and not (apprentice or boat_adrift)"),
        ("same", f"Whoever {P} is fined; {{w}} {Q}.", "rang_it_self or apprentice"),
        ("same", f"Whoever {P} is fined. {{w}} {Q} and {R}.", "rang_it_self or apprentice and boat_adrift"),
        ("not", f"Whoever {P} and is {{w}} {Q} is fined.", "rang_it_self and not apprentice"),
        ("not", f"If {{w}} {Q}, a fine follows.", "not apprentice"),
        ("notboth", f"Whoever {P} or is {Q} {{w}} is fined.", None),
    ],
)
def test_every_connective_joins_as_its_kind(kind, frame, meaning):
    """The words of one kind may be put for each other."""
    meaning = meaning or "(rang_it_self or apprentice) and not (rang_it_self and apprentice)"
    wrong = {}
    for word in entries(kind):
        try:
            found = condition(frame.replace("{w}", word))
        except ReadError as error:
            found = str(error)
        if found != meaning:
            wrong[word] = found
    assert wrong == {}


@pytest.mark.parametrize("op", [">=", ">", "<", "<=", "=="])
def test_every_comparison_word_compares(op):
    """Before the number, and after it for the words of `or more`."""
    dates = ("before", "on or before", "not after", "on or after", "not before", "since at least")
    wrong = {}
    for word in entries("cmp", op):
        found = condition(f"If the lower basin rises by {word} 40 cm, a fine follows.")
        if found != f"rise_cm {op} 40" and word not in dates:
            wrong[word] = found
    for word in entries("post", op):
        found = condition(f"If the lower basin rises by 40 cm {word}, a fine follows.")
        if found != f"rise_cm {op} 40":
            wrong[word] = found
    assert wrong == {}


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("A or B and C", "a or b and c"),
        ("A or B, and C", "(a or b) and c"),
        ("A and B, or C", "a and b or c"),
        ("A, B and C", "a and b and c"),
        ("A, B, or C", "a or b or c"),
        ("A or B while C", "a or b and c"),
        ("both A and B", "a and b"),
        ("either A or B, and C", "(a or b) and c"),
        ("neither A nor B", "not a and not b"),
        ("neither A, B nor C", "not a and not b and not c"),
        ("not both A and B", "not (a and b)"),
        ("not (A or B)", "not (a or b)"),
        ("A without B", "a and not b"),
        ("A but not B", "a and not b"),
        ("A, unless B or C", "a and not (b or c)"),
        ("(A or B) and C", "(a or b) and c"),
        ("A, B, and either C or D", "a and b and (c or d)"),
        ("A or B, or both", "a or b"),
        ("A, or both B and C", "a or b and c"),
    ],
)
def test_scope_is_as_the_document_says(text, meaning):
    """Commas loosen, groups close, `unless` takes all that follows."""
    phrases = {"A": P, "B": Q, "C": R, "D": "seen the river rising"}
    names = {"a": "rang_it_self", "b": "apprentice", "c": "boat_adrift", "d": "saw_rising"}
    filled = "".join(phrases.get(sign, sign) for sign in text)
    wanted = " ".join("".join(names.get(part, part) for part in (w.strip("()"),)) for w in meaning.split())
    found = condition(f"A fine follows if {filled}.")
    assert found.replace("(", "").replace(")", "") == wanted
    assert [c for c in found if c in "()"] == [c for c in meaning if c in "()"]


def test_no_word_is_both_a_unit_and_a_connective():
    """A unit is dropped after a number, so it must carry no other meaning."""
    assert [unit for unit in UNITS if VOCABULARY.get((unit,), ("filler",))[0] != "filler"] == []
