"""The law prompt in four parts: where to look, how to reason, how to cite, how to answer (HOLMES A.1)."""

from __future__ import annotations

import random
import re

from holmes.answers.label import Label
from holmes.cases import Case
from holmes.domains.questions import Outcome
from holmes.errors import InputError
from holmes.prompting.parts import CLOSED_WORLD, ORDERS, mixed, rule_lines, shown

MODES = ("answer", "direct")
TRACES = ("lines", "free", "none")
SOURCE = (
    "Decide the following case. Rely on nothing but the numbered rules and the facts of the case; "
    "knowledge of real law or of the world has no say here."
)
STEPS = """Reply in exactly this form:
Reasoning:
(one step a line: what follows and from what, down to the measure that remains; close each line with the single rule it uses, like [Rule 5])
{contract}

The last line holds the final outcome and nothing else."""  # noqa: E501
LINES = """Reply in exactly this form, one step a line, each after what it rests on:
Reasoning:
[Rule 5] <term>: yes | no — <grounds>
[Rule 5]: triggered | not triggered — …
[Rule 5]: defeats Rule 6 — … (if Rule 7 says so: [Rule 7] Rule 5: defeats Rule 6)
[Rule 5]: applies | does not apply — …
{contract}

The last line holds the outcome alone."""
CUSTOM = "A rule that is set aside has no effect and sets nothing aside."
DIRECT = """Reply with one line and nothing else:
{contract}"""

OUTCOME = Outcome(Label(blank="outcome"))
_ASKED = {"lines": LINES, "free": STEPS, "none": DIRECT}


def prompt(
    case: Case,
    mode: str = "answer",
    *,
    rules: str = "given",
    distractors: int = 0,
    closed_world: bool = True,
    labels: bool = True,
    trace: str = "lines",
) -> str:
    """Return the user message for a law case.

    mode: ``answer`` asks for cited steps and an answer line, ``direct`` for the answer line only.
    rules: ``given`` or ``shuffled`` (numbers stay; the order depends on the case id alone). distractors: how many rules
    of other rule bases are mixed in, 0 or more. closed_world: say that what is unsaid did not happen. labels: list the
    possible outcomes. trace: how steps are asked for: ``lines`` in the stated form (`holmes.reading.step_contract`),
    ``free`` in the model's own words, ``none`` not at all. Raises InputError for another mode, order or trace.
    """
    for name, value, known in (("mode", mode, MODES), ("rules", rules, ORDERS), ("trace", trace, TRACES)):
        if value not in known:
            raise InputError(f"case {case.id!r}: option {name}: found {value!r}, expected {' or '.join(known)}")
    if distractors < 0:
        raise InputError(f"case {case.id!r}: option distractors: found {distractors}, expected 0 or more")
    lines = rule_lines(case.rules)
    if distractors:
        lines = mixed(lines, _foreign(case, distractors), case.id)
    if rules == "shuffled":
        random.Random(f"prompt/{case.id}/rules").shuffle(lines)
    question = case.question
    if labels:
        question += f"\nPossible outcomes: {'; '.join(shown(case, label) for label in case.choices)}."
    return "\n\n".join(
        (
            f"{SOURCE} {CUSTOM} {CLOSED_WORLD}" if closed_world else f"{SOURCE} {CUSTOM}",
            "Rules:\n" + "\n".join(lines),
            f"Case:\n{case.case}",
            f"Question: {question}",
            (DIRECT if mode == "direct" else _ASKED[trace]).format(contract=OUTCOME.answer_kind(case).contract(case)),
        )
    )


def _foreign(case: Case, count: int) -> list[str]:
    """Return rule texts of other law bases that stand on their own, chosen by the case id."""
    from holmes.domains.law.rulebases import bundle, bundles

    texts = [
        concept.text
        for name in bundles()
        if name != case.bundle
        for concept in bundle(name).concepts.values()
        if not re.search(r"\bRules? \d", concept.text)
    ]
    return random.Random(f"prompt/{case.id}/distractors").sample(texts, min(count, len(texts)))
