"""What the audit reports of a domain look like: what differs between ours and the authors'."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from holmes.cases import Case
from holmes.registry import domain_of


@dataclass(frozen=True, slots=True)
class Form:
    """The form of a domain's audit reports.

    checks: reports list the rules that fail, and cases record which do. named: subjects have names, not numbers only.
    answer: the key that holds the whole answer; empty where items and verdicts have keys of their own. prompt: what a
    reply may copy. contract: (case, trace) -> the lines of the prompt that ask for the report.
    """

    checks: bool
    named: bool
    answer: str
    prompt: Callable[[Case], str]
    contract: Callable[[Case, str], str]


def form_of(case: Case) -> Form:
    """Return the form of the reports on a case; raises TypeError where its answers are no audit reports."""
    found = getattr(domain_of(case).answer_kind(case), "form", None)
    if not isinstance(found, Form):
        raise TypeError(f"case {case.id!r}: found another kind of answer, expected an audit report")
    return found
