"""The golds of an audit report by subject, and what the case text calls the subjects."""

from __future__ import annotations

import json
import re

from holmes.cases import Case
from holmes.errors import InputError
from holmes.reading.amounts import amount
from holmes.reading.subjects import Subjects


def golds_of(case: Case) -> dict[str, str]:
    """Return the gold by subject, one subject "" where the case has one part; raises InputError for a broken gold.

    The golds of the authors' release are lists of verdicts in the order of the text: their subjects are Item 1, Item 2…
    """
    if case.answer_type != "report":
        if case.answer_type == "amount" and amount(case.answer) is None:
            raise InputError(f"case {case.id!r}: field answer: found {case.answer!r:.80}, expected an amount")
        return {"": case.answer}
    try:
        gold = json.loads(case.answer)
        if not isinstance(gold, list) or not gold:
            raise ValueError("no list of rows")
        if all(isinstance(label, str) for label in gold):
            return {f"Item {number}": label for number, label in enumerate(gold, 1)}
        return {str(row["subject"]): str(row["verdict"]) for row in gold}
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(
            f"case {case.id!r}: field answer: found {case.answer!r:.80}, expected a list of subject and verdict"
        ) from error


def subjects_of(case: Case) -> Subjects:
    """Return the subjects of a case of several parts, with what its text calls them (“Item 2 (a table)”)."""
    matters: dict[str, str] = {}
    for subject, matter in re.findall(r"^(Item \d+) \(([^()\n]+)\)", case.case, re.MULTILINE):
        matters[matter] = "" if matter in matters else subject
    return Subjects(list(golds_of(case)), {matter: subject for matter, subject in matters.items() if subject})
