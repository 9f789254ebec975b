"""A case of ours solved again: the derived answer and trace held against the gold."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from holmes.cases import Case, Step
from holmes.results import Disagreement, Solved


def resolved(case: Case, answer: str, steps: Sequence[Step]) -> Solved:
    """Compare an answer and a trace, derived again, with those of a case.

    steps: of the whole trace; rule, kind and value of each are compared, the words are not.
    Returns the fields ``answer`` and ``trace``.
    """
    again, shown = [_said(step) for step in steps], [_said(step) for step in case.trace]
    differences = []
    if answer != case.answer:
        differences.append(Disagreement(case.id, "answer", case.answer, answer, "gold"))
    if again != shown:
        ours, theirs = Counter(again), Counter(shown)
        gold, derived = sorted((theirs - ours).elements()), sorted((ours - theirs).elements())
        differences.append(Disagreement(case.id, "trace", gold or "order", derived or "order", "trace"))
    return Solved(case.id, ("answer", "trace"), tuple(differences), answer, [s.rule for s in case.trace if s.rule])


def _said(step: Step) -> tuple[str, str, str]:
    return step.rule, step.kind, step.result
