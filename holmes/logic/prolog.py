"""Rule base and case -> a readable, self-contained SWI-Prolog program that prints the answer, exactly."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date
from fractions import Fraction

from holmes.errors import InputError
from holmes.logic.evaluate import exact, program_for
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
    Policy,
    PolicyTest,
    Quant,
    Ref,
    RuleBase,
    Table,
    Value,
)
from holmes.logic.prolog_library import CIVIL_DAYS, EXACT_TEXT
from holmes.logic.reduce import unroll

QUESTIONS = {"decision": "answer: {answer}", "amount": "amount: {amount}", "both": "answer: {answer}, amount: {amount}"}
_SWAP = {"<=": "=<", "==": "=:=", "!=": "=\\="}


def atom(text: str) -> str:
    """Write an atom, quoted where it must be."""
    if re.fullmatch(r"[a-z][A-Za-z0-9_]*", text):
        return text
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def number(value: Fraction) -> str:
    """Write an exact number: an integer, or ``N rdiv D``."""
    if value.denominator == 1:
        return str(value.numerator) if value >= 0 else f"({value.numerator})"
    return f"({value.numerator} rdiv {value.denominator})"


def constant(value: object) -> str:
    """Write a value as a term."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Fraction):
        return number(value)
    if isinstance(value, date):
        return f"date({value.year}, {value.month}, {value.day})"
    return atom(str(value))


