"""Name resolution: every name means one thing, every rule has its own number, nothing is declared in vain."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import TypeAlias

from holmes.logic.declare import Draft
from holmes.logic.model import (
    Amount,
    Concept,
    Const,
    Expr,
    Field,
    Lookup,
    Policy,
    PolicyTest,
    Quant,
    Ref,
    RuleBase,
    Table,
    TableRow,
    Type,
)
from holmes.logic.problems import Problem
from holmes.logic.walk import rebuild, walk

Report = Callable[[str, str], None]  # found, expected


def near(name: str, known: Iterable[str]) -> str:
    """Return the known names that resemble `name`, or else all of them, as text."""
    import difflib

    names = sorted(known)
    close = difflib.get_close_matches(name, names, 3, 0.6)
    return " or ".join(map(repr, close)) if close else "a declared name"


def enums(draft: Draft) -> Iterator[Type]:
    """Yield every enum type of the rule base."""
    for fact in draft.facts.values():
        yield from (t for t in (fact.type, *(part for _, part in fact.type.fields)) if t.kind == "enum")
    for concept in draft.concepts.values():
        if concept.type.kind == "enum":
            yield concept.type
    if draft.decision and draft.decision.type.kind == "enum":
        yield draft.decision.type


def overriders(draft: Draft, policy: str) -> set[str]:
    """Return the policies that override `policy`."""
    return {relation.winner for relation in draft.relations if policy in relation.losers}


class Resolver:
    """Resolves the names of one rule base in place, adding a problem for each that means nothing or two things."""

    def __init__(self, draft: Draft) -> None:
        self.draft = draft
        self.values: dict[str, Type] = {}
        for type_ in enums(draft):
            for value in type_.values:
                self.values.setdefault(value, type_)

    def problem(self, section: str, name: str, field: str, rule: int, found: str, expected: str) -> None:
        lines = self.draft.lines
        line = lines.get((section, name, field)) or lines.get((section, name, "")) or lines.get((section, "", field), 0)
        who = str(rule) if rule else name or section
        self.draft.problems.append(Problem(self.draft.file, line, who, field, found, expected, "names"))

    # ------------------------------------------------------------ expressions
    def expr(self, expr: Expr, bound: Mapping[str, str], report: Report) -> Expr:
        """Resolve one expression. bound: variable -> ``list`` or ``family``."""
        draft = self.draft
        match expr:
            case Ref(kind="name", name=name):
                if name in draft.facts or name in draft.concepts:
                    return Ref(name, "fact" if name in draft.facts else "concept")
                if name in self.values:
                    return Const(name, self.values[name])
                other = self.kind_of(name)
                known = [*draft.facts, *draft.concepts, *self.values]
                if other:
                    report(f"the {other} {name!r}", f"a fact or a concept ({self.hint(other, name)})")
                else:
                    report(f"the unknown name {name!r}", near(name, known))
            case Ref(kind="variable", name=name) if bound.get(name) == "family":
                report(
                    f"the policy variable {name!r} as a value", f"triggered({name}), applies({name}) or passes({name})"
                )
            case Const(value=str() as value) if not expr.type.values:
                if value in self.values:
                    return Const(value, self.values[value])
                report(f"the unknown value {value!r}", near(value, self.values))
            case Field(record=Ref(kind="variable", name=name)) if bound.get(name) == "list":
                return expr
            case Field():
                report("a field of something that is no record", "x.field, x bound by every, some, count or sum")
                return expr
            case PolicyTest(policy=name, variable=variable):
                if variable and bound.get(name) != "family":
                    report(f"the record {name!r} as a policy", "a policy, or a variable over a family")
                elif not variable and name not in draft.policies:
                    report(f"the unknown policy {name!r}", near(name, draft.policies))
            case Quant(variable=variable, domain=domain):
                over = self.domain(domain, report)
                if variable in bound or self.kind_of(variable):
                    report(f"the variable {variable!r}, which is a name already", "a fresh name for the variable")
                inner = {**bound, variable: over}
                return Quant(expr.kind, variable, domain, over, self.expr(expr.body, inner, report))
            case Lookup(table=name) if name not in draft.tables:
                report(f"the unknown table {name!r}", near(name, draft.tables))
        return rebuild(expr, lambda child: self.expr(child, bound, report))

    def domain(self, domain: str, report: Report) -> str:
        draft = self.draft
        base, _, target = domain.partition(" that override ")
        if base == "policies" and "policies" not in draft.families:
            members: tuple[str, ...] = tuple(draft.policies)
        elif base in draft.families:
            members = draft.families[base]
        elif base in draft.facts and not target:
            if draft.facts[base].type.kind != "list":
                report(f"the {draft.facts[base].type.kind} {base!r} after `in`", "a list or a family")
            return "list"
        else:
            known = [*draft.families, *(n for n, f in draft.facts.items() if f.type.kind == "list")]
            report(f"the unknown list or family {base!r}", near(base, known))
            return "family"
        if target:
            if target not in draft.policies:
                report(f"the unknown policy {target!r}", near(target, draft.policies))
            winners = overriders(draft, target)
            members = tuple(member for member in members if member in winners)
            if not members:
                report(f"the empty family {domain!r}", f"a policy that overrides {target}")
        draft.families.setdefault(domain, members)
        return "family"

    def kind_of(self, name: str) -> str:
        return next((kind for kind, names in self.declared() if name in names), "")

    def declared(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        draft = self.draft
        return (
            ("fact", tuple(draft.facts)),
            ("concept", tuple(draft.concepts)),
            ("table", tuple(draft.tables)),
            ("policy", tuple(draft.policies)),
            ("family", tuple(draft.families)),
            ("value", tuple(self.values)),
        )

    def hint(self, kind: str, name: str) -> str:
        return {"policy": f"triggered({name})", "table": f"{name}[…]"}.get(kind, "not this")

    # ------------------------------------------------------------ declarations
    def run(self) -> None:
        """Resolve every expression and check every name of the draft."""
        draft = self.draft
        seen: dict[str, str] = {}
        for kind, names in self.declared():
            for name in names:
                if name in seen and not (kind == "value" and seen[name] == "value"):
                    section = {"policy": "policies", "family": "families", "value": "decision"}.get(kind, f"{kind}s")
                    self.problem(section, name, "", 0, f"{name!r} as {seen[name]} and as {kind}", "one meaning a name")
                seen.setdefault(name, kind)
        families = list(draft.families.items())  # before static guards add theirs

        def at(section: str, name: str, field: str, rule: int) -> Report:
            return partial(self.problem, section, name, field, rule)

        draft.integrity = [self.expr(e, {}, at("integrity", "", str(n), 0)) for n, e in enumerate(draft.integrity, 1)]
        for name, concept in draft.concepts.items():
            field = "when" if ("concepts", name, "when") in draft.lines else "value"
            body = self.expr(concept.body, {}, at("concepts", name, field, concept.rule))
            draft.concepts[name] = replace(concept, body=body)
        for name, table in draft.tables.items():
            keys = tuple(self.expr(key, {}, at("tables", name, "keys", table.rule)) for key in table.keys)
            field = "rows" if ("tables", name, "rows") in draft.lines else "ranges"
            rows = tuple(
                TableRow(r.keys, self.expr(r.value, {}, at("tables", name, field, table.rule))) for r in table.rows
            )
            draft.tables[name] = replace(table, keys=keys, rows=rows)
        for name, policy in draft.policies.items():
            draft.policies[name] = self.policy(policy, partial(at, "policies", name, rule=policy.rule))
        for name, members in families:
            for member in members:
                if member not in draft.policies:
                    self.problem(
                        "families", "", name, 0, f"the unknown policy {member!r}", near(member, draft.policies)
                    )
        for relation in draft.relations:
            for name in (relation.winner, *relation.losers):
                if name not in draft.policies:
                    found = f"the unknown policy {name!r}"
                    expected = near(name, draft.policies)
                    draft.problems.append(
                        Problem(draft.file, relation.line, str(relation.rule), relation.kind, found, expected, "names")
                    )
        if draft.amount:
            report = at("amount", "", "value", draft.amount.rule)
            draft.amount = replace(draft.amount, value=self.expr(draft.amount.value, {}, report))
        if draft.decision:
            gates = draft.decision.gates
            if gates and gates not in draft.policies:
                self.problem(
                    "decision",
                    "",
                    "gates",
                    draft.decision.rule,
                    f"the unknown policy {gates!r}",
                    near(gates, draft.policies),
                )

    def policy(self, policy: Policy, at: Callable[[str], Report]) -> Policy:
        if policy.when is not None:
            return replace(policy, when=self.expr(policy.when, {}, at("when")))
        known = self.draft.policies

        def check(name: str, field: str) -> None:
            if name not in known:
                at(field)(f"the unknown policy {name!r}", near(name, known))

        if policy.unless is not None:
            check(policy.base, "transform")
            return replace(policy, unless=self.expr(policy.unless, {}, at("unless")))
        for part in policy.parts:
            check(part, "compose")
        for _, target in policy.branches:
            check(target, "of")
        if policy.selector is not None:
            return replace(policy, selector=self.expr(policy.selector, {}, at("select")))
        return policy


# ---------------------------------------------------------------- numbers and use
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
    numbers = sorted(n for n in owners if n)
    for before, after in zip([0, *numbers], numbers, strict=False):
        if after > before + 1:
            missing = str(before + 1) if after == before + 2 else f"{before + 1} to {after - 1}"
            problem(owners[after][0][1], after, f"no rule {missing}", "rules numbered without a gap")
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
