"""Exact evaluation of a case: every concept and policy, conflicts, defeat, the answer and the amount."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from holmes.logic.engine.compile import Program
from holmes.logic.language.model import Relation, RuleBase, Value

_PROGRAMS: dict[tuple[str, str, str, frozenset[str]], Program] = {}
NONE: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Conflict:
    """Two triggered policies that a relation sets against each other; active: the winner defeats the loser."""

    relation: Relation
    winner: str
    loser: str
    active: bool


class Evaluation:
    """The values of one case under one semantics of defeat; everything but the answer is computed when asked for."""

    def __init__(self, program: Program, state: list[Any]) -> None:
        self.program, self.state = program, state

    def _value(self, kind: str, name: str) -> Any:
        return exact(self.state[self.program.slot[kind, name]])

    @property
    def rulebase(self) -> RuleBase:
        """The rule base as evaluated (ablated and with the semantics of defeat asked for)."""
        return self.program.rulebase

    @property
    def answer(self) -> str | tuple[str, ...]:
        """The decision: one answer, or all of them for `pick: all`."""
        result: str | tuple[str, ...] = self.state[self.program.slot["decision", "decision"]]
        return result

    @property
    def amount(self) -> Fraction | None:
        """The exact amount, None where the rule base has none."""
        return self._value("amount", "amount") if self.rulebase.amount is not None else None

    @cached_property
    def facts(self) -> dict[str, Value]:
        """Every fact with its value, those left out included."""
        return {name: self._value("fact", name) for name in self.rulebase.facts}

    @cached_property
    def concepts(self) -> dict[str, Value]:
        """Every concept with its value."""
        return {name: self._value("concept", name) for name in self.rulebase.concepts}

    @cached_property
    def triggered(self) -> dict[str, bool]:
        """Whether each policy is triggered (passes, for gates and operators)."""
        return {name: self._value("policy", name) for name in self.rulebase.policies}

    @property
    def passes(self) -> dict[str, bool]:
        """The same as `triggered`."""
        return self.triggered

    @cached_property
    def applies(self) -> dict[str, bool]:
        """Whether each policy applies: triggered and not defeated."""
        return {name: self._value("applies", name) for name in self.rulebase.policies}

    @cached_property
    def defeated(self) -> tuple[str, ...]:
        """The triggered policies that do not apply, in rule order."""
        names = [n for n, there in self.triggered.items() if there and not self.applies[n]]
        return tuple(sorted(names, key=lambda n: self.rulebase.policies[n].rule))

    @cached_property
    def applying(self) -> tuple[str, ...]:
        """The policies with a consequence that apply, in rule order."""
        policies = sorted((p for p in self.rulebase.policies.values() if p.consequence), key=lambda p: p.rule)
        return tuple(p.name for p in policies if self.applies[p.name])

    @cached_property
    def conflicts(self) -> tuple[Conflict, ...]:
        """Every pair of triggered policies that a relation sets against each other, in order of the relations."""
        active = self.applies if self.rulebase.defeat == "grounded" else self.triggered
        return tuple(
            Conflict(relation, relation.winner, loser, active[relation.winner])
            for relation in self.rulebase.relations
            for loser in relation.losers
            if self.triggered[relation.winner] and self.triggered[loser]
        )

    @cached_property
    def gates(self) -> tuple[tuple[str, bool], ...]:
        """The gates that the case's composition comes down to and whether each passes; empty without gates."""
        decision = self.rulebase.decision
        if decision.pick != "gates":
            return ()
        names = {slot: name for (kind, name), slot in self.program.slot.items() if kind == "policy"}
        return tuple((names[slot], self.state[slot]) for _, slot in self.program.gates(decision.gates)(self.state))


def exact(value: Any) -> Any:
    """Return numbers as Fraction, records with them too, anything else unchanged."""
    if type(value) is int:
        return Fraction(value)
    if type(value) is tuple:
        return tuple(
            {k: exact(v) for k, v in record.items()} if isinstance(record, dict) else record for record in value
        )
    return value


def program_for(rulebase: RuleBase, defeat: str | None = None, ablate: frozenset[str] = NONE) -> Program:
    """Return the compiled rule base, compiled once a process; see `evaluate` for the arguments."""
    key = (rulebase.fingerprint, rulebase.name, defeat or "", ablate)
    program = _PROGRAMS.get(key)
    # a rule base changed by `replace` keeps its fingerprint: the content decides
    if program is None or (program.original is not rulebase and program.original != rulebase):
        program = _PROGRAMS[key] = Program(rulebase, defeat or "", ablate)
    return program


def evaluate(
    rulebase: RuleBase, facts: Mapping[str, Value], *, defeat: str | None = None, ablate: frozenset[str] = NONE
) -> Evaluation:
    """Evaluate one case.

    facts: name -> value (bool, Fraction or int, enum text, date, records); missing Booleans are false under a closed
    world. defeat: ``grounded`` or ``one_pass``, by default what the rule base declares. ablate: names of `ABLATIONS`.
    Returns the Evaluation. Raises InputError naming the fact, what was found and what was expected.
    """
    program = program_for(rulebase, defeat, ablate)
    return Evaluation(program, program.run(facts))
