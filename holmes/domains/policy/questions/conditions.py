"""Conditions in questions: quoted phrases of the rule texts that hold or do not hold, joined by `and` or `or`.

They are read by the very parser of rule texts (`holmes.logic.english.conditions`), which passes over quotation marks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

from holmes.errors import InputError
from holmes.logic.english.conditions import condition as parse_tokens
from holmes.logic.english.lexicon import Lexicon, lexicon
from holmes.logic.english.quantities import Quantities
from holmes.logic.english.tokenizer import TextError, tokenise
from holmes.logic.language.model import INT, And, Compare, Const, Expr, FactDecl, Not, Or, Ref, RuleBase
from holmes.logic.language.unparse import number_text, unparse
from holmes.logic.language.walk import walk

FLIP = {">=": "<", "<": ">=", ">": "<=", "<=": ">"}
_WORDS = {">=": "is at least {}", "<": "is below {}", ">": "is above {}", "<=": "is at most {}"}
# a quoted point as questions put it -> as rule texts do
_PLAIN = ((r"(“[^”]*”) does not hold", r"not \1"), (r"(“[^”]*”) holds", r"\1"), (r"” is (at|below|above)", r"” of \1"))


def phrase(name: str, base: RuleBase) -> str:
    """Return the phrase by which questions name a fact or concept: its first wording without article or number."""
    declared = base.facts.get(name) or base.concepts[name]
    wording = next((text for text in declared.phrases if "{v}" not in text), declared.phrases[0])
    if isinstance(declared, FactDecl) and declared.type.kind == "int":
        for article in ("a ", "an ", "the "):
            wording = wording.removeprefix(article)
    return wording


def write(expr: Expr, base: RuleBase) -> str:
    """Write a condition: literals, or several joined by one connective; raises InputError for another one."""
    match expr:
        case Ref(name=name):
            return f"“{phrase(name, base)}” holds"
        case Not(arg=Ref(name=name)):
            return f"“{phrase(name, base)}” does not hold"
        case Compare(op=op, left=Ref(name=name), right=Const(value=Fraction() as value)) if op in _WORDS:
            return f"“{phrase(name, base)}” {_WORDS[op].format(number_text(value))}"
        case And(args=args) | Or(args=args) if not any(isinstance(arg, And | Or) for arg in args):
            word = " and " if isinstance(expr, And) else " or "
            return word.join(write(arg, base) for arg in args)
        case _:
            raise InputError(f"{base.name}: condition {unparse(expr)!r}: found nesting, expected literals of one kind")


_LEXICA: dict[str, tuple[RuleBase, Lexicon]] = {}


def words_of(base: RuleBase) -> Lexicon:
    """Return the lexicon of a rule base, made once for each version of it; the last 64 are kept."""
    found = _LEXICA.get(base.fingerprint)
    if found is None or found[0] is not base:
        while len(_LEXICA) >= 64:
            del _LEXICA[next(iter(_LEXICA))]
        found = _LEXICA[base.fingerprint] = (base, lexicon(base))
    return found[1]


def read(text: str, base: RuleBase) -> Expr:
    """Read a condition that `write` wrote.

    base: gives the lexicon. Raises InputError for a text that is none.
    """
    words = words_of(base)
    for said, plain in _PLAIN:
        text = re.sub(said, plain, text)
    try:
        return parse_tokens(Quantities(tokenise(text, words), words).read())
    except TextError as error:
        raise InputError(f"condition {text!r}: found {error.found}, expected {error.expected}") from error


def negated(literal: Expr) -> Expr:
    """Return the denial of a literal, again a literal."""
    match literal:
        case Not(arg=arg):
            return arg
        case Compare(op=op, left=left, right=right):
            return Compare(FLIP[op], left, right)
        case _:
            return Not(literal)


def literals(base: RuleBase, concepts: bool) -> Iterator[Expr]:
    """Yield the positive literals that questions may use: facts (numbers at the thresholds of the rules), or concepts.

    Those that would not be read back exactly, or that another phrase contains, are left out.
    """
    for literal in _literals(base, concepts):
        try:
            if read(write(literal, base), base) == literal and read(write(negated(literal), base), base) == negated(
                literal
            ):
                yield literal
        except InputError:
            continue


def _literals(base: RuleBase, concepts: bool) -> Iterator[Expr]:
    if concepts:
        yield from (Ref(name, "concept") for name, concept in base.concepts.items() if concept.type.kind == "bool")
        return
    for name, fact in base.facts.items():
        if fact.type.kind == "bool":
            yield Ref(name, "fact")
        else:
            yield from (Compare(">=", Ref(name, "fact"), Const(cut, INT)) for cut in thresholds(name, base))


def thresholds(name: str, base: RuleBase) -> list[Fraction]:
    """Return the numbers at which the rules cut the range of an int fact, sorted: each starts a cell."""
    from holmes.logic.engine.record_space import cells

    return [Fraction(cell.low) for cell in cells(base)[name][1:] if cell.low is not None]


def facts_in(expr: Expr, base: RuleBase) -> set[str]:
    """Return the facts that a condition reads, concepts unfolded."""
    found: set[str] = set()
    for part in walk(expr):
        if isinstance(part, Ref) and part.kind == "fact":
            found.add(part.name)
        elif isinstance(part, Ref) and part.kind == "concept":
            found |= facts_in(base.concepts[part.name].body, base)
    return found
