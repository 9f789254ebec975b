"""Formulas in table cells and their reading: ordinary arithmetic over phrases, `0.1 * (income - 1000)`."""

from __future__ import annotations

import re
from fractions import Fraction

from holmes.logic.english.lexicon import Lexicon, core, words
from holmes.logic.english.quantities import constant, reference
from holmes.logic.english.tokenizer import TextError
from holmes.logic.language.model import Arith, Const, Expr, Ref
from holmes.logic.language.unparse import number_text

_STRENGTH = {"+": 1, "-": 1, "*": 2, "neg": 3}


def write_formula(expr: Expr, lexicon: Lexicon) -> str:
    """Return a formula in ordinary notation; facts and concepts by their first phrase."""
    return _write(expr, lexicon)


def _write(expr: Expr, lexicon: Lexicon, outer: int = 0) -> str:
    if isinstance(expr, Const):
        value = expr.value
        if isinstance(value, Fraction) and not isinstance(value, bool):
            text = number_text(value)
            return f"({text})" if value < 0 and outer else text
        return str(value).replace("_", " ")
    if isinstance(expr, Ref):
        return phrase_of(expr.name, lexicon)
    if isinstance(expr, Arith) and expr.op in _STRENGTH:
        strength = _STRENGTH[expr.op]
        if expr.op == "neg":
            return f"-{_write(expr.args[0], lexicon, strength)}"
        parts = [
            _write(arg, lexicon, strength if place == 0 or expr.op in "+*" else strength + 1)
            for place, arg in enumerate(expr.args)
        ]
        text = f" {expr.op} ".join(parts)
        return f"({text})" if strength < outer else text
    if isinstance(expr, Arith) and expr.op in ("min", "max"):
        inner = ", ".join(_write(arg, lexicon) for arg in expr.args)
        return f"{'the smaller' if expr.op == 'min' else 'the larger'} of ({inner})"
    raise TextError(f"a {type(expr).__name__} in a formula", "numbers, names, + - * min max")


def phrase_of(name: str, lexicon: Lexicon) -> str:
    """Return the first wording of a fact or concept, without its determiner; its plain name where it has none."""
    for phrase, meaning in lexicon.phrases.items():
        if meaning.name == name and meaning.kind in ("number", "enum") and meaning.positive:
            return " ".join(core(phrase))
    return name.replace("_", " ")


_SIGNS = tuple("-+*(),")
_PIECE = re.compile(r"\d+(?:\.\d+)?(?:/\d+)?|[-+*(),]|[^\W\d]+(?:['’-][^\W\d]+)*")


def read_formula(text: str, lexicon: Lexicon) -> Expr:
    """Read a formula that `write_formula` wrote; raises TextError naming the piece that does not fit."""
    reader = _Formula(_PIECE.findall(text), lexicon)
    expr = reader.sum()
    if reader.place < len(reader.pieces):
        raise TextError(f"{reader.pieces[reader.place]!r} in the formula {text!r}", "+, -, * or the end")
    return expr


class _Formula:
    def __init__(self, pieces: list[str], lexicon: Lexicon) -> None:
        self.pieces, self.lexicon, self.place = pieces, lexicon, 0

    def peek(self) -> str:
        return self.pieces[self.place] if self.place < len(self.pieces) else ""

    def take(self) -> str:
        self.place += 1
        return self.pieces[self.place - 1] if self.place <= len(self.pieces) else ""

    def sum(self) -> Expr:
        expr = self.product()
        while self.peek() in ("+", "-"):
            op = self.take()
            expr = Arith(op, (expr, self.product()))
        return expr

    def product(self) -> Expr:
        expr = self.factor()
        while self.peek() == "*":
            self.take()
            expr = Arith("*", (expr, self.factor()))
        return expr

    def factor(self) -> Expr:
        piece = self.peek()
        if piece == "-":
            self.take()
            inner = self.factor()
            return (
                constant(-inner.value)
                if isinstance(inner, Const) and isinstance(inner.value, Fraction)
                else Arith("neg", (inner,))
            )
        if piece == "(":
            self.take()
            expr = self.sum()
            if self.take() != ")":
                raise TextError("an opening bracket in a formula", "its closing bracket")
            return expr
        if piece[:1].isdigit():
            return constant(Fraction(self.take()))
        return self.named()

    def named(self) -> Expr:
        start = self.place
        for kind, head in (("min", ["the", "smaller", "of", "("]), ("max", ["the", "larger", "of", "("])):
            if self.pieces[start : start + 4] == head:
                self.place += 4
                args = [self.sum()]
                while self.peek() == ",":
                    self.take()
                    args.append(self.sum())
                if self.take() != ")":
                    raise TextError("an opening bracket in a formula", "its closing bracket")
                return Arith(kind, tuple(args))
        for size in range(self.lexicon.longest, 0, -1):
            found = self.pieces[start : start + size]
            if len(found) < size or any(part in _SIGNS for part in found):
                continue
            meaning = self.lexicon.phrases.get(core(words(" ".join(found))))
            if meaning and meaning.kind == "number":
                self.place += size
                return reference(meaning.name, self.lexicon)
            if meaning and meaning.kind == "value" and size == len(self.pieces):
                self.place += size
                return Const(meaning.name, self.lexicon.types[meaning.facts[0]])
        raise TextError(f"{self.peek() or 'the end'!r} in a formula", "a number or the phrase of one")
