"""Rule base and case -> a readable, self-contained SWI-Prolog program that prints the answer, exactly."""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping, Sequence

from holmes.errors import InputError
from holmes.logic.engine.compile import Program
from holmes.logic.engine.evaluate import exact, program_for
from holmes.logic.engine.rewrite import unroll
from holmes.logic.language.model import Expr, RuleBase, Value
from holmes.logic.prolog.clauses import Writer
from holmes.logic.prolog.goals import Clause, atom, constant
from holmes.logic.prolog.library import CIVIL_DAYS, EXACT_TEXT

__all__ = ["QUESTIONS", "constant", "program"]

QUESTIONS = {"decision": "answer: {answer}", "amount": "amount: {amount}", "both": "answer: {answer}, amount: {amount}"}


_PREDICATES = (
    "fact/1",
    "value/2",
    "record/2",
    "field/3",
    "concept/1",
    "quantity/2",
    "row/3",
    "triggered/1",
    "consequence/2",
    "gate/2",
    "part/2",
    "overrides/2",
)


def program(
    rulebase: RuleBase,
    facts: Mapping[str, Value],
    question: str | None = None,
    *,
    output: str | None = None,
    defeat: str | None = None,
    asked: Sequence[tuple[Expr, str]] = (),
) -> str:
    """Return a complete SWI-Prolog program that prints exactly one line and halts.

    facts: as for `evaluate`. question: ``decision`` (default), ``amount`` or ``both``. output: the line printed, with
    ``{answer}`` and ``{amount}``, by default ``answer: {answer}`` and so on; amounts are exact decimals or N/D.
    defeat: ``grounded`` or ``one_pass``, by default what the rule base declares. asked: conditions with the answer that
    each one gives, instead of the decision: the program prints the answer of the first condition that holds.
    The program uses rationals only.
    Raises InputError for facts that `evaluate` refuses, an unknown question, an amount where there is none.
    """
    compiled = program_for(rulebase, defeat)
    state = compiled.run(facts)
    base = compiled.rulebase
    complete = {name: exact(state[compiled.slot["fact", name]]) for name in base.facts}
    if question not in (None, *QUESTIONS):
        raise InputError(f"question: found {question!r}, expected one of {', '.join(QUESTIONS)}")
    output = output if output is not None else QUESTIONS[question or "decision"]
    if "{amount}" in output and base.amount is None:
        raise InputError(f"{base.name}: question: found a question for the amount, expected a rule base that has one")
    before, after, dates = _rules(compiled, "{amount}" in output)
    writer = Writer(base, complete)
    writer.dates = dates
    main = _asked(asked, writer) if asked else _main(output, base.decision.pick == "all")
    parts = [
        *before,
        "\n".join(["% The case", *writer.fact_lines()]),
        *after,
        CIVIL_DAYS if writer.dates else "",
        EXACT_TEXT if "{amount}" in output else "",
        main,
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


@functools.lru_cache(maxsize=128)
def _rules(compiled: Program, with_amount: bool) -> tuple[Sequence[str], Sequence[str], bool]:
    """Return what a program says of the rules alone, before and after its facts, and whether they reckon with dates."""
    base = compiled.rulebase
    writer = Writer(base, {})
    writer.tables()
    writer.concepts()
    writer.policies()
    writer.relations()
    decision = [f"% Rule {base.decision.rule}: {' '.join(base.decision.text.split())}", *writer.decision()]
    amount = writer.amount() if with_amount else []
    if base.amount is not None and amount:
        amount.insert(0, f"% Rule {base.amount.rule}: {' '.join(base.amount.text.split())}")
    rules = []
    for rule in sorted(writer.rules):
        rules.append("\n".join([f"% Rule {rule}: {writer.texts.get(rule, '')}".rstrip(), *writer.rules[rule]]))
    active = "applies(Winner)" if base.defeat == "grounded" else "triggered(Winner)"
    meaning = "applies" if base.defeat == "grounded" else "is triggered"
    predicates = ", ".join(_PREDICATES)
    before = [f"% {base.title or base.name}", f":- dynamic {predicates}.\n:- discontiguous {predicates}."]
    after = [
        *rules,
        f"% A policy is defeated by a policy that overrides it and {meaning}.\n"
        f"defeated(Policy) :- overrides(Winner, Policy), {active}.\n"
        "applies(Policy) :- triggered(Policy), \\+ defeated(Policy).",
        "\n".join(decision),
        "\n".join(amount),
    ]
    return before, after, writer.dates


def _asked(asked: Sequence[tuple[Expr, str]], writer: Writer) -> str:
    lines = []
    for condition, answer in asked:
        goal = Clause(writer).goal(unroll(condition, writer.base))
        lines.append(f"{goal} ->\n        format('answer: ~w~n', [{atom(answer)}])")
    body = "\n    ;   ".join(lines)
    return f"main :-\n    (   {body}\n    ;   true\n    ).\n\n:- initialization(main, main)."


def _main(output: str, listed: bool) -> str:
    goals, arguments = [], []

    def place(match: re.Match[str]) -> str:
        what = match.group(1)
        if what == "answer":
            goals.append("decision(Answer)")
            if listed:
                joined = "( is_list(Answer) -> atomic_list_concat(Answer, ',', Shown) ; Shown = Answer )"
                goals.append(joined)
            arguments.append("Shown" if listed else "Answer")
        else:
            goals.append("amount(Amount), exact_text(Amount, Text)")
            arguments.append("Text")
        return "~w"

    escaped = output.replace("~", "~~").replace("\\", "\\\\").replace("'", "\\'").replace("\n", " ")
    text = re.sub(r"\{(answer|amount)\}", place, escaped)
    body = ",\n    ".join([*dict.fromkeys(goals), f"format('{text}~n', [{', '.join(arguments)}])"])
    return f"main :-\n    {body}.\n\n:- initialization(main, main)."
