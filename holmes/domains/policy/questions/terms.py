"""Terms over policies and questions about them, as typed expressions of the rule base (HOLogicBench Table 2)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

from holmes.errors import InputError
from holmes.logic.language.expr import parse
from holmes.logic.language.model import And, Compare, Const, Expr, Implies, Not, Or, PolicyTest, Ref, RuleBase, Value
from holmes.logic.language.policy_terms import Question as Question
from holmes.logic.language.policy_terms import Term as Term
from holmes.logic.language.policy_terms import policy_of as policy_of
from holmes.logic.language.unparse import unparse
from holmes.logic.language.walk import rebuild

KINDS = ("rule", "amended", "all", "any", "unless", "condition", "outcome")
# type -> the forms of its questions
FORMS: Mapping[str, tuple[str, ...]] = {
    "PR": ("subsumes", "equivalent", "exclusive", "comparable"),
    "PT": ("accepts", "changes", "subsumes", "exclusive"),
    "PC": ("accepts", "equivalent"),
    "PS": ("governs", "disagree"),
    "PQ": ("every", "which"),
}
SYMBOLS = ("P", "Q", "R")


def covers(rule: int, sense: str, base: RuleBase) -> Expr:
    """Return `the rule covers the case`: triggered(p) or applies(p)."""
    return PolicyTest(sense, policy_of(rule, base))


def conjunction(parts: Iterable[Expr]) -> Expr:
    """Return the conjunction; one part stands for itself."""
    found = tuple(parts)
    return found[0] if len(found) == 1 else And(found)


def disjunction(parts: Iterable[Expr]) -> Expr:
    """Return the disjunction; one part stands for itself."""
    found = tuple(parts)
    return found[0] if len(found) == 1 else Or(found)


def expression(term: Term, sense: str, base: RuleBase) -> Expr:
    """Return `the term covers the case` as an expression of the rule base."""
    rules = [covers(rule, sense, base) for rule in term.rules]
    match term.kind:
        case "rule":
            return rules[0]
        case "amended" if term.condition is not None:
            return And((rules[0], Not(term.condition)))
        case "all":
            return conjunction(rules)
        case "any":
            return disjunction(rules)
        case "unless":
            return And((rules[0], Not(rules[1])))
        case "condition" if term.condition is not None:
            return term.condition
        case "outcome":
            return Compare("==", Ref("decision", "decision"), Const(term.label, base.decision.type))
    raise InputError(f"term: found {term.kind!r}, expected one of {', '.join(KINDS)}")


def differ(one: Expr, two: Expr) -> Expr:
    """Return `one of the two holds and the other does not`."""
    return Or((And((one, Not(two))), And((two, Not(one)))))


def violations(question: Question, base: RuleBase) -> tuple[Expr, ...]:
    """Return what a witness must satisfy, one condition a witness; empty where the form asks for none.

    The universal answer (`universal`) holds if one of them is true of no coherent record.
    """
    terms = [expression(term, question.sense, base) for term in question.terms]
    match question.form:
        case "subsumes":
            return (And((terms[0], Not(terms[1]))),)
        case "equivalent":
            return (differ(terms[0], terms[1]),)
        case "exclusive":
            return (And((terms[0], terms[1])),)
        case "comparable":
            return And((terms[0], Not(terms[1]))), And((terms[1], Not(terms[0])))
        case "changes":
            rule = covers(question.terms[0].rules[0], question.sense, base)
            return (And((rule, Not(terms[0]))),)
        case "disagree":
            return (differ(*(terms[place] for place in question.picked)),)
        case "every":
            return (disjunction(member_violation(question, rule, base) for rule in question.family),)
        case _:
            return ()


def member_violation(question: Question, rule: int, base: RuleBase) -> Expr:
    """Return what a case must satisfy to show that a member of the family breaks Φ."""
    other = expression(question.terms[0], question.sense, base)
    return And((covers(rule, question.sense, base), other if question.apart else Not(other)))


def universal(form: str) -> str:
    """Return the answer that speaks of all cases and needs no witness."""
    return "no" if form in ("changes", "disagree") else "yes"


def choices(question: Question) -> tuple[str, ...]:
    """Return the possible answers; empty for `which`, whose answer is a list of rules."""
    if question.form == "which":
        return ()
    if question.form == "governs":
        return tuple(f"Rule {rule}" for rule in sorted(rule for _, rule in question.branches))
    return ("yes", "no")


# ---------------------------------------------------------------- as plain values
def to_json(question: Question) -> str:
    """Return a question as compact JSON with sorted keys; conditions in the notation of rule bases."""
    return json.dumps(
        {
            "type": question.type,
            "form": question.form,
            "sense": question.sense,
            "terms": [
                {"kind": t.kind, "rules": list(t.rules), "condition": _text(t.condition), "label": t.label}
                for t in question.terms
            ],
            "given": [unparse(condition) for condition in question.given],
            "family": list(question.family),
            "apart": question.apart,
            "picked": list(question.picked),
            "branches": [[_text(condition), rule] for condition, rule in question.branches],
            "record": {name: value if isinstance(value, bool) else str(value) for name, value in question.record},
        },
        sort_keys=True,
    )


def _text(expr: Expr | None) -> str:
    return "" if expr is None else unparse(expr)


def from_json(text: str, base: RuleBase) -> Question:
    """Read what `to_json` wrote; raises InputError for another text."""
    try:
        row: dict[str, Any] = json.loads(text)
        given = tuple(read_condition(part, base) for part in row["given"])
        return Question(
            type=row["type"],
            form=row["form"],
            sense=row["sense"],
            terms=tuple(
                Term(t["kind"], tuple(t["rules"]), _condition(t["condition"], base), t["label"]) for t in row["terms"]
            ),
            given=tuple(part for part in given if isinstance(part, Implies)),
            family=tuple(row["family"]),
            apart=row["apart"],
            picked=(row["picked"][0], row["picked"][1]),
            branches=tuple((_condition(condition, base), rule) for condition, rule in row["branches"]),
            record=tuple((n, value_of(n, row["record"][n], base)) for n in base.facts if n in row["record"]),
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise InputError(f"policy question: found {text!r:.80}, expected a question as JSON ({error})") from error


def _condition(text: str, base: RuleBase) -> Expr | None:
    return read_condition(text, base) if text else None


def read_condition(text: str, base: RuleBase) -> Expr:
    """Read a condition in the notation of rule bases, its names resolved; raises InputError for an unknown one."""

    def resolve(expr: Expr) -> Expr:
        if isinstance(expr, Ref) and expr.kind == "name":
            if expr.name not in base.facts and expr.name not in base.concepts:
                raise InputError(f"{base.name}: condition {text!r}: found {expr.name!r}, expected a fact or concept")
            return Ref(expr.name, "fact" if expr.name in base.facts else "concept")
        return rebuild(expr, resolve)

    return resolve(parse(text))


def value_of(name: str, value: Any, base: RuleBase) -> Value:
    """Return a value of a fact from its plain form."""
    kind = base.facts[name].type.kind
    return bool(value) if kind == "bool" else Fraction(value) if kind in ("int", "money") else str(value)
