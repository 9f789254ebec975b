"""Quality checks of counterfactual families over finance cases."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from holmes.cases import Case
from holmes.domains.finance.generate import components
from holmes.results import Gate, at_least

SPREAD = 0.1


def failing_rules(originals: Sequence[Case]) -> Iterator[Gate]:
    """Yield how the number of failing rules is spread over the parts of the originals where some fail."""
    fails = [min(len(part["fails"]), 3) for case in originals for part in components(case) if part["fails"]]
    for number in (1, 2, 3):
        scope = f"finance, {number}{' and more' if number == 3 else ''}"
        yield at_least("8 failing rules", scope, fails.count(number) / max(len(fails), 1), SPREAD)
