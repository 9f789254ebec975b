"""Expressions as Prolog: conditions become goals, values become terms with goals to run first."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date
from fractions import Fraction
from typing import Protocol

from holmes.logic.language.model import (
    And,
    Arith,
    Compare,
    Const,
    Expr,
    Field,
    If,
    Implies,
    Lookup,
    Not,
    Or,
    PolicyTest,
    Quant,
    Ref,
)

_SWAP = {"<=": "=<", "==": "=:=", "!=": "=\\="}


class Context(Protocol):
    """What the goals of a clause need to know of the whole program."""

    dates: bool

    def kind(self, expr: Expr) -> str:
        """Return bool, enum, date or number."""


def atom(text: str) -> str:
    """Write an atom, quoted where it must be."""
    if re.fullmatch(r"[a-z][A-Za-z0-9_]*", text):
        return text
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def number(value: Fraction) -> str:
    """Write an exact number: an integer, or ``N rdiv D``."""
    if value.denominator == 1:
        return str(value.numerator) if value >= 0 else f"({value.numerator})"
    return f"({value.numerator} rdiv {value.denominator})"


def constant(value: object) -> str:
    """Write a value as a term."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Fraction):
        return number(value)
    if isinstance(value, date):
        return f"date({value.year}, {value.month}, {value.day})"
    return atom(str(value))


