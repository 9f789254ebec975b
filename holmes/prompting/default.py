"""The prompt of a domain that brings none: where to look, rules, case, question, how to answer."""

from __future__ import annotations

import random

from holmes.cases import Case
from holmes.errors import InputError
from holmes.options import Options
from holmes.prompting.parts import CLOSED_WORLD, mixed, rule_lines, shown

MODES = ("answer", "direct")
SOURCE = (
    "Decide the following case. Rely on nothing but the numbered rules and the facts of the case; "
    "what you know of other rules or of the world has no say here."
)
STEPS = """Reply in exactly this form:
Reasoning:
(one step a line: what follows and from what, down to the answer; close each line with the single rule it uses, like [Rule 5])
{contract}

The last line holds the answer and nothing else."""  # noqa: E501
DIRECT = """Reply with one line and nothing else:
{contract}"""


def prompt(case: Case, mode: str, options: Options, contract: str, foreign: tuple[str, ...] = ()) -> str:
    """Return the user message for a case.

    mode: ``answer`` asks for cited steps and an answer line, ``direct`` for the answer line only. options: rules_order,
    distractors, closed_world, labels. contract: the lines that ask for the answer. foreign: rule texts of other rule
    bases that stand on their own.
    Raises InputError for another mode, or for more distractors than there are foreign rules.
    """
    if mode not in MODES:
        raise InputError(f"case {case.id!r}: option mode: found {mode!r}, expected {' or '.join(MODES)}")
    lines = rule_lines(case.rules)
    if options.distractors:
        if options.distractors > len(foreign):
            raise InputError(
                f"case {case.id!r}: option distractors: found {options.distractors}, expected at most {len(foreign)}: "
                "so many rules of other rule bases stand on their own"
            )
        chosen = random.Random(f"prompt/{case.id}/distractors").sample(list(foreign), options.distractors)
        lines = mixed(lines, chosen, case.id)
    if options.rules_order == "shuffled":
        random.Random(f"prompt/{case.id}/rules").shuffle(lines)
    question = case.question
    if options.labels and case.choices and case.answer_type != "amount":
        question += f"\nPossible answers: {'; '.join(shown(case, label) for label in case.choices)}."
    return "\n\n".join(
        (
            f"{SOURCE} {CLOSED_WORLD}" if options.closed_world else SOURCE,
            "Rules:\n" + "\n".join(lines),
            f"Case:\n{case.case}",
            f"Question: {question}",
            (DIRECT if mode == "direct" else STEPS).format(contract=contract),
        )
    )
