"""Connectives by precedence: a row of tokens without groups -> one Boolean expression (docs/rule-english.md, 3)."""

from __future__ import annotations

from collections.abc import Sequence

from holmes.logic.english.tokenizer import TextError, Token
from holmes.logic.english.vocabulary import DETERMINERS
from holmes.logic.language.model import And, Expr, Not, Or

_SEPARATORS = ("and", "soft", "or", "except", "same", "border")
_WITHOUT = ("without", "lack", "in the absence", "in absence", "there being no")  # `A without B` is A and not B
_OPENERS = ("not", "both", "either", "neither")


def conjunction(parts: Sequence[Expr]) -> Expr:
    """Return the conjunction, flat; one part stands for itself."""
    flat = [p for part in parts for p in (part.args if isinstance(part, And) else (part,))]
    return flat[0] if len(flat) == 1 else And(tuple(flat))


def disjunction(parts: Sequence[Expr]) -> Expr:
    """Return the disjunction, flat; one part stands for itself."""
    flat = [p for part in parts for p in (part.args if isinstance(part, Or) else (part,))]
    return flat[0] if len(flat) == 1 else Or(tuple(flat))


def negation(expr: Expr) -> Expr:
    """Return the denial; a double one cancels."""
    return expr.arg if isinstance(expr, Not) else Not(expr)


class Parser:
    def __init__(self, row: list[Token]) -> None:
        self.row, self.place, self.depth = row, 0, 0

    def kind(self) -> str:
        return self.row[self.place].kind if self.place < len(self.row) else "end"

    def value(self) -> str:
        return self.row[self.place].value if self.place < len(self.row) else ""

    def whole(self) -> Expr:
        expr = self.leading_exception() if self.kind() == "except" else self.loose_or()
        seen = False
        while self.kind() in ("except", "same"):
            token = self.row[self.place]
            if token.kind == "except" and seen:
                raise TextError(f"a second exception, {token.text!r}", "one exception in a sentence")
            self.place += 1
            right = self.loose_or()
            if token.kind == "except":
                expr, seen = conjunction([expr, negation(right)]), True
            else:
                expr = disjunction([expr, right])
        if self.kind() != "end":
            raise TextError(f"{self.row[self.place].text or 'two phrases side by side'!r}", "a connective")
        return expr

    def leading_exception(self) -> Expr:
        """Read `unless Q, whoever P`: the exception ends at the comma before the joining word."""
        border = next((i for i, t in enumerate(self.row) if t.kind == "soft" and t.value == ","), 0)
        if not border:
            self.place += 1
            return negation(self.loose_or())
        inner, self.row, self.place = self.row[1:border], self.row[border + 1 :], 0
        return conjunction([self.loose_or(), negation(Parser(inner).whole())])

    def chain(self, kinds: tuple[str, ...], loose: str, inner: str) -> Expr:
        """Read `inner (connective inner)*`."""
        parts = [getattr(self, inner)()]
        while self.kind() in kinds and self.value() == loose:
            self.place += 1
            parts.append(getattr(self, inner)())
        result: Expr = disjunction(parts) if kinds == ("or",) else conjunction(parts)
        if kinds == ("or",) and self.kind() == "notboth":
            self.place += 1
            if len(parts) != 2:
                raise TextError(f"`but not both` after {len(parts)} parts", "two")
            result = conjunction([result, Not(conjunction(parts))])
        return result

    def loose_or(self) -> Expr:
        return self.chain(("or",), ",", "loose_and")

    def loose_and(self) -> Expr:
        return self.chain(("and", "soft"), ",", "tight_or")

    def tight_or(self) -> Expr:
        return self.chain(("or",), "", "tight_and")

    def tight_and(self) -> Expr:
        return self.chain(("and", "soft"), "", "unit")

    def unit(self) -> Expr:
        if self.place >= len(self.row):
            raise TextError("the end of the sentence", "a phrase")
        token = self.row[self.place]
        self.place += 1
        if token.kind == "atom" and token.expr is not None:
            return token.expr
        self.depth += 1
        if self.depth > 100:
            raise TextError("more than a hundred denials and groups", "a shorter sentence")
        if token.kind == "not":
            return self.denied(token)
        if token.kind == "both":
            left = self.unit()
            if self.kind() not in ("and", "soft"):
                raise TextError(f"`both` before {self.kind()}", "`both … and …`")
            self.place += 1
            return conjunction([left, self.unit()])
        if token.kind == "either":
            parts = [self.tight_and()]
            while self.kind() == "or":
                self.place += 1
                parts.append(self.tight_and())
            if len(parts) < 2:
                raise TextError("`either` without `or`", "`either … or …`")
            return disjunction(parts)
        if token.kind == "neither":
            parts = [self.unit()]
            while self.kind() == "nor":
                self.place += 1
                parts.append(self.unit())
            if len(parts) < 2:
                raise TextError("`neither` without `nor`", "`neither … nor …`")
            return conjunction([negation(p) for p in parts])
        raise TextError(f"{token.text or token.kind!r}", "a phrase of a fact or concept")

    def denied(self, token: Token) -> Expr:
        start = self.place
        inner = negation(self.unit())
        plain = self.place == start + 1 and self.row[start].kind == "atom"
        if token.value == "tight" and plain and self.kind() == "or" and self.value() == "":
            link = self.row[self.place]
            after = self.row[self.place + 1] if self.place + 1 < len(self.row) else Token("end")
            shared = link.gap == "" or (link.gap in DETERMINERS and token.text != "no")
            if after.kind == "atom" and link.text == "or" and shared:
                raise TextError(
                    f"{token.text!r} before two phrases joined by `or`", "`neither … nor …`, or the denial repeated"
                )
        return inner


def show(row: Sequence[Token]) -> str:
    return " ".join("|" if t.kind == "border" else t.text for t in row if t.text or t.kind == "border")
