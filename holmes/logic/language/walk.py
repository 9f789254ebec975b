"""Walking and rebuilding expression trees."""

from __future__ import annotations

from collections.abc import Callable, Iterator

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


def children(expr: Expr) -> tuple[Expr, ...]:
    """Return the direct sub-expressions, left to right."""
    match expr:
        case Const() | Ref() | PolicyTest():
            return ()
        case Field():
            return (expr.record,)
        case Not():
            return (expr.arg,)
        case And() | Or() | Arith():
            return expr.args
        case Implies() | Compare():
            return (expr.left, expr.right)
        case If():
            return (expr.test, expr.then, expr.otherwise)
        case Quant():
            return (expr.body,)
        case Lookup():
            return expr.keys


def walk(expr: Expr) -> Iterator[Expr]:
    """Yield the expression and all its sub-expressions, parents first."""
    yield expr
    for child in children(expr):
        yield from walk(child)


def rebuild(expr: Expr, change: Callable[[Expr], Expr]) -> Expr:
    """Return the same node with every direct sub-expression replaced by ``change(child)``."""
    match expr:
        case Const() | Ref() | PolicyTest():
            return expr
        case Field():
            return Field(change(expr.record), expr.name)
        case Not():
            return Not(change(expr.arg))
        case And():
            return And(tuple(map(change, expr.args)))
        case Or():
            return Or(tuple(map(change, expr.args)))
        case Arith():
            return Arith(expr.op, tuple(map(change, expr.args)))
        case Implies():
            return Implies(change(expr.left), change(expr.right))
        case Compare():
            return Compare(expr.op, change(expr.left), change(expr.right))
        case If():
            return If(change(expr.test), change(expr.then), change(expr.otherwise))
        case Quant():
            return Quant(expr.kind, expr.variable, expr.domain, expr.over, change(expr.body))
        case Lookup():
            return Lookup(expr.table, tuple(map(change, expr.keys)))
