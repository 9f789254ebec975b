"""Shape checks: no cycles, tables complete and functional, selections exhaustive, operators well formed."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from fractions import Fraction
from functools import partial

from holmes.logic.language.draft import Draft
from holmes.logic.language.model import Const, Expr, Policy, Ref, Table, Type
from holmes.logic.language.problems import Problem
from holmes.logic.language.uses import dependencies, expressions, rules, uses
from holmes.logic.language.walk import walk

Vertex = tuple[str, str]


def shape_problem(draft: Draft, section: str, name: str, field: str, rule: int, found: str, expected: str) -> None:
    """Add one problem of kind ``shape``."""
    line = draft.lines.get((section, name, field)) or draft.lines.get((section, name, ""), 0)
    who = str(rule) if rule else name or field or section
    draft.problems.append(Problem(draft.file, line, who, field, found, expected, "shape"))


def order(draft: Draft) -> list[Vertex]:
    """Return all vertices of the dependency graph, definitions before uses; a cycle becomes a problem."""
    graph = dependencies(draft)
    done: dict[Vertex, bool] = {}  # False while on the path
    result: list[Vertex] = []

    def visit(start: Vertex) -> None:
        stack = [(start, iter(sorted(graph.get(start, ()))))]
        done[start] = False
        while stack:
            vertex, rest = stack[-1]
            following = next(rest, None)
            if following is None:
                done[vertex] = True
                result.append(vertex)
                stack.pop()
            elif following not in done:
                done[following] = False
                stack.append((following, iter(sorted(graph.get(following, ())))))
            elif not done[following]:
                path = [v for v, _ in stack]
                report(path[path.index(following) :])

    def report(cycle: list[Vertex]) -> None:
        kind, name = cycle[0]
        if all(k == "applies" for k, _ in cycle):
            return  # a cycle among attackers: reported by the defeat checks
        section = {"concept": "concepts", "table": "tables", "policy": "policies", "applies": "policies"}.get(
            kind, kind
        )
        rule = next((item.rule for _, n, item in rules(draft) if n == name), 0)
        path = " -> ".join(v for _, v in [*cycle, cycle[0]])
        shape_problem(
            draft, section, name if rule else "", "", rule, f"the cycle {path}", "definitions without a cycle"
        )

    for vertex in sorted(graph):
        if vertex not in done:
            visit(vertex)
    return result


def _policy_problem(draft: Draft, policy: Policy, field: str, found: str, expected: str) -> None:
    shape_problem(draft, "policies", policy.name, field, policy.rule, found, expected)


def check_shape(draft: Draft) -> None:
    """Check tables, selections, compositions, transformations, families and the decision."""
    for table in draft.tables.values():
        _table(draft, table)
    for policy in draft.policies.values():
        report = partial(_policy_problem, draft, policy)
        if policy.operator == "compose":
            if len(set(policy.parts)) < 2:
                report("compose", f"{len(set(policy.parts))} policy", "two policies or more")
            if len(set(policy.parts)) < len(policy.parts):
                report("compose", "a policy twice", "each policy once")
        if policy.operator == "transform" and policy.base == policy.name:
            report("transform", "the policy itself", "another policy")
        if policy.operator == "select" and policy.selector is not None:
            _select(draft, policy.selector, dict(policy.branches), report)
    for name, members in draft.families.items():
        field = ("families", "", name)
        if not members:
            line = draft.lines.get(field, 0)
            draft.problems.append(
                Problem(draft.file, line, name, "families", "an empty family", "a policy or more", "shape")
            )
        for member in sorted({m for m in members if members.count(m) > 1}):
            line = draft.lines.get(field, 0)
            draft.problems.append(
                Problem(draft.file, line, name, "families", f"{member!r} twice", "each policy once", "shape")
            )
    for number, expr in enumerate(draft.integrity, 1):
        bad = sorted({k for k, _ in uses(expr, draft.families) if k not in ("fact", "concept", "table")})
        if bad:
            shape_problem(
                draft, "integrity", "", str(number), 0, f"a {bad[0]} in a condition on records", "facts and concepts"
            )
    for kind, name, item in rules(draft):
        if any(isinstance(p, Ref) and p.kind == "amount" for e in expressions(item) for p in walk(e)):
            section = {"concept": "concepts", "table": "tables", "policy": "policies"}[kind]
            shape_problem(draft, section, name, "", item.rule, "`amount` in a rule", "facts and concepts")
    if draft.amount and any(isinstance(p, Ref) and p.kind == "amount" for p in walk(draft.amount.value)):
        shape_problem(
            draft, "amount", "", "value", draft.amount.rule, "the cycle amount -> amount", "definitions without a cycle"
        )
    for name, fact in draft.facts.items():
        if fact.type.kind == "list" and not 1 <= fact.type.max <= 20:
            shape_problem(draft, "facts", name, "max", 0, str(fact.type.max), "1 to 20 records")
    _decision(draft)


def _select(draft: Draft, selector: Expr, branches: dict[str, str], report: Callable[..., None]) -> None:
    values: tuple[str, ...] = ()
    match selector:
        case Ref(kind="fact", name=name) if draft.facts[name].type.kind == "enum":
            values = draft.facts[name].type.values
        case Ref(kind="concept", name=name) if draft.concepts[name].type.kind == "enum":
            values = draft.concepts[name].type.values
        case Const():
            report("select", "a constant", "a fact or a concept that varies")
            return
        case _:
            values = ("true", "false")
    missing = [v for v in values if v not in branches]
    extra = [v for v in branches if v not in values]
    if missing:
        report("of", f"no branch for {', '.join(missing)}", "one branch for each value")
    if extra:
        report("of", f"a branch for {', '.join(extra)} that is never taken", f"one of {', '.join(values)}")


# ---------------------------------------------------------------- tables
def _table(draft: Draft, table: Table) -> None:
    field = "rows" if ("tables", table.name, "rows") in draft.lines else "ranges"

    def report(found: str, expected: str) -> None:
        shape_problem(draft, "tables", table.name, field, table.rule, found, expected)

    columns: list[list[str | tuple[Fraction, Fraction | None]]] = []
    for position, key in enumerate(table.keys):
        type_ = _type_of(draft, key)
        cells = list(dict.fromkeys(row.keys[position] for row in table.rows if len(row.keys) == len(table.keys)))
        if type_.kind in ("enum", "bool"):
            values = list(type_.values) if type_.kind == "enum" else ["true", "false"]
            unknown = [c for c in cells if c not in values]
            if unknown:
                report(f"rows for {', '.join(map(_cell, unknown))}, never used", f"one of {', '.join(values)}")
            columns.append(list(values))
        elif type_.kind in ("int", "money", "number"):
            ranges = [c for c in cells if isinstance(c, tuple)]
            if len(ranges) < len(cells):
                report(f"the row {next(c for c in cells if isinstance(c, str))!r}", "ranges low..high")
            _ranges(ranges, type_, report)
            columns.append(list(ranges))
        else:
            return
    present = {row.keys for row in table.rows}
    missing = [keys for keys in itertools.product(*columns) if keys not in present]
    if missing:
        more = f" and {len(missing) - 1} more" if len(missing) > 1 else ""
        report(f"no row for {', '.join(map(_cell, missing[0]))}{more}", "a row for every key")
    if len(present) < len(table.rows):
        report("two rows for one key", "one row for every key")


def _cell(cell: str | tuple[Fraction, Fraction | None]) -> str:
    return cell if isinstance(cell, str) else f"{cell[0]}..{'' if cell[1] is None else cell[1]}"


def _ranges(ranges: list[tuple[Fraction, Fraction | None]], type_: Type, report: Callable[..., None]) -> None:
    ranges = sorted(ranges, key=lambda r: r[0])
    if not ranges:
        return
    low = type_.low if type_.low is not None else Fraction(0)
    if ranges[0][0] > low:
        report(f"no row from {low} to {ranges[0][0]}", "ranges without a gap")
    for (a, end), (start, b) in itertools.pairwise(ranges):
        if end is None or end > start:
            report(f"{_cell((a, end))} and {_cell((start, b))}, which overlap", "ranges without an overlap")
        elif end < start:
            report(f"no row from {end} to {start}", "ranges without a gap")
    last = ranges[-1][1]
    if last is not None and (type_.high is None or last <= type_.high):
        report(f"no row from {last} on", "an open last range, such as 5000..")
    for a, b in ranges:
        if (type_.high is not None and a > type_.high) or (type_.low is not None and b is not None and b <= type_.low):
            report(f"the row {_cell((a, b))}, never used", "ranges that the key can reach")


def _type_of(draft: Draft, key: Expr) -> Type:
    match key:
        case Ref(kind="fact", name=name):
            return draft.facts[name].type
        case Ref(kind="concept", name=name):
            return draft.concepts[name].type
        case Const():
            return key.type
        case _:
            return Type("number")


# ---------------------------------------------------------------- decision
def _decision(draft: Draft) -> None:
    decision = draft.decision
    if decision is None:
        return
    answers = decision.type.values

    def report(field: str, found: str, expected: str) -> None:
        shape_problem(draft, "decision", "", field, decision.rule, found, expected)

    for policy in draft.policies.values():
        if policy.consequence and policy.consequence not in answers:
            found, expected = f"the consequence {policy.consequence!r}", f"one of {', '.join(answers)}"
            shape_problem(draft, "policies", policy.name, "then", policy.rule, found, expected)
    for label, spellings in decision.labels:
        if label not in answers:
            report("labels", repr(label), f"one of {', '.join(answers)}")
        if not spellings:
            report("labels", f"no spelling of {label!r}", "a spelling or more")
    if decision.pick == "gates":
        _gates(draft, report)
        return
    consequences = {p.consequence for p in draft.policies.values() if p.consequence}
    if not consequences:
        report("of", "no policy with a consequence", "a policy with `then:`")
    if decision.otherwise not in answers:
        found = repr(decision.otherwise) if decision.otherwise else "nothing"
        report("otherwise", found, f"one of {', '.join(answers)}")
    for value in decision.order:
        if value not in answers:
            report("pick", repr(value), f"one of {', '.join(answers)}")
    if len(set(decision.order)) < len(decision.order):
        report("pick", "an answer twice", "each answer once")
    if decision.pick == "gravest":
        missing = sorted(consequences - set(decision.order))
        if missing:
            report("pick", f"a list without {', '.join(missing)}", "every consequence in the list")


def _gates(draft: Draft, report: Callable[..., None]) -> None:
    decision = draft.decision
    assert decision is not None
    if not 2 <= len(decision.type.values) <= 3:
        report(
            "type",
            f"{len(decision.type.values)} answers",
            "[full, partial, rejection] or [full, rejection], in this order",
        )
    if decision.otherwise:
        report("otherwise", repr(decision.otherwise), "no `otherwise` beside `gates`")
    kinds: set[str] = set()
    seen: set[str] = set()

    def visit(name: str) -> None:
        policy = draft.policies.get(name)
        if policy is None or name in seen:
            return
        seen.add(name)
        if policy.gate:
            kinds.add(policy.gate)
        elif policy.operator == "compose" and policy.mode == "all":
            for part in policy.parts:
                visit(part)
        elif policy.operator == "select":
            for _, target in policy.branches:
                visit(target)
        else:
            found = f"{name!r}, which is neither a gate nor made of gates"
            shape_problem(draft, "policies", name, "gate", policy.rule, found, "gate: mandatory or standard")

    visit(decision.gates)
    if "standard" in kinds and len(decision.type.values) == 2:
        report("type", "two answers with standard gates", "three answers [full, partial, rejection]")
    for policy in draft.policies.values():
        if policy.consequence:
            found = f"the consequence {policy.consequence!r} beside a decision by gates"
            shape_problem(draft, "policies", policy.name, "then", policy.rule, found, "no `then`")
