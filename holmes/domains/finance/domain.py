"""The domain finance: claims under the reimbursement policy of a fictional university."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from holmes.cases import Case, Step
from holmes.derivations.parts import Part
from holmes.domains.base import RuleBaseDomain
from holmes.interfaces import Config, Document, Generator, Question, tasks
from holmes.interventions.base import Interventions
from holmes.logic.engine.evaluate import Evaluation
from holmes.logic.language.model import RuleBase, Value
from holmes.options import Options
from holmes.prolog.output import ProgramContract, answer_line
from holmes.results import Gate, Solved

SUBTYPES = (
    *("approval", "materials", "invoices", "labour", "loans", "amount"),
    *(f"{family}_{span}" for family in ("parallel", "compositional") for span in (2, 3, 4, 5)),
)
METRICS = ("report", "derivations")


def _generator() -> Generator:
    from holmes.domains.finance.splits import source

    return source()


def _audit(**options: Any) -> Document:
    from holmes.domains.finance.gates.run import audit

    return audit(**options)


class Finance(RuleBaseDomain):
    """Claims of one part or several; each part is decided by its clause, under the rule numbers of the handbook."""

    name = "finance"
    configs = (
        Config(
            "finance",
            tasks=tuple(
                task
                for kind in SUBTYPES
                for task in tasks(
                    f"holmes_finance_{kind}", "finance", {"": "report"}, metrics=METRICS, only=f"finance_{kind}"
                )
            ),
            generator=_generator,
            audit=_audit,
            shown=True,
        ),
    )

    def rulebases(self) -> Mapping[str, RuleBase]:
        """Return the clauses in the order of the handbook."""
        from holmes.domains.finance.handbook import clauses

        return {name: clause.base for name, clause in clauses().items()}

    def versions(self) -> Iterator[tuple[Path, str, str, str]]:
        """Yield those of the clauses, and of the handbook, whose fingerprint cases store."""
        from holmes.domains.finance.handbook import FOLDER, HANDBOOK, fingerprint, logic

        yield from super().versions()
        yield FOLDER, HANDBOOK, fingerprint(), logic()

    def parts(self, case: Case) -> tuple[Part, ...]:
        """Return one part a person or item; only where there are several is each named."""
        from holmes.domains.finance.parts import parts_of
        from holmes.domains.finance.text import component

        found = parts_of(case)
        return tuple(component(part, found.many) for part in found.parts)

    def read_text(self, case: Case) -> tuple[Mapping[str, Value], ...]:
        """Return the facts of each part: of one claim, of items, or of people with lists of papers."""
        from holmes.domains.finance.parts import read_back

        return tuple(read_back(case))

    def asked(self, case: Case) -> Question:
        """Return verdict or amount, told in an audit report; a single part (no task of ours) has a plain answer."""
        if not case.task.startswith("finance_"):
            return super().asked(case)
        from holmes.domains.finance.answer import PAYMENT, VERDICT

        return PAYMENT if case.answer_type == "amount" else VERDICT

    def part_answer(self, case: Case, result: Evaluation) -> str:
        """Return verdict or amount of an evaluated part."""
        from holmes.domains.finance.generate import gold

        return gold(case.task, result)

    def combine(self, case: Case, answers: Sequence[str]) -> str:
        """Return the only answer, or the list of subjects and verdicts."""
        from holmes.domains.finance.generate import union
        from holmes.domains.finance.parts import parts_of

        found = parts_of(case)
        subjects = [part.subject for part in found.parts]
        return union(list(zip(subjects, answers, strict=True))) if found.many else answers[0]

    def verbalize(self, part: Part, step: Step) -> Step:
        """Return a step under the rule number of the handbook, the subject before it."""
        from holmes.domains.finance.handbook import verbalize

        return verbalize(part, step)

    def solve(self, case: Case) -> Solved:
        """Derive answer and trace again; the trace of an amount holds that of the verdict."""
        from holmes.domains.finance.parts import solve

        return solve(case)

    def programs(self, case: Case) -> Sequence[Case]:
        """Return a case for each part: a program answers one part."""
        from holmes.domains.finance.parts import cases_by_part

        return cases_by_part(case)

    def program_contract(self, task: str) -> ProgramContract | None:
        """Return ``Amount: …`` for amounts, ``Answer: …`` for verdicts."""
        name = task.removeprefix("holmes_")
        if name == "finance_amount" or name.startswith("finance_amount_"):
            return answer_line(r"Amount\s*:\s*(.*)", amount=True)
        return super().program_contract(task)

    def prompt(self, case: Case, mode: str, options: Options) -> str:
        """Return the prompt: the policy first, then the five parts of the paper."""
        from holmes.domains.finance.prompts import prompt

        return prompt(case, trace=options.trace)

    def interventions(self, case: Case) -> Interventions:
        """Return the changes of one fact of one part; what several parts share stays."""
        from holmes.domains.finance.interventions import FinanceInterventions

        return FinanceInterventions(self, case)

    def tables(self, rows: Sequence[tuple[Case, Sequence[str | None]]]) -> Mapping[str, list[dict[str, Any]]]:
        """Return a run by rule, by clause, and by the category of the person."""
        from holmes.domains.finance.tables import tables

        return tables(rows)

    def family_gates(self, originals: Sequence[Case]) -> Iterator[Gate]:
        """Yield how the number of failing rules is spread over the originals."""
        from holmes.domains.finance.gates.counterfactual import failing_rules

        return failing_rules(originals)


FINANCE = Finance()
