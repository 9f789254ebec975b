"""The domain law: conduct under small codes of law; one measure is the answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from holmes.cases import Case
from holmes.domains.base import RuleBaseDomain
from holmes.interfaces import Config, Document, Generator, Question, tasks
from holmes.interventions.base import Interventions
from holmes.logic.language.model import RuleBase
from holmes.options import Options


def _generator() -> Generator:
    from holmes.domains.law.splits import source

    return source()


def _audit(**options: Any) -> Document:
    from holmes.domains.law.gates.run import shipped_or_fresh

    return shipped_or_fresh(**options)


def _card(splits: Mapping[str, Sequence[Case]]) -> str:
    from holmes.domains.law.ablations import table
    from holmes.domains.law.card import gallery

    return f"{table(splits['test'])}\n{gallery(splits['test'])}"


class Law(RuleBaseDomain):
    """Cases of ten bundles, some under variants in which measures have changed places."""

    name = "law"
    cites = True
    configs = (
        Config(
            "law",
            tasks=tasks("holmes_law", "law", {"": "answer", "direct": "direct"}, metrics=("citations", "derivations")),
            generator=_generator,
            audit=_audit,
            card=_card,
            shown=True,
        ),
    )

    def rulebases(self) -> Mapping[str, RuleBase]:
        """Return the bundles of law and the one beyond it."""
        from holmes.domains.law.rulebases import beyond, bundle, bundles

        return {name: bundle(name) for name in (*bundles(), *beyond())}

    def rulebase(self, case: Case) -> RuleBase:
        """Return the variant of a bundle under which a case stands."""
        from holmes.domains.law.rulebases import rulebase_of

        return rulebase_of(case)

    def asked(self, case: Case) -> Question:
        """Return the outcome, by the name that the prompt gives it."""
        from holmes.domains.law.prompts import OUTCOME

        return OUTCOME

    def prompt(self, case: Case, mode: str, options: Options) -> str:
        """Return the prompt of the paper's four parts."""
        from holmes.domains.law.prompts import prompt

        return prompt(
            case,
            mode,
            rules=options.rules_order,
            distractors=options.distractors,
            closed_world=options.closed_world,
            labels=options.labels,
            trace=options.trace,
        )

    def interventions(self, case: Case) -> Interventions:
        """Return the changes of one fact; what a text leaves out on purpose stays without effect."""
        from holmes.domains.law.interventions import LawInterventions

        return LawInterventions(self, case)


LAW = Law()
