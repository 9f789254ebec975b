"""Traces: complete, premises first, with the rule numbers that were used."""

from __future__ import annotations

import pytest

from holmes.derivations.trace import trace
from holmes.logic.engine.evaluate import evaluate
from tests.logic.bases import ALL, base, random_facts
from tests.logic.test_evaluate import GUILD, LOCK


def test_the_law_example_in_full() -> None:
    """The trace of the exception to the exception names each rule at its stage, the decision last."""
    steps = trace(base("lock_keepers"), LOCK, names={"X": "Brita Lund"})
    assert [(s.kind, s.rule, s.result) for s in steps if s.kind != "fact"] == [
        ("concept", "1", "true"),
        ("concept", "2", "false"),
        ("triggered", "3", "true"),
        ("triggered", "4", "false"),
        ("triggered", "5", "true"),
        ("triggered", "6", "true"),
        ("triggered", "7", "true"),
        ("applies", "4", "false"),
        ("conflict", "7", "alarm"),
        ("applies", "6", "false"),
        ("applies", "5", "true"),
        ("conflict", "8", "release"),
        ("applies", "3", "false"),
        ("decision", "10", "warning"),
    ]
    assert steps[0].text == "Brita Lund opened the sluice gate."
    assert "By Rule 8, Rule 5 defeats Rule 3." in [s.text for s in steps]


def test_amounts_end_the_trace() -> None:
    """The amount is the last step and carries its exact value."""
    assert trace(base("guild_travel"), GUILD)[-1].result == "8328"


@pytest.mark.parametrize("name", ALL)
def test_traces_are_closures(name: str) -> None:
    """Every trigger, every active conflict and the answer are in the trace, each step once, no placeholder left."""
    rulebase = base(name)
    for seed in range(30):
        facts = random_facts(rulebase, seed)
        steps, result = trace(rulebase, facts), evaluate(rulebase, facts)
        assert len({(s.text, s.kind, s.result, s.rule) for s in steps}) == len(steps) or "crates" in facts
        triggered = {s.rule for s in steps if s.kind == "triggered" and s.result == "true"}
        conditions = {p.name for p in rulebase.policies.values() if p.operator == "condition" and not p.gate}
        assert triggered >= {str(rulebase.policies[n].rule) for n in conditions if result.triggered[n]}
        conflicts = [s for s in steps if s.kind == "conflict"]
        assert len(conflicts) == sum(c.active for c in result.conflicts)
        assert not any("{" in s.text for s in steps)
        assert steps[-1].kind == ("amount" if rulebase.amount else "decision")
