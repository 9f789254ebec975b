"""The statute as printed: one numbered section a rule, tables as rows behind their section."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction

from holmes.cases import Step
from holmes.derivations.parts import Part
from holmes.domains.deontic.text import CLOSED
from holmes.errors import InputError
from holmes.logic.language.model import Arith, Const, Expr, Ref, RuleBase, Table, TableRow
from holmes.logic.language.unparse import number_text, unparse

_PRINTED: dict[str, str] = {}


def statute(base: RuleBase) -> str:
    """Return the text of the statute: title, the rule on silence, then the sections in order.

    Rules are called sections here; a cross-reference "Rule 10" in the rule base prints as "Section 10".
    """
    key = f"{base.name} {base.fingerprint}"
    if key not in _PRINTED:
        _PRINTED[key] = _print(base)
    return _PRINTED[key]


def verbalize(part: Part, step: Step) -> Step:
    """Return a step in the words of the printed statute: sections for rules, silence told as silence."""
    base, facts, names = part.base, part.facts, part.names
    for name, decl in base.facts.items():
        if step.kind == "fact" and decl.says and not facts[name] and decl.type.kind != "bool":
            shown = decl.says[0].replace("{v}", "0")
            for entity, kind in base.entities.items():
                shown = shown.replace(f"{{{entity}}}", names.get(entity, f"the {kind}"))
            if step.text == shown[:1].upper() + shown[1:]:
                phrase = decl.phrases[0].replace("{v} % of ", "")
                return replace(step, text=f"The case says nothing of {phrase}: zero.")
    return replace(step, text=re.sub(r"\bRule(s?)\b", r"Section\1", step.text))


def _print(base: RuleBase) -> str:
    lines = {concept.rule: concept.text for concept in base.concepts.values()}
    lines |= {policy.rule: policy.text for policy in base.policies.values()}
    lines |= {relation.rule: relation.text for relation in base.relations if not relation.stated_in}
    lines |= {table.rule: f"{table.text} {_rows(table)}" for table in base.tables.values()}
    lines[base.decision.rule] = base.decision.text
    if base.amount is not None:
        lines[base.amount.rule] = base.amount.text
    sections = [f"{rule}. " + re.sub(r"\bRule(s?)\b", r"Section\1", lines[rule]) for rule in sorted(lines)]
    return "\n".join([base.title, CLOSED, *sections])


def _rows(table: Table) -> str:
    return (
        "; ".join(f"{_key(row)}{':' if _ranged(row) else ''} {_formula(row.value, table)}" for row in table.rows) + "."
    )


def _ranged(row: TableRow) -> bool:
    return isinstance(row.keys[0], tuple)


def _key(row: TableRow) -> str:
    (key,) = row.keys  # the statute's tables have one key
    if isinstance(key, str):
        return key
    return f"up to {number_text(key[1])}" if key[1] is not None else "above"  # rows in order, each from the last on


def _formula(expr: Expr, table: Table) -> str:
    """Write a row's value: a number, a share of the key ("20 %"), or a share less a number ("20 % less 1000")."""
    match expr:
        case Const(value=Fraction() as value):
            return number_text(value)
        case Arith(op="*", args=(Const(value=Fraction() as share), Ref() as key)) if (key,) == table.keys:
            return f"{number_text(100 * share)} %"
        case Arith(op="-", args=(left, Const(value=Fraction() as less))):
            return f"{_formula(left, table)} less {number_text(less)}"
    raise InputError(
        f"rule {table.rule}: table {table.name}: found {unparse(expr)!r}, expected a number, a share of the key, "
        "or a share less a number"
    )
