"""Prompts of the deontic tasks: statute, case, question, and the output contract in full (DeonticBench, B.4)."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from holmes.answers.program import Printed
from holmes.cases import Case
from holmes.errors import InputError
from holmes.registry import domain_of
from holmes.store import load_cases, splits

MODES = ("zeroshot", "fewshot", "direct")
SHOTS = 2
"""Worked programs that come first in the few-shot mode."""


@dataclass(frozen=True, slots=True)
class Contract:
    """What is said of a reply in one domain.

    heading: title of the question part. program: what a program prints and how it ends. direct: what follows "Answer:".
    """

    heading: str
    program: Printed
    direct: str


_NUMBER = "N is the number of dollars, without $ or commas"
_IF = ":- ( {goal} -> writeln('{yes}') ; writeln('{no}') ).\n:- halt."

CONTRACTS: dict[str, Contract] = {
    "sara_numeric": Contract(
        "Question",
        Printed(
            "Tax result: N",
            _NUMBER,
            ':- tax_owed(Tax), format("Tax result: ~w~n", [Tax]).\n:- halt.',
        ),
        "the amount in dollars, digits only",
    ),
    "sara_binary": Contract(
        "Claim",
        Printed(
            "Result: Entailment` or `Result: Contradiction",
            "Entailment if statute and case make the claim true, Contradiction if they make it false",
            _IF.format(goal="claim_holds", yes="Result: Entailment", no="Result: Contradiction"),
        ),
        "Entailment if statute and case make the claim true, Contradiction if they make it false",
    ),
    "airline": Contract(
        "Question",
        Printed(
            "Total cost: N",
            _NUMBER,
            ':- total_cost(Cost), format("Total cost: ~w~n", [Cost]).\n:- halt.',
        ),
        "the total cost in dollars, digits only",
    ),
    "housing": Contract(
        "Question",
        Printed(
            "housing_answer(yes)` or `housing_answer(no)",
            "yes or no answers the question",
            _IF.format(goal="answer_is_yes", yes="housing_answer(yes)", no="housing_answer(no)"),
        ),
        "yes or no",
    ),
    "uscis": Contract(
        "Question",
        Printed(
            "Accepted` or `Dismissed",
            "Accepted if every requirement of the rules is met and the appeal succeeds, Dismissed if not",
            _IF.format(goal="eligibility_met", yes="Accepted", no="Dismissed"),
        ),
        "Accepted if the appeal succeeds, Dismissed if not",
    ),
}
"""Domain -> contract; a case's domain is the key that occurs in its task name."""


def contract(task: str) -> Contract:
    """Return the output contract of a task's domain; raises InputError for a task of no deontic domain."""
    for key, value in CONTRACTS.items():
        if key in task:
            return value
    raise InputError(f"field task: found {task!r}, expected a name with one of {', '.join(CONTRACTS)}")


def prompt(case: Case, mode: str = "zeroshot", examples: Sequence[Case] | None = None) -> str:
    """Return the prompt for one case; ids and gold answers never enter it.

    mode: zeroshot (a whole program is asked for), fewshot (worked programs first) or direct (the answer alone).
    examples: worked cases for fewshot; by default the first `SHOTS` of the config's dev split, or train without dev.
    Raises InputError for an unknown mode or task, or when a few-shot prompt has no worked case.
    """
    form = contract(case.task)
    if mode not in MODES:
        raise InputError(f"prompt mode: found {mode!r}, expected one of {', '.join(MODES)}")
    if mode == "direct":
        return "\n\n".join([_DIRECT_ROLE, *_parts(case, form), _direct_task(case)])
    shots = _shots(case, examples, form) if mode == "fewshot" else []
    return "\n\n".join([_ROLE, *shots, *_parts(case, form), _program_task(case)])


_ROLE = "You turn statutes and cases into SWI-Prolog programs."
_DIRECT_ROLE = "You apply statutes to cases: duties, permissions and amounts."


def _parts(case: Case, form: Contract) -> list[str]:
    titled = [("Statute", case.rules), ("Case", case.case), (form.heading, case.question)]
    return [f"## {title}\n{text.strip()}" for title, text in titled if text.strip()]


def _program_task(case: Case) -> str:
    rules = "the rules that matter" if case.rules.strip() else "the law in question"
    return (
        "## Task\n"
        f"Write one complete SWI-Prolog program: {rules}, the facts, and a query that derives the answer from them. "
        f"{domain_of(case).answer_kind(case, 'prolog').contract(case)}"
    )


def _direct_task(case: Case) -> str:
    return (
        "## Task\n"
        "Answer without writing a program. You may reason first; the last line of the reply is\n"
        f"{domain_of(case).answer_kind(case).contract(case)}. "
        "A reply without that line is an abstention and earns nothing."
    )


def _shots(case: Case, examples: Sequence[Case] | None, form: Contract) -> list[str]:
    config = case.task if case.source == "holmes" or case.task.endswith("_release") else f"{case.task}_release"
    worked = [shot for shot in (_worked(config) if examples is None else examples) if shot.id != case.id]
    worked = [shot for shot in worked if shot.program.strip()]
    if not worked:
        raise InputError(
            f"case {case.id!r}: few-shot prompt: found no worked case in dev or train of {config}, "
            "expected one there (a release has them if it was imported whole) or in `examples`"
        )
    result = []
    for number, shot in enumerate(worked[:SHOTS], 1):
        same = shot.rules == case.rules  # the statute is printed once, with the case that is asked about
        titled = [("Statute", "" if same else shot.rules), ("Case", shot.case), (form.heading, shot.question)]
        parts = [f"### {title}\n{text.strip()}" for title, text in titled if text.strip()]
        note = " (under the statute printed further below)" if same and case.rules.strip() else ""
        result.append(
            "\n\n".join([f"## Worked example {number}{note}", *parts, f"```prolog\n{shot.program.strip()}\n```"])
        )
    return result


@lru_cache(maxsize=16)
def _worked(config: str) -> tuple[Case, ...]:
    """The first cases of a config whose programs verify, from dev, or from train where the release has no dev.

    A release holds programs that belong to other cases, so each of its programs is run and held against the label.
    """
    there = splits(config)
    split = next((name for name in ("dev", "train") if name in there), "")
    cases = (case for case in (load_cases(config, split) if split else ()) if case.program.strip())
    if config.endswith("_release"):
        cases = (case for case in cases if _verifies(case))
    return tuple(itertools.islice(cases, SHOTS + 1))  # one to spare, should the case itself be among them


def _verifies(case: Case) -> bool:
    from holmes.answers.program import score_program

    score = score_program(case, f"```prolog\n{case.program}\n```")
    return score.value == 1 and score.parts["clean"] == 1
