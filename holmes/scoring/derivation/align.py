"""Claims to targets one to one: contradictions first, then a maximum-weight matching (steps 2 and 3)."""

from __future__ import annotations

from collections.abc import Sequence

from holmes.scoring.derivation.claims import Claim
from holmes.scoring.derivation.targets import Target


def contradicted(claims: Sequence[Claim]) -> frozenset[Target]:
    """Return the targets to which a trace gives two different values: none of these claims can be right."""
    first: dict[Target, Claim] = {}
    return frozenset(claim.target for claim in claims if first.setdefault(claim.target, claim).value != claim.value)


def matched(claims: Sequence[Claim]) -> list[Claim]:
    """Match claims to targets, each at most once, with the greatest total weight; the rest repeat what is matched.

    Returns the matched claims in their order. Step 2 has left every claim exactly one target, so no two targets compete
    for a claim: the maximum-weight matching is the heaviest claim of each target, the first one of equals.
    """
    best: dict[Target, Claim] = {}
    for claim in claims:
        if claim.target not in best or claim.weight > best[claim.target].weight:
            best[claim.target] = claim
    return sorted(best.values(), key=lambda claim: claim.order)
