"""The domains of the HOLMES release: its law and its finance, with prompts and operations of their own."""

from __future__ import annotations

from typing import Any

from holmes.cases import Case
from holmes.derivations.derive import Derivations
from holmes.derivations.operations import Annotation, annotation
from holmes.domains.finance.domain import Finance
from holmes.domains.law.domain import Law
from holmes.interfaces import AnswerKind
from holmes.options import Options
from holmes.sources.holmes_release.names import NAME


class _Released:
    source = NAME
    configs: Any = ()

    def has_derivations(self, case: Case) -> bool:
        """Tell that there are none."""
        return False

    def derivations(self, case: Case) -> Derivations | None:
        """Return None: released cases have no derivations of ours."""
        return None

    def operations(self, case: Case) -> Annotation:
        """Return the higher-order types by the criteria for released cases."""
        from holmes.sources.holmes_release.operations import annotate

        return annotation(annotate(case))

    def interventions(self, case: Case) -> Any:
        """Return None: released cases are not changed."""
        return None


class ReleasedLaw(_Released, Law):
    """Law cases of the release; they are prompted as ours are."""


class ReleasedFinance(_Released, Finance):
    """Finance cases of the release."""

    def answer_kind(self, case: Case, mode: str = "answer") -> AnswerKind:
        """Return an audit report whose answer stands under one key; its subjects have numbers only."""
        from holmes.sources.holmes_release.finance.answer import REPORT

        return REPORT

    def prompt(self, case: Case, mode: str, options: Options) -> str:
        """Return the prompt: the five parts of the paper, around the user's import."""
        from holmes.sources.holmes_release.finance.prompts import prompt

        return prompt(case)


LAW = ReleasedLaw()
FINANCE = ReleasedFinance()
