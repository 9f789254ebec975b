"""Prompts of the finance tasks: the policy first, then the five parts of the paper (A.2), the case between them."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence

from holmes.cases import Case
from holmes.domains.finance.handbook import SHOWN
from holmes.errors import InputError

TRACES = ("lines", "free", "none")
SOURCE = (
    "You audit claims for a university. Use the policy above and the case below and nothing else; "
    "what other houses do, and what would be fair, has no say here."
)
STEPS: Mapping[str, Sequence[str]] = {
    "approval": (
        "Find the clause that deals with the matter.",
        "Work out what the tables and definitions of the clause give for this claim.",
        "Check each rule of the clause that the review names; note whether it passes, and why.",
        "Take the verdict from the rules that fail: one mandatory rule that fails rejects the whole.",
    ),
    "labour": (
        "Find the limits for standing, kind of work and days.",
        "Check each strict and each plain rule; note whether it passes, and why.",
        "See whether the tax question is open, and which rule comes first.",
    ),
    "materials": ("List the papers that are named.", "Check each rule; a paper that is not named was not handed in."),
    "invoices": ("Go through the marks of the invoice one by one.", "Check each rule; one that fails is an error."),
    "loans": ("Go through the conditions of an advance one by one.", "Check each rule; one that fails rules it out."),
    "amount": (
        "Work out every limit that the clause sets for this claim.",
        "Decide the claim first: what is rejected is paid nothing.",
        "Take of each cost what is within its limit, and add up.",
    ),
    "parallel": (
        "Write down for each person what the case says of all and what it says of that person.",
        "Read the lists of papers for each person: whoever is not on a list did not hand the paper in.",
        "Decide each person alone, by that person's own category and limits.",
    ),
    "compositional": (
        "Find for each item the clause that deals with its matter.",
        "Check the rules of that clause, with the tables it names, for this item alone.",
        "Decide each item, then put the verdicts together.",
    ),
}
STEP = "<a step>"
FORM = (
    "In `steps` write down the steps, one string each, a step after those that it rests on, in this form: "
    '"[Rule 5] <what it is about>: <result> — <what it rests on>". The result of a rule that is checked is passes, '
    "fails, "
    "waived or not waived, that of a definition yes or no or its value, that of a table the value of the row, "
    "that of a choice `selects Rule 6`."
)
SEVERAL = " Begin each step with its subject, as `items` has it, and a colon before the rule."
FAILS = "<number of a rule that is checked and fails>"
CRITERIA: Mapping[str, str] = {
    "Full": "no rule fails, or none that fails counts",
    "Partial": "no mandatory (strict) rule that counts fails, the matter is not left open, and another rule fails",
    "Rejection": "a mandatory (strict) rule fails, unless a rule says that this does not count",
    "Unknown": "no strict rule that counts fails, and a rule leaves the matter open; no missing paper does",
    "Complete": "every rule on papers passes",
    "Incomplete": "a rule on papers fails",
    "Correct": "every rule on invoices passes",
    "Error": "a rule on invoices fails",
    "Can_Borrow": "every rule on advances passes",
    "Cannot_Borrow": "a rule on advances fails",
}
UNSAID = (
    "What the case leaves unsaid did not happen; a paper not named was not handed in. "
    "Of the mandatory and standard rules only those count that the review or the checks of the clause name. "
    "A rule that is waived does not fail; one that fails is listed even where a rule says that this does not count. "
    "If no rule fails, `failing_rules` is empty."
)


def kind(case: Case) -> str:
    """Return the subtype of a case, which decides its prompt; raises InputError for a task that is none of ours."""
    found = case.task.removeprefix("finance_").split("_")[0]
    if found not in STEPS:
        raise InputError(f"case {case.id!r}: field task: found {case.task!r}, expected finance_ and a subtype")
    return found


def prompt(case: Case, *, trace: str = "lines") -> str:
    """Return the prompt of one case: policy, source restriction, steps, schema, criteria, format check, case.

    It is a pure function of the case; ids and golds never enter it. The policy stands first, the same for every case.
    trace: ``lines`` asks for the steps in the stated form (`holmes.reading.step_contract`) as the first key of the
    report, ``free`` for steps in the model's own words before it, ``none`` for the report alone.
    Raises InputError for a task that is none of ours or another trace.
    """
    if trace not in TRACES:
        raise InputError(f"case {case.id!r}: option trace: found {trace!r}, expected {' or '.join(TRACES)}")
    own = kind(case)
    steps = "\n".join(f"{number}. {step}" for number, step in enumerate(STEPS[own], 1))
    return "\n\n".join(
        (
            f"Policy:\n{case.rules}",
            SOURCE,
            f"Proceed in these steps:\n{steps}",
            contract(case, trace),
            f"Criteria:\n{_criteria(case)}",
            f"Check before you end: {_check(case)}",
            f"Case:\n{case.case}",
            f"Question: {case.question}",
        )
    )


def contract(case: Case, trace: str) -> str:
    """Return the part of the prompt that asks for the report, and for the steps in it."""
    schema = _schema(case, trace == "lines")
    if trace == "free":
        return f"Then write your audit report as one JSON object:\n{schema}"
    if trace == "none":
        return f"Write nothing but your audit report, one JSON object:\n{schema}"
    form = FORM + (SEVERAL if case.answer_type == "report" else "")
    return f"Write your audit report as one JSON object and nothing else:\n{schema}\n\n{form}"


def _schema(case: Case, steps: bool = False) -> str:
    if case.answer_type == "amount":
        shape: object = {"failing_rules": [FAILS], "amount": "<number of marks>", "reason": "<one sentence>"}
    elif case.answer_type == "label":
        shape = {"failing_rules": [FAILS], "verdict": f"<{_options(case)}>", "reason": "<one sentence>"}
    else:
        name = "Item 1, Item 2, …" if kind(case) == "compositional" else "the full name"
        one = {"subject": f"<{name}>", "failing_rules": [FAILS], "verdict": f"<{_options(case)}>"}
        shape = {"items": [one]}
    if steps:
        assert isinstance(shape, dict)
        shape = {"steps": [STEP], **shape}
    shown = json.dumps(shape, ensure_ascii=False, indent=1)
    return re.sub(r'"(<number [^"]*>)"', r"\1", shown)  # numbers are written as numbers


def _options(case: Case) -> str:
    return " | ".join(SHOWN[label][0] for label in case.choices)


def _criteria(case: Case) -> str:
    lines = [f"{SHOWN[label][0]}: {CRITERIA[label]}." for label in case.choices]
    if case.answer_type == "amount":
        lines = ["The amount is exact, in marks, without rounding; a rejection pays zero, written in digits.",
                 f"A claim is rejected where {CRITERIA['Rejection']}."]  # fmt: skip
    return "\n".join((*lines, UNSAID))


def _check(case: Case) -> str:
    if case.answer_type == "report":
        return "valid JSON, one entry for each subject, none twice, none left out, every verdict one of those listed."
    wanted = "a number" if case.answer_type == "amount" else "one of the verdicts listed"
    return f"valid JSON, every key filled in once, and {wanted} as the answer."
