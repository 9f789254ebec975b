"""Gate 7: traces are whole closures, families are complete, and a fair share of cases has more than one member."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from holmes.cases import Case
from holmes.derivations.operations import annotate
from holmes.registry import derivations_of, domain_of
from holmes.results import Gate, at_least, at_most


def families(cases: Sequence[Case], scope: str) -> Iterator[Gate]:
    """Yield the gates of some cases of ours; all is worked out again from facts and rule base and compared.

    A family is complete where every member is listed with the case.
    """
    partial = sum(any(d.field == "trace" for d in domain_of(case).solve(case).differences) for case in cases)
    stored = annotated = 0
    for case in cases:
        found = derivations_of(case)
        stored += _differ(case, found.fields())
        annotated += _differ(case, annotate(found).fields())
    total = max(len(cases), 1)
    yield at_most("7 traces that are not the closure", scope, partial, 0)
    yield at_most("7 families other than stored", scope, stored, 0)
    yield at_most("7 types other than stored", scope, annotated, 0)
    yield at_least("7 families complete", scope, sum(case.derivations_complete for case in cases) / total, 0.99)
    several = sum(len(case.derivations) > 1 for case in cases)
    yield at_least("7 cases with several derivations", scope, several / total, 0.30)


def _differ(case: Case, fields: dict[str, object]) -> bool:
    return any(getattr(case, name) != value for name, value in fields.items())
