"""A sample of each kind of shipped finance case, and one reply in the schema asked for."""

import json

import pytest

from holmes.cases import Case
from holmes.domains.finance.handbook import SHOWN
from holmes.store import load_cases


@pytest.fixture(scope="session")
def shipped() -> list[Case]:
    return load_cases("finance")


@pytest.fixture(scope="session")
def smoke() -> list[Case]:
    return load_cases("finance", "smoke")


def shown(label: str) -> str:
    """Return the spelling of a verdict that the prompt asks for."""
    return SHOWN[label][0]


def report(case: Case, changed: dict[str, str] | None = None) -> dict[str, object]:
    """Return the report that a flawless model writes; changed: verdicts by subject that are put in instead."""
    if case.answer_type == "amount":
        number = float(case.answer) if "." in case.answer else int(case.answer)
        return {"failing_rules": [], "amount": number, "reason": "the limits of the clause"}
    if case.answer_type == "label":
        verdict = (changed or {}).get("", case.answer)
        return {"failing_rules": [12], "verdict": shown(verdict), "reason": "a rule of the clause"}
    rows = json.loads(case.answer)
    verdicts = {row["subject"]: row["verdict"] for row in rows} | (changed or {})
    return {"items": [{"subject": s, "failing_rules": [], "verdict": shown(v)} for s, v in verdicts.items()]}
