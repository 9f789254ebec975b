"""Numbers, comparisons and enum values in a row of tokens; each becomes one token that holds its expression."""

from __future__ import annotations

from fractions import Fraction

from holmes.logic.english.lexicon import Lexicon
from holmes.logic.english.tokenizer import TextError, Token
from holmes.logic.language.model import And, Arith, Compare, Const, Expr, Not, Ref, Type

_PERCENT = ("%", "percent")
_NUMBER = Type("int")
_EACH = ("a", "an", "per", "each", "every", "for each", "for every")


def reference(name: str, lexicon: Lexicon) -> Ref:
    """Return the reference to a fact or concept."""
    return Ref(name, "concept" if name in lexicon.concepts else "fact")


def constant(value: Fraction) -> Const:
    """Return a number as an expression."""
    return Const(value, _NUMBER)


class Quantities:
    """Reads quantities from tokens; positions are indices, functions return the place after what they read."""

    def __init__(self, tokens: list[Token], lexicon: Lexicon) -> None:
        self.tokens, self.lexicon = tokens, lexicon
        self.subject: Expr | None = None  # of the last comparison, for "under 40 or over 60"
        self.references: list[tuple[str, int]] = []  # (concept, rule number) of "(Rule 1)"

    def at(self, place: int) -> Token:
        return self.tokens[place] if place < len(self.tokens) else Token("end")

    def read(self) -> list[Token]:
        """Return the tokens with every comparison and enum test replaced by an atom."""
        result: list[Token] = []
        place = 0
        enum = ""
        while place < len(self.tokens):
            token = self.tokens[place]
            if token.kind == "num" or self.starts(place):
                expr, place = self.comparison(place)
                result.append(Token("atom", "", "a comparison", expr=expr))
            elif token.kind == "enum":
                enum = token.value
                self.adjacent(place)
                place += 1
            elif token.kind == "value":
                expr = self.value(token, place, enum)
                result.append(Token("atom", "", token.text, expr=expr))
                place += 1
            elif token.kind == "cmp":
                if token.value == "!=" and self.skip(place + 1, ("filler",))[1].kind == "value":
                    result.append(Token("not", "", token.text))
                elif " " in token.text.replace("up to", "upto"):
                    raise TextError(f"{token.text!r} without a number", "a quantity after it")
                place += 1
            elif token.kind == "ref":
                place = self.cross_reference(token, place, result)
            elif token.kind in ("tail", "unit", "to", "quant"):
                place += 1
            elif token.kind == "post":
                raise TextError(f"{token.text!r} without a number", "a quantity before it")
            elif token.kind == "atom" and token.expr is None:
                expr = reference(token.value, self.lexicon)
                atom = expr if token.positive else Not(expr)
                result.append(Token("atom", token.value, token.text, expr=atom, positive=token.positive))
                place += 1
            else:
                result.append(token)
                place += 1
        return result

    def cross_reference(self, token: Token, place: int, result: list[Token]) -> int:
        """Note `(Rule 1)` or `under Rule 1` after the concept that Rule 1 defines; returns the next place."""
        bracket = bool(result) and result[-1].text == "("
        if bracket:
            result.pop()
        concept = next((t.value for t in reversed(result) if t.kind == "atom"), "")
        if len(token.rules) != 1 or concept not in self.lexicon.concepts:
            raise TextError(
                f"Rule {token.rules[0]} inside a condition", "a reference to the rule of the concept before it"
            )
        self.references.append((concept, token.rules[0]))
        if bracket and self.at(place + 1).text != ")":
            raise TextError("an opening bracket", "its closing bracket")
        return place + 2 if bracket else place + 1

    # ------------------------------------------------------------ enums
    def adjacent(self, place: int) -> None:
        _, after = self.skip(place + 1, ("filler", "not", "cmp", "tail", "soft", "either", "neither"))
        before = self.tokens[place - 1] if place else Token("end")
        if "value" not in (after.kind, before.kind):
            raise TextError(f"{self.tokens[place].text!r} without a value", "one of its values beside it")

    def value(self, token: Token, place: int, enum: str) -> Expr:
        after = self.at(place + 1)
        if after.kind == "enum" and after.value in token.facts:
            enum = after.value
        facts = [f for f in token.facts if "." not in f]
        fact = enum if enum in facts else facts[0] if len(facts) == 1 else ""
        if not fact:
            raise TextError(f"the value {token.text!r}", f"the phrase of {' or '.join(token.facts)} beside it")
        return Compare("==", reference(fact, self.lexicon), Const(token.value, self.lexicon.types[fact]))

    # ------------------------------------------------------------ numbers
    def skip(self, place: int, kinds: tuple[str, ...]) -> tuple[int, Token]:
        while self.at(place).kind in kinds:
            place += 1
        return place, self.at(place)

    def starts(self, place: int) -> bool:
        """Tell whether a quantity starts here: a number, a day, or a comparison word before one."""
        token = self.at(place)
        if token.kind in ("number", "date"):
            return True
        if token.kind != "cmp" and not (token.kind == "soft" and token.text == "after"):
            return False
        _, follows = self.skip(place + 1, ("filler",))
        if token.kind == "soft":
            return follows.kind == "date"
        one = self.at(place + 1).text == "one"
        return follows.kind in ("number", "date", "num", "arith", "table") or one

    def comparison(self, place: int) -> tuple[Expr, int]:
        """Read `subject quantity` or `quantity subject`; a second quantity may share the subject."""
        negative = False
        if self.tokens[place].kind == "num":
            left, place = self.number(place)
            subject = self.tokens[place - 1].text
            while True:
                token = self.at(place)
                if self.starts(place) and token.kind != "num":
                    break
                if token.kind == "not":
                    negative = not negative
                elif token.kind not in ("filler", "must", "tail") and token.text not in ("by", "with"):
                    raise TextError(f"{subject!r} without a quantity", "a number or a comparison beside it")
                place += 1
            bounds, place = self.quantity(place)
        else:
            bounds, place = self.quantity(place)
            after, token = self.skip(place, ("filler",))
            if token.kind == "num":
                left, place = self.number(after)
            elif self.subject is not None:
                left = self.subject
            else:
                raise TextError("a quantity of nothing", "the phrase of a number beside it")
        place, _ = self.skip(place, ("tail", "unit"))
        if self.at(place).kind == "post" and len(bounds) == 1 and bounds[0][0] == "==":
            bounds, place = [(self.at(place).value, bounds[0][1])], place + 1
        self.subject = left
        tests = [Compare(op, left, right) for op, right in bounds]
        expr: Expr = tests[0]
        if len(tests) == 2:
            expr = And(tuple(tests))
        return (Not(expr) if negative else expr), place

    def quantity(self, place: int) -> tuple[list[tuple[str, Expr]], int]:
        """Read a comparison word and a number, or `between a and b`; returns the bounds."""
        token = self.at(place)
        op = "=="
        if token.kind == "cmp":
            op, place = token.value, place + 1
        elif token.kind == "soft":
            op, place = ">", place + 1
        if op == "between":
            low, place = self.number(place)
            place, joint = self.skip(place, ("unit", "tail"))
            if joint.text not in ("and", "to"):
                raise TextError(f"{joint.text or 'the end'!r} after {token.text!r} and a number", "`and` or `to`")
            high, place = self.number(place + 1)
            place, _ = self.skip(place, ("unit", "tail"))
            return [(">=", low), ("<=", high)], place
        value, place = self.number(place)
        place, _ = self.skip(place, ("unit",))
        follows, tail = self.skip(place, ("tail",))
        if tail.kind == "post":
            place = follows
        if self.at(place).kind == "post":
            if op != "==":
                raise TextError(f"two comparisons, {token.text!r} and {self.at(place).text!r}", "one of them")
            op, place = self.at(place).value, place + 1
        return [(op, value)], place

    def number(self, place: int) -> tuple[Expr, int]:
        """Read one number: a literal with its unit, a percentage of a number, a phrase, a product `100 a night`."""
        place, token = self.skip(place, ("filler",)) if self.at(place).text != "one" else (place, self.at(place))
        if token.kind == "date" and token.day is not None:
            return Const(token.day, Type("date")), place + 1
        if token.kind == "num":
            return reference(token.value, self.lexicon), place + 1
        if token.number is None and token.text != "one":
            raise TextError(f"{token.text or 'the end'!r}", "a number")
        value: Expr = constant(Fraction(1) if token.number is None else token.number)
        place, token = place + 1, self.at(place + 1)
        if token.text not in _PERCENT:
            place, token = self.skip(place, ("unit",))
        if token.text in _PERCENT and isinstance(value, Const):
            assert isinstance(value.value, Fraction)
            value, place = constant(value.value / 100), place + 1
            after, token = self.skip(place, ("filler",))
            if token.kind == "num" and after > place and self.at(place).text == "of":
                factor, place = self.number(after)
                value = Arith("*", (value, factor))
        elif token.text in _EACH and self.at(place + 1).kind == "num":
            factor, place = self.number(place + 1)
            value = Arith("*", (value, factor))
        return value, place
