"""The gallery of the dataset card: one worked case a bundle, from the shipped cases."""

from __future__ import annotations

from collections.abc import Iterable

from holmes.cases import Case
from holmes.prompting.parts import shown


def gallery(cases: Iterable[Case]) -> str:
    """Return Markdown with one worked case a bundle: rules, case, question, trace, answer.

    cases: of any number of bundles; of each, the first of tier medium that an exception decides is shown, else the
    first. The text depends on the cases alone.
    """
    chosen: dict[str, Case] = {}
    for case in cases:
        if case.bundle not in chosen or (_fit(case) and not _fit(chosen[case.bundle])):
            chosen[case.bundle] = case
    return "\n".join(_entry(chosen[name]) for name in sorted(chosen))


def _fit(case: Case) -> bool:
    return case.difficulty.tier == "medium" and "exception" in case.tags


def _entry(case: Case) -> str:
    title = case.bundle.replace("_", " ").capitalize()
    steps = [step for step in case.trace if step.kind != "fact" and step.result not in ("false",)]
    lines = [f"{i}. {step.text}{f' [Rule {step.rule}]' if step.rule else ''}" for i, step in enumerate(steps, 1)]
    rules = "\n".join(f"- {line}" for line in case.rules.splitlines())
    depth = case.difficulty
    return f"""<details><summary><b>{title}</b>: {shown(case, case.answer)}</summary>

`{case.id}` · {depth.tier} · {depth.steps} steps · {depth.conflicts} conflicts · {", ".join(case.tags) or "no operator"}

**Rules**

{rules}

**Case.** {case.case}

**Question.** {case.question}

**Trace** (what holds; the full closure is in the row)

{chr(10).join(lines) if lines else "(none)"}

**Answer.** {shown(case, case.answer)}

</details>
"""
