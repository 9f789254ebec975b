"""Quantifiers in rule texts, over the records of a list (`every member …`) and over families (`every check`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from holmes.logic.english.lexicon import Lexicon
from holmes.logic.english.quantities import Quantities
from holmes.logic.english.tokenizer import TextError, Token
from holmes.logic.language.model import Arith, Compare, Const, Expr, Field, Not, PolicyTest, Quant, Ref

VARIABLE = "p"
_ENDS = ("except", "same", "border", "label", "means")


def quantified(tokens: Sequence[Token], lexicon: Lexicon) -> list[Token]:
    """Replace every quantifier and what it ranges over by one atom.

    tokens: from `tokenise`. Returns the tokens, with atoms that hold `Quant` expressions.
    Raises TextError where it cannot be told over which list a quantifier ranges.
    """
    result: list[Token] = []
    place = 0
    while place < len(tokens):
        token = tokens[place]
        family = _family(tokens, place, lexicon)
        if family is not None:
            result.append(Token("atom", "", "a quantifier", expr=family[0]))
            place = family[1]
            continue
        after = _skip(tokens, place + 1)
        counted = token.kind == "not" or token.kind == "quant"
        if counted and after < len(tokens) and tokens[after].kind == "member":
            expr, place = members(tokens, after, _sort(token), lexicon)
            result.append(Token("atom", "", "a quantifier", expr=expr))
            continue
        result.append(token)
        place += 1
    return result


def _sort(token: Token) -> str:
    return "none" if token.kind == "not" else token.value


def _skip(tokens: Sequence[Token], place: int) -> int:
    while place < len(tokens) and tokens[place].kind == "filler":
        place += 1
    return place


def _family(tokens: Sequence[Token], place: int, lexicon: Lexicon) -> tuple[Expr, int] | None:
    """Read `passes every check`, `fails some check`, `every check is passed`, `no check is failed`."""
    first = tokens[place]
    if first.kind not in ("pass", "quant", "not"):
        return None
    places = [place, _skip(tokens, place + 1)]
    places.append(_skip(tokens, places[1] + 1))
    if places[2] >= len(tokens):
        return None
    row = [tokens[i] for i in places]
    kinds = [t.kind for t in row]
    if kinds in (["pass", "quant", "family"], ["pass", "not", "family"]):
        test, quant, family = row
    elif kinds in (["quant", "family", "pass"], ["not", "family", "pass"]):
        quant, family, test = row
    else:
        return None
    passes: Expr = PolicyTest("passes", "g", True)
    body = Not(passes) if test.value == "fail" else passes
    kind = _sort(quant)
    expr: Expr = Quant("some" if kind == "none" else kind, "g", family.value, "family", body)
    return (Not(expr) if kind == "none" else expr), places[2] + 1


def members(tokens: Sequence[Token], place: int, kind: str, lexicon: Lexicon) -> tuple[Expr, int]:
    """Read what is said of the members of a list, from the word `member` up to the end of the clause.

    place: of `member`. kind: every | some | none | count. Returns the expression and the place after it.
    """
    end = place + 1
    while end < len(tokens) and tokens[end].kind not in _ENDS and tokens[end].kind != "mark":
        end += 1
    inner = list(tokens[place + 1 : end])
    lists = [name for name, fact in lexicon.facts.items() if fact.type.kind == "list"]
    named = [t.value for t in inner if t.kind == "list"]
    chosen = named[0] if named else lists[0] if len(lists) == 1 else ""
    if not chosen:
        raise TextError("`member` of no list", f"one of {', '.join(lists)} beside it")
    body = _body([t for t in inner if t.kind != "list"], chosen, lexicon)
    if kind == "none":
        return Not(Quant("some", VARIABLE, chosen, "list", body)), end
    return Quant(kind, VARIABLE, chosen, "list", body), end


def _body(tokens: list[Token], name: str, lexicon: Lexicon) -> Expr:
    from holmes.logic.english.conditions import condition

    kinds = dict(lexicon.facts[name].type.fields)
    result: list[Token] = []
    place = 0
    while place < len(tokens):
        token = tokens[place]
        record = Ref(VARIABLE, "variable")
        if token.kind == "field" and name in token.facts and kinds[token.value].kind == "date":
            expr, place = _interval(tokens, place, Field(record, token.value), lexicon)
            result.append(Token("atom", "", token.text, expr=expr))
            continue
        if token.kind == "field" and name in token.facts and kinds[token.value].kind == "bool":
            result.append(Token("atom", "", token.text, expr=Field(record, token.value)))
        elif token.kind == "value":
            owner = next((f for f in token.facts if f.startswith(f"{name}.")), "")
            if not owner:
                raise TextError(f"the value {token.text!r}", f"a value of a field of {name}")
            test = Compare("==", Field(record, owner.split(".")[1]), Const(token.value, lexicon.types[owner]))
            result.append(Token("atom", "", token.text, expr=test))
        elif token.kind == "field":
            result.append(replace(token, kind="filler"))
        else:
            result.append(token)
        place += 1
    return condition(Quantities(result, lexicon).read())


def _interval(tokens: list[Token], place: int, field: Field, lexicon: Lexicon) -> tuple[Expr, int]:
    """Read `joined more than 30 days before the day of sailing`, `joined before 3 May 2017`."""
    reader = Quantities(tokens, lexicon)
    place, _ = reader.skip(place + 1, ("filler", "must"))
    token = tokens[place] if place < len(tokens) else Token("end")
    op = "=="
    if token.kind == "cmp" or token.text == "after":
        follows = reader.skip(place + 1, ("filler",))[1]
        if token.kind != "cmp" or follows.kind in ("date", "num"):
            value, place = reader.number(place + 1)
            return Compare(">" if token.kind != "cmp" else token.value, field, value), place
        op, place = token.value, place + 1
    days, place = reader.number(place)
    if reader.at(place).kind == "post":
        op, place = reader.at(place).value, place + 1
    word = reader.at(place).text
    if word not in ("before", "after"):
        raise TextError(f"{word or 'the end'!r} after a number of days", "`before` or `after` and a day")
    day, place = reader.number(place + 1)
    span = (field, day) if word == "before" else (day, field)
    return Compare(op, Arith("days_between", span), days), place
