"""Reports of any JSON shape: every field of the gold is compared with the field of that name."""

from __future__ import annotations

import json
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from holmes.answers.kind import Kind, cited, key, unread
from holmes.cases import Case
from holmes.errors import InputError
from holmes.interfaces import Strictness
from holmes.reading.amounts import amount
from holmes.reading.report import read_report
from holmes.reading.thinking import Reply
from holmes.results import Judged, Outcome

LIST_KEYS = ("answer", "answers", "final_answer", "results", "result", "verdicts", "labels")


class Fields(Kind):
    """A JSON object, or a list under one of the keys that lists stand under."""

    name = "report"

    def contract(self, case: Case, *, trace: str = "none") -> str:
        """Return the object that a prompt asks for: the keys of the gold, or a list under ``answer``."""
        gold = _gold(case)
        if isinstance(gold, dict):
            keys: dict[str, Any] = {key: f"<{key}>" for key in gold}
        else:
            keys = {"answer": ["<answer>"] if isinstance(gold, list) else "<answer>"}
        return json.dumps(keys, ensure_ascii=False)

    def empty(self, case: Case) -> Mapping[str, float]:
        """Return the share of right fields of a reply that never came."""
        return {"fields": 0.0}

    def judge(self, case: Case, reply: Reply, *, cut: bool, strictness: Strictness) -> Judged:
        """Compare the last report of a reply field by field; raises InputError for a gold that is no JSON."""
        gold = _gold(case)
        wanted = gold if isinstance(gold, dict) else {"answer": gold}
        report = read_report(reply.text)
        if report is None:
            judged = unread(None, reply)
            return Judged(judged.outcome, None, judged.reason.replace("answer", "report"), {"fields": 0.0})
        found = dict(report.value)
        if not isinstance(gold, dict):
            found = {"answer": next((found[k] for k in LIST_KEYS if k in found), None)}
        if missing := [key for key in wanted if found.get(key) is None]:
            return Judged(Outcome.MALFORMED, None, f"the report lacks {', '.join(missing)}", {"fields": 0.0})
        wrong = [key for key, value in wanted.items() if not same(found[key], value)]
        outcome = Outcome.WRONG if wrong else Outcome.RIGHT
        reason = f"wrong: {', '.join(wrong)}" if wrong else "every field is right"
        read = json.dumps({key: found[key] for key in wanted}, ensure_ascii=False, default=str)
        return Judged(outcome, read, reason, {"fields": 1 - len(wrong) / len(wanted) if wanted else 1.0}, "contract")

    def canonical(self, case: Case, answer: str) -> str:
        """Return the report with sorted keys."""
        try:
            return json.dumps(json.loads(answer), sort_keys=True)
        except ValueError:
            return answer

    def gold_reply(self, case: Case) -> str:
        """Return the trace, where there is one, and the gold as a fenced JSON object."""
        steps = ["Reasoning:", *cited(case)] if case.trace else []
        return "\n".join([*steps, f"```json\n{case.answer}\n```"])


def _gold(case: Case) -> Any:
    try:
        return json.loads(case.answer, parse_float=Fraction)
    except ValueError as error:
        raise InputError(f"case {case.id!r}: field answer: found {case.answer!r:.80}, expected JSON") from error


def same(found: Any, gold: Any) -> bool:
    """Equality of report values: lists by position and length, amounts as numbers, labels without case."""
    if isinstance(gold, list):
        return isinstance(found, list) and len(found) == len(gold) and all(map(same, found, gold))
    if isinstance(gold, Mapping):
        return isinstance(found, Mapping) and all(key in found and same(found[key], gold[key]) for key in gold)
    if isinstance(gold, bool) or isinstance(found, bool):
        return key(str(found)) == key(str(gold))
    number = amount(str(gold))
    if number is not None:
        return amount(str(found)) == number
    return key(str(found)) == key(str(gold))