class Clause:
    """Goals of one clause body; fresh variables are numbered within it."""

    def __init__(self, writer: Context, bound: Mapping[Expr, str] | None = None) -> None:
        self.writer = writer
        self.count = 0
        self.bound: dict[Expr, str] = dict(bound or {})  # table keys and record variables -> Prolog variables

    def fresh(self, hint: str) -> str:
        self.count += 1
        name = re.sub(r"[^A-Za-z0-9]+", " ", hint).title().replace(" ", "") or "V"
        return f"{name if name[0].isalpha() else 'V'}{self.count}"

    # ------------------------------------------------------------ conditions
    def goal(self, expr: Expr) -> str:
        """Return one goal that succeeds iff the condition holds."""
        match expr:
            case Const(value=value):
                return "true" if value else "fail"
            case Ref(kind="fact", name=name):
                return f"fact({atom(name)})"
            case Ref(kind="concept", name=name):
                return f"concept({atom(name)})"
            case Field(record=Ref() as record, name=name):
                return f"field({self.bound[record]}, {atom(name)}, true)"
            case PolicyTest(kind=kind, policy=name):
                return f"{'applies' if kind == 'applies' else 'triggered'}({atom(name)})"
            case Not():
                return f"\\+ {self.closed(expr.arg)}"
            case And():
                return "(" + ", ".join(self.goal(arg) for arg in expr.args) + ")"
            case Or():
                return "( " + " ; ".join(self.goal(arg) for arg in expr.args) + " )"
            case Implies():
                return f"( {self.goal(expr.left)} -> {self.goal(expr.right)} ; true )"
            case If():
                branches = f"{self.goal(expr.then)} ; {self.goal(expr.otherwise)}"
                return f"( {self.goal(expr.test)} -> {branches} )"
            case Compare():
                return self.compare(expr)
            case Quant(kind="every" | "some"):
                variable = self.fresh("Record")
                self.bound[Ref(expr.variable, "variable")] = variable
                member, body = f"record({atom(expr.domain)}, {variable})", self.goal(expr.body)
                return f"forall({member}, {body})" if expr.kind == "every" else f"( {member}, {body} )"
            case Lookup():
                goals, term = self.term(expr)
                return "(" + ", ".join([*goals, f"{term} == true"]) + ")"
        raise TypeError(f"no condition: {expr!r}")

    def closed(self, expr: Expr) -> str:
        text = self.goal(expr)
        return text if text.startswith("(") or re.fullmatch(r"[a-z]+\([^()]*\)", text) else f"( {text} )"

    def compare(self, expr: Compare) -> str:
        kind = self.writer.kind(expr.left)
        if kind == "bool":
            left, right = self.goal(expr.left), self.goal(expr.right)
            same = f"( {left} -> {right} ; \\+ ( {right} ) )"
            return same if expr.op == "==" else f"\\+ {same}"
        (before, left), (more, right) = self.term(expr.left), self.term(expr.right)
        goals = [*before, *more]
        if kind == "enum":
            goals.append(f"{left} {'==' if expr.op == '==' else chr(92) + '=='} {right}")
        else:
            if kind == "date":
                left, right = self.days(left, goals), self.days(right, goals)
            goals.append(f"{left} {_SWAP.get(expr.op, expr.op)} {right}")
        return goals[0] if len(goals) == 1 else "(" + ", ".join(goals) + ")"

    def days(self, term: str, goals: list[str]) -> str:
        self.writer.dates = True
        variable = self.fresh("Day")
        goals.append(f"day_number({term}, {variable})")
        return variable

    # ------------------------------------------------------------ values
    def term(self, expr: Expr) -> tuple[list[str], str]:
        """Return goals to run first, and a term: arithmetic for numbers, an atom or a date otherwise."""
        if expr in self.bound:
            return [], self.bound[expr]
        match expr:
            case Const():
                return [], constant(expr.value)
            case Ref(kind="decision"):
                variable = self.fresh("Answer")
                return [f"decision({variable})"], variable
            case Ref(kind=kind, name=name) if self.writer.kind(expr) != "bool":
                variable = self.fresh(name)
                return [f"{'value' if kind == 'fact' else 'quantity'}({atom(name)}, {variable})"], variable
            case Field(record=Ref() as record, name=name) if self.writer.kind(expr) != "bool":
                variable = self.fresh(name)
                return [f"field({self.bound[record]}, {atom(name)}, {variable})"], variable
            case Arith():
                return self.arithmetic(expr)
            case If():
                variable = self.fresh("Value")
                then, other = (self.assign(branch, variable) for branch in (expr.then, expr.otherwise))
                return [f"( {self.goal(expr.test)} -> {then} ; {other} )"], variable
            case Quant(kind="count" | "sum"):
                return self.quantity(expr)
            case Lookup():
                goals: list[str] = []
                keys = []
                for key in expr.keys:
                    before, term = self.term(key)
                    goals += before
                    if self.writer.kind(key) == "number" and not re.fullmatch(r"\w+", term):
                        variable = self.fresh("Key")
                        goals.append(f"{variable} is {term}")
                        term = variable
                    keys.append(term)
                variable = self.fresh(expr.table)
                return [*goals, f"row({atom(expr.table)}, [{', '.join(keys)}], {variable})"], variable
            case _:
                variable = self.fresh("Truth")
                return [f"( {self.goal(expr)} -> {variable} = true ; {variable} = false )"], variable

    def assign(self, expr: Expr, variable: str) -> str:
        before, term = self.term(expr)
        link = "is" if self.writer.kind(expr) == "number" else "="
        return ", ".join([*before, f"{variable} {link} {term}"])

    def arithmetic(self, expr: Arith) -> tuple[list[str], str]:
        goals: list[str] = []
        terms = []
        for arg in expr.args:
            before, term = self.term(arg)
            goals += before
            terms.append(self.days(term, goals) if expr.op == "days_between" else term)
        if expr.op == "days_between":
            return goals, f"({terms[1]} - {terms[0]})"
        if expr.op == "neg":
            return goals, f"(-({terms[0]}))"
        if expr.op in ("min", "max"):
            result = terms[-1]
            for term in reversed(terms[:-1]):
                result = f"{expr.op}({term}, {result})"
            return goals, result
        return goals, "(" + f" {expr.op} ".join(terms) + ")"

    def quantity(self, expr: Quant) -> tuple[list[str], str]:
        variable, list_, result = self.fresh("Record"), self.fresh("List"), self.fresh("Total")
        self.bound[Ref(expr.variable, "variable")] = variable
        member = f"record({atom(expr.domain)}, {variable})"
        if expr.kind == "count":
            goal = f"findall({variable}, ({member}, once({self.goal(expr.body)})), {list_})"
            return [goal, f"length({list_}, {result})"], result
        item = self.fresh("Item")
        goal = f"findall({item}, ({member}, {self.assign(expr.body, item)}), {list_})"
        return [goal, f"sum_list({list_}, {result})"], result


def kind_of(kind: str) -> str:
    return {"int": "number", "money": "number", "name": "enum"}.get(kind, kind)
