"""From a record to its explanation graph (docs/derivations.md): a node for each expression, policy and conflict."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from holmes.logic.engine.compile import Program
from holmes.logic.engine.evaluate import NONE, exact, program_for
from holmes.logic.engine.rewrite import row_value, unroll
from holmes.logic.explain.graph import LEAF, Alternatives, Graph, Label, text_of
from holmes.logic.language.model import (
    And,
    Arith,
    Compare,
    Const,
    Expr,
    Field,
    If,
    Implies,
    Lookup,
    Not,
    Or,
    Policy,
    PolicyTest,
    Quant,
    Ref,
    RuleBase,
    Value,
)
from holmes.logic.language.walk import rebuild, walk

Bound = Mapping[str, tuple[str, int]]  # variable -> (list fact, place of the record from 0)


@functools.lru_cache(maxsize=64)
def _bodies(program: Program) -> tuple[dict[str, Expr], dict[Expr, Expr], frozenset[int]]:
    """Return the unrolled conditions by name, equal parts made one object; these parts by value, and their ids."""
    shared: dict[Expr, Expr] = {}

    def share(expr: Expr) -> Expr:
        if expr not in shared:
            shared[expr] = rebuild(expr, share)
        return shared[expr]

    base = program.rulebase
    bodies = {name: share(unroll(concept.body, base)) for name, concept in base.concepts.items()}
    bodies |= {f"policy {n}": share(unroll(p.when, base)) for n, p in base.policies.items() if p.when is not None}
    return bodies, shared, frozenset(map(id, shared.values()))


class _Builder:
    def __init__(self, program: Program, facts: Mapping[str, Any]) -> None:
        self.program, self.base = program, program.rulebase
        self.state = program.run(facts)
        self.nodes: dict[Any, int] = {}
        self.alternatives: list[Alternatives] = []
        self.labels: list[Label | None] = []
        self.values: list[Value | None] = []
        self.bodies, self.shared, self.ids = _bodies(program)

    # ------------------------------------------------------------ nodes
    def add(self, key: Any, alternatives: Alternatives, value: Value | None, label: Label | None = None) -> int:
        node = self.nodes[key] = len(self.alternatives)
        if len(alternatives) > 1 or (alternatives and len(alternatives[0]) > 1):
            alternatives = tuple(dict.fromkeys(tuple(dict.fromkeys(a)) for a in alternatives))
        self.alternatives.append(alternatives)
        self.labels.append(label)
        self.values.append(value)
        return node

    def kept(self, kind: str, name: str) -> Any:
        return exact(self.state[self.program.slot[kind, name]])

    def fact(self, name: str) -> int:
        key = ("fact", name)
        if key in self.nodes:
            return self.nodes[key]
        value = self.kept("fact", name)
        shown = str(len(value)) if isinstance(value, tuple) else text_of(value)
        return self.add(key, LEAF, value, Label("fact", 0, name, "", shown))

    def field(self, source: str, place: int, name: str) -> int:
        key = ("field", source, place, name)
        if key in self.nodes:
            return self.nodes[key]
        value = exact(self.state[self.program.slot["fact", source]][place][name])
        return self.add(key, LEAF, value, Label("fact", 0, f"{source}[{place + 1}].{name}", "", text_of(value)))

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
            sides = (self.triggered(policy.base), self.expr(unroll(policy.unless, self.base), {}))
            return self.some(sides, value), value
        if policy.operator == "compose":
            parts = tuple(self.triggered(part) for part in policy.parts)
            return (self.some(parts, value) if policy.mode == "any" else self.every(parts, value)), value
        selection, target = self.selection(policy)
        return ((selection, self.triggered(target)),), value

    def selection(self, policy: Policy) -> tuple[int, str]:
        """Return the labelled node `selection -> policy` and the policy it chooses."""
        assert policy.selector is not None
        selector = self.expr(unroll(policy.selector, self.base), {})
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
        body = self.expr(unroll(self.base.amount.value, self.base), {})
        value = self.values[body]
        label = Label("amount", self.base.amount.rule, "", "", text_of(value))  # type: ignore[arg-type]
        return self.add(("amount", "amount"), ((body,),), value, label)

    # ------------------------------------------------------------ expressions
    def some(self, nodes: tuple[int, ...], value: bool) -> Alternatives:
        return tuple((n,) for n in nodes if self.values[n]) if value else (nodes,)

    def every(self, nodes: tuple[int, ...], value: bool) -> Alternatives:
        return (nodes,) if value else tuple((n,) for n in nodes if not self.values[n])

    def expr(self, expr: Expr, bound: Bound) -> int:
        """Return the node of an unrolled expression."""
        match expr:
            case Ref(kind="fact", name=name):
                return self.fact(name)
            case Ref(kind="concept", name=name):
                return self.concept(name)
            case Ref(kind="decision"):
                return self.decision()
            case Field(record=Ref(name=variable), name=name):
                return self.field(*bound[variable], name)
            case PolicyTest(kind=kind, policy=name):
                return self.applies(name) if kind == "applies" else self.triggered(name)
        key: Any
        if bound:
            free = {part.name for part in walk(expr) if isinstance(part, Ref) and part.kind == "variable"}
            key = ("expr", expr, tuple(sorted((v, place) for v, place in bound.items() if v in free)))
        elif id(expr) in self.ids:
            key = id(expr)  # equal parts of conditions are one object
        else:
            key = id(self.shared[expr]) if expr in self.shared else ("expr", expr, ())
        if key in self.nodes:
            return self.nodes[key]
        alternatives, value, label = self.compound(expr, bound)
        return self.add(key, alternatives, value, label)

    def compound(self, expr: Expr, bound: Bound) -> tuple[Alternatives, Value, Label | None]:
        def strict(*parts: Expr) -> tuple[tuple[int, ...], list[Any]]:
            nodes = tuple(self.expr(part, bound) for part in parts)
            return nodes, [self.values[node] for node in nodes]

        match expr:
            case Const():
                return LEAF, expr.value, None
            case Not():
                nodes, (inner,) = strict(expr.arg)
                return (nodes,), not inner, None
            case And():
                nodes, values = strict(*expr.args)
                return self.every(nodes, all(values)), all(values), None
            case Or():
                nodes, values = strict(*expr.args)
                return self.some(nodes, any(values)), any(values), None
            case Implies():
                nodes, (left, right) = strict(expr.left, expr.right)
                reasons = [(nodes[0],)] if not left else []
                reasons += [(nodes[1],)] if right else []
                return tuple(reasons) or (nodes,), not left or bool(right), None
            case Compare(op=op):
                nodes, (left, right) = strict(expr.left, expr.right)
                return (nodes,), _compare(op, left, right), None
            case Arith(op=op):
                nodes, values = strict(*expr.args)
                return (nodes,), _arithmetic(op, values), None
            case If():
                test = self.expr(expr.test, bound)
                chosen = self.expr(expr.then if self.values[test] else expr.otherwise, bound)
                value = self.values[chosen]
                assert value is not None
                return ((test, chosen),), value, None
            case Quant():
                return (*self.quantifier(expr, bound), None)
            case Lookup():
                return self.lookup(expr, bound)
        raise TypeError(f"cannot explain {expr!r}")

    def quantifier(self, expr: Quant, bound: Bound) -> tuple[Alternatives, Value]:
        size = len(self.state[self.program.slot["fact", expr.domain]])
        nodes = tuple(self.expr(expr.body, {**bound, expr.variable: (expr.domain, i)}) for i in range(size))
        if not nodes:  # the one reason is that the list is empty
            value: Value = expr.kind == "every" if expr.kind in ("every", "some") else Fraction(0)
            return ((self.fact(expr.domain),),), value
        values: list[Any] = [self.values[node] for node in nodes]
        if expr.kind == "every":
            return self.every(nodes, all(values)), all(values)
        if expr.kind == "some":
            return self.some(nodes, any(values)), any(values)
        return (nodes,), Fraction(sum(values))

    def lookup(self, expr: Lookup, bound: Bound) -> tuple[Alternatives, Value, Label]:
        table = self.base.tables[expr.table]
        keys = tuple(self.expr(key, bound) for key in expr.keys)
        values = [self.values[key] for key in keys]
        row = next(i for i, r in enumerate(table.rows) if all(map(_in_cell, r.keys, values)))
        result = self.expr(unroll(row_value(self.base, expr, row), self.base), bound)
        value = self.values[result]
        assert value is not None
        shown = ",".join(text_of(v) for v in values)  # type: ignore[arg-type]
        label = Label("table", table.rule, f"{table.name}[{shown}]", "", text_of(value))
        return ((*keys, result),), value, label


def _in_cell(cell: str | tuple[Fraction, Fraction | None], value: Any) -> bool:
    if isinstance(cell, str):
        return text_of(value) == cell
    return bool(cell[0] <= value and (cell[1] is None or value < cell[1]))


def _compare(op: str, left: Any, right: Any) -> bool:
    result = {
        "==": lambda: left == right,
        "!=": lambda: left != right,
        "<": lambda: left < right,
        "<=": lambda: left <= right,
        ">": lambda: left > right,
        ">=": lambda: left >= right,
    }[op]()
    return bool(result)


def _arithmetic(op: str, values: list[Any]) -> Fraction:
    if op == "neg":
        return Fraction(-values[0])
    if op == "days_between":
        return Fraction((values[1] - values[0]).days)
    if op in ("min", "max"):
        return Fraction(min(values) if op == "min" else max(values))
    result = Fraction(values[0])
    for value in values[1:]:
        result = result + value if op == "+" else result - value if op == "-" else result * value
    return result


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
            named["unless", name] = builder.expr(unroll(policy.unless, builder.base), {})
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
