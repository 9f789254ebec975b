"""From a record to its explanation graph (docs/derivations.md): a node for each expression, policy and conflict."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from holmes.logic.engine.evaluate import NONE, program_for
from holmes.logic.engine.rewrite import unroll
from holmes.logic.explain.expressions import Expressions
from holmes.logic.explain.graph import Alternatives, Graph, Label, text_of
from holmes.logic.language.model import (
    Expr,
    Policy,
    RuleBase,
    Value,
)


class _Builder(Expressions):
    def concept(self, name: str) -> int:
        key = ("concept", name)
        if key in self.nodes:
            return self.nodes[key]
        concept = self.base.concepts[name]
        body = self.expr(self.bodies[name], {})
        value = self.values[body]
        return self.add(key, ((body,),), value, Label("concept", concept.rule, name, "", text_of(value)))  # type: ignore[arg-type]

    # ------------------------------------------------------------ policies
    def triggered(self, name: str) -> int:
        key = ("policy", name)
        if key in self.nodes:
            return self.nodes[key]
        policy = self.base.policies[name]
        alternatives, value = self.policy(policy)
        text = text_of(value)
        if policy.gate:
            label: Label | None = Label("gate", policy.rule, name, "", "PASS" if value else "FAIL")
        elif policy.operator == "condition" or policy.consequence:
            label = Label("policy", policy.rule, name, "triggered", text)
        elif policy.operator == "select":
            label = None  # the labelled step is the selection itself
        else:
            label = Label(policy.operator, policy.rule, name, "", text)
        return self.add(key, alternatives, value, label)

    def policy(self, policy: Policy) -> tuple[Alternatives, bool]:
        value = bool(self.kept("policy", policy.name))
        if policy.when is not None:
            return ((self.expr(self.bodies[f"policy {policy.name}"], {}),),), value
        if policy.unless is not None:
            sides = (self.triggered(policy.base), self.expr(self.bodies[f"unless {policy.name}"], {}))
            return self.some(sides, value), value
        if policy.operator == "compose":
            parts = tuple(self.triggered(part) for part in policy.parts)
            return (self.some(parts, value) if policy.mode == "any" else self.every(parts, value)), value
        selection, target = self.selection(policy)
        return ((selection, self.triggered(target)),), value

    def selection(self, policy: Policy) -> tuple[int, str]:
        """Return the labelled node `selection -> policy` and the policy it chooses."""
        assert policy.selector is not None
        selector = self.expr(self.bodies[f"selector {policy.name}"], {})
        value = self.values[selector]
        target = dict(policy.branches)[text_of(value)]  # type: ignore[arg-type]
        key = ("selection", policy.name)
        if key in self.nodes:
            return self.nodes[key], target
        return self.add(key, ((selector,),), None, Label("selection", policy.rule, policy.name, target, "")), target

    def active(self, name: str) -> int:
        return self.applies(name) if self.base.defeat == "grounded" else self.triggered(name)

    def applies(self, name: str) -> int:
        key = ("applies", name)
        if key in self.nodes:
            return self.nodes[key]
        own, value = self.triggered(name), bool(self.kept("applies", name))
        attackers = [
            (relation, winner, self.active(winner)) for relation, winner in self.program.attackers.get(name, ())
        ]
        if value:
            alternatives: Alternatives = ((own, *(node for _, _, node in attackers)),)
        elif not self.values[own]:
            alternatives = ((own,),)
        else:
            alternatives = tuple(
                (self.conflict(relation.rule, winner, name),)
                for relation, winner, node in attackers
                if self.values[node]
            )
        policy = self.base.policies[name]
        label = Label("policy", policy.rule, name, "applies", text_of(value)) if policy.consequence else None
        return self.add(key, alternatives, value, label)

    def conflict(self, rule: int, winner: str, loser: str) -> int:
        key = ("conflict", rule, winner, loser)
        if key in self.nodes:
            return self.nodes[key]
        premises = (self.triggered(loser), self.active(winner))
        return self.add(key, (premises,), None, Label("conflict", rule, winner, loser, ""))

    # ------------------------------------------------------------ decision and amount
    def decision(self) -> int:
        key = ("decision", "decision")
        if key in self.nodes:
            return self.nodes[key]
        decision = self.base.decision
        answer = self.kept("decision", "decision")
        alternatives = self.by_gates(answer) if decision.pick == "gates" else self.by_pick(answer)
        return self.add(key, alternatives, answer, Label("decision", decision.rule, "", "", text_of(answer)))

    def by_pick(self, answer: Any) -> Alternatives:
        decision = self.base.decision
        policies = sorted((p for p in self.base.policies.values() if p.consequence), key=lambda p: p.rule)
        nodes = {p.name: self.applies(p.name) for p in policies}
        there = [p for p in policies if self.values[nodes[p.name]]]
        if not there:
            return (tuple(nodes.values()),)
        if decision.pick == "all":
            items = [self.item(value, [nodes[p.name] for p in there if p.consequence == value]) for value in answer]
            return ((*items, *(nodes[p.name] for p in policies if not self.values[nodes[p.name]])),)
        alternatives = []
        for policy in there:
            ahead = [p for p in policies if self.comes_first(p, policy)]
            if policy.consequence == answer and not any(self.values[nodes[p.name]] for p in ahead):
                alternatives.append((nodes[policy.name], *(nodes[p.name] for p in ahead)))
        return tuple(alternatives)

    def item(self, value: str, supporters: list[int]) -> int:
        key = ("item", value)
        return self.nodes[key] if key in self.nodes else self.add(key, tuple((node,) for node in supporters), value)

    def comes_first(self, other: Policy, policy: Policy) -> bool:
        """Say whether `other`, if it applied, would take the decision away from `policy`."""
        decision = self.base.decision
        rank = {value: number for number, value in enumerate(decision.order)}
        if decision.pick == "only":
            return other.consequence != policy.consequence
        if decision.pick in ("gravest", "first_of") and (other.consequence in rank or policy.consequence in rank):
            last = len(rank)
            return rank.get(other.consequence, last) < rank.get(policy.consequence, last)
        if decision.pick == "first_of" and decision.then == "only":
            return other.consequence != policy.consequence
        return other.rule < policy.rule

    def by_gates(self, answer: str) -> Alternatives:
        gates: dict[str, tuple[int, ...]] = {}

        def flatten(name: str, path: tuple[int, ...]) -> None:
            policy = self.base.policies[name]
            if policy.gate:
                gates.setdefault(name, path)
            elif policy.operator == "compose":
                for part in policy.parts:
                    flatten(part, path)
            else:
                selection, target = self.selection(policy)
                flatten(target, (*path, selection))

        flatten(self.base.decision.gates, ())
        entries = [((*path, self.triggered(name)), self.base.policies[name].gate) for name, path in gates.items()]
        passed = [(nodes, kind, bool(self.values[nodes[-1]])) for nodes, kind in entries]
        values = self.base.decision.type.values
        if answer == values[-1]:
            return tuple(nodes for nodes, kind, ok in passed if kind == "mandatory" and not ok)
        if answer == values[0]:
            return (tuple(node for nodes, _, _ in passed for node in nodes),)
        mandatory = tuple(node for nodes, kind, _ in passed if kind == "mandatory" for node in nodes)
        return tuple((*mandatory, *nodes) for nodes, kind, ok in passed if kind == "standard" and not ok)

    def amount(self) -> int | None:
        if self.base.amount is None:
            return None
        body = self.expr(self.bodies["amount"], {})
        value = self.values[body]
        label = Label("amount", self.base.amount.rule, "", "", text_of(value))  # type: ignore[arg-type]
        return self.add(("amount", "amount"), ((body,),), value, label)


def explain(
    rulebase: RuleBase,
    facts: Mapping[str, Value],
    *,
    defeat: str | None = None,
    ablate: frozenset[str] = NONE,
    asked: Expr | None = None,
) -> Graph:
    """Return the explanation graph of a case: all its nodes, the decision as root.

    facts, defeat, ablate: as for `evaluate`. asked: a further condition over the rule base, whose node is then
    ``named("asked", "")``. Every concept, policy and active conflict has its node, also those that
    do not support the root. Equal expressions share a node. Raises InputError as `evaluate` does.
    Source: derivations.md, sections Graph and Alternatives.
    """
    builder = _Builder(program_for(rulebase, defeat, ablate), facts)
    root = builder.decision()
    amount = builder.amount()
    named = {("concept", name): builder.concept(name) for name in builder.base.concepts}
    for name, policy in builder.base.policies.items():
        named["triggered", name] = builder.triggered(name)
        named["applies", name] = builder.applies(name)
        if policy.unless is not None:
            named["unless", name] = builder.expr(builder.bodies[f"unless {name}"], {})
        if policy.selector is not None:
            named["selection", name] = builder.selection(policy)[0]
    if asked is not None:
        named["asked", ""] = builder.expr(unroll(asked, builder.base), {})
    for relation in builder.base.relations:
        for loser in relation.losers:
            if builder.values[builder.triggered(loser)] and builder.values[builder.active(relation.winner)]:
                builder.conflict(relation.rule, relation.winner, loser)
    parts = (tuple(builder.alternatives), tuple(builder.labels), tuple(builder.values))
    return Graph(root, amount, *parts, named)
