"""Audit reports as a kind of answer."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from holmes.answers.audit_report.checks import noted
from holmes.answers.audit_report.form import Form
from holmes.answers.audit_report.gold import golds_of
from holmes.answers.audit_report.judge import judge
from holmes.answers.fields import LIST_KEYS, Fields, same
from holmes.answers.kind import cited
from holmes.cases import Case
from holmes.interfaces import Strictness
from holmes.reading.amounts import amount
from holmes.reading.repair import strict_json
from holmes.reading.thinking import Reply
from holmes.results import Judged, Outcome, Score

METRICS = {
    "item_acc": "items",
    "check_acc": "checks",
    "acc_strict": "accuracy_strict",
    "item_acc_strict": "items_strict",
    "fail_recall": "fail_recall",
    "fail_precision": "fail_precision",
}
"""Figure -> part of the score that it is the mean of."""
OPTIONAL = ("fail_recall", "fail_precision")
"""Undefined where no rule fails, or where none is said to."""


class AuditReport(Fields):
    """A verdict or an amount for each subject of a claim, with the rules that fail."""

    name = "audit report"
    layout = "report"

    def __init__(self, form: Form) -> None:
        super().__init__()
        self.form = form

    def contract(self, case: Case, *, trace: str = "none") -> str:
        """Return the schema of the report as the prompt prints it, with the steps where they are asked for."""
        return self.form.contract(case, trace)

    def empty(self, case: Case) -> Mapping[str, float]:
        """Return the shares of a reply that never came; of cases that record no checks none are known."""
        known = ("checks",) if self.form.checks else ()
        return dict.fromkeys((*known, "items", "items_strict", "accuracy_strict"), 0.0)

    def judge(self, case: Case, reply: Reply, *, cut: bool, strictness: Strictness) -> Judged:
        """Compare subject by subject, tolerantly and strictly."""
        return judge(case, reply, cut)

    def metrics(self, scores: Sequence[Score]) -> Mapping[str, float]:
        """Return the means of the report's parts over the outputs of a case.

        What no output defines is left out; recall and precision of failing rules are means over the outputs that
        define them, other parts count 0 where a report was not read.
        """
        found = {}
        for name, part in METRICS.items():
            held = [score.parts[part] for score in scores if part in score.parts]
            if held:
                found[name] = sum(held) / (len(held) if name in OPTIONAL else len(scores))
        return found

    def canonical(self, case: Case, answer: str) -> str:
        """Return one text for equal amounts and for equal reports."""
        if case.answer_type == "amount":
            value = amount(answer)
            return answer if value is None else str(value)
        return super().canonical(case, answer) if case.answer_type == "report" else answer

    def gold_reply(self, case: Case) -> str:
        """Return the one JSON object that the contract asks for: steps, the rules that fail, verdict or amount."""
        if self.form.answer:
            listed = json.loads(case.answer) if case.answer_type == "report" else self._written(case, case.answer)
            return json.dumps({"steps": cited(case), self.form.answer: listed}, ensure_ascii=False)
        key, several = "amount" if case.answer_type == "amount" else "verdict", case.answer_type == "report"
        fails = {
            part["subject"] if several else "": [rule for rule, _, passes in part["checks"] if not passes]
            for part in noted(case)
        }
        rows = [
            {"subject": subject, "failing_rules": fails.get(subject, []), key: self._written(case, gold)}
            for subject, gold in golds_of(case).items()
        ]
        if not several:
            rows[0] |= {"reason": "as the steps say"}
            del rows[0]["subject"]
        return json.dumps({"steps": cited(case), **({"items": rows} if several else rows[0])}, ensure_ascii=False)

    def _written(self, case: Case, gold: str) -> Any:
        """Return a verdict as the prompt spells it, or an amount as a JSON number."""
        number = amount(gold) if case.answer_type == "amount" else None
        if number is not None:
            return int(number) if number.denominator == 1 else float(number)
        return gold if self.form.answer else self.shown(replace(case, answer=gold))

    def published(self, case: Case, text: str | None) -> Judged:
        """Read as the authors of HOLMES do: the whole text must be one JSON object; its answer is compared.

        Lists by position and length with labels without case, single labels exactly, amounts as numbers. Whatever does
        not parse (fences, prose, reasoning, trailing commas) scores 0.
        """
        parsed = strict_json(text or "")
        report = parsed if isinstance(parsed, dict) else {}
        found = next((report[key] for key in (*LIST_KEYS, *reversed(report)) if key in report), None)
        gold: Any = json.loads(case.answer) if case.answer_type == "report" else case.answer
        right = found is not None and (str(found) == gold if case.answer_type == "label" else same(found, gold))
        outcome = Outcome.RIGHT if right else Outcome.WRONG if found is not None else Outcome.ABSTAINED
        outcome = Outcome.FAILED if text is None else outcome
        reason = f"read {found!r:.80} from strict JSON, gold {case.answer!r:.80}"
        return Judged(outcome, None if found is None else str(found), reason)
