"""Prompts for the finance cases of an imported release: the five parts of the paper (A.2) in our words.

Rules and case come from the user's import; the answer is asked for in the form of the release's golds.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from holmes.cases import Case
from holmes.domains.finance.prompts import kind

SOURCE = (
    "You audit claims for the university whose rules stand above. Judge by these rules and by what the case says, "
    "and by nothing else: no other rules, no custom, no guess about what may have happened."
)
STEPS: Mapping[str, Sequence[str]] = {
    "approval": (
        "Find the rules on the kind of expense that is claimed.",
        "Write down what the case says on each condition of these rules, limits and tables included.",
        "Decide of each condition whether it is met.",
        "Take the verdict from the conditions that are not met, by the criteria below.",
    ),
    "labour": (
        "Find the rules on thesis reviews, lectures and consultations, whichever are claimed.",
        "Find the limit for each fee, by the person's rank, kind of work, and number of persons, hours or days.",
        "See whether each lecture fee is said to be after tax; where it is not, the rules leave it open.",
        "Compare each fee with its limit, and take the verdict by the criteria below.",
    ),
    "materials": (
        "Find the rules on what must be filed with a claim.",
        "Go through them one by one: is the paper, signature or seal there, or is it not needed in this case?",
    ),
    "invoices": ("Find the rules on invoices.", "Go through the marks of the invoices and receipts one by one."),
    "loans": (
        "Find the rules on temporary loans.",
        "Check need, person, signature, time until the loan is settled, and earlier loans.",
    ),
    "amount": (
        "Find the limits for this person, place, time and kind of expense.",
        "Decide first what may be paid at all; what the rules reject is paid nothing.",
        "Take of each expense what lies within its limit, and add up.",
    ),
    "parallel": (
        "Write down for each person what the text says of all and what it says of that person.",
        "Find the rules on the kind of expense, and the limits that each person's category sets.",
        "Decide of each condition, for each person alone, whether it is met.",
        "Take the verdict on each person by the criteria below; one claim does not count for another.",
    ),
    "compositional": (
        "Separate the claims of the text; each is of its own kind of expense.",
        "Find for each claim the rules on its kind of expense; those on another kind do not count.",
        "Decide of each condition whether it is met, for this claim alone.",
        "Take the verdict on each claim by the criteria below; one claim does not count for another.",
    ),
}
CRITERIA: Mapping[str, str] = {
    "Full_Approval": "every condition is met, and every sum is within its limit",
    "Partial_Approval": "nothing that a claim cannot do without is missing, but a limit or standard is not kept",
    "Rejection": "something that a claim cannot do without is missing, or the rules forbid to pay it",
    "Unknown": "the rules leave open what is to be paid; a paper that is missing is no reason for it",
    "Material_Complete": "everything that must be filed in this case is there",
    "Material_Incomplete": "something that must be filed in this case is missing",
    "Invoice_Correct": "no rule on invoices is broken",
    "Invoice_Error": "a rule on invoices is broken",
    "Can_Borrow": "every condition of a loan is met",
    "Cannot_Borrow": "a condition of a loan is not met",
}


def prompt(case: Case) -> str:
    """Return the prompt of one imported finance case: rules, the five parts, then case and question.

    It is a pure function of the case; ids and golds do not enter it, but for the number of claims of a joint case.
    Raises InputError for a task that is none of the release's.
    """
    steps = "\n".join(f"{number}. {step}" for number, step in enumerate(STEPS[kind(case)], 1))
    return "\n\n".join(
        (
            f"Rules:\n{case.rules}",
            SOURCE,
            f"Proceed in these steps:\n{steps}",
            contract(case),
            f"Criteria:\n{_criteria(case)}",
            f"Check before you end: {_check(case)}",
            f"Case:\n{case.case}",
            f"Question: {case.question}",
        )
    )


def contract(case: Case, trace: str = "") -> str:
    """Return the lines that ask for the report, whatever steps a run asks for: the release's form holds them."""
    options = " | ".join(case.choices)
    answer: object = {"amount": "<number of yuan>", "label": f"<{options}>"}.get(case.answer_type, [f"<{options}>"])
    shape = json.dumps({"steps": ["<one sentence a condition>"], "answer": answer}, ensure_ascii=False, indent=1)
    return f"Then write your audit report as one JSON object and nothing around it:\n{shape}"


def _criteria(case: Case) -> str:
    if case.answer_type == "amount":
        return "The amount is a whole number of yuan; it is 0 where the claim is rejected or left open."
    return "\n".join(f"{label}: {CRITERIA[label]}." for label in case.choices)


def _check(case: Case) -> str:
    if case.answer_type == "report":
        count = case.difficulty.components
        return f"valid JSON; `answer` has {count} verdicts, one a claim, in the order of the text, each as listed."
    wanted = "a number without separators" if case.answer_type == "amount" else "one of the verdicts, as listed"
    return f"valid JSON, no key empty or twice, and `answer` is {wanted}."
