"""Amounts in words: tokens of Rule English -> an arithmetic expression (docs/rule-english.md, section 8)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from holmes.logic.english.conditions import condition
from holmes.logic.english.lexicon import Lexicon
from holmes.logic.english.quantifiers import members
from holmes.logic.english.quantities import Quantities, constant
from holmes.logic.english.tokenizer import TextError, Token
from holmes.logic.language.model import Arith, Compare, Const, Expr, If, Lookup, Ref

_ZERO = constant(Fraction(0))
_PERCENT = ("%", "percent")


def amount(tokens: Sequence[Token], lexicon: Lexicon, references: list[tuple[str, int]] | None = None) -> Expr:
    """Read the words of an amount.

    tokens: from `tokenise`, without the words that name what is defined. references: takes (table, rule) for each
    `cap of Rule 1`. Returns the expression; a table is looked up by the keys that its own rule prints (`Lookup`
    without keys, filled in by the reader).
    Raises TextError for words that are no amount.
    """
    reader = _Amount([t for t in tokens if not (t.kind == "filler" and t.text not in ("a", "an", "it", "of"))], lexicon)
    expr = reader.whole()
    if references is not None:
        references += reader.references
    if reader.kind() != "end":
        raise TextError(f"{reader.token().text!r} after an amount", "plus, minus, up to, for each, if, or the end")
    return expr


class _Amount:
    def __init__(self, tokens: list[Token], lexicon: Lexicon) -> None:
        while tokens and tokens[-1].kind == "mark" and tokens[-1].value in ".;,":
            tokens = tokens[:-1]
        self.tokens, self.lexicon, self.place = tokens, lexicon, 0
        self.references: list[tuple[str, int]] = []
        self.last: Expr | None = None  # what `it` stands for

    def token(self, ahead: int = 0) -> Token:
        place = self.place + ahead
        return self.tokens[place] if place < len(self.tokens) else Token("end")

    def kind(self) -> str:
        return self.token().kind

    def arith(self, value: str) -> bool:
        return self.kind() == "arith" and self.token().value == value

    def skip(self, *texts: str) -> None:
        while self.token().kind in ("filler", "unit", "tail") or (texts and self.token().text in texts):
            self.place += 1

    # ------------------------------------------------------------ conditionals
    def whole(self) -> Expr:
        """Read `A`, `A if P, otherwise B`, `A; B if P`."""
        first = self.sum()
        if self.kind() in ("soft", "except"):
            opposite = self.kind() == "except"
            test = self.test(("else",))
            while self.kind() == "mark":
                self.place += 1
            if not self.arith("else"):
                raise TextError("an amount for one case only", "`otherwise` and an amount")
            self.place += 1
            second = self.sum()
            return If(test, second, first) if opposite else If(test, first, second)
        if self.kind() == "mark" and self.place + 1 < len(self.tokens):
            self.place += 1
            second = self.sum()
            if self.kind() != "soft":
                raise TextError("two amounts", "`if` and the case of the second one")
            return If(self.test(()), second, first)
        return first

    def test(self, ends: tuple[str, ...]) -> Expr:
        start = self.place
        while self.kind() != "end" and not (self.kind() == "arith" and self.token().value in ends):
            self.place += 1
        piece = [self.decided(t) for t in self.tokens[start : self.place]]
        while piece and piece[-1].kind == "mark":
            piece.pop()
        return condition(
            [replace(t, kind="soft") if t.kind == "except" else t for t in Quantities(piece, self.lexicon).read()]
        )

    def decided(self, token: Token) -> Token:
        """Turn the wording of an answer into the test that the decision is that answer."""
        if token.kind != "label":
            return token
        test = Compare("==", Ref("decision", "decision"), Const(token.value, self.lexicon.decision.type))
        return Token("atom", "", token.text, expr=test)

    # ------------------------------------------------------------ sums and products
    def sum(self) -> Expr:
        total = self.term()
        while True:
            comma = self.kind() == "mark" and self.token().value in ",;" and self.token(1).kind in ("and", "arith")
            if comma and self.token(1).value not in ("", "+", "-"):
                return total
            ahead = self.token(1) if comma else self.token()
            op = "+" if ahead.kind == "and" else ahead.value if ahead.kind == "arith" and ahead.value in "+-" else ""
            if not op:
                return total
            self.place += 2 if comma else 1
            total = Arith(op, (total, self.term()))

    def term(self) -> Expr:
        value = self.limited()
        while True:
            self.skip()
            if self.arith("each") or self.arith("*"):
                self.place += 1
            elif not self.each():
                return value
            kept = self.last
            value = self.limit(Arith("*", (value, self.limited())))
            self.last = kept

    def each(self) -> bool:
        """Tell whether `a night` follows: an article, skipped already, right before the phrase of a number."""
        before = self.token(-1) if self.place else Token("end")
        return before.text in ("a", "an") and self.kind() == "num"

    def limited(self) -> Expr:
        return self.limit(self.factor())

    def limit(self, value: Expr) -> Expr:
        """Read `up to B` (min), `beyond B` (max(A − B, 0)), `at least B` (max)."""
        self.skip()
        comma = 1 if self.kind() == "mark" and self.token().value == "," else 0
        comma += 1 if self.token(comma).text == "but" else 0
        there = self.token(comma)
        if there.kind != "cmp" or there.value not in ("<=", ">", ">="):
            return value
        self.place += comma + 1
        bound = self.bound()
        if there.value == "<=":
            return Arith("min", (value, bound))
        if there.value == ">=":
            return Arith("max", (value, bound))
        return Arith("max", (Arith("-", (value, bound)), _ZERO))

    def bound(self) -> Expr:
        """Read a limit: one factor, or a product such as `100 crowns a night`."""
        kept = self.last
        value = self.factor()
        self.skip()
        while self.arith("each") or self.arith("*") or self.each():
            self.place += 0 if self.each() else 1
            value = Arith("*", (value, self.factor()))
            self.skip()
        self.last = kept
        return value

    def factor(self) -> Expr:
        self.skip()
        if (
            self.place
            and self.token(-1).text == "it"
            and self.last is not None
            and self.kind() not in ("num", "number", "table")
        ):
            return self.last
        token = self.token()
        self.place += 1
        if token.kind == "num":
            name = token.value
            self.last = Ref(name, "concept" if name in self.lexicon.concepts else "fact")
            return self.last
        if token.kind == "table":
            self.skip("(")
            if self.kind() == "ref":
                self.references += [(token.value, rule) for rule in self.token().rules]
                self.place += 1
                if self.token().text == ")":
                    self.place += 1
            self.last = Lookup(token.value, ())
            return self.last
        if token.kind == "number" and token.number is not None:
            return self.literal(token.number)
        if token.kind == "arith" and token.value in ("sum", "min", "max"):
            return Arith("+" if token.value == "sum" else token.value, tuple(self.operands()))
        if token.kind == "arith" and token.value == "count" and self.kind() == "member":
            expr, self.place = members(self.tokens, self.place, "count", self.lexicon)
            return expr
        if token.kind == "arith" and token.value == "0":
            return _ZERO
        if token.kind == "arith" and token.value[0].isdigit():
            return Arith("*", (constant(Fraction(token.value)), self.factor()))
        if token.text == "(":
            inner = self.sum()
            if self.token().text != ")":
                raise TextError("an opening bracket", "its closing bracket")
            self.place += 1
            return inner
        raise TextError(f"{token.text or 'the end'!r}", "an amount: a number, the phrase of one, the sum of, …")

    def literal(self, number: Fraction) -> Expr:
        if self.token().text in _PERCENT:
            self.place += 1
            number /= 100
            self.skip()
            return Arith("*", (constant(number), self.factor()))
        if self.kind() == "unit":
            self.place += 1
        if self.arith("*"):
            self.place += 1
            return Arith("*", (constant(number), self.factor()))
        return constant(number)

    def operands(self) -> list[Expr]:
        """Read `A, B and C` after `the sum of`, `the smaller of`."""
        found = [self.factor()]
        while self.kind() == "mark" and self.token().value == ",":
            self.place += 1
            found.append(self.factor())
        if self.kind() != "and":
            raise TextError(f"{self.token().text or 'the end'!r} in a list of amounts", "`and` before the last one")
        self.place += 1
        found.append(self.factor())
        return found
