"""Policies made of rules, and questions about them, as values (HOLogicBench Table 2)."""

from __future__ import annotations

from dataclasses import dataclass

from holmes.errors import InputError
from holmes.logic.language.model import Expr, Implies, RuleBase, Value


@dataclass(frozen=True, slots=True)
class Term:
    """A policy made of rules.

    kind: rule | amended (the rule, except where the condition holds) | all | any (of several rules) | unless (the first
    rule, except where the second covers the case) | condition | outcome. rules: numbers. condition: of amended and
    condition. label: of outcome.
    """

    kind: str
    rules: tuple[int, ...] = ()
    condition: Expr | None = None
    label: str = ""


@dataclass(frozen=True, slots=True)
class Question:
    """One question about policies, whole: with its rule base it decides the answer.

    type: PR | PT | PC | PS | PQ. form: one of FORMS. sense: what "covers" means. terms: P, Q, …; for `disagree` the
    policies of the three contexts; for `every` and `which` the one that Φ speaks of. given: what holds of all cases,
    beside the integrity of the rule base. family: rules quantified over. apart: Φ(p) is "p and Q exclude each other"
    instead of "p covers only what Q covers". picked: positions of the two contexts asked about. branches: for
    `governs`, (condition, rule), the last one without a condition. record: the facts of the case that is told.
    """

    type: str
    form: str
    sense: str
    terms: tuple[Term, ...] = ()
    given: tuple[Implies, ...] = ()
    family: tuple[int, ...] = ()
    apart: bool = False
    picked: tuple[int, int] = (0, 1)
    branches: tuple[tuple[Expr | None, int], ...] = ()
    record: tuple[tuple[str, Value], ...] = ()


def policy_of(rule: int, base: RuleBase) -> str:
    """Return the name of the policy with a rule number; raises InputError where there is none."""
    for policy in base.policies.values():
        if policy.rule == rule:
            return policy.name
    raise InputError(f"{base.name}: found Rule {rule}, expected the number of a policy")
