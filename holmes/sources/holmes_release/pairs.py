"""Counterfactual families of the released law cases, made when they are asked for."""

from __future__ import annotations

import functools
from collections.abc import Sequence

from holmes.cases import Case
from holmes.counterfactual.families import ROBUST, family
from holmes.errors import InputError
from holmes.sources.holmes_release.names import COUNTERFACTUAL, LAW
from holmes.store import load_cases


@functools.lru_cache(maxsize=2)
def families(split: str, seed: int) -> Sequence[Case]:
    """Return originals, decisive changes and controls, family by family.

    split: ``test`` (a single change decides) or ``every`` (robust cases too). Cases whose gold does not follow from
    their facts are left out. Raises InputError for another split, or where the release is not imported.
    """
    if split not in ("test", "every"):
        raise InputError(f"{COUNTERFACTUAL}: found no split {split!r}, expected one of every, test")
    made = (family(case, seed) for case in load_cases(LAW) if case.derivations)
    return tuple(
        member for found in made if found and (split == "every" or ROBUST not in found[0].tags) for member in found
    )
