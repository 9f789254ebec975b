"""Tables of a run of finance tasks: by rule, by clause, and by the category of the person."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

from holmes.answers.audit_report.checks import Check, judge_checks, noted
from holmes.answers.audit_report.judge import read_answers
from holmes.cases import Case
from holmes.reading.thinking import final_reply

CATEGORIES = ("title", "role", "standing")  # facts that tell the category of a person


def tables(rows: Sequence[tuple[Case, Sequence[str | None]]]) -> dict[str, list[dict[str, Any]]]:
    """Return the tables of a run: by rule, by clause, and by the category of the person.

    rows: case and its K replies. Of each rule: n, accuracy, missed (it fails, the report does
    not say so), false_alarms, silent (no failing rules named at all), as shares of n. Of clauses and categories: parts
    and the share of them whose verdict is right.
    """
    rules: dict[tuple[str, int], list[Check]] = defaultdict(list)
    kinds: dict[tuple[str, str], list[bool]] = defaultdict(list)
    for case, texts in rows:
        for text in texts or [""]:
            reply = final_reply(text or "")
            for check in judge_checks(case, reply.text):
                rules[check.clause, check.rule].append(check)
            golds, read = read_answers(case, reply)
            for number, part in enumerate(noted(case), 1):
                subject = part["subject"] if case.answer_type == "report" else ""
                right = read.get(subject) == golds.get(subject)
                kinds["clause", part["clause"]].append(right)
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
