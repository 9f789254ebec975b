"""Records on which two questions one edit apart have different answers."""

from __future__ import annotations

import itertools
import random
from dataclasses import replace
from fractions import Fraction

from holmes.domains.policy.planner.name_baseline import name_baseline
from holmes.domains.policy.planner.variants import Mutant
from holmes.domains.policy.questions.terms import Question, expression, policy_of
from holmes.logic.language.model import Expr, Not, PolicyTest, Ref, Value
from holmes.logic.language.walk import walk

BRANCHES = tuple(itertools.permutations(range(3), 2))
TRIED = 8  # records of one pair of questions


def record_pair(
    rng: random.Random, one: Question, here: Mutant, two: Question, there: Mutant, target: int, hits: int
) -> tuple[tuple[str, Value], ...] | None:
    """Draw a coherent record on which the two questions have different answers; None where there is none, or where no
    concept has to be unfolded.

    The first question is answered yes and the second no, or they are answered by the branches that `target`, 0 to 5,
    stands for. hits: most of the two answers that the names of the facts alone may give away (`by_names`).
    """
    if here.signatures.records.cells != there.signatures.records.cells or not (_deep(one, here) and _deep(two, there)):
        return None
    first, second = _answers(one, here), _answers(two, there)
    rows = here.signatures.where(()) & there.signatures.where(())
    if one.form == "accepts":
        rows &= first[0] & ~second[0]
    else:
        here_at, there_at = BRANCHES[target]
        rows &= first[here_at] & second[there_at]
    if rows.bit_count() < 4:
        return None
    for _ in range(TRIED):
        row = _nth(rows, rng.randrange(rows.bit_count()))
        record = _record(rng, here, row)
        guessed = 0
        for asked, mutant, sets in ((one, here, first), (two, there, second)):
            guess = name_baseline(replace(asked, record=record), mutant.base)
            answer = next((str(place) for place, bits in enumerate(sets) if bits >> row & 1), "no")
            guessed += guess == ("yes" if asked.form == "accepts" and answer == "0" else answer)
        if guessed <= hits:
            return record
    return None


def _record(rng: random.Random, mutant: Mutant, row: int) -> tuple[tuple[str, Value], ...]:
    record: list[tuple[str, Value]] = []
    for name in mutant.base.facts:
        cell = mutant.signatures.records.cell(name, row)
        numeric = cell.low is not None and cell.high is not None
        value = Fraction(rng.randint(cell.low or 0, cell.high or 0)) if numeric else cell.value
        record.append((name, value))
    return tuple(record)


def _answers(asked: Question, mutant: Mutant) -> list[int]:
    """Return the records of the sample by answer: [yes], or one set a branch."""
    signatures = mutant.signatures
    if asked.form == "accepts":
        return [signatures.bits(expression(asked.terms[0], asked.sense, mutant.base))]
    left, found = signatures.full, []
    for condition, _ in asked.branches:
        here = left if condition is None else left & signatures.bits(condition)
        found.append(here)
        left &= ~here
    return found


def _nth(bits: int, count: int) -> int:
    """Return the position of the count-th bit that is set."""
    for _ in range(count):
        bits &= bits - 1
    return (bits & -bits).bit_length() - 1


def _deep(asked: Question, mutant: Mutant) -> bool:
    """Tell whether the answer turns on a concept, and every part of the question on something."""
    base, signatures = mutant.base, mutant.signatures
    conditions: list[Expr] = [c for c, _ in asked.branches if c is not None]
    for term in asked.terms:
        conditions += [term.condition] if term.condition is not None else []
        names = [policy_of(rule, base) for rule in term.rules]
        conditions += [when for n in names if (when := base.policies[n].when) is not None]
        parts = [PolicyTest(asked.sense, n) for n in names]
        if any(not signatures.bits(part) or not signatures.bits(Not(part)) for part in parts):
            return False
    sets = _answers(asked, mutant)
    if asked.form == "governs" and not all(signatures.full > rows > 0 for rows in sets):
        return False
    return any(isinstance(p, Ref) and p.kind == "concept" for c in conditions for p in walk(c))
