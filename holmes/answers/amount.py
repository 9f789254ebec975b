"""Amounts: numbers, exact or within a tolerance."""

from __future__ import annotations

from fractions import Fraction

from holmes.answers.kind import Kind, unread
from holmes.cases import Case
from holmes.errors import InputError
from holmes.interfaces import Strictness
from holmes.reading.amounts import amount, committed_amount
from holmes.reading.thinking import Reply
from holmes.results import Judged, Outcome


class Amount(Kind):
    """An amount, read from the last committed answer of a reply."""

    name = "amount"
    blank = "number, digits only"

    def judge(self, case: Case, reply: Reply, *, cut: bool, strictness: Strictness) -> Judged:
        """Compare the amount that a reply commits itself to with the gold; raises InputError where that is none."""
        gold = amount(case.answer)
        if gold is None:
            raise InputError(f"case {case.id!r}: field answer: found {case.answer!r}, expected an amount")
        answer = committed_amount(reply.text, negatives=strictness.negatives, cut=cut)
        if answer is None or answer.value is None:
            return unread(answer, reply)
        wanted = Fraction(int(gold)) if strictness.whole else gold
        outcome = Outcome.RIGHT if within(answer.value, wanted, strictness.tolerance) else Outcome.WRONG
        reason = f"read {answer.value}, gold {gold}: {answer.reason}"
        return Judged(outcome, str(answer.value), reason, read_as=answer.read_as)

    def canonical(self, case: Case, answer: str) -> str:
        """Return the number; rounded to units where a tolerance rounds it."""
        value = amount(answer)
        if value is None:
            return answer
        return str(Fraction(round(value)) if self.tolerance else value)


def within(value: Fraction, gold: Fraction, tolerance: Fraction) -> bool:
    """Tell whether an amount is right: paper B.3 rounds it where the gold is whole and a tolerance is given."""
    if tolerance and gold.denominator == 1:
        value = Fraction(round(value))
    return abs(value - gold) <= tolerance
