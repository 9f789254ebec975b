"""The parser of conditions: tokens -> one Boolean expression, or a refusal that says why (docs/rule-english.md, 3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from math import comb

from holmes.logic.english.precedence import Parser, conjunction, disjunction, negation, show
from holmes.logic.english.tokenizer import TextError, Token
from holmes.logic.language.model import And, Expr, Not

_SEPARATORS = ("and", "soft", "or", "except", "same", "border")
_WITHOUT = ("without", "lack", "in the absence", "in absence", "there being no")  # `A without B` is A and not B
_OPENERS = ("not", "both", "either", "neither")


def condition(tokens: Sequence[Token], depth: int = 0) -> Expr:
    """Parse a whole condition.

    tokens: from `Quantities.read`; a `border` token stands where the consequence or the defined concept stood.
    Returns the expression. Raises TextError for a text that is incomplete or reads in two ways.
    """
    return parse(joined(tokens, depth))


def parse(row: Sequence[Token]) -> Expr:
    """Parse a row that `joined` made."""
    parts: list[list[Token]] = [[]]
    for token in row:
        if token.kind == "border":
            parts.append([])
        else:
            parts[-1].append(token)
    filled = [part for part in parts if part]
    if not filled:
        raise TextError("no condition", "a phrase of a fact or concept")
    if len(parts) > 2:
        raise TextError(f"two phrases side by side: {show(row)}", "a connective between them")
    if len(filled) == 2 and filled[1][0].kind in ("except", "same"):
        filled = [filled[0] + filled[1]]
    return conjunction([Parser(part).whole() for part in filled])


def joined(tokens: Sequence[Token], depth: int = 0) -> list[Token]:
    """Drop fillers, close groups, and turn each run of separators into one connective (or a border)."""
    spaced = [
        replace(t, gap=after.text) if t.kind == "or" and after.kind in ("filler", "quant") else t
        for t, after in zip(tokens, [*tokens, Token("end")][1:], strict=True)
    ]
    row = _groups([t for t in spaced if t.kind not in ("filler", "quant", "must", "unit", "to")], depth)
    row = [t for t in row if t.kind != "item"]
    if odd := [t for t in row if t.kind == "mark" and t.value not in ".,;:"]:
        raise TextError(f"a stray {odd[0].value!r}", "words and . , ; :")
    result: list[Token] = []
    run: list[Token] = []
    led = False  # a leading clause: `Where P, Q is a C`, `Unless P, Q is a C`
    for token in row:
        if token.kind in ("and", "soft", "or", "except", "same", "border", "mark"):
            run.append(token)
            continue
        if result:
            result += _separator(run, result[-1], token)
        else:
            led = any(t.kind in ("soft", "except") for t in run)
        if not result and any(t.kind in ("except", "border") for t in run):
            result += [t for t in run if t.kind in ("except", "border")]
        run = []
        result.append(token)
    if any(t.kind == "border" for t in run):
        _predicate(run)
        result.append(Token("border"))
    elif bad := [t for t in run if t.kind in ("and", "or", "except", "same")]:
        raise TextError(f"{bad[0].text!r} at the end", "a phrase after it")
    return _leading(_commas(result)) if led else _commas(result)


def _leading(row: list[Token]) -> list[Token]:
    """Join a leading clause to the next by the comma that ends it, where the predicate follows later."""
    borders = [place for place, token in enumerate(row) if token.kind == "border"]
    if len(borders) == 2 and row[borders[0]].text == ",":
        row[borders[0]] = Token("soft", ",", ",")
    return row


def _separator(run: list[Token], before: Token, after: Token) -> list[Token]:
    kinds = [t.kind for t in run]
    if before.kind in _OPENERS:
        if any(k in ("and", "or", "except", "same", "border") for k in kinds):
            raise TextError(f"{before.text!r} before {run[0].text!r}", "a phrase after it")
        return []
    if "border" in kinds:
        extra = [t for t in run[_predicate(run) + 1 :] if t.kind in ("except", "same")]
        return [Token("border"), *extra]
    for kind in ("except", "same"):
        if kind in kinds:
            return [Token(kind, text=run[kinds.index(kind)].text)]
    stops = [t for t in run if t.kind == "mark" and t.value == "."]
    if stops and not any(k in ("and", "or") for k in kinds):
        raise TextError(f"{stops[0].value!r} inside a condition", "one sentence (or `The same applies if …`)")
    if any(t.kind == "mark" and t.value == ":" for t in run) and not any(k in ("and", "or") for k in kinds):
        return [Token("border")]
    loose = "," if any(t.kind == "mark" for t in run) or any(t.value == "loose" for t in run) else ""
    if "or" in kinds:
        if "and" in kinds:
            raise TextError(f"{' '.join(t.text for t in run)!r}", "either `and` or `or`")
        word = run[kinds.index("or")]
        return [Token("or", loose, word.text, gap=word.gap)]
    if "and" in kinds:
        return [Token("and", loose, "and")]
    if "soft" in kinds:
        return [Token("soft", loose, run[kinds.index("soft")].text)]
    if after.kind in ("nor", "notboth") or before.kind == "nor":
        return []
    if after.kind == "not" and after.text.startswith(_WITHOUT):
        return [Token("soft", loose, after.text)]
    return [Token("mark", ",", ",") if run else Token("border")]


def _predicate(run: list[Token]) -> int:
    """Return the place of the border in a run, which no connective may precede."""
    place = next(i for i, t in enumerate(run) if t.kind == "border")
    if hard := [t for t in run[:place] if t.kind in ("and", "or", "except", "same")]:
        raise TextError(f"{hard[-1].text!r} before the predicate", "a phrase after it")
    return place


def _commas(row: list[Token]) -> list[Token]:
    """Give every bare comma the connective that ends its list; a comma that ends none is a border."""
    result = list(row)
    for place, token in enumerate(row):
        if token.kind == "mark":
            ends = next((t for t in row[place + 1 :] if t.kind in ("and", "or", "nor", *_SEPARATORS)), Token("end"))
            result[place] = (
                Token(ends.kind, ends.value, ends.kind) if ends.kind in ("and", "or") else Token("border", text=",")
            )
            if ends.kind == "nor":
                result[place] = Token("nor", "", "nor")
    return result


# ---------------------------------------------------------------- groups
def _groups(tokens: Sequence[Token], depth: int) -> list[Token]:
    """Replace brackets and lists `at least one of the following: (a) …; (b) …` by one atom each."""
    result: list[Token] = []
    place = 0
    while place < len(tokens):
        token = tokens[place]
        if token.kind == "mark" and token.value == "(":
            if depth > 20:
                raise TextError("more than twenty brackets inside each other", "fewer")
            end = _closing(tokens, place)
            result.append(Token("atom", "", "(…)", expr=condition(tokens[place + 1 : end], depth + 1)))
            place = end + 1
        elif token.kind == "list":
            end = place + 1
            inside = 0
            while end < len(tokens):
                sign = tokens[end].value if tokens[end].kind == "mark" else ""
                inside += (sign == "(") - (sign == ")")
                if tokens[end].kind == "border" or (sign == "." and inside == 0):
                    break
                end += 1
            result.append(_list(token, tokens[place + 1 : end]))
            place = end
        else:
            result.append(token)
            place += 1
    return result


def _closing(tokens: Sequence[Token], place: int) -> int:
    depth = 0
    for end in range(place, len(tokens)):
        sign = tokens[end].value if tokens[end].kind == "mark" else ""
        depth += (sign == "(") - (sign == ")")
        if depth == 0:
            return end
    raise TextError("an opening bracket", "its closing bracket")


def _list(head: Token, tokens: Sequence[Token]) -> Token:
    items: list[list[Token]] = []
    for token in tokens:
        if token.kind == "item":
            items.append([])
        elif items:
            items[-1].append(token)
        elif token.kind not in ("mark", "soft", "filler"):
            raise TextError(f"{token.text!r} after {head.text!r}", "a list: (a) …; (b) …")
    if len(items) < 2:
        raise TextError(f"{head.text!r} with {len(items)} lettered points", "two or more: (a) …; (b) …")
    parts = []
    for item in items:
        while item and (item[-1].kind in ("and", "or") or (item[-1].kind == "mark" and item[-1].value in ",;")):
            item.pop()
        if any(t.kind in ("except", "same") for t in item) and item is items[-1]:
            raise TextError("an exception in the last point of a list", "a sentence of its own")
        parts.append(condition(item))
    return Token("atom", "", head.text, expr=_choice(head.value, parts))


def _choice(kind: str, parts: list[Expr]) -> Expr:
    if kind == "all":
        return conjunction(parts)
    if kind == "any":
        return disjunction(parts)
    if kind == "none":
        return conjunction([negation(p) for p in parts])
    if kind == "notall":
        return Not(And(tuple(parts)))
    if comb(len(parts), int(kind)) > 1000:
        raise TextError(f"at least {kind} of {len(parts)} points", "fewer points")
    if int(kind) > len(parts):
        raise TextError(f"at least {kind} of {len(parts)} points", "no more than there are")
    return disjunction([conjunction(chosen) for chosen in combinations(parts, int(kind))])
