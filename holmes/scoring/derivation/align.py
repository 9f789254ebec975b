"""Claims to targets one to one: contradictions first, then a maximum-weight matching (steps 2 and 3)."""

from __future__ import annotations

from collections.abc import Sequence

from holmes.scoring.derivation.claims import Claim
from holmes.scoring.derivation.targets import Target


def contradicted(claims: Sequence[Claim]) -> frozenset[Target]:
    """Return the targets to which a trace gives two different values: none of these claims can be right."""
    first: dict[Target, Claim] = {}
    return frozenset(claim.target for claim in claims if first.setdefault(claim.target, claim).value != claim.value)


def matched(claims: Sequence[Claim], order: Sequence[Target]) -> list[Claim]:
    """Match claims to targets, each at most once, with the greatest total weight; the rest repeat what is matched.

    order: the targets in label order, which with the order of the claims breaks ties.
    Returns the matched claims in their order. Its time does not grow with the square of the claims: of the claims
    about one target only the heaviest, first one can be matched, and there are no more targets than the case has.
    """
    import numpy as np
    from scipy.optimize import linear_sum_assignment

    best: dict[Target, Claim] = {}
    for claim in claims:
        if claim.target not in best or claim.weight > best[claim.target].weight:
            best[claim.target] = claim
    rows = {target: place for place, target in enumerate(dict.fromkeys((*order, *best)))}
    chosen = sorted(best.values(), key=lambda claim: (rows[claim.target], claim.order))
    if not chosen:
        return []
    weights = np.zeros((len(chosen), len(chosen)))
    for place, claim in enumerate(chosen):
        weights[place, place] = claim.weight
    left, right = linear_sum_assignment(weights, maximize=True)
    kept = [chosen[j] for i, j in zip(left, right, strict=True) if weights[i, j] > 0]
    return sorted(kept, key=lambda claim: claim.order)
