"""What a proof speaks of: facts, thresholds, concepts, rules that are triggered or apply, outcomes; definitions."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from holmes.domains.policy.questions import conditions
from holmes.errors import InputError
from holmes.logic.english.lexicon import spellings
from holmes.logic.language.model import And, Compare, Const, Expr, Not, Or, PolicyTest, Ref, RuleBase
from holmes.logic.language.walk import walk

Node = tuple[str, str]
"""(fact | concept | triggered | applies | decision, name or answer); a threshold is a fact named `name number`."""


def body_of(node: Node, base: RuleBase) -> tuple[str, Expr]:
    """Return the rule that defines a node, and its definition over other nodes; facts have none."""
    kind, name = node
    if kind == "concept":
        concept = base.concepts[name]
        return str(concept.rule), concept.body
    if kind == "decision":
        return str(base.decision.rule), _decision(name, base)
    policy = base.policies[name]
    if kind == "triggered":
        assert policy.when is not None
        return str(policy.rule), policy.when
    against = [r.winner for r in base.relations if name in r.losers]
    return str(policy.rule), And((PolicyTest("triggered", name), *(Not(PolicyTest("applies", w)) for w in against)))


def _decision(answer: str, base: RuleBase) -> Expr:
    decision = base.decision
    rank = {label: place for place, label in enumerate(decision.order)}
    policies = [p for p in base.policies.values() if p.consequence]
    graver = [p.name for p in policies if rank[p.consequence] < rank[answer]]
    own = [p.name for p in policies if p.consequence == answer]
    none = And(tuple(Not(PolicyTest("applies", p.name)) for p in policies))
    here: Expr = Or(tuple(PolicyTest("applies", n) for n in own)) if own else none
    here = Or((here, none)) if answer == decision.otherwise and own else here
    return And((here, *(Not(PolicyTest("applies", n)) for n in graver)))


def say(node: Node, value: bool, base: RuleBase) -> str:
    """Return the clause that says that a node is true or false."""
    kind, name = node
    if kind in ("triggered", "applies"):
        rule = f"Rule {base.policies[name].rule}"
        verbs: Mapping[tuple[str, bool], str] = {
            ("triggered", True): "is triggered",
            ("triggered", False): "is not triggered",
            ("applies", True): "applies",
            ("applies", False): "does not apply",
        }
        return f"{rule} {verbs[kind, value]}"
    if kind == "decision":
        return f"the outcome is {'' if value else 'not '}“{spellings(base.decision, name)[0]}”"
    if " " in name:
        name, number = name.split(" ")
        return f"“{conditions.phrase(name, base)}” is {'at least' if value else 'below'} {number}"
    return f"“{conditions.phrase(name, base)}” {'holds' if value else 'does not hold'}"


def atom_of(expr: Expr) -> tuple[Node, bool]:
    """Return the node of an atom, and whether the atom is true where the node is; thresholds are `name number`."""
    match expr:
        case Ref(kind="concept", name=name):
            return ("concept", name), True
        case Ref(name=name):
            return ("fact", name), True
        case PolicyTest(kind=kind, policy=name):
            return (kind, name), True
        case Compare(op="==", left=Ref(kind="decision"), right=Const(value=value)):
            return ("decision", str(value)), True
        case Compare(op=">=" | "<" as op, left=Ref(name=name), right=Const(value=Fraction() as value)):
            return ("fact", f"{name} {value}"), op == ">="
        case Compare(op=">" | "<=" as op, left=Ref(name=name), right=Const(value=Fraction() as value)):
            return ("fact", f"{name} {value + 1}"), op == ">"
    raise InputError(f"refutation: found {type(expr).__name__}, expected a name, a policy or a threshold")


def nodes_in(expr: Expr) -> list[Node]:
    """Return the nodes of the atoms of a condition, each once."""
    atoms = (part for part in walk(expr) if isinstance(part, Ref | PolicyTest | Compare) and not _inner(part, expr))
    return list(dict.fromkeys(atom_of(part)[0] for part in atoms))


def _inner(part: Expr, whole: Expr) -> bool:
    """Tell whether a name stands inside a comparison, which is the atom."""
    return isinstance(part, Ref) and any(isinstance(c, Compare) and c.left is part for c in walk(whole))
