"""The decisions: whether a coherent record satisfies a condition, and the smallest one, by SAT."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

from pysat.card import ITotalizer

from holmes.domains.policy.questions.witness import Record, baseline
from holmes.logic.engine.record_space import cells
from holmes.logic.language.model import BOOL, Expr, FactDecl, Ref, RuleBase, Value
from holmes.logic.language.walk import rebuild
from holmes.logic.sat.encoding import Encoding

LARGEST = 6000  # variables of a solver


class Solver:
    """One rule base encoded once; integrity and what a question takes as given are assumptions of each call."""

    def __init__(self, base: RuleBase) -> None:
        self.base = base
        self.cells = cells(base)
        self._free = dataclasses.replace(base, integrity=(), fingerprint=f"{base.fingerprint}/free")
        self._encode()

    def _encode(self) -> None:
        self.encoding = Encoding(self._free)
        self.clauses = self.encoding.clauses
        self._counter: Any = None

    def _renew(self) -> None:
        """Start anew once many conditions have left their clauses behind; no answer depends on it."""
        if self.clauses.count > LARGEST:
            self._encode()

    def _assumed(self, conditions: Iterable[Expr], integrity: bool) -> list[int]:
        kept = (*self.base.integrity, *conditions) if integrity else tuple(conditions)
        return [self.encoding.literal(condition) for condition in kept]

    def possible(self, condition: Expr, given: Sequence[Expr] = (), *, integrity: bool = True) -> bool:
        """Tell whether some record satisfies a condition, all of `given` and, unless told otherwise, `integrity`."""
        self._renew()
        return self.clauses.solve([*self._assumed(given, integrity), self.encoding.literal(condition)]) is not None

    def smallest(self, condition: Expr, given: Sequence[Expr] = ()) -> Record | None:
        """Return the coherent record that satisfies a condition and differs from `baseline` in fewest facts.

        Among several the first in this order wins: fact by fact, in the order of declaration, the baseline's value
        before others, smaller numbers before larger ones. Returns None where there is no such record.
        """
        self._renew()
        assumed = [*self._assumed(given, True), self.encoding.literal(condition)]
        if self.clauses.solve(assumed) is None:
            return None
        outputs = self._totals()
        count = next(k for k in range(len(outputs) + 1) if self._solved([*assumed, *_at_most(outputs, k)]))
        assumed += _at_most(outputs, count)
        record: Record = {}
        for name, fact in self.base.facts.items():
            for value in self._values(name, fact):
                literal = self.clauses.equals(name, value)
                if self._solved([*assumed, literal]):
                    assumed.append(literal)
                    record[name] = value
                    break
        return record

    def _solved(self, assumed: list[int]) -> bool:
        return bool(self.clauses.solver.solve(assumptions=assumed))

    def _values(self, name: str, fact: FactDecl) -> list[Value]:
        if fact.type.kind == "bool":
            return [False, True]
        return [Fraction(cell.low) if cell.low is not None else cell.value for cell in self.cells[name]]

    def _totals(self) -> list[int]:
        """Return the outputs of a totalizer: the k-th is true if more than k facts differ from the baseline."""
        if self._counter is None:
            base = baseline(self.base.facts)
            differ = [-self.clauses.equals(name, value) for name, value in base.items()]
            self._counter = ITotalizer(lits=differ, ubound=len(differ), top_id=self.clauses.count)
            for clause in self._counter.cnf.clauses:
                self.clauses.add(*clause)
            self.clauses.count = max(self.clauses.count, self._counter.top_id)
        return list(self._counter.rhs)


def _at_most(outputs: Sequence[int], count: int) -> list[int]:
    return [-outputs[count]] if count < len(outputs) else []


def opaque(base: RuleBase) -> RuleBase:
    """Return the rule base as it looks to a reader who unfolds no concept: each one a fact of its own."""

    def closed(expr: Expr) -> Expr:
        if isinstance(expr, Ref) and expr.kind == "concept":
            return Ref(expr.name, "fact")
        return rebuild(expr, closed)

    return dataclasses.replace(
        base,
        facts={**base.facts, **{name: FactDecl(name, BOOL, c.phrases) for name, c in base.concepts.items()}},
        concepts={},
        policies={
            name: dataclasses.replace(
                p,
                when=None if p.when is None else closed(p.when),
                unless=None if p.unless is None else closed(p.unless),
            )
            for name, p in base.policies.items()
        },
        fingerprint=f"{base.fingerprint}/opaque",
    )


def closed_terms(expr: Expr) -> Expr:
    """Return a condition as it reads over `opaque`: its concepts as facts."""
    if isinstance(expr, Ref) and expr.kind == "concept":
        return Ref(expr.name, "fact")
    return rebuild(expr, closed_terms)
