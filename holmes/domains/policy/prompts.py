"""The prompt of a policy question: where to look, what the words mean, what can occur, the question, how to answer."""

from __future__ import annotations

import random

from holmes.cases import Case
from holmes.domains.policy.contract import contract, form_of
from holmes.errors import InputError
from holmes.prompting.parts import CLOSED_WORLD, ORDERS, rule_lines

MODES = ("answer", "direct")
SOURCE = (
    "Answer a question about the rules below. It is a question about the rules themselves as much as about cases; "
    "rely on nothing but the rules and on what is said here."
)
MEANING = """How the rules work:
- A rule is triggered in a case if its condition holds there.
- A rule that takes priority over another one, or is an exception to it (in whatever words: does not help, is lost, does not hold), defeats it wherever it applies itself. A rule that is defeated defeats nothing. A rule applies where it is triggered and not defeated.
- Words in “ ” are points of a case, or terms that the rules define.
- “All of” several rules covers what every one of them covers, “any of” what at least one of them covers. A rule with an exception covers what the rule covers, but for the cases that the exception names. A condition or outcome covers the cases in which it holds."""  # noqa: E501
STEPS = """Reply in exactly this form:
Reasoning:
(one step a line: what follows and from what; close each line with the rule it uses, like [Rule 5])
"""
DIRECT = "Reply in exactly this form and with nothing else:\n"
LAST = "\n\nThe last {lines} nothing else."
ALL = "all cases that can occur"


def prompt(case: Case, mode: str = "answer", *, rules: str = "given") -> str:
    """Return the user message for a policy question.

    mode: ``answer`` asks for steps, the answer and its witness, ``direct`` for the last two only. rules: ``given`` or
    ``shuffled`` (numbers stay; the order depends on the case id alone). Raises InputError for another mode or order.
    """
    for name, value, known in (("mode", mode, MODES), ("rules", rules, ORDERS)):
        if value not in known:
            raise InputError(f"case {case.id!r}: option {name}: found {value!r}, expected {' or '.join(known)}")
    lines = rule_lines(case.rules)
    if rules == "shuffled":
        random.Random(f"prompt/{case.id}/rules").shuffle(lines)
    told = form_of(case) in ("accepts", "governs")
    world = f"Case:\n{case.case}\n{CLOSED_WORLD}" if told else case.case
    return "\n\n".join(
        (
            SOURCE,
            "Rules:\n" + "\n".join(lines),
            MEANING,
            world,
            f"Question:\n{case.question}",
            (DIRECT if mode == "direct" else STEPS) + contract(case),
        )
    )
