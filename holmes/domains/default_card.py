"""The section of the dataset card of a domain that brings none: one worked case a rule base."""

from __future__ import annotations

from collections.abc import Iterable

from holmes.cases import Case
from holmes.prompting.parts import shown


def section(name: str, cases: Iterable[Case]) -> str:
    """Return Markdown with the first case of each rule base in full: rules, case, question, trace, answer."""
    first: dict[str, Case] = {}
    for case in cases:
        first.setdefault(case.bundle, case)
    return "\n".join([f"## {name.replace('_', ' ').capitalize()}\n", *(worked(case) for case in first.values())])


def worked(case: Case) -> str:
    """Return one case as a block that opens on a click."""
    title = case.bundle.replace("_", " ").capitalize()
    steps = [step for step in case.trace if step.kind != "fact" and step.result not in ("false",)]
    lines = [f"{i}. {step.text}{f' [Rule {step.rule}]' if step.rule else ''}" for i, step in enumerate(steps, 1)]
    rules = "\n".join(f"- {line}" for line in case.rules.splitlines())
    trace = "\n".join(lines)
    return f"""<details><summary><b>{title}</b>: {shown(case, case.answer)}</summary>

**Rules**

{rules}

**Case.** {case.case}

**Question.** {case.question}

{trace}

**Answer.** {shown(case, case.answer)}

</details>
"""