class _Clause:
    """Goals of one clause body; fresh variables are numbered within it."""

    def __init__(self, writer: _Writer, bound: Mapping[Expr, str] | None = None) -> None:
        self.writer = writer
        self.count = 0
        self.bound: dict[Expr, str] = dict(bound or {})  # table keys and record variables -> Prolog variables

    def fresh(self, hint: str) -> str:
        self.count += 1
        name = re.sub(r"[^A-Za-z0-9]+", " ", hint).title().replace(" ", "") or "V"
        return f"{name if name[0].isalpha() else 'V'}{self.count}"

    # ------------------------------------------------------------ conditions
    def goal(self, expr: Expr) -> str:
        """Return one goal that succeeds iff the condition holds."""
        match expr:
            case Const(value=value):
                return "true" if value else "fail"
            case Ref(kind="fact", name=name):
                return f"fact({atom(name)})"
            case Ref(kind="concept", name=name):
                return f"concept({atom(name)})"
            case Field(record=Ref() as record, name=name):
                return f"field({self.bound[record]}, {atom(name)}, true)"
            case PolicyTest(kind=kind, policy=name):
                return f"{'applies' if kind == 'applies' else 'triggered'}({atom(name)})"
            case Not():
                return f"\\+ {self.closed(expr.arg)}"
            case And():
                return "(" + ", ".join(self.goal(arg) for arg in expr.args) + ")"
            case Or():
                return "( " + " ; ".join(self.goal(arg) for arg in expr.args) + " )"
            case Implies():
                return f"( {self.goal(expr.left)} -> {self.goal(expr.right)} ; true )"
            case If():
                branches = f"{self.goal(expr.then)} ; {self.goal(expr.otherwise)}"
                return f"( {self.goal(expr.test)} -> {branches} )"
            case Compare():
                return self.compare(expr)
            case Quant(kind="every" | "some"):
                variable = self.fresh("Record")
                self.bound[Ref(expr.variable, "variable")] = variable
                member, body = f"record({atom(expr.domain)}, {variable})", self.goal(expr.body)
                return f"forall({member}, {body})" if expr.kind == "every" else f"( {member}, {body} )"
            case Lookup():
                goals, term = self.term(expr)
                return "(" + ", ".join([*goals, f"{term} == true"]) + ")"
        raise TypeError(f"no condition: {expr!r}")

    def closed(self, expr: Expr) -> str:
        text = self.goal(expr)
        return text if text.startswith("(") or re.fullmatch(r"[a-z]+\([^()]*\)", text) else f"( {text} )"

    def compare(self, expr: Compare) -> str:
        kind = self.writer.kind(expr.left)
        if kind == "bool":
            left, right = self.goal(expr.left), self.goal(expr.right)
            same = f"( {left} -> {right} ; \\+ ( {right} ) )"
            return same if expr.op == "==" else f"\\+ {same}"
        (before, left), (more, right) = self.term(expr.left), self.term(expr.right)
        goals = [*before, *more]
        if kind == "enum":
            goals.append(f"{left} {'==' if expr.op == '==' else chr(92) + '=='} {right}")
        else:
            if kind == "date":
                left, right = self.days(left, goals), self.days(right, goals)
            goals.append(f"{left} {_SWAP.get(expr.op, expr.op)} {right}")
        return goals[0] if len(goals) == 1 else "(" + ", ".join(goals) + ")"

    def days(self, term: str, goals: list[str]) -> str:
        self.writer.dates = True
        variable = self.fresh("Day")
        goals.append(f"day_number({term}, {variable})")
        return variable

    # ------------------------------------------------------------ values
    def term(self, expr: Expr) -> tuple[list[str], str]:
        """Return goals to run first, and a term: arithmetic for numbers, an atom or a date otherwise."""
        if expr in self.bound:
            return [], self.bound[expr]
        match expr:
            case Const():
                return [], constant(expr.value)
            case Ref(kind="decision"):
                variable = self.fresh("Answer")
                return [f"decision({variable})"], variable
            case Ref(kind=kind, name=name) if self.writer.kind(expr) != "bool":
                variable = self.fresh(name)
                return [f"{'value' if kind == 'fact' else 'quantity'}({atom(name)}, {variable})"], variable
            case Field(record=Ref() as record, name=name) if self.writer.kind(expr) != "bool":
                variable = self.fresh(name)
                return [f"field({self.bound[record]}, {atom(name)}, {variable})"], variable
            case Arith():
                return self.arithmetic(expr)
            case If():
                variable = self.fresh("Value")
                then, other = (self.assign(branch, variable) for branch in (expr.then, expr.otherwise))
                return [f"( {self.goal(expr.test)} -> {then} ; {other} )"], variable
            case Quant(kind="count" | "sum"):
                return self.quantity(expr)
            case Lookup():
                goals: list[str] = []
                keys = []
                for key in expr.keys:
                    before, term = self.term(key)
                    goals += before
                    if self.writer.kind(key) == "number" and not re.fullmatch(r"\w+", term):
                        variable = self.fresh("Key")
                        goals.append(f"{variable} is {term}")
                        term = variable
                    keys.append(term)
                variable = self.fresh(expr.table)
                return [*goals, f"row({atom(expr.table)}, [{', '.join(keys)}], {variable})"], variable
            case _:
                variable = self.fresh("Truth")
                return [f"( {self.goal(expr)} -> {variable} = true ; {variable} = false )"], variable

    def assign(self, expr: Expr, variable: str) -> str:
        before, term = self.term(expr)
        link = "is" if self.writer.kind(expr) == "number" else "="
        return ", ".join([*before, f"{variable} {link} {term}"])

    def arithmetic(self, expr: Arith) -> tuple[list[str], str]:
        goals: list[str] = []
        terms = []
        for arg in expr.args:
            before, term = self.term(arg)
            goals += before
            terms.append(self.days(term, goals) if expr.op == "days_between" else term)
        if expr.op == "days_between":
            return goals, f"({terms[1]} - {terms[0]})"
        if expr.op == "neg":
            return goals, f"(-({terms[0]}))"
        if expr.op in ("min", "max"):
            result = terms[-1]
            for term in reversed(terms[:-1]):
                result = f"{expr.op}({term}, {result})"
            return goals, result
        return goals, "(" + f" {expr.op} ".join(terms) + ")"

    def quantity(self, expr: Quant) -> tuple[list[str], str]:
        variable, list_, result = self.fresh("Record"), self.fresh("List"), self.fresh("Total")
        self.bound[Ref(expr.variable, "variable")] = variable
        member = f"record({atom(expr.domain)}, {variable})"
        if expr.kind == "count":
            goal = f"findall({variable}, ({member}, once({self.goal(expr.body)})), {list_})"
            return [goal, f"length({list_}, {result})"], result
        item = self.fresh("Item")
        goal = f"findall({item}, ({member}, {self.assign(expr.body, item)}), {list_})"
        return [goal, f"sum_list({list_}, {result})"], result


