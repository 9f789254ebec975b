"""The printed rules: one numbered line a rule, tables as tables, in order or shuffled."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from fractions import Fraction

from holmes.logic.english.decisions import decision as read_decision
from holmes.logic.english.formula import phrase_of, write_formula
from holmes.logic.english.lexicon import Lexicon, lexicon, spellings
from holmes.logic.english.tokenizer import TextError
from holmes.logic.language.model import Decision, Ref, RuleBase, Table
from holmes.logic.language.unparse import number_text

Cut = str | tuple[Fraction, Fraction | None]


def rules_text(rulebase: RuleBase, rng: random.Random | None = None) -> str:
    """Print all rules, one line each (`Rule 3: …`), table rows below their rule.

    rulebase: of any domain. rng: shuffles the lines where given; numbers are kept.
    Returns the text; gates carry `(mandatory)` or `(standard)`, members of a family `(among the checks)`, the decision
    its scale of gravity where its own sentence does not give it.
    """
    rows = list(rule_lines(rulebase))
    if rng is not None:
        rng.shuffle(rows)
    return "\n".join(text for _, text in rows)


def rule_lines(rulebase: RuleBase) -> Iterator[tuple[int, str]]:
    """Yield (rule number, printed line) in the order of the numbers."""
    words = lexicon(rulebase)
    found: list[tuple[int, str, str, str]] = []
    for concept in rulebase.concepts.values():
        found.append((concept.rule, "", concept.text, ""))
    for table in rulebase.tables.values():
        found.append((table.rule, "", table.text, "\n" + "\n".join(table_rows(table, words))))
    for policy in rulebase.policies.values():
        kin = [
            f"among the {name.replace('_', ' ')}" for name, inside in rulebase.families.items() if policy.name in inside
        ]
        marks = [policy.gate, *kin] if policy.gate else kin
        found.append((policy.rule, f" ({', '.join(marks)})" if marks else "", policy.text, ""))
    for relation in rulebase.relations:
        if not relation.stated_in:
            found.append((relation.rule, "", relation.text, ""))
    found.append((rulebase.decision.rule, "", decision_text(rulebase.decision, words), ""))
    if rulebase.amount is not None:
        found.append((rulebase.amount.rule, "", rulebase.amount.text, ""))
    for number, mark, text, rows in sorted(found):
        yield number, f"Rule {number}{mark}: {' '.join(text.split())}{rows}"


def decision_text(decision: Decision, words: Lexicon) -> str:
    """Return the sentence of the decision; a missing scale of gravity is added."""
    text = " ".join(decision.text.split())
    if decision.pick != "gravest":
        return text
    try:
        read = read_decision(text, decision.rule, words)
    except TextError:  # printed as it stands; the text check and the reader say what is wrong with it
        return text
    if read is None or read.order:
        return text
    scale = ", ".join(spellings(decision, label)[0] for label in decision.order)
    return f"{text} From gravest to mildest: {scale}."


# ---------------------------------------------------------------- tables
def table_rows(table: Table, words: Lexicon) -> list[str]:
    """Return the rows of a table: a grid for two keys, else one row a combination of keys."""
    heads = [phrase_of(key.name, words) if isinstance(key, Ref) else write_formula(key, words) for key in table.keys]
    rows = [([_cut(key) for key in row.keys], write_formula(row.value, words)) for row in table.rows]
    if len(heads) != 2:
        return [_row([*heads, "value"]), *(_row([*keys, value]) for keys, value in rows)]
    down = list(dict.fromkeys(keys[0] for keys, _ in rows))
    across = list(dict.fromkeys(keys[1] for keys, _ in rows))
    cells = {tuple(keys): value for keys, value in rows}
    grid = [[first, *(cells[first, second] for second in across)] for first in down]
    return [_row([f"{heads[0]} / {heads[1]}", *across]), *(_row(cell) for cell in grid)]


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def _cut(key: Cut) -> str:
    if isinstance(key, str):
        return key.replace("_", " ")
    low, high = key
    start = f"from {number_text(low)}"
    return f"{start} up" if high is None else f"{start} to under {number_text(high)}"
