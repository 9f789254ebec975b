"""Reference programs: the rule base's own Prolog program, with the line that a deontic task prints."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction

from holmes.domains.deontic.planner.claims import Claim
from holmes.errors import CheckFailed
from holmes.logic.language.model import RuleBase, Value
from holmes.logic.prolog.program import constant, program

_MAIN = "\nmain :-"


def reference(base: RuleBase, facts: Mapping[str, Value], claim: Claim | None) -> str:
    """Return a whole SWI-Prolog program that derives and prints the answer.

    facts: as for `evaluate`. claim: what is to be checked, or None for the amount.
    Prints ``Tax result: N``, or ``Result: Entailment`` or ``Result: Contradiction``, then halts.
    """
    text = program(base, facts, "amount", output="Tax result: {amount}")
    text = re.sub(r"^% Rule\b.*", lambda line: re.sub(r"\bRule(s?)\b", r"Section\1", line[0]), text, flags=re.M)
    if claim is None:
        return text
    head, found, _ = text.rpartition(_MAIN)
    if not found:
        raise CheckFailed(f"{base.name}: program: found no clause of main, expected one at its end")
    yes, no = (f"writeln('Result: {label}')" for label in ("Entailment", "Contradiction"))
    if claim.denied:
        yes, no = no, yes
    body = f"(   {_goal(claim)}\n    ->  {yes}\n    ;   {no}\n    )."
    return f"{head}{_MAIN}\n    {body}\n\n:- initialization(main, main).\n"


def _goal(claim: Claim) -> str:
    """Return the goal that succeeds iff the claim, not denied, is true."""
    how, name = claim.kind.goal.split()
    if how == "applies":
        return f"applies({name})"
    if how == "concept":
        return f"concept({name})"
    if how == "positive":
        return f"quantity({name}, Value), Value > 0"
    equal = "=:=" if isinstance(claim.value, Fraction) else "=="
    read = "amount(Value)" if name == "amount" else f"quantity({name}, Value)"
    return f"{read}, Value {equal} {constant(claim.value)}"
