"""The domain deontic: an income tax; an amount is asked for, or whether a claim holds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from holmes.cases import Case, Step
from holmes.derivations.asked import Goal
from holmes.derivations.parts import Part
from holmes.domains.statutes.domain import PROMPTS, StatuteDomain
from holmes.interfaces import Config, Document, Generator, Question, tasks
from holmes.interventions.base import Interventions
from holmes.logic.language.model import Value

NUMERIC, BINARY = "deontic_sara_numeric", "deontic_sara_binary"


def _generator() -> Generator:
    from holmes.domains.deontic.shipped import source

    return source()


def _audit(**options: Any) -> Document:
    from holmes.domains.deontic.gates import audit

    return audit(**options)


class Deontic(StatuteDomain):
    """Taxpayers under one statute, whose sections are told as ordinary statutory English."""

    name = "deontic"
    configs = (
        Config("deontic", generator=_generator, audit=_audit, members=(NUMERIC, BINARY), shown=True),
        Config(NUMERIC, tasks=tasks(NUMERIC, NUMERIC, PROMPTS, mode="prolog")),
        Config(BINARY, tasks=tasks(BINARY, BINARY, PROMPTS, mode="prolog", metrics=("macro_f1",))),
    )

    def read_text(self, case: Case) -> tuple[Mapping[str, Value], ...]:
        """Return the record as the sentences of the case text tell it."""
        from holmes.domains.deontic.text import read_back

        (part,) = self.parts(case)
        return (read_back(part.base, case.case, part.names["X"]),)

    def asked(self, case: Case) -> Question:
        """Return the amount of the tax, right within one unit (paper B.3), or a claim about the case."""
        from holmes.domains.deontic.question import CLAIM, TAX

        return TAX if case.answer_type == "amount" else CLAIM

    def verbalize(self, part: Part, step: Step) -> Step:
        """Return a step in the words of the statute, which calls rules sections and tells silence as silence."""
        from holmes.domains.deontic.statute import verbalize

        return verbalize(part, step)

    def claimed(self, case: Case) -> Goal:
        """Return the claim about a provision that the question puts."""
        from holmes.domains.deontic.question import claimed

        return claimed(case)

    def interventions(self, case: Case) -> Interventions:
        """Return the changes of one fact; facts may be told by silence."""
        from holmes.domains.deontic.interventions import TaxInterventions

        return TaxInterventions(self, case)


DEONTIC = Deontic()
