"""The released golds derived again."""

from __future__ import annotations

from collections.abc import Iterator

from holmes.results import Disagreement, Solved
from holmes.sources.holmes_release.finance.gold import check, steps_of
from holmes.sources.holmes_release.law_gold import FIELDS, derive
from holmes.sources.holmes_release.law_import import find_root
from holmes.sources.holmes_release.law_rulebases import recover
from holmes.sources.holmes_release.names import NAME
from holmes.store import original

ROOT_FIELDS = ("final_no_liability", "final_result")


def solve_law(mode: str) -> Iterator[Solved]:
    """Solve the released law cases under the recovered rules, field by field of their golds."""
    for bundle in recover(find_root(original(NAME))):
        for case in bundle.cases:
            derived = derive(bundle, case, mode).fields
            gold = case.gold
            differences = tuple(
                Disagreement(case.id, name, gold.get(name), derived[name], "gold" if name in ROOT_FIELDS else "trace")
                for name in FIELDS
                if gold.get(name) != derived[name]
            )
            yield Solved(case.id, FIELDS, differences, derived["final_result"], derived["gold_rule_trace"])


def solve_finance() -> Iterator[Solved]:
    """Solve the released finance cases; their narratives stand beside the golds and do not count."""
    for checked in check(find_root(original(NAME))):
        result = "amount" if "amount" in checked.case.tags else "verdict"
        differences = []
        if checked.gold != checked.derived:
            differences.append(Disagreement(checked.case.id, result, checked.gold, checked.derived, checked.odd))
        lines = list(steps_of(checked))
        if lines:
            gold, derived = [other for _, _, other in lines], [one for _, one, _ in lines]
            differences.append(Disagreement(checked.case.id, "trace_steps", gold, derived, "trace"))
        if checked.trace != checked.released:
            differences.append(Disagreement(checked.case.id, "trace_text", checked.released, checked.trace, "trace"))
        beside = ("trace_steps", "trace_text")
        trace = checked.trace.splitlines()
        yield Solved(checked.case.id, (result, *beside), tuple(differences), checked.derived, trace, beside)
