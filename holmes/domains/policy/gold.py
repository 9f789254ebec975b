"""The reply that a policy question asks for, made of its gold fields."""

from __future__ import annotations

import json

from holmes.cases import Case
from holmes.domains.policy.generate import stated
from holmes.domains.policy.questions.english import witness_text
from holmes.domains.policy.questions.terms import value_of, violations


def gold_reply(case: Case, *, direct: bool = False) -> str:
    """Return the reply that earns every point: the trace with its citations, the answer, the smallest witnesses.

    case: a policy question of ours. direct: without the trace, as the direct prompt asks.
    """
    question, base = stated(case)
    steps = [f"{step.text}{f' [Rule {step.rule}]' if step.rule else ''}" for step in case.trace]
    lines = [] if direct else ["Reasoning:", *steps]
    lines.append(f"Answer: {case.answer}")
    told = json.loads(case.plan)["witnesses"]
    many = len(violations(question, base))
    for number in range(many):
        name = "Witness" if many == 1 else f"Witness {number + 1}"
        if told:
            record = {
                n: value_of(n, v == "true" if v in ("true", "false") else v, base) for n, v in told[number].items()
            }
            lines.append(f"{name}: {witness_text(record, base)}")
        else:
            lines.append(f"{name}: none")
    return "\n".join(lines)
