"""A sample of records as bit sets: how large a policy is, roughly, and which candidates are worth a solver's call."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from holmes.logic.engine.record_space import Bools, Codes, Space, cells, scatter, truth
from holmes.logic.engine.vectorized import decide
from holmes.logic.language.model import And, Compare, Const, Expr, Implies, Not, Or, PolicyTest, Ref, RuleBase

SIZE = 1 << 14


class Signatures:
    """`SIZE` records of a rule base, one bit each; the same on every machine. For search only: it decides nothing."""

    def __init__(self, base: RuleBase) -> None:
        self.base = base
        found = cells(base)
        sizes = [len(found[name]) for name in found]
        index = scatter(SIZE, int(np.prod(sizes)))
        codes: dict[str, Codes] = {}
        for name, size in zip(found, sizes, strict=True):
            codes[name], index = (index % size).astype(np.int8), index // size
        self.records = Space(tuple(found), found, codes)
        decided = decide(base, self.records)
        self.full = (1 << SIZE) - 1
        self.atoms: dict[Expr, int] = {}  # whatever is made of them is put together anew: memory stays small
        for name, column in decided.concepts.items():
            self.atoms[Ref(name, "concept")] = _pack(column)
        for kind, columns in (("triggered", decided.triggered), ("applies", decided.applies)):
            for name, column in columns.items():
                self.atoms[PolicyTest(kind, name)] = _pack(column)
        for place, label in enumerate(decided.labels):
            outcome = Compare("==", Ref("decision", "decision"), Const(label, base.decision.type))
            self.atoms[outcome] = _pack(decided.answer == place)

    def bits(self, expr: Expr) -> int:
        """Return the records in which a condition holds."""
        match expr:
            case Not(arg=arg):
                return self.full & ~self.bits(arg)
            case And(args=args):
                found = self.full
                for arg in args:
                    found &= self.bits(arg)
                return found
            case Or(args=args):
                found = 0
                for arg in args:
                    found |= self.bits(arg)
                return found
            case Implies(left=left, right=right):
                return (self.full & ~self.bits(left)) | self.bits(right)
            case _:
                if expr not in self.atoms:
                    self.atoms[expr] = _pack(truth(expr, self.records, {}))
                return self.atoms[expr]

    def where(self, conditions: Iterable[Expr]) -> int:
        """Return the records that obey all conditions and the integrity of the rule base."""
        return self.bits(And((*self.base.integrity, *conditions)))


def _pack(column: Bools) -> int:
    return int.from_bytes(np.packbits(column, bitorder="little").tobytes(), "little")
