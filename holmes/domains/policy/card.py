"""The policy section of the dataset card: what is asked, how often, and one worked question a type."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from holmes.cases import Case
from holmes.domains.policy.generate import stated
from holmes.domains.policy.gold import gold_reply
from holmes.domains.policy.questions.terms import FORMS, universal

ASKED = {
    "subsumes": "does P cover only what Q covers",
    "equivalent": "do P and Q cover the same",
    "exclusive": "do P and Q exclude each other",
    "comparable": "is one of them within the other",
    "accepts": "does P cover the case told",
    "changes": "does the exception change the rule at all",
    "governs": "which rule governs the case told",
    "disagree": "can the policies of two courts disagree",
    "every": "does every rule of a family satisfy Φ",
    "which": "which rules of a family do not satisfy Φ",
}


def section(cases: Sequence[Case]) -> str:
    """Return Markdown about the policy questions of a split: a table of forms, and the first question of each type."""
    lines = [
        "\n## Policy questions\n",
        "| type | form | asks | cases | answers | need integrity |",
        "|---|---|---|---:|---|---:|",
    ]
    for kind, forms in FORMS.items():
        for form in forms:
            own = [case for case in cases if case.hol_types == (kind,) and case.tags[0] == form]
            counts = Counter(case.answer for case in own)
            told = (
                ", ".join(f"{a} {n}" for a, n in sorted(counts.items()))
                if len(counts) < 4
                else f"{len(counts)} different"
            )
            needy = sum("needs integrity" in case.tags and case.answer == universal(form) for case in own)
            lines.append(f"| {kind} | {form} | {ASKED[form]} | {len(own)} | {told} | {needy} |")
    lines.append("")
    for kind in FORMS:
        lines.append(
            entry(next(case for case in cases if case.hol_types == (kind,) and stated(case)[0].form != "accepts"))
        )
    return "\n".join(lines)


def entry(case: Case) -> str:
    """Return one question with its gold reply as a folded block of Markdown; the rules are left out."""
    told = "\n".join(f"> {line}" if line else ">" for line in case.case.splitlines())
    asked = "\n".join(f"> {line}  " for line in case.question.splitlines())
    reply = "\n".join(f"> {line}  " for line in gold_reply(case).splitlines())
    depth = case.difficulty
    return f"""<details><summary><b>{case.hol_types[0]}</b>, {case.tags[0]}: {case.answer}</summary>

`{case.id}` · {case.bundle} · {depth.tier} · {depth.concepts} concepts, {depth.policies} policies bear on it

{told}

{asked}

**Gold reply**

{reply}

</details>
"""
