"""Expressions and exact numbers back to text: `parse` of it gives the same expression."""

from __future__ import annotations

from datetime import date
from fractions import Fraction

from holmes.logic.language.expr import INFIX, MINUS, NOT, is_name
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


def number_text(value: Fraction) -> str:
    """Write an exact number: an integer, a terminating decimal, or else numerator/denominator."""
    if value.denominator == 1:
        return str(value.numerator)
    rest, places = value.denominator, 0
    for prime in (2, 5):
        power = 0
        while rest % prime == 0:
            rest //= prime
            power += 1
        places = max(places, power)
    if rest != 1:
        return f"{value.numerator}/{value.denominator}"
    digits = str(abs(value.numerator) * 10**places // value.denominator).rjust(places + 1, "0")
    return f"{'-' if value < 0 else ''}{digits[:-places]}.{digits[-places:]}"


def _binding(expr: Expr) -> int:
    match expr:
        case Implies():
            return 1
        case Or():
            return 2
        case And():
            return 3
        case Not():
            return NOT
        case Compare():
            return 5
        case Arith(op=("+" | "-" | "*") as op):
            return INFIX[op]
        case Arith(op="neg"):
            return MINUS
        case If() | Quant(kind="every" | "some"):
            return 0
        case Const(value=Fraction() as value) if value < 0:
            return MINUS
        case _:
            return 9


def unparse(expr: Expr) -> str:
    """Write a tree in the notation; ``parse(unparse(e))`` is `e` for every tree that the parser can return."""

    def sub(inner: Expr, least: int) -> str:
        text = unparse(inner)
        return text if _binding(inner) >= least else f"({text})"

    match expr:
        case Const(value=bool() as value):
            return "true" if value else "false"
        case Const(value=Fraction() as value):
            return number_text(value)
        case Const(value=date() as value):
            return value.isoformat()
        case Const(value=str() as value):
            bare = bool(expr.type.values) and is_name(value)
            return value if bare else f"'{value}'" if '"' in value else f'"{value}"'
        case Const():
            raise TypeError(f"no literal for {expr.value!r}")
        case Ref():
            return expr.name
        case Field():
            return f"{sub(expr.record, 9)}.{expr.name}"
        case Not():
            return f"not {sub(expr.arg, NOT + 1) if not isinstance(expr.arg, Not) else unparse(expr.arg)}"
        case And() | Or():
            word, least = ("and", 4) if isinstance(expr, And) else ("or", 3)
            return f" {word} ".join(sub(arg, least) for arg in expr.args)
        case Implies():
            return f"{sub(expr.left, 2)} implies {sub(expr.right, 1)}"
        case Compare():
            return f"{sub(expr.left, 6)} {expr.op} {sub(expr.right, 6)}"
        case Arith(op="neg"):
            return f"-{sub(expr.args[0], 9)}"
        case Arith(op=("+" | "-" | "*") as op):
            first, rest = expr.args[0], expr.args[1:]
            nested = isinstance(first, Arith) and first.op == op and op != "-"
            return f" {op} ".join([sub(first, 9 if nested else INFIX[op]), *(sub(a, INFIX[op] + 1) for a in rest)])
        case Arith():
            return f"{expr.op}({', '.join(unparse(arg) for arg in expr.args)})"
        case If():
            return f"if {unparse(expr.test)} then {unparse(expr.then)} else {unparse(expr.otherwise)}"
        case Quant():
            inner = f"{expr.variable} in {expr.domain}: {unparse(expr.body)}"
            return f"{expr.kind} {inner}" if expr.kind in ("every", "some") else f"{expr.kind}({inner})"
        case Lookup():
            return f"{expr.table}[{', '.join(unparse(key) for key in expr.keys)}]"
        case PolicyTest():
            return f"{expr.kind}({expr.policy})"
