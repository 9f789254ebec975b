"""The intervention model of a case of one part whose text tells each fact by a sentence."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from holmes.cases import Case
from holmes.derivations.derive import Derivations
from holmes.derivations.parts import Part
from holmes.interventions.base import Interventions, derivations_in
from holmes.interventions.coherence import Facts
from holmes.interventions.effects import Intervention
from holmes.logic.engine.evaluate import Evaluation
from holmes.logic.narrative.edit import edit_text
from holmes.logic.narrative.render import statements

Rebuild = Callable[[Case, Part, Facts, str], Case]


class _Domain(Protocol):
    def parts(self, case: Case) -> tuple[Part, ...]: ...
    def derivations(self, case: Case) -> Derivations | None: ...
    def part_answer(self, case: Case, result: Evaluation) -> str: ...
    def told(self, case: Case, part: Part, facts: Facts, text: str) -> Case: ...


class OnePart(Interventions):
    """One fact is set to another value, its sentence reworded; the rest of the text stays as it is."""

    def __init__(self, domain: _Domain, case: Case) -> None:
        self.domain = domain
        super().__init__(case, domain.parts(case), lambda: derivations_in(domain, case))

    def gold(self, result: Evaluation) -> str:
        """Return the answer of the part."""
        return self.domain.part_answer(self.case, result)

    def stated(self) -> frozenset[tuple[int, str]]:
        """Return the facts that the text states."""
        (part,) = self.parts
        return frozenset((0, name) for name in statements(part.base, self.case.case, names=part.names))

    def edit_text(self, text: str, told: Sequence[Facts], change: Intervention, rng: random.Random) -> str:
        """Return the text with one sentence reworded; raises InputError where the words do not fit."""
        (part,) = self.parts
        return edit_text(part.base, text, change.fact, change.after, names=part.names, rng=rng)

    def rebuild(self, facts: Sequence[Mapping[str, object]], text: str) -> Case:
        """Return the case anew: answer, trace, derivations, program and profile follow from the facts."""
        (part,), (own,) = self.parts, facts
        return self.domain.told(self.case, part, own, text)  # type: ignore[arg-type]
