"""The domain of DeonticBench: statute cases with reference programs, without rule bases of ours."""

from __future__ import annotations

from typing import Any

from holmes.cases import Case
from holmes.derivations.derive import Derivations
from holmes.domains.deontic.domain import Deontic
from holmes.sources.deonticbench.names import NAME


class ReleasedDeontic(Deontic):
    """Cases of five statute tasks, prompted as ours are."""

    source = NAME
    configs: Any = ()

    def content(self, case: Case) -> str:
        """Return text and question; the statutes too where the text is a mere heading."""
        return super().content(case) + (case.rules if case.task.startswith("deontic_housing") else "")

    def has_derivations(self, case: Case) -> bool:
        """Tell that there are none."""
        return False

    def derivations(self, case: Case) -> Derivations | None:
        """Return None: there is no rule base to derive from."""
        return None

    def interventions(self, case: Case) -> None:  # type: ignore[override]
        """Return None: released cases are not changed."""
        return


DEONTIC = ReleasedDeontic()
