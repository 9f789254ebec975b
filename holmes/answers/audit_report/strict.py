"""Audit reports read strictly: the whole reply is one JSON object of the schema that the prompt asks for."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from holmes.answers.audit_report.form import form_of
from holmes.cases import Case
from holmes.reading.amounts import amount
from holmes.reading.repair import strict_json

ROW = ("subject", "failing_rules", "verdict")
"""The keys of each item of a report of several parts; a report of one part has a reason in place of the subject."""


_FENCE = re.compile(
    r"(?P<mark>`{3,}|~{3,})[ \t]*(?:json)?[ \t]*\r?\n(?P<inner>.*?)\r?\n?(?P=mark)", re.DOTALL | re.IGNORECASE
)


def strict_answers(case: Case, text: str, gold: Mapping[str, str]) -> dict[str, str]:
    """Return the answers of a reply that keeps to its contract, by subject of the gold; {} for any other.

    text: the reply without its reasoning. A code fence around the object is
    no part of it. The object has every key of the schema and none twice, labels as listed,
    amounts as numbers, `failing_rules` as a list; its items are the subjects, each once, in their order. Further keys
    are allowed. A label that is none of those listed leaves its subject out.
    """
    fence = _FENCE.fullmatch(text.strip())
    value = strict_json(fence["inner"] if fence else text.strip(), unique=True)
    if not isinstance(value, dict):
        return {}
    if whole := form_of(case).answer:
        return _whole(case, value.get(whole), gold)
    if case.answer_type != "report":
        key = "amount" if case.answer_type == "amount" else "verdict"
        return _one(case, value[key]) if _has(value, ("failing_rules", key, "reason")) else {}
    items = value.get("items")
    if not isinstance(items, list) or not all(isinstance(row, dict) and _has(row, ROW) for row in items):
        return {}
    if [row["subject"] for row in items] != list(gold):
        return {}
    return {row["subject"]: label for row in items if (label := _exact(case, row["verdict"]))}


def _whole(case: Case, given: object, gold: Mapping[str, str]) -> dict[str, str]:
    """Read an answer that stands under one key: a list of verdicts for a case of several subjects."""
    if case.answer_type != "report":
        return _one(case, given)
    if not isinstance(given, list) or len(given) != len(gold):
        return {}
    labels = (_exact(case, label) for label in given)
    return {name: label for name, label in zip(gold, labels, strict=True) if label}


def _one(case: Case, given: object) -> dict[str, str]:
    if case.answer_type == "amount":
        number = isinstance(given, int | Fraction) and not isinstance(given, bool)
        return {"": case.answer} if number and given == amount(case.answer) else {}
    label = _exact(case, given)
    return {"": label} if label else {}


def _has(value: Mapping[str, Any], keys: tuple[str, ...]) -> bool:
    return all(key in value for key in keys) and isinstance(value["failing_rules"], list)


def _exact(case: Case, text: object) -> str:
    shown = {alias.text[0]: alias.label for alias in case.aliases if alias.text} or {c: c for c in case.choices}
    return shown.get(text, "") if isinstance(text, str) else ""
