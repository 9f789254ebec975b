"""Audit reports as a kind of answer."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from holmes.answers.audit_report.form import Form
from holmes.answers.audit_report.judge import judge
from holmes.answers.fields import LIST_KEYS, Fields, same
from holmes.cases import Case
from holmes.interfaces import Strictness
from holmes.reading.amounts import amount
from holmes.reading.repair import strict_json
from holmes.reading.thinking import Reply
from holmes.results import Judged, Outcome


class AuditReport(Fields):
    """A verdict or an amount for each subject of a claim, with the rules that fail."""

    name = "audit report"
    layout = "report"

    def __init__(self, form: Form) -> None:
        super().__init__()
        self.form = form

    def empty(self, case: Case) -> Mapping[str, float]:
        """Return the shares of a reply that never came; of cases that record no checks none are known."""
        known = ("checks",) if self.form.checks else ()
        return dict.fromkeys((*known, "items", "items_strict", "accuracy_strict"), 0.0)

    def judge(self, case: Case, reply: Reply, *, cut: bool, strictness: Strictness) -> Judged:
        """Compare subject by subject, tolerantly and strictly."""
        return judge(case, reply, cut)

    def canonical(self, case: Case, answer: str) -> str:
        """Return one text for equal amounts and for equal reports."""
        if case.answer_type == "amount":
            value = amount(answer)
            return answer if value is None else str(value)
        return super().canonical(case, answer) if case.answer_type == "report" else answer

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
