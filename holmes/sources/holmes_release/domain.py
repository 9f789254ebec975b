"""The domains of the HOLMES release: its law and its finance, with prompts and operations of their own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from holmes.cases import Case, Step
from holmes.derivations.derive import Derivations
from holmes.derivations.operations import Annotation, annotation
from holmes.derivations.operations import annotate as by_derivations
from holmes.derivations.parts import Part
from holmes.domains.finance.domain import Finance
from holmes.domains.law.domain import Law
from holmes.interfaces import AnswerKind
from holmes.logic.language.model import RuleBase
from holmes.options import Options
from holmes.sources.holmes_release.names import NAME


class _Released:
    source = NAME
    configs: Any = ()

    def has_derivations(self, case: Case) -> bool:
        """Tell whether the import found derivations: it finds none of a gold that the facts do not entail."""
        return bool(case.derivations)

    def derivations(self, case: Case) -> Derivations | None:
        """Return None: its rules are a procedure, which has no derivations."""
        return None

    def operations(self, case: Case) -> Annotation:
        """Return the higher-order types by the criteria for released cases; of a changed case, by its derivations."""
        from holmes.sources.holmes_release.operations import annotate

        found = self.derivations(case) if case.pair.family else None
        return annotation(annotate(case)) if found is None else by_derivations(found)

    def interventions(self, case: Case) -> Any:
        """Return None: such cases are not changed."""
        return None


class ReleasedLaw(_Released, Law):
    """Law cases of the release; they are prompted as ours are, and decided by the rule bases recovered from it."""

    def rulebases(self) -> Mapping[str, RuleBase]:
        """Return the recovered rule bases; none where the release is not imported."""
        from holmes.sources.holmes_release.law_parts import known

        return known()

    def rulebase(self, case: Case) -> RuleBase:
        """Return the rule base of the bundle of a case; raises InputError where the release is not imported."""
        return self.parts(case)[0].base

    def parts(self, case: Case) -> tuple[Part, ...]:
        """Return the one part of a case; raises InputError naming case, field, found, expected for damaged facts."""
        from holmes.sources.holmes_release.law_parts import imported, part_of

        return (part_of(case, imported()),)

    def verbalize(self, part: Part, step: Step) -> Step:
        """Return a step in words; the rule that picks an article has no number."""
        from holmes.sources.holmes_release.law_parts import worded

        return worded(part, step)

    def derivations(self, case: Case) -> Derivations | None:
        """Return the minimal sufficient derivations (closure mode); None where the facts do not entail the answer."""
        from holmes.sources.holmes_release.law_parts import derived, imported

        return derived(case, imported())

    def interventions(self, case: Case) -> Any:
        """Return the changes of one fact, told by sentences of the bundle; None where the gold does not follow."""
        from holmes.sources.holmes_release.law_changes import ReleasedInterventions

        return ReleasedInterventions(self, case) if case.derivations else None


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
