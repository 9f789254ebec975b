"""One-edit changes of a question: the same length and words, another answer (each yes has a no twin)."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import replace

from holmes.domains.policy.planner.draws import moved
from holmes.domains.policy.questions.terms import Question, Term
from holmes.logic.language.model import And, Expr, Implies, Or

# form -> the edits whose twins are as often universal one way as the other; an edit that can only widen a policy
# (`and` to `or`) would tell the answer wherever the form is monotone in it
KINDS = {
    "subsumes": ("rule", "swap", "not", "given", "rules"),
    "exclusive": ("rule", "not", "given", "rules"),
    "equivalent": ("rule", "not", "word", "order", "given", "rules"),
    "comparable": ("rule", "not", "word", "given", "rules"),
    "changes": ("rule", "not", "given", "rules"),
    "disagree": ("rule", "not", "word", "order", "court", "given", "rules"),
    "every": ("rule", "not", "member", "given", "rules"),
    "which": ("rule", "not", "given", "rules"),
    "accepts": ("rule", "not", "order", "rules"),
    "governs": ("not", "exchange", "rules"),
}


def edits(kind: str, question: Question, rules: tuple[int, ...], rng: random.Random) -> Iterator[Question]:
    """Yield the questions that one edit of a kind makes of a question, in random order (`rules` changes no question).

    rules: the numbers of all policies, for `rule` and `member`.
    """
    found = list(_EDITS[kind](question, rules))
    rng.shuffle(found)
    yield from found


def _with_term(question: Question, place: int, term: Term) -> Question:
    terms = list(question.terms)
    terms[place] = term
    return replace(question, terms=tuple(terms))


def _rule(question: Question, rules: tuple[int, ...]) -> Iterator[Question]:
    for place, term in enumerate(question.terms):
        for at, old in enumerate(term.rules):
            for new in rules:
                if new not in (*term.rules, *question.family) and len(str(new)) == len(str(old)):
                    numbers = [*term.rules[:at], new, *term.rules[at + 1 :]]
                    kept = tuple(numbers) if term.kind == "unless" else tuple(sorted(numbers))
                    if kept.index(new) == at:  # one number changed, none moved
                        yield _with_term(question, place, replace(term, rules=kept))


def _swap(question: Question, rules: tuple[int, ...]) -> Iterator[Question]:
    yield replace(question, terms=question.terms[::-1])


def _conditions(question: Question, change: Callable[[Expr], Expr | None]) -> Iterator[Question]:
    for place, term in enumerate(question.terms):
        if term.condition is not None and (new := change(term.condition)) is not None:
            yield _with_term(question, place, replace(term, condition=new))
    for place, (condition, rule) in enumerate(question.branches):
        if condition is not None and (new := change(condition)) is not None:
            branches = list(question.branches)
            branches[place] = (new, rule)
            yield replace(question, branches=tuple(branches))


def _not(question: Question, rules: tuple[int, ...]) -> Iterator[Question]:
    yield from _conditions(question, moved)


def _joined(expr: Expr) -> Expr | None:
    return Or(expr.args) if isinstance(expr, And) else And(expr.args) if isinstance(expr, Or) else None


def _word(question: Question, rules: tuple[int, ...]) -> Iterator[Question]:
    yield from _conditions(question, _joined)
    for place, term in enumerate(question.terms):
        if term.kind in ("all", "any"):
            yield _with_term(question, place, replace(term, kind="any" if term.kind == "all" else "all"))


def _order(question: Question, rules: tuple[int, ...]) -> Iterator[Question]:
    for place, term in enumerate(question.terms):
        if term.kind == "unless":
            yield _with_term(question, place, replace(term, rules=term.rules[::-1]))


def _given(question: Question, rules: tuple[int, ...]) -> Iterator[Question]:
    for place, part in enumerate(question.given):
        given = list(question.given)
        given[place] = Implies(part.right, part.left)
        yield replace(question, given=tuple(given))


def _court(question: Question, rules: tuple[int, ...]) -> Iterator[Question]:
    for picked in ((0, 1), (0, 2), (1, 2)):
        if picked != question.picked:
            yield replace(question, picked=picked)


def _member(question: Question, rules: tuple[int, ...]) -> Iterator[Question]:
    for at, old in enumerate(question.family):
        for new in rules:
            if new not in (*question.family, *question.terms[0].rules) and len(str(new)) == len(str(old)):
                family = tuple(sorted((*question.family[:at], new, *question.family[at + 1 :])))
                if family.index(new) == at:
                    yield replace(question, family=family)


def _exchange(question: Question, rules: tuple[int, ...]) -> Iterator[Question]:
    (one, a), (two, b), last = question.branches
    yield replace(question, branches=((two, a), (one, b), last))


_EDITS: dict[str, Callable[[Question, tuple[int, ...]], Iterator[Question]]] = {
    "rule": _rule,
    "swap": _swap,
    "not": _not,
    "word": _word,
    "order": _order,
    "given": _given,
    "court": _court,
    "member": _member,
    "exchange": _exchange,
}