class _Writer:
    def __init__(self, base: RuleBase, facts: Mapping[str, Value]) -> None:
        self.base, self.facts = base, facts
        self.dates = False
        self.rules: dict[int, list[str]] = {}
        self.texts: dict[int, str] = {}

    def kind(self, expr: Expr) -> str:
        """Return bool, enum, date or number."""
        match expr:
            case Const(value=bool()):
                return "bool"
            case Const(value=str()):
                return "enum"
            case Const(value=date()):
                return "date"
            case Ref(kind="fact", name=name):
                return _kind(self.base.facts[name].type.kind)
            case Ref(kind="concept", name=name):
                return _kind(self.base.concepts[name].type.kind)
            case Ref(kind="decision"):
                return "enum"
            case Field(name=name):
                fields = [dict(f.type.fields) for f in self.base.facts.values() if f.type.kind == "list"]
                return _kind(next(f[name].kind for f in fields if name in f))
            case If():
                return self.kind(expr.then)
            case Lookup():
                return _kind(self.base.tables[expr.table].type.kind)
            case Arith() | Quant(kind="count" | "sum"):
                return "number"
            case _:
                return "bool"

    def clause(self, rule: int, head: str, goals: list[str]) -> None:
        body = "" if not goals or goals == ["true"] else " :-\n    " + ",\n    ".join(goals)
        self.rules.setdefault(rule, []).append(f"{head}{body}.")

    def note(self, rule: int, text: str) -> None:
        self.texts.setdefault(rule, " ".join(text.split()))

    # ------------------------------------------------------------ declarations
    def fact_lines(self) -> list[str]:
        lines = []
        for name, value in self.facts.items():
            if value is True:
                lines.append(f"fact({atom(name)}).")
            elif isinstance(value, tuple):
                for place, record in enumerate(value, 1):
                    assert isinstance(record, Mapping)
                    key = atom(f"{name}{place}")
                    lines.append(f"record({atom(name)}, {key}).")
                    lines += [self.field(key, field, item) for field, item in record.items()]
            elif isinstance(value, Fraction) and value.denominator != 1:
                lines.append(f"value({atom(name)}, V) :- V is {value.numerator} rdiv {value.denominator}.")
            elif not isinstance(value, bool):
                lines.append(f"value({atom(name)}, {_plain(value)}).")
        return lines

    def field(self, key: str, name: str, value: Value) -> str:
        if isinstance(value, Fraction) and value.denominator != 1:
            return f"field({key}, {atom(name)}, V) :- V is {value.numerator} rdiv {value.denominator}."
        return f"field({key}, {atom(name)}, {_plain(value)})."

    def concepts(self) -> None:
        for name, concept in self.base.concepts.items():
            self.note(concept.rule, concept.text)
            body = unroll(concept.body, self.base)
            clause = _Clause(self)
            if concept.type.kind == "bool":
                self.conditions(concept.rule, f"concept({atom(name)})", body)
            else:
                before, term = clause.term(body)
                link = "is" if _kind(concept.type.kind) == "number" else "="
                self.clause(concept.rule, f"quantity({atom(name)}, Value)", [*before, f"Value {link} {term}"])

    def conditions(self, rule: int, head: str, expr: Expr) -> None:
        """Write one clause a disjunct, each conjunct a goal of its own."""
        for disjunct in expr.args if isinstance(expr, Or) else (expr,):
            clause = _Clause(self)
            goals = [clause.goal(part) for part in (disjunct.args if isinstance(disjunct, And) else (disjunct,))]
            self.clause(rule, head, [_unwrap(goal) for goal in goals])

    def tables(self) -> None:
        for table in self.base.tables.values():
            self.note(table.rule, table.text)
            for row in table.rows:
                self.row(table, row.keys, row.value)

    def row(self, table: Table, keys: tuple[str | tuple[Fraction, Fraction | None], ...], value: Expr) -> None:
        body = unroll(value, self.base)
        bound: dict[Expr, str] = {}
        shown, goals = [], []
        for number_, (key, cell) in enumerate(zip(table.keys, keys, strict=True), 1):
            if isinstance(cell, str):
                shown.append(atom(cell))
                continue
            variable = bound[key] = f"Key{number_}"
            shown.append(variable)
            goals.append(f"{variable} >= {number(cell[0])}")
            if cell[1] is not None:
                goals.append(f"{variable} < {number(cell[1])}")
        before, term = _Clause(self, bound).term(body)
        head = f"row({atom(table.name)}, [{', '.join(shown)}], "
        if not before and isinstance(body, Const) and not goals and re.fullmatch(r"\w+|'.*'", term):
            self.clause(table.rule, f"{head}{term})", [])
            return
        link = "is" if _kind(table.type.kind) == "number" else "="
        self.clause(table.rule, f"{head}Value)", [*goals, *before, f"Value {link} {term}"])

    def policies(self) -> None:
        for policy in self.base.policies.values():
            self.note(policy.rule, policy.text)
            self.policy(policy)
            if policy.consequence:
                self.clause(policy.rule, f"consequence({atom(policy.name)}, {atom(policy.consequence)})", [])
            if policy.gate:
                self.clause(policy.rule, f"gate({atom(policy.name)}, {policy.gate})", [])

    def policy(self, policy: Policy) -> None:
        head = f"triggered({atom(policy.name)})"
        if policy.when is not None:
            self.conditions(policy.rule, head, unroll(policy.when, self.base))
        elif policy.unless is not None:
            self.clause(policy.rule, head, [f"triggered({atom(policy.base)})"])
            self.conditions(policy.rule, head, unroll(policy.unless, self.base))
        elif policy.operator == "compose":
            goals = [f"triggered({atom(part)})" for part in policy.parts]
            for body in [goals] if policy.mode == "all" else [[goal] for goal in goals]:
                self.clause(policy.rule, head, body)
            for part in policy.parts if not policy.gate else ():
                self.clause(policy.rule, f"part({atom(policy.name)}, {atom(part)})", [])
        else:
            assert policy.selector is not None
            for value, target in policy.branches:
                before, term = _Clause(self).term(unroll(policy.selector, self.base))
                chosen = [*before, f"{term} == {atom(value)}"]
                self.clause(policy.rule, head, [*chosen, f"triggered({atom(target)})"])
                if not policy.gate:
                    self.clause(policy.rule, f"part({atom(policy.name)}, {atom(target)})", chosen)

    def relations(self) -> None:
        for relation in self.base.relations:
            if relation.text:
                self.note(relation.rule, relation.text)
            for loser in relation.losers:
                self.clause(relation.rule, f"overrides({atom(relation.winner)}, {atom(loser)})", [])

    def decision(self) -> list[str]:
        """Return the clauses of the decision, in an order that commits to the first that holds."""
        decision = self.base.decision
        answers = [atom(value) for value in decision.type.values]
        if decision.pick == "gates":
            top = atom(decision.gates)
            lines = [
                "gate_of(Policy, Policy) :- gate(Policy, _), !.",
                "gate_of(Policy, Gate) :- part(Policy, Part), gate_of(Part, Gate).",
                f"decision({answers[-1]}) :- gate_of({top}, Gate), gate(Gate, mandatory), \\+ triggered(Gate), !.",
            ]
            if len(answers) == 3:
                failed = f"gate_of({top}, Gate), gate(Gate, standard), \\+ triggered(Gate), !."
                lines.append(f"decision({answers[1]}) :- {failed}")
            return [*lines, f"decision({answers[0]})."]
        listed = "[" + ", ".join(map(atom, decision.order)) + "]"
        pick, otherwise = decision.pick, atom(decision.otherwise)
        if pick == "gravest":
            return [
                f"decision(Answer) :- member(Answer, {listed}), consequence(Policy, Answer), applies(Policy), !.",
                f"decision({otherwise}).",
            ]
        lines = []
        rest = ""
        if pick == "first_of":
            lines.append(
                f"decision(Answer) :- member(Answer, {listed}), consequence(Policy, Answer), applies(Policy), !."
            )
            rest, pick = f"\\+ memberchk(Answer, {listed}), ", decision.then or "first"
        if pick == "all":
            order = "[" + ", ".join(answers) + "]"
            each = f"(member(Answer, {order}), {rest}once((consequence(Policy, Answer), applies(Policy))))"
            lines.append(f"decision(Answers) :- findall(Answer, {each}, Answers), Answers \\== [], !.")
            return [*lines, f"decision([{otherwise}])."]
        lines.append(f"decision(Answer) :- in_order(Policy, Answer), {rest}applies(Policy), !.")
        by_rule = sorted((p for p in self.base.policies.values() if p.consequence), key=lambda p: p.rule)
        order_lines = [f"in_order({atom(p.name)}, {atom(p.consequence)})." for p in by_rule]
        return [*order_lines, *lines, f"decision({otherwise})."]

    def amount(self) -> list[str]:
        if self.base.amount is None:
            return []
        before, term = _Clause(self).term(unroll(self.base.amount.value, self.base))
        return ["amount(Amount) :-\n    " + ",\n    ".join([*before, f"Amount is {term}"]) + "."]


