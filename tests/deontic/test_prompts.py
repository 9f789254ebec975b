"""Prompts of the deontic tasks."""

from __future__ import annotations

from dataclasses import replace

import pytest

from holmes.cases import Case
from holmes.domains.statutes.prompts import CONTRACTS, MODES, prompt
from holmes.errors import InputError

CASE = Case(
    id="secret-id-Contradiction",
    domain="deontic",
    task="deontic_sara_numeric",
    source="deonticbench",
    rules="1. Everybody shall pay 7.",
    case="Bob exists.",
    question="How much does Bob owe?",
    answer="7123",
    answer_type="amount",
    program=":- format('Tax result: ~w~n', [7]).\n:- halt.",
)
LINES = {
    "sara_numeric": ("Tax result: N",),
    "sara_binary": ("Result: Entailment", "Result: Contradiction"),
    "airline": ("Total cost: N",),
    "housing": ("housing_answer(yes)", "housing_answer(no)"),
    "uscis": ("Accepted", "Dismissed"),
}


@pytest.mark.parametrize("domain", CONTRACTS)
def test_every_domain_states_its_output_contract(domain: str) -> None:
    """A zero-shot prompt names the printed line, the fence, the missing input, halt and what an abstention is."""
    text = prompt(replace(CASE, task=f"deontic_{domain}_release"))
    for part in (*LINES[domain], "```prolog", "exactly one line", "no input", ":- halt.", "abstention"):
        assert part in text
    for other in CONTRACTS:
        if other != domain:
            assert not any(line in text for line in LINES[other] if line not in "".join(LINES[domain]))


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("domain", CONTRACTS)
def test_ids_gold_answers_and_references_never_enter_a_prompt(domain: str, mode: str) -> None:
    """Neither the id, nor the gold answer, nor the case's own program is shown."""
    case = replace(CASE, task=f"deontic_{domain}", program="own_program :- true.")
    shot = replace(CASE, id="another", program="worked_example(1).", task=case.task)
    text = prompt(case, mode, [shot])
    assert "secret-id" not in text and "7123" not in text and "own_program" not in text
    assert ("worked_example(1)." in text) == (mode == "fewshot")


def test_direct_mode_asks_for_an_answer_line_and_no_program() -> None:
    """The direct mode asks for a last line "Answer: …" and shows no Prolog."""
    text = prompt(CASE, "direct")
    assert "\nAnswer: <answer>\n" in text and "prolog" not in text.lower().replace("without writing a program", "")


@pytest.mark.parametrize("mode", MODES)
def test_a_case_without_statutes_gets_no_empty_section(mode: str) -> None:
    """A question-only case has no heading without text and is not told to encode a statute."""
    case = replace(CASE, rules="", case="", task="deontic_housing", question="May a landlord lock out a tenant?")
    text = prompt(case, mode, [replace(case, id="another", question="May he enter?")])
    assert "## Statute" not in text and "## Case" not in text and "## Question\nMay a landlord" in text


def test_a_worked_example_repeats_its_statute_only_if_it_differs() -> None:
    """An example under another statute shows it; under the same statute the text stands once."""
    same, other = replace(CASE, id="a"), replace(CASE, id="b", rules="1. Nobody shall pay.")
    text = prompt(CASE, "fewshot", [same, other])
    assert text.count("Everybody shall pay 7") == 1 and text.count("Nobody shall pay") == 1


def test_the_case_itself_is_never_its_own_example() -> None:
    """An example with the id of the case is left out, and then there is none."""
    with pytest.raises(InputError, match="found no worked case"):
        prompt(CASE, "fewshot", [CASE])


def test_unknown_modes_and_tasks_are_refused() -> None:
    """A wrong mode or task is one clear error that names what was found and expected."""
    with pytest.raises(InputError, match="found 'oneshot', expected one of zeroshot, fewshot, direct"):
        prompt(CASE, "oneshot")
    with pytest.raises(InputError, match="field task: found 'law'"):
        prompt(replace(CASE, task="law"))


def test_a_copied_prompt_is_no_answer() -> None:
    """No figure of the instructions is read as an amount."""
    from holmes.options import Options
    from holmes.scoring.core import score
    from holmes.store import load_cases
    from holmes.tasks import build_prompt, task_spec

    spec = task_spec("holmes_counterfactual_direct")
    cases = [case for case in load_cases("counterfactual", "smoke") if case.domain == "deontic"]
    assert cases
    for case in cases:
        assert not score(case, build_prompt(case, spec, Options())).outcome.answered, case.id
