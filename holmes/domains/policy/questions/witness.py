"""Records as witnesses of an answer, and the one from which they differ as little as possible."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from holmes.logic.language.model import FactDecl, Value

Record = dict[str, Value]


def baseline(facts: Mapping[str, FactDecl]) -> Record:
    """Return the record that witnesses are measured against: every yes-or-no point false, every number at its least."""
    found: Record = {}
    for name, fact in facts.items():
        low = fact.type.low if fact.type.low is not None else Fraction(0)
        found[name] = False if fact.type.kind == "bool" else fact.type.values[0] if fact.type.values else low
    return found
