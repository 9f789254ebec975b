"""Questions as values: what is asked of a case, how it is put, and what answers it.

A new kind of question is a class here, or beside the domain that asks it; it is no new domain.
"""

from __future__ import annotations

import json

from holmes.answers.amount import Amount
from holmes.answers.fields import Fields
from holmes.answers.label import Label
from holmes.cases import Case
from holmes.errors import InputError
from holmes.interfaces import AnswerKind
from holmes.logic.engine.evaluate import Evaluation
from holmes.logic.language.unparse import number_text

AMOUNT, LABEL, FIELDS = Amount(), Label(), Fields()


class Outcome:
    """What is decided: a label, or a list of them."""

    name = "outcome"

    def __init__(self, kind: AnswerKind | None = None) -> None:
        self.kind = kind

    def goal(self, case: Case) -> str:
        """Return what is asked of a part, as `holmes.derivations.derive` takes it."""
        return "decision"

    def put(self, case: Case, template: str, name: str) -> str:
        """Return the question in words, about somebody of a name."""
        return template.format(X=name)

    def part_answer(self, case: Case, result: Evaluation) -> str:
        """Return the answer of one evaluated part."""
        answer = result.answer
        return answer if isinstance(answer, str) else json.dumps(list(answer))

    def answer_kind(self, case: Case) -> AnswerKind:
        """Return how a reply is read and judged."""
        return self.kind or (LABEL if case.answer_type == "label" else FIELDS)


class AmountAsked(Outcome):
    """How much: the amount of the rule base."""

    name = "amount"

    def goal(self, case: Case) -> str:
        """Return the amount."""
        return "amount"

    def part_answer(self, case: Case, result: Evaluation) -> str:
        """Return the exact amount; raises InputError where the rule base has none."""
        if result.amount is None:
            raise InputError(f"case {case.id!r}: field answer_type: found amount, expected a label: no amount rule")
        return number_text(result.amount)

    def answer_kind(self, case: Case) -> AnswerKind:
        """Return an amount."""
        return self.kind or AMOUNT


OUTCOME, HOW_MUCH = Outcome(), AmountAsked()
