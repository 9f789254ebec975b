"""Declarations as Prolog clauses, rule by rule."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date
from fractions import Fraction

from holmes.logic.engine.rewrite import unroll
from holmes.logic.language.model import (
    And,
    Arith,
    Const,
    Expr,
    Field,
    If,
    Lookup,
    Or,
    Policy,
    Quant,
    Ref,
    RuleBase,
    Table,
    Value,
)
from holmes.logic.prolog.goals import Clause, atom, constant, kind_of, number


class Writer:
    def __init__(self, base: RuleBase, facts: Mapping[str, Value]) -> None:
        self.base, self.facts = base, facts
        self.dates = False
        self.rules: dict[int, list[str]] = {}
        self.texts: dict[int, str] = {}

    def kind(self, expr: Expr) -> str:
        """Return bool, enum, date or number."""
        match expr:
            case Const(value=bool()):
                return "bool"
            case Const(value=str()):
                return "enum"
            case Const(value=date()):
                return "date"
            case Ref(kind="fact", name=name):
                return kind_of(self.base.facts[name].type.kind)
            case Ref(kind="concept", name=name):
                return kind_of(self.base.concepts[name].type.kind)
            case Ref(kind="decision"):
                return "enum"
            case Field(name=name):
                fields = [dict(f.type.fields) for f in self.base.facts.values() if f.type.kind == "list"]
                return kind_of(next(f[name].kind for f in fields if name in f))
            case If():
                return self.kind(expr.then)
            case Lookup():
                return kind_of(self.base.tables[expr.table].type.kind)
            case Arith() | Quant(kind="count" | "sum"):
                return "number"
            case _:
                return "bool"

    def clause(self, rule: int, head: str, goals: list[str]) -> None:
        body = "" if not goals or goals == ["true"] else " :-\n    " + ",\n    ".join(goals)
        self.rules.setdefault(rule, []).append(f"{head}{body}.")

    def note(self, rule: int, text: str) -> None:
        self.texts.setdefault(rule, " ".join(text.split()))

    # ------------------------------------------------------------ declarations
    def fact_lines(self) -> list[str]:
        lines = []
        for name, value in self.facts.items():
            if value is True:
                lines.append(f"fact({atom(name)}).")
            elif isinstance(value, tuple):
                for place, record in enumerate(value, 1):
                    assert isinstance(record, Mapping)
                    key = atom(f"{name}{place}")
                    lines.append(f"record({atom(name)}, {key}).")
                    lines += [self.field(key, field, item) for field, item in record.items()]
            elif isinstance(value, Fraction) and value.denominator != 1:
                lines.append(f"value({atom(name)}, V) :- V is {value.numerator} rdiv {value.denominator}.")
            elif not isinstance(value, bool):
                lines.append(f"value({atom(name)}, {_plain(value)}).")
        return lines

    def field(self, key: str, name: str, value: Value) -> str:
        if isinstance(value, Fraction) and value.denominator != 1:
            return f"field({key}, {atom(name)}, V) :- V is {value.numerator} rdiv {value.denominator}."
        return f"field({key}, {atom(name)}, {_plain(value)})."

    def concepts(self) -> None:
        for name, concept in self.base.concepts.items():
            self.note(concept.rule, concept.text)
            body = unroll(concept.body, self.base)
            clause = Clause(self)
            if concept.type.kind == "bool":
                self.conditions(concept.rule, f"concept({atom(name)})", body)
            else:
                before, term = clause.term(body)
                link = "is" if kind_of(concept.type.kind) == "number" else "="
                self.clause(concept.rule, f"quantity({atom(name)}, Value)", [*before, f"Value {link} {term}"])

    def conditions(self, rule: int, head: str, expr: Expr) -> None:
        """Write one clause a disjunct, each conjunct a goal of its own."""
        for disjunct in expr.args if isinstance(expr, Or) else (expr,):
            clause = Clause(self)
            goals = [clause.goal(part) for part in (disjunct.args if isinstance(disjunct, And) else (disjunct,))]
            self.clause(rule, head, [_unwrap(goal) for goal in goals])

    def tables(self) -> None:
        for table in self.base.tables.values():
            self.note(table.rule, table.text)
            for row in table.rows:
                self.row(table, row.keys, row.value)

    def row(self, table: Table, keys: tuple[str | tuple[Fraction, Fraction | None], ...], value: Expr) -> None:
        body = unroll(value, self.base)
        bound: dict[Expr, str] = {}
        shown, goals = [], []
        for number_, (key, cell) in enumerate(zip(table.keys, keys, strict=True), 1):
            if isinstance(cell, str):
                shown.append(atom(cell))
                continue
            variable = bound[key] = f"Key{number_}"
            shown.append(variable)
            goals.append(f"{variable} >= {number(cell[0])}")
            if cell[1] is not None:
                goals.append(f"{variable} < {number(cell[1])}")
        before, term = Clause(self, bound).term(body)
        head = f"row({atom(table.name)}, [{', '.join(shown)}], "
        if not before and isinstance(body, Const) and not goals and re.fullmatch(r"\w+|'.*'", term):
            self.clause(table.rule, f"{head}{term})", [])
            return
        link = "is" if kind_of(table.type.kind) == "number" else "="
        self.clause(table.rule, f"{head}Value)", [*goals, *before, f"Value {link} {term}"])

    def policies(self) -> None:
        for policy in self.base.policies.values():
            self.note(policy.rule, policy.text)
            self.policy(policy)
            if policy.consequence:
                self.clause(policy.rule, f"consequence({atom(policy.name)}, {atom(policy.consequence)})", [])
            if policy.gate:
                self.clause(policy.rule, f"gate({atom(policy.name)}, {policy.gate})", [])

    def policy(self, policy: Policy) -> None:
        head = f"triggered({atom(policy.name)})"
        if policy.when is not None:
            self.conditions(policy.rule, head, unroll(policy.when, self.base))
        elif policy.unless is not None:
            self.clause(policy.rule, head, [f"triggered({atom(policy.base)})"])
            self.conditions(policy.rule, head, unroll(policy.unless, self.base))
        elif policy.operator == "compose":
            goals = [f"triggered({atom(part)})" for part in policy.parts]
            for body in [goals] if policy.mode == "all" else [[goal] for goal in goals]:
                self.clause(policy.rule, head, body)
            for part in policy.parts if not policy.gate else ():
                self.clause(policy.rule, f"part({atom(policy.name)}, {atom(part)})", [])
        else:
            assert policy.selector is not None
            for value, target in policy.branches:
                before, term = Clause(self).term(unroll(policy.selector, self.base))
                chosen = [*before, f"{term} == {atom(value)}"]
                self.clause(policy.rule, head, [*chosen, f"triggered({atom(target)})"])
                if not policy.gate:
                    self.clause(policy.rule, f"part({atom(policy.name)}, {atom(target)})", chosen)

    def relations(self) -> None:
        for relation in self.base.relations:
            if relation.text:
                self.note(relation.rule, relation.text)
            for loser in relation.losers:
                self.clause(relation.rule, f"overrides({atom(relation.winner)}, {atom(loser)})", [])

    def decision(self) -> list[str]:
        """Return the clauses of the decision, in an order that commits to the first that holds."""
        decision = self.base.decision
        answers = [atom(value) for value in decision.type.values]
        if decision.pick == "gates":
            top = atom(decision.gates)
            lines = [
                "gate_of(Policy, Policy) :- gate(Policy, _), !.",
                "gate_of(Policy, Gate) :- part(Policy, Part), gate_of(Part, Gate).",
                f"decision({answers[-1]}) :- gate_of({top}, Gate), gate(Gate, mandatory), \\+ triggered(Gate), !.",
            ]
            if len(answers) == 3:
                failed = f"gate_of({top}, Gate), gate(Gate, standard), \\+ triggered(Gate), !."
                lines.append(f"decision({answers[1]}) :- {failed}")
            return [*lines, f"decision({answers[0]})."]
        listed = "[" + ", ".join(map(atom, decision.order)) + "]"
        pick, otherwise = decision.pick, atom(decision.otherwise)
        if pick == "gravest":
            return [
                f"decision(Answer) :- member(Answer, {listed}), consequence(Policy, Answer), applies(Policy), !.",
                f"decision({otherwise}).",
            ]
        lines = []
        rest = ""
        if pick == "first_of":
            lines.append(
                f"decision(Answer) :- member(Answer, {listed}), consequence(Policy, Answer), applies(Policy), !."
            )
            rest, pick = f"\\+ memberchk(Answer, {listed}), ", decision.then or "first"
        if pick == "all":
            order = "[" + ", ".join(answers) + "]"
            each = f"(member(Answer, {order}), {rest}once((consequence(Policy, Answer), applies(Policy))))"
            lines.append(f"decision(Answers) :- findall(Answer, {each}, Answers), Answers \\== [], !.")
            return [*lines, f"decision([{otherwise}])."]
        lines.append(f"decision(Answer) :- in_order(Policy, Answer), {rest}applies(Policy), !.")
        by_rule = sorted((p for p in self.base.policies.values() if p.consequence), key=lambda p: p.rule)
        order_lines = [f"in_order({atom(p.name)}, {atom(p.consequence)})." for p in by_rule]
        return [*order_lines, *lines, f"decision({otherwise})."]

    def amount(self) -> list[str]:
        if self.base.amount is None:
            return []
        before, term = Clause(self).term(unroll(self.base.amount.value, self.base))
        return ["amount(Amount) :-\n    " + ",\n    ".join([*before, f"Amount is {term}"]) + "."]


def _plain(value: Value) -> str:
    """Write a stored term; a negative integer needs no parentheses there."""
    if isinstance(value, Fraction):
        return str(value.numerator)
    return constant(value)


def _unwrap(goal: str) -> str:
    """Drop the parentheses around a conjunction that is a goal of its own."""
    if not goal.startswith("(") or goal.startswith("( ") or not goal.endswith(")"):
        return goal
    depth = 0
    for place, character in enumerate(goal):
        depth += (character == "(") - (character == ")")
        if depth == 0 and place < len(goal) - 1:
            return goal
    return goal[1:-1] if "'" not in goal else goal
