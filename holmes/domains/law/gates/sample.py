"""A sample of law cases in columns: what every gate looks at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from holmes.cases import Case
from holmes.domains.law.generate import Generator, Planned
from holmes.errors import InputError
from holmes.logic.engine.record_space import Codes, Space
from holmes.logic.engine.vectorized import Decided, decide
from holmes.logic.language import model as m


@dataclass(frozen=True, slots=True)
class Sample:
    """Cases of one bundle. records, decided: under the rules as written; answers: code of the answer as written.

    final: code of the answer asked for, measures exchanged as in the case. cases: empty for a sample of plans only.
    """

    rulebase: m.RuleBase
    records: Space
    decided: Decided
    final: Codes
    cases: tuple[Case, ...] = ()

    @property
    def answers(self) -> Codes:
        """The answer codes under the rules as written."""
        return self.decided.answer

    def __len__(self) -> int:
        return len(self.final)


def of_cases(generator: Generator, cases: Sequence[Case]) -> Sample:
    """Encode cases of the generator's bundle; raises InputError when a case does not fit the rule base."""
    base, cells = generator.rulebase, generator.plans.records.cells
    columns: dict[str, list[int]] = {name: [] for name in base.facts}
    for case in cases:
        values = {fact.name: fact.value for fact in case.facts}
        for name in base.facts:
            if name not in values:
                raise InputError(f"case {case.id!r}: field facts: found no {name}, expected a value")
            value = parse(values[name], base.facts[name].type.kind)
            fit = [i for i, cell in enumerate(cells[name]) if cell.holds(value)]
            if not fit:
                raise InputError(
                    f"case {case.id!r}: fact {name}: found {values[name]!r}, expected a value in its range"
                )
            columns[name].append(fit[0])
    records = Space(tuple(base.facts), cells, {n: np.array(c, dtype=np.int64) for n, c in columns.items()})
    labels = base.decision.type.values
    final = np.array([labels.index(case.answer) for case in cases], dtype=np.int64)
    return Sample(base, records, decide(base, records), final, tuple(cases))


def parse(text: str, kind: str) -> m.Value:
    """Return the value of a canonical fact text."""
    if kind == "bool":
        return text == "true"
    return Fraction(text) if kind == "int" else text


def of_plans(generator: Generator, planned: Sequence[Planned]) -> Sample:
    """Return the columns of planned cases, without their text."""
    pool = generator.plans.records
    rows = np.array([p.draw.row for p in planned], dtype=np.int64)
    records = Space(pool.facts, pool.cells, {name: codes[rows] for name, codes in pool.codes.items()})
    labels = generator.rulebase.decision.type.values
    final = np.array([labels.index(p.answer) for p in planned], dtype=np.int64)
    return Sample(generator.rulebase, records, decide(generator.rulebase, records), final)
