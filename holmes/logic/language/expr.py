"""The expression notation of rule bases: text -> typed tree (Pratt parser), never `eval`; numbers are exact."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from fractions import Fraction

from holmes.errors import InputError
from holmes.logic.language.model import (
    BOOL,
    INT,
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
    Type,
)

_KEYWORDS = "and or not implies if then else every some in that override overrides true false"
_FUNCTIONS = "min max sum count days_between triggered applies passes consequence"
KEYWORDS = frozenset(_KEYWORDS.split())
FUNCTIONS = frozenset(_FUNCTIONS.split())
RESERVED = KEYWORDS | FUNCTIONS | {"decision", "amount"}
COMPARISONS = ("==", "!=", "<=", ">=", "<", ">")
DEPTH = 120  # nesting allowed; a deeper text is refused rather than exhausting Python's stack

_TOKEN = re.compile(
    r"""\s*(?:
    (?P<date>\d{4}-\d{2}-\d{2}(?![\d-]))
  | (?P<number>\d+(?:\.\d+|/\d+)?(?![\w])(?:\s?%)?)
  | (?P<name>[A-Za-z_]\w*)
  | (?P<string>"[^"\n]*"|'[^'\n]*')
  | (?P<op>==|!=|<=|>=|[-+*<>()\[\],:.])
)""",
    re.VERBOSE,
)


class ExprError(InputError):
    """A text that is not an expression; `column` counts from 1."""

    def __init__(self, text: str, column: int, found: str, expected: str) -> None:
        super().__init__(f"expression {text!r}: column {column}: found {found}, expected {expected}")
        self.text, self.column, self.found, self.expected = text, column, found, expected


@dataclass(frozen=True, slots=True)
class Token:
    """kind: date | number | name | string | op | end."""

    kind: str
    text: str
    column: int


def tokens(text: str) -> list[Token]:
    """Cut `text` into tokens, the last of kind ``end``; raises ExprError at the first character that starts none."""
    found: list[Token] = []
    at = 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            if not text[at:].strip():
                break
            column = at + len(text[at:]) - len(text[at:].lstrip())
            raise ExprError(text, column + 1, repr(text[column]), "a name, a number or an operator")
        kind = str(match.lastgroup)
        found.append(Token(kind, match.group(kind), match.start(kind) + 1))
        at = match.end()
    found.append(Token("end", "the end", len(text) + 1))
    return found


# binding powers: the higher, the tighter
INFIX = {"implies": 1, "or": 2, "and": 3, **dict.fromkeys(COMPARISONS, 5), "+": 6, "-": 6, "*": 7}
NOT, MINUS = 4, 8


class _Parser:
    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = tokens(text)
        self.at = 0
        self.depth = 0
        self.bound: list[str] = []

    # ------------------------------------------------------------ tokens
    @property
    def now(self) -> Token:
        return self.tokens[self.at]

    def take(self) -> Token:
        token = self.now
        self.at += token.kind != "end"
        return token

    def fail(self, token: Token, expected: str) -> ExprError:
        return ExprError(self.text, token.column, token.text if token.kind == "end" else repr(token.text), expected)

    def has(self, text: str) -> bool:
        return self.now.text == text and self.now.kind in ("op", "name")

    def accept(self, text: str) -> bool:
        if self.has(text):
            self.at += 1
            return True
        return False

    def need(self, text: str) -> None:
        if not self.accept(text):
            raise self.fail(self.now, repr(text))

    def name(self, expected: str) -> str:
        token = self.take()
        if token.kind != "name" or token.text in RESERVED:
            raise self.fail(token, expected)
        return token.text

    # ------------------------------------------------------------ grammar
    def expression(self, power: int = 0) -> Expr:
        self.depth += 1
        if self.depth > DEPTH:
            raise self.fail(self.now, f"at most {DEPTH} levels of nesting")
        left = self.prefix(power)
        while (binding := INFIX.get(self.now.text, 0) if self.now.kind in ("op", "name") else 0) > power:
            left = self.infix(left, self.take().text, binding)
        self.depth -= 1
        return left

    def infix(self, left: Expr, op: str, binding: int) -> Expr:
        if op == "implies":
            return Implies(left, self.expression(binding - 1))
        if op in COMPARISONS:
            right = self.expression(binding)
            if self.now.kind == "op" and self.now.text in COMPARISONS:
                raise self.fail(self.now, "`and` between two comparisons")
            return Compare(op, left, right)
        args = [left, self.expression(binding)]
        if op == "-":
            return Arith("-", tuple(args))
        while self.accept(op):
            args.append(self.expression(binding))
        return And(tuple(args)) if op == "and" else Or(tuple(args)) if op == "or" else Arith(op, tuple(args))

    def prefix(self, power: int) -> Expr:
        token = self.take()
        if token.kind == "number":
            return Const(self.number(token), INT)
        if token.kind == "date":
            return self.date(token)
        if token.kind == "string":
            return Const(token.text[1:-1], Type("enum"))
        if token.kind == "op" and token.text == "(":
            inner = self.expression()
            self.need(")")
            return self.postfix(inner)
        if token.kind == "op" and token.text == "-":
            inner = self.expression(MINUS)
            if isinstance(inner, Const) and isinstance(inner.value, Fraction) and inner.value >= 0:
                return Const(-inner.value, inner.type)
            return Arith("neg", (inner,))
        if token.kind != "name":
            raise self.fail(token, "an expression")
        return self.word(token, power)

    def word(self, token: Token, power: int) -> Expr:
        word = token.text
        if word in ("true", "false"):
            return Const(word == "true", BOOL)
        if word == "not":
            if power > NOT:
                raise self.fail(token, "parentheses around `not …`")
            return Not(self.expression(NOT))
        if word == "if":
            test = self.expression()
            self.need("then")
            then = self.expression()
            self.need("else")
            return If(test, then, self.expression())
        if word in ("every", "some"):
            return self.quantifier(word)
        if word in FUNCTIONS:
            return self.function(word)
        if word in KEYWORDS:
            raise self.fail(token, "an expression")
        if word in ("decision", "amount"):
            return Ref(word, word)
        return self.postfix(Ref(word, "variable" if word in self.bound else "name"))

    def postfix(self, left: Expr) -> Expr:
        while True:
            if self.has("."):
                self.take()
                left = Field(left, self.name("the name of a field"))
            elif self.has("[") and isinstance(left, Ref):
                self.take()
                left = Lookup(left.name, self.arguments("]"))
            else:
                return left

    def arguments(self, end: str) -> tuple[Expr, ...]:
        args = [self.expression()]
        while self.accept(","):
            args.append(self.expression())
        self.need(end)
        return tuple(args)

    def quantifier(self, kind: str) -> Expr:
        variable = self.name("the name of a variable")
        self.need("in")
        domain = self.name("the name of a list or of a family")
        if self.accept("that"):  # a static guard: `policies that override alarm`
            if not (self.accept("override") or self.accept("overrides")):
                raise self.fail(self.now, "'override'")
            domain = f"{domain} that override {self.name('the name of a policy')}"
        self.need(":")
        self.bound.append(variable)
        body = self.expression()
        self.bound.pop()
        return Quant(kind, variable, domain, "", body)

    def function(self, word: str) -> Expr:
        self.need("(")
        if word in ("triggered", "applies", "passes", "consequence"):
            policy = self.name("the name of a policy")
            self.need(")")
            return PolicyTest(word, policy, policy in self.bound)
        ahead = self.tokens[self.at + 1] if self.at + 1 < len(self.tokens) else self.now
        if word in ("sum", "count") and ahead.kind == "name" and ahead.text == "in":
            body = self.quantifier(word)
            self.need(")")
            return body
        if word == "count":
            raise self.fail(self.now, "'x in LIST: condition'")
        start = self.now
        args = self.arguments(")")
        if word == "days_between" and len(args) != 2:
            raise self.fail(start, "two dates")
        if len(args) < 2:
            raise self.fail(start, "two arguments or more")
        return Arith("+" if word == "sum" else word, args)

    # ------------------------------------------------------------ literals
    def number(self, token: Token) -> Fraction:
        text = token.text
        try:
            return Fraction(text.rstrip("% \t")) / (100 if text.endswith("%") else 1)
        except ZeroDivisionError:
            raise self.fail(token, "a number with a denominator other than 0") from None

    def date(self, token: Token) -> Const:
        try:
            return Const(date.fromisoformat(token.text), Type("date"))
        except ValueError:
            raise self.fail(token, "a day of the calendar") from None


def parse(text: str) -> Expr:
    """Parse one expression; names stay unresolved (`Ref` of kind ``name``), variables are bound.

    text: the notation of docs/rule-base-files.md. Raises ExprError with the column (from 1), found and expected.
    """
    parser = _Parser(text)
    result = parser.expression()
    if parser.now.kind != "end":
        raise parser.fail(parser.now, "an operator or the end")
    return result


def is_name(text: str) -> bool:
    """Say whether `text` can be used as a name in expressions."""
    return bool(re.fullmatch(r"[A-Za-z_]\w*", text)) and text not in RESERVED
