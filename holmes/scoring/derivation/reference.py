"""What a trace of a case is held against: its derivations, the targets of its parts, their words; made once a case."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from holmes.cases import Case
from holmes.derivations.derive import Derivations, is_fact
from holmes.derivations.settled import settled
from holmes.registry import derivations_of, domain_of
from holmes.scoring.derivation.implied import implied
from holmes.scoring.derivation.targets import Targets, targets_of
from holmes.scoring.derivation.vocabulary import cites_sections, names_of, quotations


@dataclass(frozen=True, slots=True)
class Reference:
    """The other side of a comparison.

    parts: the targets of each part. people: names that the case uses.
    quoted, restated: keys of sentences that commit to nothing or only repeat a fact. sections: how rules are cited.
    answers, among, necessary: the labels of the answers, of the family's inferences, of those that all members hold.
    sole: the member of a family that has one. settled: the labels that the prompt gave, and those that
    they imply.
    """

    derivations: Derivations
    parts: Sequence[Targets]
    people: Sequence[str]
    quoted: Mapping[str, int]
    restated: frozenset[str]
    sections: bool
    answers: frozenset[str]
    among: frozenset[str]
    necessary: frozenset[str]
    sole: tuple[str, ...] | None
    settled: frozenset[str] = frozenset()

    @property
    def inferences(self) -> bool:
        """Whether there is anything between what is given and the answer; where not, a trace cannot be scored."""
        first = next(self.derivations.family.members(1))
        return not self.settled.issuperset(self.derivations.inferences(first))

    @property
    def subjects(self) -> tuple[str, ...]:
        """The subjects of the parts, empty for a case of one part."""
        return tuple(t.graph.part.subject for t in self.parts if t.graph.part.subject)


def has_derivations(case: Case) -> bool:
    """Say whether the derivations of a case are at hand: it is of a known domain and one case is told, not all."""
    return domain_of(case).has_derivations(case)


@functools.lru_cache(maxsize=512)
def reference_of(case: Case, given: str = "") -> Reference:
    """Return the reference of a case of ours; raises InputError as `derivations_of` does.

    given: the level of steps that its prompt gave as settled.
    """
    found = reference(derivations_of(case), case)
    told = frozenset(label for label, _ in settled(case, found.derivations, given)) if given else frozenset()
    targets = [target for part in found.parts for target in part.by_key.values() if target.label in told]
    known = implied(found.parts, targets, ()) if told else told
    return replace(found, restated=found.restated | domain_of(case).restated(case), settled=known)


def reference(derivations: Derivations, case: Case) -> Reference:
    """Return the reference made of derivations and the texts of a case: its rules, its facts, its question."""
    parts = [graph.part for graph in derivations.parts]
    answers = derivations.answers()
    among = frozenset(label for label in derivations.family.labels if not is_fact(label)) - answers
    return Reference(
        derivations,
        tuple(targets_of(graph, number) for number, graph in enumerate(derivations.parts)),
        names_of(parts),
        quotations(case.rules),
        frozenset(),
        cites_sections(case.rules),
        answers,
        among,
        frozenset(derivations.family.necessary()),
        next(derivations.family.members(1)) if derivations.family.count() == 1 else None,
    )
