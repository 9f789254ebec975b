"""The make-up of the finance cases: one round of indices holds that of the paper."""

from __future__ import annotations

import functools
import itertools
import random
from dataclasses import dataclass

# (task, clause, cases): the atomic part of the paper's make-up, 679 in all
ATOMIC: tuple[tuple[str, str, int], ...] = (
    ("finance_materials", "files", 40),
    ("finance_invoices", "invoices", 20),
    ("finance_approval", "office", 40),
    ("finance_approval", "sheets", 40),
    ("finance_approval", "travel", 42),
    ("finance_approval", "overseas", 30),
    ("finance_approval", "conferences", 60),
    ("finance_approval", "training", 30),
    ("finance_approval", "visits", 30),
    ("finance_labour", "labour", 30),
    ("finance_approval", "works", 30),
    ("finance_approval", "warranty", 20),
    ("finance_approval", "procurement", 20),
    ("finance_approval", "maintenance", 21),
    ("finance_approval", "receptions", 30),
    ("finance_approval", "visitors", 36),
    ("finance_loans", "loans", 40),
    ("finance_amount", "travel", 40),
    ("finance_amount", "training", 40),
    ("finance_amount", "labour", 40),
)
SPANS = (2, 3, 4, 5)
A_SPAN = 50
JOINT = {"travel": "title", "overseas": "title", "training": "role", "labour": "standing"}  # clause -> its categories
TWINS = 2  # pairs of cases a clause and round that differ in the policy alone


@dataclass(frozen=True, slots=True)
class Slot:
    """One place of the make-up: task, clause (of atomic and joint cases), span, position among its like."""

    task: str
    clause: str
    span: int
    position: int

    @property
    def twin(self) -> int:
        """1 or 2 for the first or second of two cases that share their text and differ in the policy, else 0."""
        graded = self.task in ("finance_approval", "finance_labour")
        return self.position % 3 if graded and self.position < 3 * TWINS else 0


@functools.lru_cache(maxsize=1)
def slots() -> tuple[Slot, ...]:
    """Return the make-up in the order of the shipped test split: 679 atomic, 200 parallel, 200 compositional."""
    atomic = [Slot(task, name, 1, i) for task, name, count in ATOMIC for i in range(count)]
    kinds = list(JOINT)
    spans = [Slot(f"finance_parallel_{n}", kinds[i % len(kinds)], n, i) for n in SPANS for i in range(A_SPAN)]
    return (*atomic, *spans, *(Slot(f"finance_compositional_{n}", "", n, i) for n in SPANS for i in range(A_SPAN)))


@functools.lru_cache(maxsize=1)
def order() -> tuple[int, ...]:
    """Return the places of the make-up in the order of the indices: mixed, so that short builds hold every task.

    The second of two twins stands behind the first.
    """
    places = [place for place, slot in enumerate(slots()) if slot.twin != 2]
    random.Random("finance/order").shuffle(places)
    return tuple(itertools.chain.from_iterable((p, p + 1) if slots()[p].twin else (p,) for p in places))


def slot_of(index: int) -> Slot:
    """Return the place of an item in the make-up."""
    return slots()[order()[index % len(order())]]


def tier(slot: Slot) -> str:
    """Return the tier of a place: basic for one verdict, medium for an amount, hard and very hard for several parts."""
    if slot.span > 1:
        return "hard" if slot.span < 4 else "very hard"
    return "medium" if slot.task == "finance_amount" else "basic"
