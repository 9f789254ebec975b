"""Rewriting before evaluation: families unrolled, table keys put in, and the ablations of design section 8."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
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
    If,
    Implies,
    Lookup,
    Not,
    Or,
    PolicyTest,
    Quant,
    Relation,
    RuleBase,
)
from holmes.logic.language.walk import rebuild

ABLATIONS = (
    "no_priorities",
    "no_exceptions",
    "no_exceptions_to_exceptions",
    "one_pass",
    "no_negation",
    "first_triggered",
    "gravest_triggered",
)


def bind(expr: Expr, variable: str, policy: str) -> Expr:
    """Replace the policy variable by a policy."""
    if isinstance(expr, PolicyTest):
        return PolicyTest(expr.kind, policy) if expr.variable and expr.policy == variable else expr
    if isinstance(expr, Quant) and expr.variable == variable:
        return expr
    return rebuild(expr, lambda child: bind(child, variable, policy))


def unroll(expr: Expr, rulebase: RuleBase) -> Expr:
    """Fold what the rule base alone decides: quantifiers over families become and, or, sums; consequences constants."""
    if isinstance(expr, PolicyTest) and expr.kind == "consequence" and not expr.variable:
        return Const(rulebase.policies[expr.policy].consequence, rulebase.decision.type)
    if not isinstance(expr, Quant) or expr.over != "family":
        return _fold(rebuild(expr, lambda child: unroll(child, rulebase)))
    parts = tuple(unroll(bind(expr.body, expr.variable, p), rulebase) for p in rulebase.families[expr.domain])
    if expr.kind in ("every", "some"):
        return _fold(And(parts) if expr.kind == "every" else Or(parts))
    if expr.kind == "count":
        one, none = Const(Fraction(1), INT), Const(Fraction(0), INT)
        parts = tuple(_fold(If(part, one, none)) for part in parts)
    return parts[0] if len(parts) == 1 else Arith("+", parts)


def _fold(expr: Expr) -> Expr:
    """Decide what the rules alone decide: comparisons of constants, and connectives over them."""
    match expr:
        case Compare(op="==" | "!=", left=Const(value=left), right=Const(value=right)):
            return Const((left == right) is (expr.op == "=="), BOOL)
        case And() | Or():
            neutral = isinstance(expr, And)
            if any(isinstance(arg, Const) and arg.value is not neutral for arg in expr.args):
                return Const(not neutral, BOOL)
            kept = tuple(arg for arg in expr.args if not isinstance(arg, Const))
            if not kept:
                return Const(neutral, BOOL)
            return kept[0] if len(kept) == 1 else And(kept) if neutral else Or(kept)
        case Not(arg=Const(value=bool() as value)):
            return Const(not value, BOOL)
        case Implies(left=Const(value=bool() as value)):
            return expr.right if value else Const(True, BOOL)
        case Implies(right=Const(value=bool() as value)):
            return Const(True, BOOL) if value else _fold(Not(expr.left))
        case If(test=Const(value=bool() as value)):
            return expr.then if value else expr.otherwise
        case _:
            return expr


def row_value(rulebase: RuleBase, lookup: Lookup, row: int) -> Expr:
    """Return the formula of a table row with the lookup's keys in place of the declared ones."""
    table = rulebase.tables[lookup.table]
    swap: Mapping[Expr, Expr] = dict(zip(table.keys, lookup.keys, strict=True))

    def change(expr: Expr) -> Expr:
        return swap[expr] if expr in swap else rebuild(expr, change)

    return change(table.rows[row].value)


def _without_negation(expr: Expr) -> Expr:
    """Drop negated conditions: an engine that overlooks every `not`."""
    if isinstance(expr, And | Or):
        kept = tuple(_without_negation(arg) for arg in expr.args if not isinstance(arg, Not))
        if not kept:
            return Const(True, BOOL)
        return kept[0] if len(kept) == 1 else And(kept) if isinstance(expr, And) else Or(kept)
    if isinstance(expr, Not):
        return Const(True, BOOL)
    return rebuild(expr, _without_negation)


def ablated(rulebase: RuleBase, ablate: frozenset[str]) -> RuleBase:
    """Return the rule base without the operators named; `first_triggered` and `gravest_triggered` act on the decision.

    ablate: members of ABLATIONS. Raises InputError for another name.
    """
    unknown = sorted(ablate - set(ABLATIONS))
    if unknown:
        raise InputError(f"ablate: found {unknown[0]!r}, expected one of {', '.join(ABLATIONS)}")
    relations = rulebase.relations
    if "no_priorities" in ablate:
        relations = tuple(r for r in relations if r.kind != "stronger")
    if "no_exceptions" in ablate:
        relations = tuple(r for r in relations if r.kind != "exception")
    if "no_exceptions_to_exceptions" in ablate:
        winners = {r.winner for r in relations if r.kind == "exception"}
        relations = tuple(
            replace(r, losers=tuple(x for x in r.losers if x not in winners)) if r.kind == "exception" else r
            for r in relations
        )
        relations = tuple(r for r in relations if r.losers)
    if ablate & {"first_triggered", "gravest_triggered"}:
        relations = ()
    result = replace(rulebase, relations=relations, defeat="one_pass" if "one_pass" in ablate else rulebase.defeat)
    if rulebase.decision.pick != "gates":
        decision = rulebase.decision
        if "first_triggered" in ablate:
            result = replace(result, decision=replace(decision, pick="first", order=(), then=""))
        elif "gravest_triggered" in ablate:
            listed = decision.order if decision.pick == "gravest" else decision.type.values
            result = replace(result, decision=replace(decision, pick="gravest", order=listed, then=""))
    if "no_negation" in ablate:
        concepts = {n: replace(c, body=_without_negation(c.body)) for n, c in rulebase.concepts.items()}
        policies = {
            n: replace(p, when=_without_negation(p.when)) if p.when is not None else p
            for n, p in rulebase.policies.items()
        }
        result = replace(result, concepts=concepts, policies=policies)
    return result


def enforcing(relations: tuple[Relation, ...]) -> dict[str, tuple[tuple[Relation, str], ...]]:
    """Return, for each policy that is overridden, its (relation, winner) pairs in order."""
    found: dict[str, list[tuple[Relation, str]]] = {}
    for relation in relations:
        for loser in relation.losers:
            found.setdefault(loser, []).append((relation, relation.winner))
    return {loser: tuple(pairs) for loser, pairs in found.items()}
