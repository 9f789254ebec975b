"""Questions about policies as theorems: relations between policies as values, proved for all cases or by a record."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from holmes.cases import Case
from holmes.derivations.asked import Posed
from holmes.errors import InputError
from holmes.formal.claims import Claim, Proposition
from holmes.formal.formulas import Formulas
from holmes.formal.ir import (
    BOOL,
    Apply,
    Binder,
    Definition,
    Name,
    Named,
    Op,
    Term,
    call,
    cases,
    conjoin,
    disjoin,
    equal,
    negate,
)
from holmes.formal.refutation import Split, Tree, refute, substitute
from holmes.formal.rules import RuleTheory
from holmes.formal.vocabulary import CASE, identifier
from holmes.logic.language.model import Expr, Value
from holmes.logic.language.policy_terms import Question, policy_of
from holmes.logic.language.policy_terms import Term as PolicyTerm
from holmes.logic.language.unparse import unparse


@dataclass(frozen=True, slots=True)
class Universal:
    """A relation that holds of all cases that can occur, with the tree that shows it."""

    label: str
    goal: Term
    atoms: tuple[Term, ...]
    tree: Tree


@dataclass(frozen=True, slots=True)
class Existential:
    """A relation that does not hold, with the record that shows it."""

    label: str
    goal: Term
    facts: tuple[tuple[str, Term], ...]
    record: Mapping[str, Value]


Lemma: TypeAlias = "Universal | Existential"


@dataclass(frozen=True, slots=True)
class Theorems:
    """What is to be proved of a question: lemmas about relations, then the claims that rest on them.

    defined: the names of the definitions of the question, in order. told: the case, where the question is about one.
    """

    id: str
    rules: RuleTheory
    defined: tuple[str, ...]
    lemmas: tuple[Lemma, ...]
    claims: tuple[Claim, ...]
    told: Proposition | None = None


def theorems(case: Case, asked: Posed, rules: Callable[[object], RuleTheory]) -> Theorems:
    """Return what is to be proved of a policy question; raises InputError where it has no formal counterpart."""
    try:
        return _Writer(case, asked, rules(asked.base)).theorems()
    except InputError as error:
        raise InputError(f"case {case.id!r}: {error}") from error


class _Writer:
    def __init__(self, case: Case, asked: Posed, rules: RuleTheory) -> None:
        self.case, self.asked, self.rules = case, asked, rules
        self.question: Question = asked.question
        self.formulas = Formulas(rules)
        self.tag = f"q_{identifier(case.id)}"
        self.defined: list[str] = []
        self.lemmas: list[Lemma] = []
        self.covering = rules.covering(self.question.sense)

    # ------------------------------------------------------------ definitions
    def define(self, name: str, body: Term, note: str, type_: Named = BOOL) -> str:
        """Define something of the case; returns its name."""
        made = Definition(f"{self.tag}_{name}", (("c", self.rules.words.case),), type_, body, note)
        found = self.rules.theory.free(made.name, lambda n: Definition(n, made.parameters, type_, body, note))
        self.defined.append(found)
        return found

    def condition(self, expr: Expr) -> Term:
        """Return a condition as a policy of its own."""
        return Binder("fun", "c", self.rules.words.case, self.rules.truth(expr))

    def rule(self, number: int) -> Term:
        """Return a rule as a policy value: what it covers, under the sense of the question."""
        return _partly(self.covering, Name(self.rules.policy[policy_of(number, self.rules.base)]))

    def term(self, term: PolicyTerm) -> Term:
        """Return a policy that is made of rules, as a value."""
        rules = [self.rule(number) for number in term.rules]
        if term.kind == "rule":
            return rules[0]
        if term.kind == "amended" and term.condition is not None:
            return call("h_except", rules[0], self.condition(term.condition))
        if term.kind in ("all", "any"):
            return call(f"h_{term.kind}_of", Op("list", tuple(rules)))
        if term.kind == "unless":
            return call("h_except", rules[0], rules[1])
        if term.kind == "condition" and term.condition is not None:
            return self.condition(term.condition)
        if term.kind == "outcome":
            result = equal(call(self.rules.decision, CASE), Name(self.rules.answers[term.label]))
            return Binder("fun", "c", self.rules.words.case, result)
        raise InputError(f"term: found {term.kind!r}, expected a policy made of rules")

    def policy(self, place: int, term: PolicyTerm) -> Term:
        """Define one of the policies that the question speaks of; returns its name as a value."""
        letter = chr(ord("P") + place)
        return Name(self.define(letter, _partly(self.term(term), CASE), f"the policy {letter}"))

    # ------------------------------------------------------------ lemmas
    def holds(self, label: str, goal: Term) -> None:
        """Add a relation with the tree that proves it of all cases."""
        assert isinstance(goal, Apply) and isinstance(goal.function, Name)
        opened = self.rules.theory.declarations[goal.function.name]
        assert isinstance(opened, Definition) and isinstance(opened.body, Binder)
        inner = opened.body.body
        assert isinstance(inner, Op) and inner.op == "imp"
        parts = []
        for side in inner.args:
            body = side
            for (variable, _), value in zip(opened.parameters, goal.args, strict=True):
                body = _put(body, variable, value)
            parts.append(self.formulas.formula(body))
        tree = refute(parts[0], parts[1], self.formulas.definition)
        self.lemmas.append(Universal(label, goal, tuple(_atoms(tree)), tree))

    def fails(self, label: str, goal: Term, record: Mapping[str, Value]) -> None:
        """Add a relation with the record that refutes it."""
        full = {name: record[name] for name in self.rules.base.facts if name in record}
        self.lemmas.append(Existential(label, goal, tuple(self.rules.words.told(full)), full))

    # ------------------------------------------------------------ forms
    def theorems(self) -> Theorems:
        """Return lemmas and claims, by the form of the question."""
        question = self.question
        if question.form in ("accepts", "governs"):
            return self._about_one_case()
        given = [call(self.rules.coherent, CASE), *(self.rules.truth(part) for part in question.given)]
        said = "; ".join(unparse(part) for part in question.given)
        self.possible = Name(self.define("possible", conjoin(given), f"the cases that can occur {said}".strip()))
        self.fails("possible", call("h_exclusive", self.possible, self.possible, self.possible), self.asked.possible())
        claims = self._family() if question.form in ("every", "which") else self._relation()
        occurs = negate(call("h_exclusive", self.possible, self.possible, self.possible))
        return Theorems(
            self.case.id,
            self.rules,
            tuple(self.defined),
            tuple(self.lemmas),
            (Claim("possible", occurs, True), *claims),
        )

    def _about_one_case(self) -> Theorems:
        question, rules = self.question, self.rules
        claims: list[Claim] = []
        if question.form == "accepts":
            covered = self.policy(0, question.terms[0])
            claims.append(Claim("answer", _partly(covered, CASE), self.asked.answer == "yes", gold=True))
        else:
            branches = [
                (rules.truth(condition), Name(rules.policy[policy_of(rule, rules.base)]))
                for condition, rule in question.branches
                if condition is not None
            ]
            last = next(rule for condition, rule in question.branches if condition is None)
            body = cases(branches, Name(rules.policy[policy_of(last, rules.base)]))
            chosen = self.define("governing", body, "the rule that governs the case", Named(rules.policy_type))
            for _, rule in question.branches:
                term = equal(call(chosen, CASE), Name(rules.policy[policy_of(rule, rules.base)]))
                claims.append(Claim(f"answer:{rule}", term, self.asked.answer == f"Rule {rule}", gold=True))
        record = dict(question.record)
        claims.insert(0, Claim("coherent", call(rules.coherent, CASE), True))
        told = Proposition(self.case.id, self.case.id, rules, tuple(rules.words.told(record)), record, tuple(claims))
        return Theorems(self.case.id, rules, tuple(self.defined), (), (), told)

    def _relation(self) -> list[Claim]:
        question = self.question
        yes = self.asked.answer == "yes"
        if question.form == "changes":
            before = Name(self.define("before", _partly(self.rule(question.terms[0].rules[0]), CASE), "the rule"))
            after = self.policy(0, question.terms[0])
            goal = call("h_subsumes", self.possible, before, after)
            self._settle("changes", goal, not yes)
            return [Claim("answer", negate(goal), yes, gold=True)]
        terms = [self.policy(place, term) for place, term in enumerate(question.terms)]
        if question.form == "disagree":
            first, second = (terms[place] for place in question.picked)
            goal = call("h_equivalent", self.possible, first, second)
            self._settle("agree", goal, not yes)
            return [Claim("answer", negate(goal), yes, gold=True)]
        first, second = terms[0], terms[1]
        if question.form == "comparable":
            return self._comparable(first, second, yes)
        if question.form not in ("subsumes", "equivalent", "exclusive"):
            raise InputError(f"form: found {question.form!r}, expected one with a formal counterpart")
        goal = call(f"h_{question.form}", self.possible, first, second)
        self._settle(question.form, goal, yes)
        return [Claim("answer", goal, yes, gold=True)]

    def _settle(self, label: str, goal: Term, holds: bool) -> None:
        if holds:
            self.holds(label, goal)
            return
        (record,) = self.asked.refuters()
        if record is None:
            raise InputError(f"{label}: found no record that refutes it, expected one")
        self.fails(label, goal, record)

    def _comparable(self, first: Term, second: Term, yes: bool) -> list[Claim]:
        ways = [call("h_subsumes", self.possible, first, second), call("h_subsumes", self.possible, second, first)]
        found = self.asked.refuters()
        for label, goal, record in zip(("forward", "backward"), ways, found, strict=True):
            if record is not None:
                self.fails(label, goal, record)
            elif yes:
                self.holds(label, goal)
        return [Claim("answer", call("h_comparable", self.possible, first, second), yes, gold=True)]

    def _family(self) -> list[Claim]:
        question, rules = self.question, self.rules
        other = self.policy(0, question.terms[0])
        relation = "h_exclusive" if question.apart else "h_subsumes"
        policy = Named(rules.policy_type)
        members = {rule: Name(rules.policy[policy_of(rule, rules.base)]) for rule in question.family}
        body = disjoin(equal(Name("p"), member) for member in members.values())
        name = f"{self.tag}_family"
        family = rules.theory.free(name, lambda n: Definition(n, (("p", policy),), BOOL, body, "the rules asked about"))
        self.defined.append(family)
        broken: list[int] = []
        claims: list[Claim] = []
        stopped = False
        for rule, member in members.items():
            goal = call(relation, self.possible, _partly(self.covering, member), other)
            record = self.asked.refuter(rule)
            if record is None:
                self.holds(f"rule:{rule}", goal)
            else:
                self.fails(f"rule:{rule}", goal, record)
                broken.append(rule)
            claims.append(Claim(f"rule:{rule}", goal, record is None))
            stopped = stopped or record is not None
        every = Binder("fun", "p", policy, call(relation, self.possible, _partly(self.covering, Name("p")), other))
        if question.form == "every":
            wanted = self.asked.answer == "yes"
            return [*claims, Claim("answer", call("h_throughout", Name(family), every), wanted, gold=True)]
        listed = {int(number) for number in self.asked.answer.split(", ")} if self.asked.answer != "none" else set()
        if not listed <= set(members):
            raise InputError(f"answer: found {self.asked.answer!r}, expected rules of the family")
        gold = disjoin(equal(Name("p"), members[rule]) for rule in sorted(listed))
        breaks = Op("and", (call(family, Name("p")), negate(_partly(every, Name("p")))))
        answer = Binder("all", "p", policy, Op("iff", (breaks, gold)))
        return [*claims, Claim("answer", answer, True, gold=True)]


def _partly(function: Term, arg: Term) -> Term:
    """Return a function applied to one more argument, beta-reduced."""
    if isinstance(function, Apply):
        return Apply(function.function, (*function.args, arg))
    if isinstance(function, Binder):
        return _put(function.body, function.variable, arg)
    return Apply(function, (arg,))


def _put(body: Term, variable: str, value: Term) -> Term:
    return substitute(body, {variable: value})


def _atoms(tree: Tree) -> list[Term]:
    """Return the atoms of a tree, each once."""
    found: dict[Term, None] = {}
    waiting = [tree]
    while waiting:
        part = waiting.pop()
        if isinstance(part, Split):
            found[part.atom] = None
            waiting += [part.yes, part.no]
        else:
            found |= dict.fromkeys(part.atoms)
    return list(found)
