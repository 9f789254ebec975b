"""Reference Prolog programs: statute and case as clauses, the question as a query, printed from the rule base.

Booleans are predicates without arguments (a false fact is a declared predicate without clauses), numbers and enum
values have one argument, records are facts with one argument a field, policies are told apart by `triggered/1`,
`overrides/2` and `applies/1`. Arithmetic is exact: fractions are rationals of SWI-Prolog.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction

from holmes.deontic.claims import BOOLEAN, Claim
from holmes.errors import InputError
from holmes.logic.model import (
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
    PolicyTest,
    Quant,
    Ref,
    RuleBase,
    Table,
    Type,
    Value,
)

_OPERATORS = {"==": "=:=", "!=": "=\\=", "<": "<", "<=": "=<", ">": ">", ">=": ">="}


def reference(base: RuleBase, facts: Mapping[str, Value], claim: Claim | None) -> str:
    """Return a whole SWI-Prolog program that derives and prints the answer.

    facts: a value for every declared fact. claim: what is to be checked, or None for the amount.
    Prints ``Tax result: N``, or ``Result: Entailment`` or ``Result: Contradiction``, then halts.
    Raises InputError for an expression that has no clause form.
    """
    rules = statute_clauses(base)
    return "\n".join([*_facts(base, facts), "", *rules, "", *(_claim(base, claim) if claim else _amount(base))]) + "\n"


# ---------------------------------------------------------------- facts
def _facts(base: RuleBase, facts: Mapping[str, Value]) -> list[str]:
    absent = [f"{name}/0" for name, decl in base.facts.items() if decl.type.kind == "bool" and not facts[name]]
    absent += [f"{name}/{len(decl.type.fields)}" for name, decl in base.facts.items()
               if decl.type.kind == "list" and not facts[name]]  # fmt: skip
    lines = ["% The case", *([f":- dynamic {', '.join(absent)}."] if absent else [])]
    for name, decl in base.facts.items():
        value = facts[name]
        if decl.type.kind == "list":
            assert isinstance(value, tuple)
            for record in value:
                lines.append(f"{name}({', '.join(_literal(record[part]) for part, _ in decl.type.fields)}).")
        elif decl.type.kind != "bool":
            lines.append(f"{name}({_literal(value)}).")
        elif value:
            lines.append(f"{name}.")
    return lines


def _literal(value: Value) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Fraction):
        return str(value.numerator) if value.denominator == 1 else f"{value.numerator}r{value.denominator}"
    if isinstance(value, str):
        plain = value.isascii() and value[:1].islower() and value.replace("_", "a").isalnum()
        return value if plain else "'" + value.replace("\\", "\\\\").replace("'", "\\'") + "'"
    raise InputError(f"program: found the value {value!r}, expected a Boolean, a number or a text")


# ---------------------------------------------------------------- the statute
def statute_clauses(base: RuleBase) -> list[str]:
    """Return the clauses of the statute in the order of its sections, each group under a comment with its section."""
    groups: list[tuple[int, list[str]]] = []
    for name, concept in base.concepts.items():
        scope = _Scope(base)
        if concept.type.kind == "bool":
            clause = _clause(name, [scope.goal(concept.body)])
        else:
            scope.used.add("Value")
            body = scope.inside(lambda inner, e=concept.body: inner.assign("Value", e))  # type: ignore[misc]
            clause = _clause(f"{name}(Value)", body)
        groups.append((concept.rule, [clause]))
    groups += [(table.rule, _table(base, table)) for table in base.tables.values()]
    triggers: list[str] = []
    for policy in sorted(base.policies.values(), key=lambda one: one.rule):
        if policy.when is None:
            raise InputError(f"rule {policy.rule}: policy {policy.name}: found {policy.operator}, expected a condition")
        triggers.append(_clause(f"triggered({policy.name})", [_Scope(base).goal(policy.when)]) + f"  % {policy.rule}")
    overrides = [f"overrides({relation.winner}, {loser})." for relation in base.relations for loser in relation.losers]
    active = "applies" if base.defeat == "grounded" else "triggered"
    defeat = [f"applies(P) :- triggered(P), \\+ ( overrides(Q, P), {active}(Q) )."]
    lines = ["% The statute, by section"]
    for rule, clauses in sorted(groups):
        lines += [f"% {rule}", *clauses]
    lines += ["% Duties, exceptions, and exceptions to them", *triggers, *overrides, *defeat, *_decision(base)]
    if base.amount is not None:
        scope = _Scope(base, used={"Value"})
        value = base.amount.value
        lines += [f"% {base.amount.rule}", _clause("amount(Value)", scope.inside(lambda s: s.assign("Value", value)))]
    return lines


def _clause(head: str, goals: list[str]) -> str:
    return f"{head} :-\n    " + ",\n    ".join(goals) + "."


def _table(base: RuleBase, table: Table) -> list[str]:
    clauses = []
    for row in table.rows:
        names = [f"Key{n}" if len(row.keys) > 1 else "Key" for n, _ in enumerate(row.keys, 1)]
        scope = _Scope(base, used={*names, "Value"})
        scope.bound = dict(zip(table.keys, names, strict=True))
        shown, goals = list(names), []
        for at, key in enumerate(row.keys):
            if isinstance(key, str):
                shown[at] = _literal(key)
            else:
                low, high = key
                goals.append(f"{names[at]} >= {_literal(low)}")
                goals += [f"{names[at]} < {_literal(high)}"] if high is not None else []
        if isinstance(row.value, Const):
            head = f"{table.name}({', '.join(shown)}, {_literal(row.value.value)})"
            clauses.append(_clause(head, goals) if goals else f"{head}.")
        else:
            goals += scope.inside(lambda s, e=row.value: s.assign("Value", e))  # type: ignore[misc]
            clauses.append(_clause(f"{table.name}({', '.join(shown)}, Value)", goals))
    return clauses


def _decision(base: RuleBase) -> list[str]:
    decision = base.decision
    if decision.pick != "only":
        raise InputError(f"rule {decision.rule}: decision: found pick {decision.pick!r}, expected only")
    lines = [f"consequence({p.name}, {_literal(p.consequence)})." for p in base.policies.values() if p.consequence]
    otherwise = _literal(decision.otherwise)
    body = f"( applies(P), consequence(P, Value) -> Answer = Value ; Answer = {otherwise} )"
    return [*lines, f"% {decision.rule}", _clause("decision(Answer)", [body])]


# ---------------------------------------------------------------- expressions
@dataclass(slots=True)
class _Scope:
    """The goals of one conjunction and the variables they bind; inner conjunctions see the outer variables."""

    base: RuleBase
    used: set[str] = field(default_factory=set)  # all variable names of the clause, so that none is caught by another
    bound: dict[Expr, str] = field(default_factory=dict)
    records: dict[str, dict[str, str]] = field(default_factory=dict)
    goals: list[str] = field(default_factory=list)

    def inner(self) -> _Scope:
        return replace(self, bound=dict(self.bound), records=dict(self.records), goals=[])

    def inside(self, fill: Callable[[_Scope], object]) -> list[str]:
        scope = self.inner()
        fill(scope)
        return scope.goals

    def fresh(self, name: str) -> str:
        stem = "".join(part.capitalize() for part in name.split("_"))
        found, number = stem, 1
        while found in self.used:
            number += 1
            found = f"{stem}{number}"
        self.used.add(found)
        return found

    def read(self, expr: Expr, name: str, goal: Callable[[str], str]) -> str:
        """Bind a variable to what `goal` yields, once a conjunction."""
        if expr not in self.bound:
            self.bound[expr] = self.fresh(name)
            self.goals.append(goal(self.bound[expr]))
        return self.bound[expr]

    # ------------------------------------------------------------ values
    def value(self, expr: Expr) -> str:
        """Return a term for the value of `expr`, adding the goals that bind its variables."""
        if expr in self.bound:
            return self.bound[expr]
        match expr:
            case Const(value=value):
                return _literal(value)
            case Ref(name=name, kind="fact" | "concept" | "decision" | "amount"):
                return self.read(expr, name, lambda variable: f"{name}({variable})")
            case Field(record=Ref(name=variable), name=name):
                return self.records[variable][name]
            case Lookup(table=table, keys=keys):
                shown = ", ".join(self.value(key) for key in keys)
                return self.read(expr, table, lambda variable: f"{table}({shown}, {variable})")
            case Arith(op="neg", args=(arg,)):
                return f"-({self.value(arg)})"
            case Arith(op="min" | "max" as op, args=args):
                shown = self.value(args[0])
                for arg in args[1:]:
                    shown = f"{op}({shown}, {self.value(arg)})"
                return shown
            case Arith(op="+" | "-" | "*" as op, args=args):
                return f" {op} ".join(self.operand(arg, op, at) for at, arg in enumerate(args))
            case If():
                variable = self.fresh("part")
                self.assign(variable, expr)
                return variable
            case Quant(kind="count" | "sum"):
                return self.aggregate(expr)
        raise InputError(f"program: found {expr!r:.80}, expected a number or an enum value")

    def operand(self, expr: Expr, op: str, at: int) -> str:
        shown = self.value(expr)
        loose = isinstance(expr, Arith) and expr.op in ("+", "-") and (op == "*" or (op == "-" and at))
        negative = isinstance(expr, Const) and isinstance(expr.value, Fraction) and expr.value < 0
        return f"({shown})" if loose or negative else shown

    def assign(self, variable: str, expr: Expr) -> None:
        """Add the goals after which `variable` holds the value of `expr`."""
        match expr:
            case If(test=test, then=then, otherwise=otherwise):
                yes = self.inside(lambda scope: scope.assign(variable, then))
                no = self.inside(lambda scope: scope.assign(variable, otherwise))
                shown = f"( {self.goal(test)} -> {', '.join(yes)} ; {', '.join(no)} )"
                self.goals.append(shown)
            case _:
                value = self.value(expr)
                self.goals.append(f"{variable} {'is' if _numeric(self.base, expr) else '='} {value}")

    def aggregate(self, expr: Quant) -> str:
        scope = self.inner()
        scope.goals.append(scope.member(expr))
        if expr.kind == "count":
            scope.goals.append(f"once(( {scope.alone(expr.body)} ))")  # a record counts once
            what = "count"
        else:
            part = scope.fresh("part")
            scope.assign(part, expr.body)
            what = f"sum({part})"
        goals = ", ".join(scope.goals)
        return self.read(expr, expr.kind, lambda variable: f"aggregate_all({what}, ( {goals} ), {variable})")

    def member(self, expr: Quant) -> str:
        """Open a record of a list: return the goal that runs through it, fields as variables where they are read."""
        if expr.over != "list":
            raise InputError(f"program: found a quantifier over {expr.domain!r}, expected one over a list")
        read = _fields_read(expr.body, expr.variable)
        fields = self.base.facts[expr.domain].type.fields
        self.records[expr.variable] = {name: self.fresh(name) for name, _ in fields if name in read}
        shown = (self.records[expr.variable].get(name, "_") for name, _ in fields)
        return f"{expr.domain}({', '.join(shown)})"

    # ------------------------------------------------------------ conditions
    def goal(self, expr: Expr) -> str:
        """Return one goal that succeeds, at least once, iff `expr` is true."""
        match expr:
            case Const(value=value):
                return "true" if value else "fail"
            case Ref(name=name):
                return name
            case Field():
                return f"{self.value(expr)} == true"
            case Not(arg=arg):
                return f"\\+ {self.group(arg)}"
            case And(args=args):
                return ", ".join(self.group(arg) if isinstance(arg, Or) else self.alone(arg) for arg in args)
            case Or(args=args):
                return f"( {' ; '.join(self.alone(arg) for arg in args)} )"
            case Implies(left=left, right=right):
                return f"( \\+ {self.group(left)} ; {self.alone(right)} )"
            case Compare(op=op, left=left, right=right):
                return self.compare(op, left, right)
            case PolicyTest(kind="applies" | "triggered" as kind, policy=policy, variable=False):
                return f"{kind}({policy})"
            case Quant(kind="every" | "some"):
                scope = self.inner()
                member = scope.member(expr)
                body = scope.group(expr.body)
                return f"forall({member}, {body})" if expr.kind == "every" else f"once(( {member}, {body} ))"
        raise InputError(f"program: found {expr!r:.80}, expected a condition")

    def alone(self, expr: Expr) -> str:
        """Return the goal with the goals that bind its variables."""
        scope = self.inner()
        shown = scope.goal(expr)
        return ", ".join([*scope.goals, shown])

    def group(self, expr: Expr) -> str:
        shown = self.alone(expr)
        return shown if shown.replace("_", "a").isalnum() else f"( {shown} )"

    def compare(self, op: str, left: Expr, right: Expr) -> str:
        scope = self.inner()
        if _boolean(self.base, left) or _boolean(self.base, right):
            a, b = scope.group(left), scope.group(right)
            shown = f"( {a}, {b} ; \\+ {a}, \\+ {b} )"
            return shown if op == "==" else f"\\+ {shown}"
        a, b = scope.value(left), scope.value(right)
        if _numeric(self.base, left):
            shown = f"{a} {_OPERATORS[op]} {b}"
        else:
            shown = f"{a} == {b}" if op == "==" else f"{a} \\== {b}"
        return ", ".join([*scope.goals, shown])


def _fields_read(expr: Expr, variable: str) -> set[str]:
    from holmes.logic.walk import walk

    return {
        part.name
        for part in walk(expr)
        if isinstance(part, Field) and isinstance(part.record, Ref) and part.record.name == variable
    }


def _type(base: RuleBase, expr: Expr) -> Type | None:
    match expr:
        case Const(type=type_):
            return type_
        case Ref(kind="fact", name=name):
            return base.facts[name].type
        case Ref(kind="concept", name=name):
            return base.concepts[name].type
        case Ref(kind="decision"):
            return base.decision.type
        case Field(name=name):
            return next((t for d in base.facts.values() for part, t in d.type.fields if part == name), None)
        case If(then=then):
            return _type(base, then)
        case Not() | And() | Or() | Implies() | Compare() | PolicyTest() | Quant(kind="every" | "some"):
            return Type("bool")
    return None


def _numeric(base: RuleBase, expr: Expr) -> bool:
    type_ = _type(base, expr)
    return type_ is None or type_.kind in ("int", "money")


def _boolean(base: RuleBase, expr: Expr) -> bool:
    type_ = _type(base, expr)
    return type_ is not None and type_.kind == "bool"


# ---------------------------------------------------------------- the query
def _amount(base: RuleBase) -> list[str]:
    if base.amount is None:
        raise InputError(f"rule base {base.name}: found no amount, expected one")
    return [
        "% The question; cents, where there are any, as a decimal number",
        ":- amount(Tax), ( integer(Tax) -> Shown = Tax ; Shown is float(Tax) ), format('Tax result: ~w~n', [Shown]).",
        ":- halt.",
    ]


def _claim(base: RuleBase, claim: Claim) -> list[str]:
    how, name = claim.kind.goal.split()
    if how == "applies":
        goal = f"applies({name})"
    elif how == "positive":
        goal = f"{name}(Value), Value > 0"
    elif claim.kind in BOOLEAN:
        goal = name
    else:
        goal = f"{name}(Value), Value {'=:=' if isinstance(claim.value, Fraction) else '=='} {_literal(claim.value)}"
    if claim.denied:
        goal = f"\\+ ( {goal} )"
    return [
        "% The claim",
        f":- ( {goal} -> writeln('Result: Entailment') ; writeln('Result: Contradiction') ).",
        ":- halt.",
    ]
