"""The gold trace of a tax case: every rule that had a say, in the order of the statute."""

from __future__ import annotations

from fractions import Fraction

from holmes.cases import Step
from holmes.logic.evaluate import Evaluation
from holmes.logic.expr import number_text
from holmes.logic.model import Value


def steps(solved: Evaluation) -> tuple[Step, ...]:
    """Return the steps of a complete closure: concepts, the table row used, policies, conflicts, decision, amount."""
    base = solved.rulebase
    found: list[tuple[int, Step]] = []

    def add(rule: int, kind: str, words: str, value: str) -> None:
        found.append((rule, Step(f"Section {rule}: {words}", str(rule), kind, value)))

    for name, concept in base.concepts.items():
        value = canonical(solved.concepts[name])
        add(concept.rule, "concept", f"{concept.phrases[0]}: {_words(value)}.", value)
    for name, table in base.tables.items():
        joint = solved.concepts["status"] == "joint"
        if (name == "joint_rates") == joint or name == "basic":  # only the rates that the filing status selects
            shown = f"looked up for {'filing status' if name == 'basic' else 'taxable income'}"
            key = canonical(solved.concepts["status" if name == "basic" else "taxable"])
            add(table.rule, "table", f"{shown} {key}.", key)
    for policy in sorted(base.policies.values(), key=lambda one: one.rule):
        there, applies = solved.triggered[policy.name], solved.applies[policy.name]
        words = "applies" if applies else "is met, but an exception sets it aside" if there else "is not met"
        add(policy.rule, "policy", f"it {words}.", "applies" if applies else "defeated" if there else "not triggered")
    for conflict in solved.conflicts:
        winner, loser = base.policies[conflict.winner], base.policies[conflict.loser]
        if conflict.active:
            words = f"as an exception it sets Section {loser.rule} aside."
            add(winner.rule, "conflict", words, f"{winner.rule} defeats {loser.rule}")
    add(base.decision.rule, "decision", f"the taxpayer is {solved.answer}.", str(solved.answer))
    assert base.amount is not None and solved.amount is not None
    add(base.amount.rule, "amount", f"the tax owed is {number_text(solved.amount)}.", number_text(solved.amount))
    return tuple(step for _, step in sorted(found, key=lambda pair: pair[0]))


def canonical(value: Value) -> str:
    """Write a value as canonical text: true, false, an exact number or an enum value."""
    if isinstance(value, bool):
        return str(value).lower()
    return number_text(value) if isinstance(value, Fraction) else str(value)


def _words(value: str) -> str:
    return {"true": "yes", "false": "no"}.get(value, value)
