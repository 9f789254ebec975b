"""The domain baggage: the conditions of a fictional airline; the total of one passenger is asked for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from holmes.cases import Case, Step
from holmes.derivations.parts import Part
from holmes.domains.statutes.domain import PROMPTS, StatuteDomain
from holmes.interfaces import Config, Document, Generator, Question, tasks
from holmes.interventions.base import Interventions
from holmes.logic.language.model import Value
from holmes.prolog.output import ProgramContract

TASK = "deontic_airline"


def _generator() -> Generator:
    from holmes.domains.baggage.generate import Generator as Own

    return Own(BAGGAGE)


def _audit(**options: Any) -> Document:
    from holmes.domains.baggage.gates import audit

    return audit(_generator(), **options)


class Baggage(StatuteDomain):
    """Passengers under one statute, told in accounts of connected prose."""

    name = "baggage"
    configs = (
        Config(TASK, tasks=tasks(TASK, TASK, PROMPTS, mode="prolog"), generator=_generator, audit=_audit, proved=False),
    )

    def read_text(self, case: Case) -> tuple[Mapping[str, Value], ...]:
        """Return the record as the account tells it."""
        from holmes.domains.baggage.reading import read_account

        return (read_account(case.case),)

    def asked(self, case: Case) -> Question:
        """Return the total, right within one dollar (paper B.3)."""
        from holmes.answers.amount import Amount
        from holmes.domains.questions import AmountAsked
        from holmes.domains.statutes.prompts import contract

        return AmountAsked(Amount(1, blank="answer", meaning=lambda case: contract(case.task).direct))

    def verbalize(self, part: Part, step: Step) -> Step:
        """Return a step that cites the sections of the printed conditions."""
        from holmes.domains.baggage.statute import verbalize

        return verbalize(part.base, step)

    def program_contract(self, task: str) -> ProgramContract | None:
        """Return the answer line of the domain's task."""
        return super().program_contract(task) if task == TASK or task.startswith(f"{TASK}_") else None

    def interventions(self, case: Case) -> Interventions:
        """Return the changes of one fact, told by the same account with that fact changed."""
        from holmes.domains.baggage.interventions import BaggageInterventions

        return BaggageInterventions(self, case)


BAGGAGE = Baggage()
