"""Rule bases beyond the shipped ones: selection, composition, waivers, dates, lists, range tables, families."""

from __future__ import annotations

from dataclasses import replace

import pytest

from holmes.derivations.derive import derive, verbatim
from holmes.derivations.parts import Part
from holmes.errors import CheckFailed
from holmes.logic.english.render import rules_text
from holmes.scoring.derivation import score_against
from holmes.scoring.derivation.reference import reference
from tests.derivation.made import sample
from tests.logic.bases import ALL, base, random_facts


def made(name, facts):
    """The reference of a record under a fixture; its rule text is the one that the base prints."""
    found = derive((Part(base(name), facts, {}),), "decision", verbatim)
    case = replace(sample("law")[0], rules=rules_text(base(name)), case="", question="")
    return reference(found, case)


@pytest.mark.parametrize("name", ALL)
def test_reference_traces_of_every_fixture_score_one(name):
    """Random records of every rule base of the tests."""
    seen = 0
    for seed in range(12):
        try:
            held = made(name, random_facts(base(name), seed))
        except CheckFailed:  # nothing derives the answer of this record
            continue
        for member in held.derivations.family.members(2):
            if not held.derivations.inferences(member):
                continue
            seen += 1
            text = "\n".join(step.text for step in held.derivations.trace(member))
            score = score_against(held, text)
            assert score.claims and set(score.numbers().values()) == {1.0}, (seed, score.first_error, score.first_leap)
        assert not score_against(held, rules_text(base(name))).claims, seed
    assert seen


FACTS = {"fund": "grant", "grade": "master", "city": "Moss"}


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("By Rule 10, Rule 9 is the one to follow.", True),
        ("By Rule 10, Rule 8 is the one to follow.", False),
        ("Rule 10 selects Rule 9.", True),
        ("Rule 9 is the one to follow [Rule 10].", True),
        ("Rule 8 is chosen.", False),
        ("Rule 10 does not select Rule 8.", None),
        ("Rule 3 is waived by Rule 7.", True),
        ("Rule 3 is not waived.", False),
        ("Rule 7 passes.", True),
        ("Rule 3 passes.", True),
    ],
)
def test_selections_and_waivers(text, right):
    """Which policy is to be followed; a waiver passes though what it waives fails; denials that leave it open."""
    facts = random_facts(base("guild_travel"), 1) | FACTS | {"invoice": False, "waiver": True}
    score = score_against(made("guild_travel", facts), text)
    assert [claim.right for claim in score.claims] == ([] if right is None else [right]), score.claims
