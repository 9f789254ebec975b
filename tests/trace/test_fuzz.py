"""Nothing crashes the reader: arbitrary text, text built from the reader's own vocabulary, arbitrary JSON.

CI draws some thousands of inputs. A million: ``python -m tests.trace.fuzz --count 1000000`` (docs/trace-metrics.md).
"""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holmes.reading.step_results import ResultKind
from holmes.reading.steps import TraceStep, read_steps
from tests.trace import fuzz

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["reasoning_trace", "steps", "step", "description", "result", "rule", "x"]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=20,
)


def check(source):
    steps = read_steps(source)
    assert isinstance(steps, tuple)
    for step in steps:
        assert isinstance(step, TraceStep)
        assert step.text and step.description and step.text == step.text.strip()
        assert all(rule.isdigit() for rule in step.rules) and len(set(step.rules)) == len(step.rules)
        assert (step.result.number is not None) == (step.result.kind is ResultKind.NUMBER)
        assert (step.result.value == "") == (step.result.kind is ResultKind.NONE)
    return steps


@settings(max_examples=400, deadline=None)
@given(st.text(max_size=400))
def test_any_text(text):
    """Any text gives well-formed steps."""
    check(text)


@settings(max_examples=600, deadline=None)
@given(JSON)
def test_any_json(value):
    """Any JSON structure gives well-formed steps."""
    check(value)


@settings(max_examples=600, deadline=None)
@given(st.lists(st.sampled_from(fuzz.PIECES), max_size=30).map("".join))
def test_own_vocabulary(text):
    """Texts built from markers, citations, results and JSON pieces give well-formed steps."""
    check(text)


@settings(max_examples=200, deadline=None)
@given(st.lists(st.sampled_from(fuzz.PIECES), max_size=30).map("".join))
def test_reading_is_stable(text):
    """The same text is read twice in the same way."""
    assert read_steps(text) == read_steps(text)


def test_seeded_fuzz():
    """Five thousand seeded inputs of the million-input fuzz pass."""
    assert fuzz.run(5_000, seed=1) == 5_000


@pytest.mark.nightly
@pytest.mark.timeout(7200)
def test_a_million():
    """A million seeded inputs pass."""
    assert fuzz.run(1_000_000, seed=2) == 1_000_000
