"""The domain policy: questions about policies themselves, over the rule bases of law."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from holmes.cases import Case
from holmes.derivations.asked import Posed
from holmes.derivations.derive import Derivations
from holmes.derivations.operations import Annotation
from holmes.domains.base import RuleBaseDomain
from holmes.interfaces import Config, Document, Generator, Question, tasks
from holmes.logic.language.model import RuleBase
from holmes.options import Options
from holmes.results import Solved

_ANSWERS = frozenset(
    {
        "governs the case",
        "so governs the case",
        "p covers the case",
        "so p covers the case",
        "so p does not cover the case",
    }
)


def _generator() -> Generator:
    from holmes.domains.policy.splits import source

    return source()


def _audit(**options: Any) -> Document:
    from holmes.domains.policy.gates.run import audit

    return audit(**options)


def _card(splits: Mapping[str, Sequence[Case]]) -> str:
    from holmes.domains.policy.card import section

    return section(splits["test"])


class PolicyDomain(RuleBaseDomain):
    """Questions over bundles of law and edits of them; most speak of all cases, some tell one."""

    name = "policy"
    configs = (
        Config(
            "policy",
            tasks=tasks(
                "holmes_policy", "policy", {"": "answer", "direct": "direct"}, metrics=("witness", "derivations")
            ),
            generator=_generator,
            audit=_audit,
            card=_card,
        ),
    )

    def rulebases(self) -> Mapping[str, RuleBase]:
        """Return the rule bases that questions are asked about."""
        from holmes.domains.policy.members import NAMES, member

        return {name: member(name) for name in NAMES}

    def rulebase(self, case: Case) -> RuleBase:
        """Return the edit of a rule base that a question is about."""
        from holmes.domains.policy.generate import stated

        return stated(case)[1]

    def verify_text(self, case: Case) -> Iterator[tuple[str, str]]:
        """Yield what is wrong with a question read back whole, decided again by SAT and by listing, and witnessed."""
        from holmes.domains.policy.verify import problems

        return ((case.answer, problem) for problem in problems(case))

    def has_derivations(self, case: Case) -> bool:
        """Tell whether one case is told."""
        from holmes.domains.policy.derivations import tells_a_case

        return tells_a_case(case)

    def derivations(self, case: Case) -> Derivations | None:
        """Return the derivations of the answer where one case is told; None where all cases are spoken of."""
        from holmes.domains.policy.derivations import tells_a_case, told_derivations

        return told_derivations(case) if tells_a_case(case) else None

    def operations(self, case: Case) -> Annotation:
        """Return the operation that the question is about."""
        from holmes.domains.policy.generate import annotated, asked_in

        return annotated(asked_in(case)[0])

    def solve(self, case: Case) -> Solved:
        """Decide the question again by SAT."""
        from holmes.derivations.resolve import resolved as compared
        from holmes.domains.policy.generate import resolved

        return compared(case, *resolved(case))

    def programs(self, case: Case) -> Sequence[Case]:
        """Return the case; none where no single record answers the question."""
        return (case,) if case.program else ()

    def prompt(self, case: Case, mode: str, options: Options) -> str:
        """Return the prompt: rules, what can occur, question, contract."""
        from holmes.domains.policy.prompts import prompt

        return prompt(case, mode, rules=options.rules_order)

    def asked(self, case: Case) -> Question:
        """Return a question about policies, answered by a label with its witness."""
        from holmes.domains.policy.answer import ABOUT_POLICIES

        return ABOUT_POLICIES

    def posed(self, case: Case) -> Posed:
        """Return the question with the records that show what is so."""
        from holmes.domains.policy.formal import posed

        return posed(case)

    def interventions(self, case: Case) -> None:
        """Return None: no case is told, or a twin differs by an edit of the rules."""
        return

    def labels(self, task: str) -> tuple[str, ...]:
        """Return the labels that most questions have."""
        return ("yes", "no")

    def restated(self, case: Case) -> frozenset[str]:
        """Return the sentences that only repeat the answer."""
        return _ANSWERS


POLICY = PolicyDomain()
