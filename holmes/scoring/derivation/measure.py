"""The scores of a trace against the family of a case: soundness, coverage, precision, critical steps, first faults."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from holmes.derivations.derive import PartGraph, is_fact
from holmes.scoring.derivation.align import contradicted, matched
from holmes.scoring.derivation.claims import Claim
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

    claims: aligned claims in their order, one a target. soundness: right among them. coverage, precision, f1: of the
    right ones against the member that fits best. critical: share of its critical steps claimed rightly, None where it
    has none. supported: share of the right claims that follow from the facts and earlier right claims. member: that
    member's labels. first_error, first_leap: the first wrong claim, and the first right but unsupported one.
    """

    claims: tuple[Judgement, ...]
    soundness: float
    coverage: float
    precision: float
    f1: float
    critical: float | None
    supported: float
    member: tuple[str, ...]

    @property
    def first_error(self) -> Judgement | None:
        """The first wrong claim."""
        return next((claim for claim in self.claims if not claim.right), None)

    @property
    def first_leap(self) -> Judgement | None:
        """The first claim that is right but does not follow from what came before it."""
        return next((claim for claim in self.claims if claim.right and not claim.supported), None)

    def shortcut(self, answered_right: bool) -> bool | None:
        """Say whether a right answer was reached with less than half of the critical steps; None where undefined."""
        return None if self.critical is None else answered_right and self.critical < 0.5

    def numbers(self) -> dict[str, float]:
        """Return the scores by name; ``critical`` only where it is defined."""
        found = {name: getattr(self, name) for name in PARTS}
        return {name: float(value) for name, value in found.items() if value is not None}


def measured(reference: Reference, claims: Sequence[Claim]) -> DerivationScore:
    """Score the claims of a trace (derivations.md, Scoring a trace, steps 3 to 5).

    claims: in the order of the trace; those of the answer are no inferences and count only as support for others.
    No claims give 0, and ``critical`` 0 where the case has critical steps.
    """
    derivations = reference.derivations
    answers = derivations.answers()
    refuted = contradicted(claims)
    told = matched(claims)
    kept = [claim for claim in told if not claim.target.answer]
    right = [claim for claim in kept if claim.right and claim.target not in refuted]
    given = {claim.target.label for claim in right}
    among = {label for label in derivations.family.labels if not is_fact(label) and label not in answers} | given
    member = derivations.family.best_f1(given, among)
    wanted = set(derivations.inferences(member))
    critical = set(derivations.critical(member))
    hit = len(given & wanted)
    coverage = hit / len(wanted) if wanted and kept else 0.0
    precision = hit / len(kept) if kept else 0.0
    judged = tuple(_judged(reference, told, refuted))
    sound = [claim for claim in judged if claim.right]
    return DerivationScore(
        judged,
        len(right) / len(kept) if kept else 0.0,
        coverage,
        precision,
        2 * coverage * precision / (coverage + precision) if coverage and precision else 0.0,
        len(given & critical) / len(critical) if critical else None,
        sum(claim.supported for claim in sound) / len(sound) if sound else 0.0,
        member,
    )


def _judged(reference: Reference, told: Iterable[Claim], refuted: Collection[Target]) -> Iterator[Judgement]:
    known: set[str] = set()
    for claim in told:
        target, ok = claim.target, claim.right and claim.target not in refuted
        if not target.answer:
            graph = reference.parts[target.part].graph
            supported = ok and (target.node < 0 or supports(graph, target.node, known))
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
