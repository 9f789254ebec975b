"""The scores of a trace against the family of a case: soundness, coverage, precision, critical steps, first faults."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from holmes.derivations.derive import PartGraph, is_policy_level
from holmes.scoring.derivation.align import contradicted, matched
from holmes.scoring.derivation.claims import Claim, Reading
from holmes.scoring.derivation.decisive import decisive
from holmes.scoring.derivation.implied import implied
from holmes.scoring.derivation.reference import Reference
from holmes.scoring.derivation.targets import Target

PARTS = ("soundness", "coverage", "precision", "f1", "critical", "supported")


@dataclass(frozen=True, slots=True)
class Judgement:
    """One claim of a trace as it was taken: about which step, right or wrong, supported by what went before or not."""

    text: str
    label: str
    right: bool
    supported: bool
    order: int


@dataclass(frozen=True, slots=True)
class DerivationScore:
    """How a trace stands to the derivations of its case; every number in [0, 1].

    claims: aligned claims in their order, one a target. soundness: right among them. precision: of the claims, those
    that are steps of the member that fits best. coverage: of its steps, those claimed or implied. critical: of its
    critical steps, None where it has none. supported: share of the right claims that follow from the facts and earlier
    right claims. member: that member's labels. read: share of the step lines that were understood, None where there is
    no such line. contract: share of the step lines in the stated form, likewise. unsettled: a right answer given these
    claims is a shortcut, None where nothing was read.
    """

    claims: tuple[Judgement, ...]
    soundness: float
    coverage: float
    precision: float
    f1: float
    critical: float | None
    supported: float
    member: tuple[str, ...]
    read: float | None = None
    contract: float | None = None
    unsettled: bool | None = None

    @property
    def first_error(self) -> Judgement | None:
        """The first wrong claim."""
        return next((claim for claim in self.claims if not claim.right), None)

    @property
    def first_leap(self) -> Judgement | None:
        """The first claim that is right but does not follow from what came before it."""
        return next((claim for claim in self.claims if claim.right and not claim.supported), None)

    @property
    def weak(self) -> bool:
        """Whether less than half of the step lines were understood, so that the other figures say little."""
        return self.read is not None and self.read < 0.5

    def shortcut(self, answered_right: bool) -> bool | None:
        """Say whether a right answer was reached past the steps that decide it; None where nothing was read.

        True where a decisive conflict is neither claimed nor its loser said not to apply, a decisive Boolean step is
        denied, or no decisive positive step is claimed. Source: derivations.md, Scoring a trace, step 4.
        """
        return None if self.unsettled is None else answered_right and self.unsettled

    def numbers(self) -> dict[str, float]:
        """Return the scores by name; ``critical`` only where it is defined."""
        found = {name: getattr(self, name) for name in PARTS}
        return {name: float(value) for name, value in found.items() if value is not None}


def measured(reference: Reference, reading: Reading) -> DerivationScore:
    """Score what was read of a trace (derivations.md, Scoring a trace, steps 3 to 5).

    reading: claims in the order of the trace; those of the answer are no inferences and only support others.
    No claims give 0, and ``critical`` 0 where the case has critical steps.
    """
    derivations, claims = reference.derivations, reading.claims
    answers = reference.answers
    refuted = contradicted(claims) | {claim.target for claim in claims if not claim.right}
    told = matched(claims)
    kept = [claim for claim in told if not (claim.target.answer or _restated(reference, claim, refuted))]
    right = [claim for claim in kept if claim.right and claim.target not in refuted]
    settled = [
        target for part in reference.parts for target in part.by_key.values() if target.label in reference.settled
    ]
    known = reference.settled
    given = {claim.target.label for claim in right}
    member = reference.sole or derivations.family.best_f1(given, (reference.among - known) | given)
    wanted = {label for label in member if label in reference.among} - known
    critical = {label for label in wanted if label in reference.necessary or is_policy_level(label)} - answers
    reached = implied(reference.parts, [*(c.target for c in right), *settled], refuted) if given else frozenset()
    hit = len(given & wanted)
    coverage = len(reached & wanted) / len(wanted) if wanted and kept else 0.0
    precision = hit / len(kept) if kept else 0.0
    judged = tuple(_judged(reference, told, refuted))
    sound = [claim for claim in judged if claim.right]
    return DerivationScore(
        judged,
        len(right) / len(kept) if kept else 0.0,
        coverage,
        precision,
        2 * coverage * precision / (coverage + precision) if coverage and precision else 0.0,
        len(reached & critical) / len(critical) if critical else None,
        sum(claim.supported for claim in sound) / len(sound) if sound else 0.0,
        member,
        reading.understood / reading.steps if reading.steps else None,
        reading.contract / reading.steps if reading.steps else None,
        _unsettled(reference, wanted, [*(claim.target for claim in right), *settled], refuted) if kept else None,
    )


def _restated(reference: Reference, claim: Claim, refuted: Collection[Target]) -> bool:
    """Say whether a claim repeats rightly what the prompt gave."""
    return claim.target.label in reference.settled and claim.right and claim.target not in refuted


def _unsettled(
    reference: Reference, wanted: Collection[str], right: Collection[Target], refuted: Collection[Target]
) -> bool:
    """Say whether claims leave out, deny or never reach what decides the answer."""
    given = set(right)
    for part in reference.parts:
        for target in part.by_key.values():
            if target.kind == "conflict" and target.label in wanted and target not in given:
                loser = part.by_key.get(("applies", target.key[2], ""))
                said = loser is not None and loser in given
                if (not said or target in refuted) and decisive(part, target):
                    return True
    if any(not target.answer and target.type.kind == "bool" and _decides(reference, target) for target in refuted):
        return True
    positive = [t for t in given if t.value is True]
    positive.sort(key=lambda t: (t.kind not in ("applies", "conflict"), t.kind != "triggered"))
    if any(_decides(reference, target) for target in positive):
        return False
    steps = [t for part in reference.parts for t in part.by_key.values() if t.label in wanted and t.value is True]
    return any(_decides(reference, target) for target in steps)  # where nothing positive decides, nothing is missing


def _decides(reference: Reference, target: Target) -> bool:
    return target.node >= 0 and decisive(reference.parts[target.part], target)


def _judged(reference: Reference, told: Iterable[Claim], refuted: Collection[Target]) -> Iterator[Judgement]:
    known: set[str] = set(reference.settled)
    for claim in told:
        target, ok = claim.target, claim.right and claim.target not in refuted
        if not target.answer:
            graph = reference.parts[target.part].graph
            supported = ok and (
                target.node < 0 or target.label in reference.settled or supports(graph, target.node, known)
            )
            yield Judgement(claim.text, target.label, ok, supported, claim.order)
        if ok:
            known.add(target.label)


def supports(graph: PartGraph, node: int, known: Collection[str]) -> bool:
    """Say whether a step follows from the facts and the steps known: one alternative, down to the next labelled ones.

    known: labels; two records of a list may share one. Source: derivations.md, Scoring a trace, step 5.
    """
    seen: dict[int, bool] = {}

    def holds(inner: int) -> bool:
        label = graph.graph.info(inner)
        if label is not None:
            return label.kind == "fact" or graph.label(inner) in known
        if inner not in seen:
            seen[inner] = any(all(map(holds, alternative)) for alternative in graph.alternatives(inner))
        return seen[inner]

    return any(all(map(holds, alternative)) for alternative in graph.alternatives(node))
