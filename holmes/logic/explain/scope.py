"""What a question about a case involves: the policies, relations, tables and quantifiers that its rules name.

The whole task counts, not one path of evaluation through it; only a selection narrows it, to the policy chosen.
"""

from __future__ import annotations

from dataclasses import dataclass

from holmes.errors import InputError
from holmes.logic.language.model import Expr, Lookup, PolicyTest, Quant, Ref, RuleBase
from holmes.logic.language.walk import walk

PICKS = ("gravest", "first", "first_of", "only", "all", "gates")


@dataclass(frozen=True, slots=True)
class Reach:
    """policies: in order of first visit. relates: those whose defeat matters. quantifiers: (rule, quantifier).
    concepts: in order of first visit.
    """

    policies: tuple[str, ...]
    relates: frozenset[str]
    tables: tuple[str, ...]
    quantifiers: tuple[tuple[int, Quant], ...]
    decision: bool
    concepts: tuple[str, ...] = ()


class _Walk:
    def __init__(self, base: RuleBase, selected: dict[str, str]) -> None:
        self.base, self.selected = base, selected
        self.seen: set[tuple[str, str]] = set()
        self.concepts: dict[str, None] = {}
        self.policies: dict[str, None] = {}
        self.relates: set[str] = set()
        self.tables: dict[str, None] = {}
        self.quantifiers: dict[tuple[int, Quant], None] = {}
        self.decided = False

    def once(self, kind: str, name: str) -> bool:
        fresh = (kind, name) not in self.seen
        self.seen.add((kind, name))
        return fresh

    def expr(self, expr: Expr, rule: int) -> None:
        """Visit what an expression of a rule names, through families of policies too."""
        for part in walk(expr):
            match part:
                case Ref(kind="concept", name=name):
                    self.concept(name)
                case Ref(kind="decision"):
                    self.decision()
                case Lookup(table=name):
                    self.table(name)
                case Quant(over="family"):
                    self.quantifiers[rule, part] = None
                    tests = [p for p in walk(part.body) if isinstance(p, PolicyTest) and p.policy == part.variable]
                    for policy in self.base.families[part.domain]:
                        for test in tests:
                            self.test(test.kind, policy)
                case PolicyTest(kind=kind, policy=name, variable=False):
                    self.test(kind, name)

    def concept(self, name: str) -> None:
        if self.once("concept", name):
            self.concepts[name] = None
            concept = self.base.concepts[name]
            self.expr(concept.body, concept.rule)

    def table(self, name: str) -> None:
        if self.once("table", name):
            self.tables[name] = None
            table = self.base.tables[name]
            for row in table.rows:
                self.expr(row.value, table.rule)

    def test(self, kind: str, name: str) -> None:
        if kind == "applies":
            self.applies(name)
        elif kind != "consequence":
            self.triggered(name)

    def applies(self, name: str) -> None:
        """Visit a policy, and every policy that may keep it from applying."""
        if self.once("applies", name):
            self.relates.add(name)
            self.triggered(name)
            for relation in self.base.relations:
                if name in relation.losers:
                    self.applies(relation.winner)

    def triggered(self, name: str) -> None:
        if not self.once("triggered", name):
            return
        policy = self.base.policies[name]
        self.policies[name] = None
        for expr in (policy.when, policy.unless, policy.selector):
            if expr is not None:
                self.expr(expr, policy.rule)
        parts = (self.selected[name],) if policy.operator == "select" else policy.parts
        for part in (policy.base, *parts) if policy.base else parts:
            self.triggered(part)

    def decision(self) -> None:
        if not self.once("decision", ""):
            return
        self.decided = True
        decision = self.base.decision
        if decision.pick not in PICKS:
            raise InputError(f"{self.base.name}: decision: found pick {decision.pick}, expected {', '.join(PICKS)}")
        if decision.pick == "gates":
            self.triggered(decision.gates)
            return
        for policy in self.base.policies.values():
            if policy.consequence:
                self.applies(policy.name)


_REACHED: dict[tuple[str, str, str, tuple[tuple[str, str], ...]], tuple[RuleBase, Reach]] = {}


def reach(base: RuleBase, goal: str, selected: tuple[tuple[str, str], ...] = ()) -> Reach:
    """Return what a question involves; worked out once a process for each rule base, goal and choice.

    goal: ``decision``, ``amount``, ``concept NAME``, ``triggered POLICY`` or ``applies POLICY``. selected: (selection,
    policy chosen) for every selection of the base.
    """
    key = (base.fingerprint, base.name, goal, selected)
    known = _REACHED.get(key)
    # a rule base changed by `replace` keeps its fingerprint: the content decides
    if known is None or (known[0] is not base and known[0] != base):
        known = _REACHED[key] = base, _reach(base, goal, dict(selected))
    return known[1]


def _reach(base: RuleBase, goal: str, selected: dict[str, str]) -> Reach:
    found = _Walk(base, selected)
    kind, _, name = goal.partition(" ")
    if kind == "decision":
        found.decision()
    elif kind == "amount" and base.amount is not None:
        found.expr(base.amount.value, base.amount.rule)
    elif kind == "concept":
        found.concept(name)
    elif kind in ("triggered", "applies"):
        found.test(kind, name)
    else:
        raise InputError(f"{base.name}: goal: found {goal!r}, expected decision, amount, concept, triggered or applies")
    return Reach(
        tuple(found.policies),
        frozenset(found.relates),
        tuple(found.tables),
        tuple(found.quantifiers),
        found.decided,
        tuple(found.concepts),
    )
