"""Random terms and questions: what the search tries."""

from __future__ import annotations

import functools
import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from holmes.domains.policy.questions import conditions
from holmes.domains.policy.questions.terms import Question, Term, policy_of
from holmes.errors import InputError
from holmes.logic.language.model import And, Compare, Expr, Implies, Not, Or, PolicyTest, Ref, RuleBase
from holmes.logic.language.walk import walk


@dataclass(frozen=True, slots=True)
class Stock:
    """What terms of one rule base are made of: rule numbers, literals over facts, literals over concepts."""

    base: RuleBase
    rules: tuple[int, ...]
    facts: tuple[Expr, ...]
    concepts: tuple[Expr, ...]
    labels: tuple[str, ...]


_STOCK: dict[str, Stock] = {}


def stock(base: RuleBase) -> Stock:
    """Return the stock of a rule base; its edits share names and wordings with it."""
    found = _STOCK.get(base.fingerprint)
    if found is None or found.base is not base:
        rules = tuple(sorted(policy.rule for policy in base.policies.values()))
        facts, concepts = (tuple(conditions.literals(base, c)) for c in (False, True))
        labels = tuple(v for v in base.decision.type.values if v != base.decision.otherwise)
        found = _STOCK[base.fingerprint] = Stock(base, rules, facts, concepts, labels)
    return found


def parts(condition: Expr, base: RuleBase) -> list[Expr]:
    """Return what a condition rests on, one level down: bodies of concepts, conditions of rules, defeaters."""
    found: list[Expr] = []
    for part in walk(condition):
        match part:
            case Ref(kind="concept", name=name):
                found.append(base.concepts[name].body)
            case Ref(kind="decision"):
                found += [PolicyTest("applies", n) for n, p in base.policies.items() if p.consequence]
            case PolicyTest(kind="triggered", policy=name):
                when = base.policies[name].when
                found += [when] if when is not None else []
            case PolicyTest(policy=name):
                found.append(PolicyTest("triggered", name))
                found += [PolicyTest("applies", r.winner) for r in base.relations if name in r.losers]
    return found


def closure(conditions: Iterable[Expr], base: RuleBase) -> Iterator[Expr]:
    """Yield the conditions, what they rest on, and so on down to facts, each once."""
    seen: set[Expr] = set()
    waiting = list(conditions)
    while waiting:
        condition = waiting.pop()
        if condition not in seen:
            seen.add(condition)
            yield condition
            waiting += parts(condition, base)


def support(expr: Expr, base: RuleBase) -> frozenset[str]:
    """Return the facts and concepts that bear on a condition, rules and their defeaters included."""
    return _support(_Key(expr, base))


@functools.lru_cache(maxsize=4096)
def _support(key: _Key) -> frozenset[str]:
    inner = (part for condition in closure([key.expr], key.base) for part in walk(condition))
    return frozenset(part.name for part in inner if isinstance(part, Ref) and part.kind != "decision")


@dataclass(frozen=True)
class _Key:
    expr: Expr
    base: RuleBase

    def __hash__(self) -> int:
        return hash(self.expr)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Key) and self.base is other.base and self.expr == other.expr


def bearing(conditions: Iterable[Expr], base: RuleBase) -> set[int]:
    """Return the numbers of the concepts and policies that bear on conditions."""
    found: set[int] = set()
    for condition in closure(conditions, base):
        for part in walk(condition):
            if isinstance(part, PolicyTest):
                found.add(base.policies[part.policy].rule)
            elif isinstance(part, Ref) and part.kind == "concept":
                found.add(base.concepts[part.name].rule)
            elif isinstance(part, Ref) and part.kind == "decision":
                found.add(base.decision.rule)
    return found


def literal(rng: random.Random, pool: Stock, near: Sequence[Expr], concept: bool) -> Expr:
    """Draw a literal of either polarity; in four of five draws one that bears on `near`."""
    choices = pool.concepts if concept else pool.facts
    if near and rng.random() < 0.8:
        names = {name for expr in near for name in support(expr, pool.base)}
        choices = tuple(c for c in choices if atom(c) in names) or choices
    drawn = rng.choice(choices)
    return conditions.negated(drawn) if rng.random() < 0.4 else drawn


def condition(rng: random.Random, pool: Stock, near: Sequence[Expr]) -> Expr:
    """Draw a condition of one or two literals, at least one over a concept in most draws."""
    first = literal(rng, pool, near, rng.random() < 0.7)
    if rng.random() < 0.3:
        return first
    second = literal(rng, pool, near, rng.random() < 0.4)
    if atom(first) == atom(second):
        return first
    return (And if rng.random() < 0.5 else Or)((first, second))


