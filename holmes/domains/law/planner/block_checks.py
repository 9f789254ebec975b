"""What a block of thirty must not give away: gates 3, 4 and 6 on the sample itself, fast enough to draw many times."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from holmes.domains.law.planner.plans import BROKEN, Plans
from holmes.logic.engine.record_space import Codes
from holmes.logic.engine.vectorized import exemptions

LEAST = {"no_priorities": 0.25, "no_exceptions": 0.25, "first_triggered": 0.25, "gravest_triggered": 0.25}
LEAST_OTHER = 0.15  # no_rebuttals, one_pass, no_negation
FREQUENT = 10  # a policy that occurs less often is not looked at
MOST = 0.78  # of a frequent policy's cases may have one answer
DEFEATED = 0.3  # of an exemption's triggers
POLARITY = 0.27  # of the cases hold each value of a Boolean fact; in proportion for facts with more cells
DISTINCT = 0.6  # distinct signatures of triggered and defeated policies


class Checks:
    """Counts over small samples of the records of a rule base, one gather and one sum a sample."""

    def __init__(self, plans: Plans) -> None:
        self.signature = plans.signature
        decided, records = plans.decided, plans.records
        labels = np.arange(len(decided.labels))
        self.answers = (decided.answer[:, None] == labels[None, :]).astype(np.float32)
        self.triggered = np.stack(list(decided.triggered.values()), axis=1).astype(np.float32)
        events: list[npt.NDArray[np.bool_]] = []
        shares: list[float] = []
        for name in BROKEN:
            events.append(plans.broken[name])
            shares.append(LEAST.get(name, LEAST_OTHER))
        for name in records.facts:
            kinds = len(records.cells[name])
            for code in range(kinds):
                events.append(records.codes[name] == code)
                shares.append(POLARITY * 2 / kinds)
        events += list(plans.decisive)
        shares += [1e-9] * len(plans.decisive)  # at least one case
        free = exemptions(plans.rulebase)
        self.pairs = len(free)
        events += [decided.triggered[name] for name in free]
        events += [decided.triggered[name] & ~decided.applies[name] for name in free]
        self.events = np.stack(events, axis=1).astype(np.float32)
        self.shares = np.array(shares)

    def faults(self, rows: Codes, contrast_pairs: int = 0) -> int:
        """Count in how many ways the rows give something away; 0 is what a block should have.

        twins: how many rows may occur twice.
        """
        size = len(rows)
        sums = self.events[rows].sum(axis=0)
        least = np.ceil(self.shares * size)
        count = float(np.maximum(least - sums[: len(least)], 0).sum())
        if self.pairs:
            there, beaten = sums[-2 * self.pairs : -self.pairs], sums[-self.pairs :]
            count += float(np.maximum(np.ceil(DEFEATED * there) - beaten, 0).sum())
        given = self.triggered[rows].T @ self.answers[rows]
        total = given.sum(axis=1)
        excess = np.ceil(given.max(axis=1) - MOST * total)
        count += float(np.maximum(excess[total >= FREQUENT], 0).sum())
        count += size - contrast_pairs - len(set(rows.tolist()))
        count += max(0, math.ceil(DISTINCT * size) - len(set(self.signature[rows].tolist())))
        return int(count)
