"""What a trace of a case is held against: its derivations, the targets of its parts, their words; made once a case."""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from holmes.cases import Case
from holmes.derivations.derive import Derivations, derivations_of
from holmes.scoring.derivation.targets import Targets, targets_of
from holmes.scoring.derivation.vocabulary import names_of, quotations, restatements


@dataclass(frozen=True, slots=True)
class Reference:
    """The other side of a comparison.

    parts: the targets of each part. people: names that the case uses.
    quoted, restated: keys of sentences that commit to nothing or only repeat a fact. sections: how rules are cited.
    """

    derivations: Derivations
    parts: Sequence[Targets]
    people: Sequence[str]
    quoted: frozenset[str]
    restated: frozenset[str]
    sections: bool

    @property
    def inferences(self) -> bool:
        """Whether there is anything between facts and answer; where there is not, a trace cannot be scored."""
        first = next(self.derivations.family.members(1))
        return bool(self.derivations.inferences(first))

    @property
    def subjects(self) -> tuple[str, ...]:
        """The subjects of the parts, empty for a case of one part."""
        return tuple(t.graph.part.subject for t in self.parts if t.graph.part.subject)


def has_derivations(case: Case) -> bool:
    """Say whether the derivations of a case are at hand: it is ours, and one case is told, not all cases spoken of."""
    if case.domain == "policy":
        from holmes.domains.policy.derivations import tells_a_case

        return case.source == "holmes" and tells_a_case(case)
    return case.source == "holmes" and case.domain in ("law", "finance", "deontic")


_POLICY_ANSWERS = frozenset({"rule # governs the case", "p covers the case", "p does not cover the case"})


@functools.lru_cache(maxsize=512)
def reference_of(case: Case) -> Reference:
    """Return the reference of a case of ours; raises InputError as `derivations_of` does."""
    if case.domain == "policy":
        from holmes.domains.policy.derivations import told_derivations

        found = reference(told_derivations(case), case)
        return replace(found, restated=found.restated | _POLICY_ANSWERS)
    return reference(derivations_of(case), case)


def reference(derivations: Derivations, case: Case) -> Reference:
    """Return the reference made of derivations and the texts of a case: its rules, its facts, its question."""
    parts = [graph.part for graph in derivations.parts]
    return Reference(
        derivations,
        tuple(targets_of(graph, number) for number, graph in enumerate(derivations.parts)),
        names_of(parts),
        quotations(case.rules),
        restatements(case, parts),
        re.search(r"^\s*Rule\s+\d", case.rules, re.MULTILINE) is None,
    )
