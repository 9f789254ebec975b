"""Which rule names what: dependencies, rule numbers without gaps, nothing declared in vain."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeAlias

from holmes.logic.language.draft import Draft
from holmes.logic.language.model import (
    Amount,
    Concept,
    Expr,
    Field,
    Lookup,
    Policy,
    PolicyTest,
    Quant,
    Ref,
    RuleBase,
    Table,
)
from holmes.logic.language.problems import Problem
from holmes.logic.language.walk import walk


def overriders(draft: Draft, policy: str) -> set[str]:
    """Return the policies that override `policy`."""
    return {relation.winner for relation in draft.relations if policy in relation.losers}


def rule_numbers(draft: Draft) -> None:
    """Check that rule numbers are 1, 2, … without double or gap, and that `stated_in` names a rule."""
    owners: dict[int, list[tuple[str, int]]] = {}
    entries: list[tuple[int, str, int]] = [(t.rule, n, t.line) for n, t in draft.tables.items()]
    entries += [(c.rule, n, c.line) for n, c in draft.concepts.items()]
    entries += [(p.rule, n, p.line) for n, p in draft.policies.items()]
    entries += [(r.rule, f"{r.kind} {r.winner}", r.line) for r in draft.relations if not r.stated_in]
    entries += [(d.rule, s, d.line) for s, d in (("decision", draft.decision), ("amount", draft.amount)) if d]
    for rule, name, line in entries:
        owners.setdefault(rule, []).append((name, line))

    def problem(line: int, rule: int, found: str, expected: str) -> None:
        draft.problems.append(Problem(draft.file, line, str(rule), "rule", found, expected, "names"))

    for rule, names in owners.items():
        for name, line in names[1:] if rule else ():
            problem(line, rule, f"the number of {names[0][0]} again, on {name}", "a number of its own")
    numbers = sorted({n for n in owners if n} | draft.left_out)
    for before, after in zip([0, *numbers], numbers, strict=False):
        if after > before + 1:
            missing = str(before + 1) if after == before + 2 else f"{before + 1} to {after - 1}"
            line = owners[after][0][1] if after in owners else 0
            problem(line, after, f"no rule {missing}", "rules numbered without a gap")
    for relation in draft.relations:
        if relation.stated_in and relation.rule and relation.rule not in owners:
            problem(relation.line, relation.rule, f"stated_in: {relation.rule}", "the number of a rule")


def uses(expr: Expr, draft_families: Mapping[str, tuple[str, ...]]) -> Iterator[tuple[str, str]]:
    """Yield (kind, name) for every fact, concept, table and policy an expression reads."""
    for part in walk(expr):
        match part:
            case Ref(kind="fact" | "concept" as kind, name=name):
                yield kind, name
            case Ref(kind="decision" | "amount" as kind):
                yield kind, kind
            case Lookup(table=name):
                yield "table", name
            case PolicyTest(policy=name, variable=False, kind=kind):
                if kind != "consequence":
                    yield ("applies" if kind == "applies" else "policy"), name
            case Quant(domain=domain, over="list"):
                yield "fact", domain
            case Quant(domain=domain, body=body):
                yield "family", domain
                kinds = {p.kind for p in walk(body) if isinstance(p, PolicyTest) and p.variable} - {"consequence"}
                for kind in kinds:
                    for member in draft_families.get(domain, ()):
                        yield ("applies" if kind == "applies" else "policy"), member


Item: TypeAlias = "Concept | Table | Policy | Amount"


def rules(draft: Draft | RuleBase) -> Iterator[tuple[str, str, Concept | Table | Policy]]:
    """Yield (kind, name, declaration) for every concept, table and policy."""
    for name, concept in draft.concepts.items():
        yield "concept", name, concept
    for name, table in draft.tables.items():
        yield "table", name, table
    for name, policy in draft.policies.items():
        yield "policy", name, policy


def expressions(item: Item) -> tuple[Expr, ...]:
    """Return the expressions of a declaration."""
    match item:
        case Concept():
            return (item.body,)
        case Table():
            return (*item.keys, *(row.value for row in item.rows))
        case Policy():
            return tuple(e for e in (item.when, item.unless, item.selector) if e is not None)
        case Amount():
            return (item.value,)


def dependencies(draft: Draft | RuleBase, defeat: str = "") -> dict[tuple[str, str], set[tuple[str, str]]]:
    """Return what each concept, table, policy, `applies`, decision and amount reads directly.

    defeat: the semantics of defeat, by default the one that the rule base declares.
    """
    graph: dict[tuple[str, str], set[tuple[str, str]]] = {}
    families = draft.families
    for kind, name, item in rules(draft):
        graph[kind, name] = {use for e in expressions(item) for use in uses(e, families)}
    for name, policy in draft.policies.items():
        operands = (policy.base, *policy.parts, *(target for _, target in policy.branches))
        graph["policy", name] |= {("policy", operand) for operand in operands if operand}
        graph["applies", name] = {("policy", name)}
    for relation in draft.relations:
        for loser in relation.losers:
            kind = "applies" if (defeat or draft.defeat) == "grounded" else "policy"
            graph.setdefault(("applies", loser), set()).add((kind, relation.winner))
    decision = draft.decision
    if decision and decision.gates:
        graph["decision", "decision"] = {("policy", decision.gates)}
    elif decision:
        graph["decision", "decision"] = {("applies", n) for n, p in draft.policies.items() if p.consequence}
    if draft.amount:
        graph["amount", "amount"] = set(uses(draft.amount.value, families))
    return graph


def unused(draft: Draft) -> None:
    """Report facts that no rule reads and rules, tables and families that cannot influence decision or amount."""
    graph = dependencies(draft)
    reached: set[tuple[str, str]] = set()
    todo = [("decision", "decision"), ("amount", "amount")]
    while todo:
        node = todo.pop()
        if node in reached:
            continue
        reached.add(node)
        todo += graph.get(node, ())
        if node[0] == "applies":  # an attacker matters even where `one_pass` reads only its trigger
            todo += [("policy", winner) for winner in overriders(draft, node[1])]
    read = {name for uses_ in graph.values() for kind, name in uses_ if kind == "fact"}
    useful = {name for kind, name in reached if kind == "policy"}

    def problem(line: int, rule: int, name: str, found: str, expected: str) -> None:
        draft.problems.append(Problem(draft.file, line, str(rule) if rule else name, "", found, expected, "names"))

    for name, fact in draft.facts.items():
        if name not in read:
            problem(fact.line, 0, name, "a fact that no rule reads", "a rule that reads it")
        for part, _ in fact.type.fields:
            if fact.type.kind == "list" and not _field_read(draft, part):
                problem(fact.line, 0, name, f"a field {part!r} that no rule reads", "a rule that reads it")
    for kind, name, item in rules(draft):
        alive = name in useful or ("applies", name) in reached if kind == "policy" else (kind, name) in reached
        if not alive:
            found = f"a {kind} {name!r} that influences nothing"
            problem(item.line, item.rule, name, found, "one that the decision or the amount depends on")
    families = {name.partition(" that override ")[0] for kind, name in reached if kind == "family"}
    for name in draft.families:
        if " " not in name and name != "policies" and name not in families:
            problem(
                draft.lines.get(("families", "", name), 0),
                0,
                name,
                "a family that no rule uses",
                "a rule that quantifies over it",
            )
    told = {
        text for f in draft.facts.values() for text in (*f.says, *f.denies, *(t for _, ts in f.field_says for t in ts))
    }
    for entity in draft.entities if told else ():
        if not any(f"{{{entity}}}" in text for text in told):
            line = draft.lines.get(("rulebase", "", "entities"), 0)
            found = f"the entity {entity!r}, which no sentence names"
            problem(line, 0, "entities", found, f"a sentence with {{{entity}}}")


def _field_read(draft: Draft, name: str) -> bool:
    if name == "name":
        return True
    items: list[Item] = [item for _, _, item in rules(draft)]
    items += [draft.amount] if draft.amount else []
    return any(isinstance(p, Field) and p.name == name for i in items for e in expressions(i) for p in walk(e))
