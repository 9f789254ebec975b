"""Name resolution: every name means one thing, every rule has its own number, nothing is declared in vain."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial

from holmes.logic.language.draft import Draft
from holmes.logic.language.model import Const, Expr, Field, Lookup, Policy, PolicyTest, Quant, Ref, TableRow, Type
from holmes.logic.language.problems import Problem
from holmes.logic.language.uses import overriders
from holmes.logic.language.walk import rebuild

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
