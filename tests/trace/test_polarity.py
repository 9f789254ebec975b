"""Assertion and denial: the grammar of main clauses, negators and negative predicates."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holmes.reading.polarity import polarity

ASSERTED = """
The lantern rule is triggered.
The lantern rule is not overridden.
The alarm is overridden but not defeated.
Since the ban is not established, the lantern rule applies.
The waiver applies because the ban is not in force.
Nothing prevents the alarm from applying.
The clause is not inapplicable.
There is no doubt that the duty holds.
Therefore, quiet hours are present when the bell is rung and no warden is present.
Rule 5 overrides Rule 3.
The result No Further Measure applies.
The clause isn't defeated.
The pilot's defence is defeated by nothing.
The rule is not only triggered but also applicable.
The stay lasted no more than three days.
The apprentice had not seen the flood, so the exception applies.
The check passes although no invoice is attached.
Neither the alarm nor the waiver is defeated, so both stand.
If no measure remains, the default governs.
The duty is not violated.
Quiet-hours no-entry zones are in force.
"""
DENIED = """
The article does not apply.
Rule 3 is overridden.
The waiver is no longer applicable.
Intent cannot be established.
Since the entry is established, the ban is not triggered.
The clause can no longer be applied.
No warden was present.
The rule doesn't apply.
The rule doesn’t apply.
The test fails.
The receipt requirement is violated.
The rule is triggered but overridden.
The rule is triggered and defeated.
The alarm is defeated by the false alarm rule.
The fine has been set aside.
Neither entry nor exit is established.
It is not the case that the rule applies.
The rule would not have been triggered.
The condition is not met because the form is missing.
Because the receipt is present, the exception never applies.
Although the article is triggered, it is overridden by the exemption.
The rule fails to apply.
The rule ceases to apply.
Rule 3 is blocked.
The point remains unproven.
The rule is triggered; however, it is defeated.
Under no circumstances does the waiver apply.
不予报销
该条不适用
"""


@pytest.mark.parametrize("sentence", ASSERTED.strip().splitlines())
def test_asserts(sentence):
    """A sentence whose concluding clause stands is True, whatever its grounds deny."""
    assert polarity(sentence) is True


@pytest.mark.parametrize("sentence", DENIED.strip().splitlines())
def test_denies(sentence):
    """A sentence whose concluding clause is negated, defeated or failing is False."""
    assert polarity(sentence) is False


@given(st.sampled_from(["rule 4 of the guild", "the lantern duty", "Harbour Access"]))
def test_negation_turns_the_value(subject):
    """Putting "not" after the verb turns the value, and so does exchanging the predicate for its opposite."""
    assert polarity(f"{subject} is triggered") is not polarity(f"{subject} is not triggered")
    assert polarity(f"{subject} is overridden") is not polarity(f"{subject} is not overridden")
    assert polarity(f"{subject} applies") is not polarity(f"{subject} does not apply")


@given(st.text(max_size=300))
def test_any_text(text):
    """Any text has a truth value."""
    assert polarity(text) in (True, False)
