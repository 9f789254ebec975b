"""Conflict rules in replies: how many of the gold ones are cited, and how reasoning fares as conflicts grow."""

from __future__ import annotations

from collections.abc import Sequence

from holmes.cases import Case
from holmes.errors import InputError
from holmes.reading.citations import citations
from holmes.reading.thinking import final_reply
from holmes.registry import parts_of
from holmes.report.analyses import accuracy, part
from holmes.report.runs import Entry, Run
from holmes.report.tables import Cell, Table
from holmes.stats import Estimate, ratio_interval

KIND = "conflict"  # of a step that resolves a conflict


def gold_rules(case: Case) -> frozenset[int]:
    """Return the numbers of the rules that the gold trace resolves conflicts by."""
    return frozenset(int(step.rule) for step in case.trace if step.kind == KIND and step.rule.isdigit())


def conflict_rules(case: Case) -> frozenset[int] | None:
    """Return the numbers of all rules of a case that relate rules; None where its rule base is not at hand."""
    try:
        return frozenset(r.rule + p.offset for p in parts_of(case) for r in p.base.relations)
    except InputError:
        return None


def coverage(entries: Sequence[Entry]) -> tuple[Estimate, Estimate]:
    """Return recall and precision of conflict rules, pooled over cases, generations of a case averaged.

    Recall: of the gold conflict rules, those that the reply cites. Precision: of the conflict rules that it cites,
    the gold ones.
    """
    gold, cited, hits = [], [], []
    for entry in entries:
        wanted, known = gold_rules(entry.case), conflict_rules(entry.case)
        if known is None:
            continue
        told = [set(citations(final_reply(text or "").text)) & known for text in entry.texts]
        gold.append(float(len(wanted)))
        cited.append(sum(map(len, told)) / len(told))
        hits.append(sum(len(rules & wanted) for rules in told) / len(told))
    return ratio_interval(hits, gold), ratio_interval(hits, cited)


def by_conflicts(runs: Sequence[Run]) -> Table | None:
    """Accuracy, conflict rules and reasoning by the number of conflicts (HOLMES fig. 5); None without conflicts."""
    rows: list[tuple[Cell, ...]] = []
    for run in runs:
        groups: dict[int, list[Entry]] = {}
        for entry in run.entries:
            groups.setdefault(entry.case.difficulty.conflicts, []).append(entry)
        if not any(groups):
            continue
        for count in sorted(groups):
            entries = groups[count]
            parts = (part(entries, name) for name in ("rule_f1", "deriv_f1", "deriv_critical"))
            rows.append((run.name, str(count), len(entries), accuracy(entries), *coverage(entries), *parts))
    heads = ("run", "conflicts", "cases", "accuracy", "conflict rules cited (recall)", "precision", "rule F1",
             "derivation F1", "critical steps")  # fmt: skip
    note = "Recall: of the rules by which the gold trace resolves conflicts, those that the reply cites."
    return Table("conflicts", "Are conflicts resolved, or skipped?", heads, tuple(rows), 2, note) if rows else None
