"""What a task reports: accuracy, macro-F1 where there are two classes, abstention and error rates, with intervals."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from holmes.cases import Case
from holmes.errors import InputError
from holmes.results import Outcome, Score
from holmes.stats.bootstrap import REPLICATES, Interval, bootstrap
from holmes.stats.macro_f1 import macro_f1

_DENIALS = frozenset({"no", "contradiction", "dismissed"})


def summarise(
    cases: Sequence[Case],
    scores: Sequence[Sequence[Score]],
    *,
    compat: str | None = None,
    replicates: int = REPLICATES,
    seed: int = 0,
) -> dict[str, Interval]:
    """Summarise the scores of K outputs a case.

    cases: N cases. scores: one row a case, one score an output; nothing is left out. compat: None or "deontic-2026"
    (a class absent from a sample counts 0). Returns accuracy, abstained, wrong and failed, each with its interval, and
    where there are such cases numeric_accuracy over the amounts and macro_f1 over the cases that have two classes
    (the two columns of the paper's table, pooled over tasks; its figures are the `mean` of the replicates).
    Raises InputError where the numbers of rows differ.
    """
    if len(cases) != len(scores):
        raise InputError(f"summary: found {len(scores)} rows of scores for {len(cases)} cases, expected as many")

    def rate(holds: Callable[[Score], bool], rows: Sequence[Sequence[Score]] = scores) -> Interval:
        return bootstrap([[float(holds(s)) for s in row] for row in rows], replicates=replicates, seed=seed)

    found = {
        "accuracy": rate(lambda s: s.outcome is Outcome.RIGHT),
        "abstained": rate(lambda s: not s.outcome.answered),
        "wrong": rate(lambda s: s.outcome is Outcome.WRONG),
        "failed": rate(lambda s: s.outcome is Outcome.FAILED),
    }
    amounts = [row for case, row in zip(cases, scores, strict=True) if case.answer_type == "amount"]
    if amounts:
        found["numeric_accuracy"] = rate(lambda s: s.outcome is Outcome.RIGHT, amounts)
    pairs = zip(cases, scores, strict=True)
    binary = [(case, row) for case, row in pairs if case.answer_type == "label" and len(case.choices) == 2]
    if binary:
        # classes are named by polarity, so that tasks with other words for them, or in another order, pool
        golds = [_name(case, case.answer) for case, _ in binary]
        outputs = [[_class(case, s) for s in row] for case, row in binary]
        absent = "zero" if compat == "deontic-2026" else "omit"
        found["macro_f1"] = macro_f1(golds, outputs, ("0", "1"), absent=absent, replicates=replicates, seed=seed)
    return found


def _class(case: Case, score: Score) -> str | None:
    if not score.outcome.answered or score.answer not in case.choices:
        return None
    return _name(case, score.answer)


def _name(case: Case, label: str) -> str:
    """Return "0" for the denying one of two labels and "1" for the other; by position where neither or both deny."""
    denies = [choice.casefold() in _DENIALS for choice in case.choices]
    return str(case.choices.index(label)) if denies[0] == denies[1] else str(int(label.casefold() not in _DENIALS))