def _plain(value: Value) -> str:
    """Write a stored term; a negative integer needs no parentheses there."""
    if isinstance(value, Fraction):
        return str(value.numerator)
    return constant(value)


def _unwrap(goal: str) -> str:
    """Drop the parentheses around a conjunction that is a goal of its own."""
    if not goal.startswith("(") or goal.startswith("( ") or not goal.endswith(")"):
        return goal
    depth = 0
    for place, character in enumerate(goal):
        depth += (character == "(") - (character == ")")
        if depth == 0 and place < len(goal) - 1:
            return goal
    return goal[1:-1] if "'" not in goal else goal


def _kind(kind: str) -> str:
    return {"int": "number", "money": "number", "name": "enum"}.get(kind, kind)


_PREDICATES = (
    "fact/1",
    "value/2",
    "record/2",
    "field/3",
    "concept/1",
    "quantity/2",
    "row/3",
    "triggered/1",
    "consequence/2",
    "gate/2",
    "part/2",
    "overrides/2",
)


def program(
    rulebase: RuleBase,
    facts: Mapping[str, Value],
    question: str | None = None,
    *,
    output: str | None = None,
    defeat: str | None = None,
) -> str:
    """Return a complete SWI-Prolog program that prints exactly one line and halts.

    facts: as for `evaluate`. question: ``decision`` (default), ``amount`` or ``both``. output: the line printed, with
    ``{answer}`` and ``{amount}``, by default ``answer: {answer}`` and so on; amounts are exact decimals or N/D.
    defeat: ``grounded`` or ``one_pass``, by default what the rule base declares. The program uses rationals only.
    Raises InputError for facts that `evaluate` refuses, an unknown question, an amount where there is none.
    """
    compiled = program_for(rulebase, defeat)
    state = compiled.run(facts)
    base = compiled.rulebase
    complete = {name: exact(state[compiled.slot["fact", name]]) for name in base.facts}
    if question not in (None, *QUESTIONS):
        raise InputError(f"question: found {question!r}, expected one of {', '.join(QUESTIONS)}")
    output = output if output is not None else QUESTIONS[question or "decision"]
    if "{amount}" in output and base.amount is None:
        raise InputError(f"{base.name}: question: found a question for the amount, expected a rule base that has one")
    writer = _Writer(base, complete)
    fact_lines = writer.fact_lines()
    writer.tables()
    writer.concepts()
    writer.policies()
    writer.relations()
    decision = [f"% Rule {base.decision.rule}: {' '.join(base.decision.text.split())}", *writer.decision()]
    amount = writer.amount() if "{amount}" in output else []
    if base.amount is not None and amount:
        amount.insert(0, f"% Rule {base.amount.rule}: {' '.join(base.amount.text.split())}")
    rules = []
    for rule in sorted(writer.rules):
        rules.append("\n".join([f"% Rule {rule}: {writer.texts.get(rule, '')}".rstrip(), *writer.rules[rule]]))
    active = "applies(Winner)" if base.defeat == "grounded" else "triggered(Winner)"
    meaning = "applies" if base.defeat == "grounded" else "is triggered"
    predicates = ", ".join(_PREDICATES)
    parts = [
        f"% {base.title or base.name}",
        f":- dynamic {predicates}.\n:- discontiguous {predicates}.",
        "\n".join(["% The case", *fact_lines]),
        *rules,
        f"% A policy is defeated by a policy that overrides it and {meaning}.\n"
        f"defeated(Policy) :- overrides(Winner, Policy), {active}.\n"
        "applies(Policy) :- triggered(Policy), \\+ defeated(Policy).",
        "\n".join(decision),
        "\n".join(amount),
        CIVIL_DAYS if writer.dates else "",
        EXACT_TEXT if "{amount}" in output else "",
        _main(output, base.decision.pick == "all"),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _main(output: str, listed: bool) -> str:
    goals, arguments = [], []

    def place(match: re.Match[str]) -> str:
        what = match.group(1)
        if what == "answer":
            goals.append("decision(Answer)")
            if listed:
                joined = "( is_list(Answer) -> atomic_list_concat(Answer, ',', Shown) ; Shown = Answer )"
                goals.append(joined)
            arguments.append("Shown" if listed else "Answer")
        else:
            goals.append("amount(Amount), exact_text(Amount, Text)")
            arguments.append("Text")
        return "~w"

    escaped = output.replace("~", "~~").replace("\\", "\\\\").replace("'", "\\'").replace("\n", " ")
    text = re.sub(r"\{(answer|amount)\}", place, escaped)
    body = ",\n    ".join([*dict.fromkeys(goals), f"format('{text}~n', [{', '.join(arguments)}])"])
    return f"main :-\n    {body}.\n\n:- initialization(main, main)."
