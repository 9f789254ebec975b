"""The checks of a finance report: of which rules it says that they fail, held against the rules that do; and tables."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from holmes.cases import Case
from holmes.reading.report import FAILING, read_reports

LISTS = ("items", "results", "subjects", "verdicts", "answers", "claims", "report", "decisions")
CATEGORIES = ("title", "role", "standing")  # facts that tell the category of a person


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

    text: the reply without its reasoning; its last report counts. A rule with a waiver fails in the report if it names
    the number of the rule or that of the waiver. Empty where the case does not record its checks.
    """
    parts = _noted(case)
    many = case.answer_type == "report"
    read = _failing(case, text, [str(part["subject"]) for part in parts] if many else [])
    found = []
    for part in parts:
        subject = str(part["subject"]) if many else ""
        named = read.get(subject)
        for rule, waives, passes in part.get("checks", ()):
            says = None if named is None else not named & {rule, waives}
            found.append(Check(subject, str(part["clause"]), rule, bool(passes), says))
    return found


def _noted(case: Case) -> list[dict[str, Any]]:
    try:
        return list(json.loads(case.plan)["parts"]) if case.plan else []
    except (ValueError, KeyError, TypeError):
        return []


def _failing(case: Case, text: str, subjects: Sequence[str]) -> dict[str, set[int]]:
    """Return the numbers of the rules that fail by the report, by subject; "" where the case has one part."""
    from holmes.scoring.reports import subject_of, under

    found: dict[str, set[int]] = {}
    for report in read_reports(text):
        if not subjects:
            listed = under(report.value, FAILING)
            if listed:
                found[""] = _numbers(listed[0])
            continue
        for name, row in _rows(report.value):
            subject, listed = subject_of(name, subjects), under(row, FAILING)
            if subject and listed:
                found[subject] = _numbers(listed[0])
    return found


def _rows(value: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield (subject, row) of a report: rows of a list, rows by subject, or the report itself as a row."""
    from holmes.scoring.reports import SUBJECTS, key_of, under

    plain = {key_of(key): inner for key, inner in value.items()}
    held: list[Any] = [plain[key] for key in LISTS if key in plain] or [value]
    for inner in held:
        if isinstance(inner, dict):
            if any(key_of(key) in SUBJECTS for key in inner):
                inner = [inner]
            else:
                yield from ((name, row) for name, row in inner.items() if isinstance(row, dict))
                continue
        for row in inner if isinstance(inner, list) else ():
            if isinstance(row, dict):
                name = next((v for v in under(row, SUBJECTS) if isinstance(v, str | int)), None)
                if name is not None:
                    yield str(name), row


def _numbers(value: object) -> set[int]:
    """Return the rule numbers in a list, a text or a number: 41, "Rule 41", "41 and 46", ["41 (invoice)"]."""
    values: Iterable[object] = value if isinstance(value, list) else [value]
    found: set[int] = set()
    for one in values:
        if isinstance(one, dict):
            one = next((v for key, v in one.items() if "rule" in str(key).lower() or "number" in str(key).lower()), "")
        bare = re.sub(r"\(.*?\)", "", str(one))
        found |= {int(number) for number in re.findall(r"(?<![\d.])\d{1,4}(?![\d.]*\d)", bare)}
    return found


# ---------------------------------------------------------------- tables
def tables(rows: Sequence[tuple[Case, Sequence[str | None]]]) -> dict[str, list[dict[str, Any]]]:
    """Return the tables of a run: by rule, by clause, and by the category of the person.

    rows: case and its K replies. Of each rule: n, accuracy, missed (it fails, the report does
    not say so), false_alarms, silent (no failing rules named at all), as shares of n. Of clauses and categories: parts
    and the share of them whose verdict is right.
    """
    from holmes.reading.thinking import final_reply
    from holmes.scoring.reports import read_answers

    rules: dict[tuple[str, int], list[Check]] = defaultdict(list)
    kinds: dict[tuple[str, str], list[bool]] = defaultdict(list)
    for case, texts in rows:
        for text in texts or [""]:
            reply = final_reply(text or "")
            for check in judge_checks(case, reply.text):
                rules[check.clause, check.rule].append(check)
            golds, read = read_answers(case, reply)
            for number, part in enumerate(_noted(case), 1):
                subject = str(part["subject"]) if case.answer_type == "report" else ""
                right = read.get(subject) == golds.get(subject)
                kinds["clause", str(part["clause"])].append(right)
                prefix = f"{number}." if case.answer_type == "report" else ""
                held = {fact.name: fact.value for fact in case.facts}
                for name in CATEGORIES:
                    if prefix + name in held:
                        kinds[name, held[prefix + name].replace("_", " ")].append(right)
    return {
        "checks": [
            {
                "clause": clause,
                "rule": rule,
                "n": len(seen),
                "accuracy": _share(check.right for check in seen),
                "missed": _share(check.read is True and not check.passes for check in seen),
                "false_alarms": _share(check.read is False and check.passes for check in seen),
                "silent": _share(check.read is None for check in seen),
            }
            for (clause, rule), seen in sorted(rules.items(), key=lambda pair: pair[0][1])
        ],
        "subjects": [
            {"by": by, "subject": subject, "n": len(seen), "accuracy": _share(seen)}
            for (by, subject), seen in kinds.items()
        ],
    }


def _share(values: Iterable[bool]) -> float:
    listed = list(values)
    return round(sum(listed) / len(listed), 4) if listed else 0.0
