"""The checks of a finance report: of which rules it says that they fail, held against the rules that do."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from holmes.answers.audit_report.form import form_of
from holmes.cases import Case
from holmes.errors import InputError
from holmes.reading.citations import citations
from holmes.reading.plain import characters
from holmes.reading.report import FAILING, read_reports
from holmes.reading.rows import Row, opened, read_rows, under

_NONE = re.compile(r"[\W_]*(?:(?:there (?:are|is) )?(?:none|nothing|nil|n/?a|no)(?: failing| failed)?(?: rules?)?"
                   r"(?: fails?| failed)?)?[\W_]*", re.IGNORECASE)  # fmt: skip
_RULE_KEY = re.compile(r"^(?:failing_?|failed_?)?(?:rules?|number|no|id)(?:_?(?:number|no|id))?$", re.IGNORECASE)
_NUMBER = r"\d{1,4}(?![\d.]*\d)"
_LEADING = re.compile(
    rf"\W*R?((?<![\d.]){_NUMBER}(?:\s*(?:,|;|/|&|-|–|\band\b|\bto\b)+\s*R?{_NUMBER})*)", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Check:
    """One rule asked for in one part of a case.

    rule: its number in the policy. passes: what is so. read: what the report says; None where it lists no failures.
    """

    subject: str
    clause: str
    rule: int
    passes: bool
    read: bool | None

    @property
    def right(self) -> bool:
        """Say whether the report is right about the rule; a report that says nothing is not."""
        return self.read is self.passes


def judge_checks(case: Case, text: str) -> list[Check]:
    """Return every check of one of our finance cases with what a reply says of it.

    text: the reply without its reasoning; the last report that lists failures counts. A rule with a waiver fails in the
    report if it names the number of the rule or that of the waiver. Empty where the case does not record its checks.
    """
    parts = noted(case)
    many = case.answer_type == "report"
    read = _failing(case, text, many) if parts else {}
    found = []
    for part in parts:
        subject = part["subject"] if many else ""
        named = read.get(subject)
        for rule, waives, passes in part["checks"]:
            says = None if named is None else not named & {rule, waives}
            found.append(Check(subject, part["clause"], rule, passes, says))
    return found


def failures(checks: Sequence[Check]) -> dict[str, float]:
    """Return how well a report finds the rules that fail, which agreement on all rules hides where few do.

    fail_recall: share of the failing rules that it names, left out where no rule fails. fail_precision: share of the
    rules
    that it names, among those asked for, that fail; left out where it names none.
    """
    failing = [check for check in checks if not check.passes]
    named = [check for check in checks if check.read is False]
    found = sum(check.right for check in failing)
    recall = {"fail_recall": found / len(failing)} if failing else {}
    return recall | ({"fail_precision": found / len(named)} if named else {})


def noted(case: Case) -> list[dict[str, Any]]:
    """Return what one of our cases records of its parts: clause, subject, checks; [] where it records nothing.

    Raises InputError for a record that is none.
    """
    if not case.plan or not form_of(case).checks:
        return []
    try:
        parts = json.loads(case.plan)["parts"]
        return [{**part, "subject": str(part["subject"]), "clause": str(part["clause"]),
                 "checks": [(int(rule), int(waives), bool(passes)) for rule, waives, passes in part.get("checks", ())]}
                for part in parts]  # fmt: skip
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise InputError(
            f"case {case.id!r}: field plan: found {case.plan!r:.80}, expected parts with subject, clause and checks"
        ) from error


def _failing(case: Case, text: str, many: bool) -> dict[str | None, set[int]]:
    """Return the numbers of the rules that fail by the reports of a reply, by subject; the last list on each counts."""
    if many:
        from holmes.answers.audit_report.judge import subjects_of

        rows = read_rows(text, subjects_of(case))
    else:
        rows = [Row("", report.value) for report in read_reports(text)]
    found: dict[str | None, set[int]] = {}
    for row in rows:
        listed = under(row.fields, FAILING)
        numbers = failing_numbers(listed[0]) if listed else None
        if numbers is not None:
            found[row.subject] = numbers
    return found


def failing_numbers(value: object) -> set[int] | None:
    """Return the rule numbers that a value lists; an empty set where it says that none fails.

    value: a list, a text, a number or an object: 41, "Rule 41", "41 and 46", ["41 (invoice)"], [{"rule": 41}],
    {"41": "no invoice"}, [], "none", null.
    Returns None where it says neither, such as the placeholder of the schema: then nothing is known of any rule.
    """
    value = opened(value)
    if isinstance(value, dict) and value and not any(_RULE_KEY.search(str(key)) for key in value):
        value = [key for key, said in value.items() if said is not False]
    if value is None or isinstance(value, list):
        read = [numbers for one in value or () if (numbers := failing_numbers(one)) is not None]
        return set().union(*read) if read or not value else None
    return _listed(value)


def _listed(value: object) -> set[int] | None:
    if isinstance(value, dict):
        value = next((v for key, v in value.items() if _RULE_KEY.search(str(key))), "<none named>")
    if isinstance(value, bool) or not isinstance(value, int | str):
        return None
    text = re.sub(r"\(.*?\)", " ", characters(str(value)))
    if _NONE.fullmatch(text):
        return set()
    numbers = citations(text, bare=True)
    if not numbers and (leading := _LEADING.match(text)):
        numbers = citations(f"Rules {leading[1]}", bare=True)
    return set(numbers) or None
