"""The matrix of wordings: nothing inverted, nearly everything read exactly."""

from __future__ import annotations

import random
from collections import Counter

from holmes.scoring.derivation.reference import reference_of
from tests.derivation.made import sample
from tests.derivation.wordings import CITED, COUNT, figures


def test_wordings_are_read_exactly_and_never_turned_round():
    """At least 77 wordings in six ways of citing, several rule bases: inverted at most .5 %, exact at least 99 %."""
    assert COUNT >= 77 and len(CITED) == 6
    found: Counter[str] = Counter()
    for seed, case in enumerate(sample("law", 60)):
        numbers, _ = figures(reference_of(case), random.Random(seed))
        found.update(numbers)
    total = sum(found.values())
    assert total >= COUNT * 6 * 4
    assert found["inverted"] <= 0.005 * total and found["exact"] >= 0.99 * total, found
