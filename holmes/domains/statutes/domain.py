"""What every statute has in common as a domain: its task, its prompts, and what a program prints."""

from __future__ import annotations

from holmes.cases import Case
from holmes.domains.base import RuleBaseDomain
from holmes.interfaces import AnswerKind
from holmes.options import Options
from holmes.prolog.output import ProgramContract

PROMPTS = {"": "zeroshot", "direct": "direct", "fewshot": "fewshot"}
"""Variant of a task -> its prompt."""


class StatuteDomain(RuleBaseDomain):
    """Cases under one statute, answered by a program unless a task asks for the answer alone."""

    def task(self, case: Case) -> str:
        """Return the task of a case, which bears its name."""
        return case.task

    def program_contract(self, task: str) -> ProgramContract | None:
        """Return the answer line of a task; None for a task of no statute."""
        from holmes.domains.statutes.output import contract_for

        return contract_for(task)

    def answer_kind(self, case: Case, mode: str = "answer") -> AnswerKind:
        """Return how a reply is read and judged; of a program the prompt says what it prints and how it ends."""
        if mode != "prolog":
            return super().answer_kind(case)
        from holmes.answers.program import Program
        from holmes.domains.statutes.prompts import contract
        from holmes.registry import program_contract

        return Program(program_contract(case.task), contract(case.task).program)

    def prompt(self, case: Case, mode: str, options: Options) -> str:
        """Return the prompt: statute, case, question, and the output contract in full."""
        from holmes.domains.statutes.prompts import prompt

        return prompt(case, mode)