def _movable(rng: random.Random, pool: Stock) -> Expr:
    """Draw a condition whose `not` can be moved: both conditions of a selection have that form, which tells nothing."""
    while moved(drawn := condition(rng, pool, ())) is None:
        continue
    return drawn


def atom(literal: Expr) -> str:
    """Return the name of the fact or concept that a literal is about."""
    match literal:
        case Ref(name=name):
            return name
        case Not(arg=arg):
            return atom(arg)
        case Compare(left=left):
            return atom(left)
    raise InputError(f"literal: found {type(literal).__name__}, expected a name, its denial or a threshold")


def term(rng: random.Random, pool: Stock, kind: str, sense: str, near: Sequence[Expr] = ()) -> Term:
    """Draw a term of a kind. near: expressions that its conditions should bear on."""
    if kind in ("condition", "amended"):
        rules = () if kind == "condition" else (rng.choice(pool.rules),)
        own = [PolicyTest(sense, policy_of(rule, pool.base)) for rule in rules]
        return Term(kind, rules, condition(rng, pool, [*near, *own]))
    if kind == "outcome":
        return Term(kind, label=rng.choice(pool.labels))
    count = {"rule": 1, "unless": 2}.get(kind) or rng.choice((2, 2, 3))
    drawn = rng.sample(pool.rules, count)
    return Term(kind, tuple(drawn) if kind == "unless" else tuple(sorted(drawn)))


_FIRST = {
    "PR": ("rule",),
    "PT": ("amended",),
    "PC": ("all", "any", "unless"),
    "PS": ("rule", "amended", "all", "any", "unless"),
}
_SECOND = {
    "PR": ("rule", "condition", "condition", "outcome"),
    "PT": ("rule", "condition", "condition", "outcome"),
    "PC": ("rule", "condition", "amended", "unless", "all", "any"),
    "PS": ("rule", "amended", "all", "any", "unless"),
    "PQ": ("rule", "condition", "condition", "outcome", "unless", "any"),
}


def question(rng: random.Random, pool: Stock, type_: str, form: str, sense: str) -> Question:
    """Draw a question of a form; what it takes as given is drawn later."""
    if form == "governs":
        rules = rng.sample(pool.rules, 3)
        first, second = (_movable(rng, pool) for _ in range(2))
        return Question(type_, form, "applies", branches=((first, rules[0]), (second, rules[1]), (None, rules[2])))
    if form in ("every", "which"):
        family = tuple(sorted(rng.sample(pool.rules, rng.choice((4, 5)))))
        near = [PolicyTest(sense, policy_of(rule, pool.base)) for rule in family]
        rest = replace(pool, rules=tuple(rule for rule in pool.rules if rule not in family))
        terms = (term(rng, rest, rng.choice(_SECOND[type_]), sense, near),)
        return Question(type_, form, sense, terms, family=family, apart=rng.random() < 0.5)
    first_term = term(rng, pool, rng.choice(_FIRST[type_]), sense)
    if form in ("changes", "accepts"):
        return Question(type_, form, sense, (first_term,))
    near = [PolicyTest(sense, policy_of(rule, pool.base)) for rule in first_term.rules]
    drawn = [first_term, term(rng, pool, rng.choice(_SECOND[type_]), sense, near)]
    picked = (0, 1)
    if form == "disagree":
        third = term(rng, pool, rng.choice(_SECOND[type_]), sense, near)
        places = rng.sample(range(3), 3)
        drawn = [t for _, t in sorted(zip(places, [*drawn, third], strict=True), key=lambda pair: pair[0])]
        low, high = sorted(places[:2])
        picked = (low, high)
    return Question(type_, form, sense, tuple(drawn), picked=picked)


def implication(rng: random.Random, pool: Stock, near: Sequence[Expr]) -> Implies | None:
    """Draw an implication between two literals over facts; None if the draw is no use."""
    left, right = (literal(rng, pool, near, False) for _ in range(2))
    return Implies(left, right) if atom(left) != atom(right) else None


def repeated(given: Sequence[Implies]) -> bool:
    """Tell whether two of some implications between literals say the same, as they stand or one turned round."""
    clauses = {frozenset((conditions.negated(part.left), part.right)) for part in given}
    return len(clauses) < len(given)


def moved(expr: Expr) -> Expr | None:
    """Move the one `not` of a condition of two literals to the other literal; None where there is not just one."""
    if not isinstance(expr, And | Or) or len(expr.args) != 2:
        return None
    one, two = expr.args
    if isinstance(one, Not) == isinstance(two, Not) or not all(isinstance(a, Not | Ref) for a in expr.args):
        return None
    swapped = (conditions.negated(one), conditions.negated(two))
    return replace(expr, args=swapped)
