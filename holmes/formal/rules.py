"""A rule base as a theory: concepts, policies as values, relations, defeat, decision and amount."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from holmes.errors import InputError
from holmes.formal.expressions import NUMERIC, Expressions
from holmes.formal.ir import (
    BOOL,
    INT,
    Binder,
    Definition,
    FormalType,
    Function,
    Grounded,
    Name,
    Named,
    Op,
    Recursion,
    Term,
    Theory,
    arrows,
    call,
    cases,
    conjoin,
    disjoin,
    equal,
    negate,
)
from holmes.formal.operators import OPERATORS
from holmes.formal.vocabulary import CASE, Vocabulary
from holmes.logic.engine.compile import topological
from holmes.logic.engine.rewrite import enforcing, unroll
from holmes.logic.language.model import Compare, Const, Expr, Policy, Ref, RuleBase, Type

NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class Stage:
    """A defined thing of a rule base that is evaluated case by case. kind: concept | policy | applies | inner."""

    kind: str
    name: str
    constant: str


class RuleTheory:
    """The declarations of one rule base, put into a theory; the names by which cases speak of it."""

    def __init__(self, base: RuleBase, theory: Theory) -> None:
        for operator in OPERATORS:
            theory.declarations.setdefault(operator.name, operator)
        self.base, self.theory = base, theory
        self.words = Vocabulary(base, theory)
        self.scales: dict[str, int] = {}
        self.expressions = Expressions(self.words, self.known, self.scales)
        self.concept: dict[str, str] = {}
        self.when: dict[str, str] = {}  # policy -> its condition as a value
        self.inner: dict[str, str] = {}  # policy -> whether it applies, where a concept asks for that
        self.stands: dict[str, str] = {}  # policy -> whether it applies, for any family of triggers
        self.stages: list[Stage] = []
        self.attackers = {loser: tuple(w for _, w in pairs) for loser, pairs in enforcing(base.relations).items()}
        self.answer_type, self.answers = self._answers()
        self.policy_type, made = self.words.datatype(
            self.words.name("policy", ""), [(self.words.name("P", n), ()) for n in base.policies]
        )
        self.policy = dict(zip(base.policies, made, strict=True))
        self.coherent = self._define("coherent", "", BOOL, self._coherence(), "integrity of records")
        order = topological(base)
        for kind, name in order:
            if kind == "concept":
                self._concept(name)
            elif kind == "policy":
                self._policy(base.policies[name])
        self._policies(order)
        self.decision = self._decision()
        self.amount = self._amount()

    # ------------------------------------------------------------ pieces
    def _define(self, kind: str, name: str, type_: FormalType, body: Term, note: str = "") -> str:
        note = " ".join(note.split())
        return self.theory.free(
            self.words.name(kind, name), lambda n: Definition(n, (("c", self.words.case),), type_, body, note)
        )

    def formal_type(self, type_: Type, owner: str) -> FormalType:
        """Return the formal type of a concept."""
        if type_.kind == "enum":
            return Named(self.words.enum(type_.values, owner)[0])
        return INT if type_.kind in NUMERIC else BOOL

    def _answers(self) -> tuple[str, dict[str, str]]:
        values = (*self.base.decision.type.values, NOTHING)
        if NOTHING in self.base.decision.type.values:
            values = (*self.base.decision.type.values, "no consequence")
        made: list[tuple[str, tuple[FormalType, ...]]] = [(self.words.name("A", v), ()) for v in values]
        found, names = self.words.datatype(self.words.name("answer", ""), made)
        known = dict(zip(values, names, strict=True))
        self.nothing = names[-1]
        self.words.enums[self.base.decision.type.values] = found, {v: known[v] for v in self.base.decision.type.values}
        return found, known

    def known(self, kind: str, name: str) -> Term:
        """Return the term of a concept, policy test, decision or amount of the case."""
        if kind == "concept":
            return call(self.concept[name], CASE)
        if kind == "policy":
            return call(self.when[name], CASE)
        if kind == "applies":
            return call(self._inner(name), CASE)
        return call(self.decision if kind == "decision" else self.amount, CASE)

    def truth(self, expr: Expr) -> Term:
        """Return the term of a condition of the rule base."""
        return self.expressions.truth(unroll(expr, self.base), {})

    def _concept(self, name: str) -> None:
        concept = self.base.concepts[name]
        body, scale = self.expressions.term(unroll(concept.body, self.base), concept.type, {}, name)
        type_ = self.formal_type(concept.type, name)
        note = f"Rule {concept.rule}: {concept.text}" + (f" (in units of 1/{scale})" if scale > 1 else "")
        self.scales[name] = scale
        self.concept[name] = self._define("c", name, type_, body, note)
        self.stages.append(Stage("concept", name, self.concept[name]))

    def _policy(self, policy: Policy) -> None:
        note = f"Rule {policy.rule}: {policy.text}"
        match policy.operator:
            case "condition":
                assert policy.when is not None
                body = self.truth(policy.when)
            case "transform":
                assert policy.unless is not None
                exempt = Binder("fun", "c", self.words.case, self.truth(policy.unless))
                body = call("h_transformed", Name(self.when[policy.base]), exempt, CASE)
            case "compose":
                listed = Op("list", tuple(Name(self.when[part]) for part in policy.parts))
                body = call("h_all_of" if policy.mode == "all" else "h_any_of", listed, CASE)
            case _:
                body = self._selected(policy, {target: call(self.when[target], CASE) for _, target in policy.branches})
        self.when[policy.name] = self._define("w", policy.name, BOOL, body, note)
        self.stages.append(Stage("policy", policy.name, self.when[policy.name]))

    def _selected(self, policy: Policy, chosen: dict[str, Term]) -> Term:
        assert policy.selector is not None
        selector = unroll(policy.selector, self.base)
        type_ = self.expressions.type_of(selector, {})
        assert type_ is not None
        tests: list[tuple[Term, Term]] = []
        for value, target in policy.branches:
            if type_.kind == "bool":
                truth = self.expressions.truth(selector, {})
                test = truth if value == "true" else negate(truth)
            else:
                test = self.expressions.truth(Compare("==", selector, Const(value, type_)), {})
            tests.append((test, chosen[target]))
        return cases(tests[:-1], tests[-1][1])

    def _inner(self, name: str) -> str:
        """Return the constant that says that a policy applies, for concepts on which other policies may rest."""
        if name not in self.attackers:
            return self.when[name]
        if name not in self.inner:
            by = self._inner if self.base.defeat == "grounded" else self.when.__getitem__
            against = [negate(call(by(winner), CASE)) for winner in self.attackers[name]]
            body = conjoin([call(self.when[name], CASE), *against])
            self.inner[name] = self._define("i", name, BOOL, body, f"Rule {self.base.policies[name].rule} applies")
            self.stages.append(Stage("inner", name, self.inner[name]))
        return self.inner[name]

    def _coherence(self) -> Term:
        found = []
        for name, fact in self.base.facts.items():
            if fact.type.kind not in ("int", "money"):
                continue
            ref = Ref(name, "fact")
            for op, limit in ((">=", fact.type.low), ("<=", fact.type.high)):
                if limit is not None:
                    found.append(self.truth(Compare(op, ref, Const(Fraction(limit), Type("int")))))
        return conjoin([*found, *(self.truth(condition) for condition in self.base.integrity)])

    # ------------------------------------------------------------ policies as values
    def _policies(self, order: list[tuple[str, str]]) -> None:
        base, words = self.base, self.words
        policy, case = Named(self.policy_type), words.case
        family = arrows(policy, case, BOOL)
        self.triggered = self._recursion(
            "triggered", arrows(policy, case, BOOL), {n: self.when[n] for n in base.policies}
        )
        pairs = {"stronger": [], "exception": []}  # type: dict[str, list[tuple[str, str]]]
        for relation in base.relations:
            pairs[relation.kind] += [(relation.winner, loser) for loser in relation.losers]
        left, right = Name("p"), Name("q")
        named = []
        for kind, found in pairs.items():
            body = disjoin(
                conjoin([equal(left, Name(self.policy[w])), equal(right, Name(self.policy[x]))]) for w, x in found
            )
            named.append(
                self.theory.free(
                    words.name(kind, ""),
                    lambda n, body=body: Definition(n, (("p", policy), ("q", policy)), BOOL, body, "p over q"),
                )
            )
        either = disjoin([call(name, left, right) for name in named])
        self.overrides = self.theory.free(
            words.name("overrides", ""), lambda n: Definition(n, (("p", policy), ("q", policy)), BOOL, either)
        )
        triggers = Name("U")
        for kind, name in [*order, *(("applies", n) for n in base.policies)]:
            if kind != "applies" or name in self.stands:
                continue
            own = call("U", Name(self.policy[name]), CASE)
            if base.defeat == "grounded":
                against = [negate(call(self.stands[w], triggers, CASE)) for w in self.attackers.get(name, ())]
            else:
                against = [negate(call("U", Name(self.policy[w]), CASE)) for w in self.attackers.get(name, ())]
            body = conjoin([own, *against])
            self.stands[name] = self.theory.free(
                words.name("s", name), lambda n, body=body: Definition(n, (("U", family), ("c", case)), BOOL, body)
            )
            self.stages.append(Stage("applies", name, self.stands[name]))
        self.applies = self.theory.free(
            words.name("applies", ""),
            lambda n: Recursion(
                n,
                arrows(family, policy, case, BOOL),
                self.policy_type,
                tuple(
                    (call(n, triggers, Name(self.policy[p]), CASE), call(self.stands[p], triggers, CASE))
                    for p in base.policies
                ),
            ),
        )
        self.grounded = self.theory.free(words.name("defeat", ""), lambda n: self._defeat(n, (named[0], named[1])))
        if any(p.consequence for p in base.policies.values()):
            answer = Named(self.answer_type)
            values = {
                n: self.answers[p.consequence] if p.consequence else self.nothing for n, p in base.policies.items()
            }
            self.consequence = self.theory.free(
                words.name("consequence", ""),
                lambda n: Recursion(
                    n,
                    Function(policy, answer),
                    self.policy_type,
                    tuple((call(n, Name(self.policy[p])), Name(values[p])) for p in base.policies),
                ),
            )

    def _recursion(self, kind: str, type_: FormalType, constants: dict[str, str]) -> str:
        return self.theory.free(
            self.words.name(kind, ""),
            lambda n: Recursion(
                n,
                type_,
                self.policy_type,
                tuple((call(n, Name(self.policy[p]), CASE), call(constant, CASE)) for p, constant in constants.items()),
            ),
        )

    def _defeat(self, name: str, relations: tuple[str, str]) -> Grounded:
        rows = tuple(
            (
                self.policy[n],
                self.stands[n],
                tuple((self.policy[w], self.stands[w]) for w in self.attackers.get(n, ())),
            )
            for n in self.base.policies
        )
        semantics = f"h_{self.base.defeat}"
        return Grounded(
            name, semantics, self.overrides, self.applies, self.policy_type, self.words.case_type, rows, relations
        )

    # ------------------------------------------------------------ decision and amount
    def status(self, kind: str, name: str) -> Term:
        """Return `the policy is so` in the case. kind: triggered | applies | defeated."""
        triggers, policy = Name(self.triggered), Name(self.policy[name])
        if kind == "triggered":
            return call(self.triggered, policy, CASE)
        if kind == "applies":
            return call(self.applies, triggers, policy, CASE)
        return call("h_defeated", triggers, call(self.applies, triggers), policy, CASE)

    def covering(self, sense: str) -> Term:
        """Return the family of policies under a sense of `covers`: triggered | applies."""
        return Name(self.triggered) if sense == "triggered" else call(self.applies, Name(self.triggered))

    def _decision(self) -> str:
        decision = self.base.decision
        note = f"Rule {decision.rule}: {decision.text}"
        answer = Named(self.answer_type)
        if decision.pick == "gates":
            values = [Name(self.answers[v]) for v in decision.type.values]
            mandatory, standard = (self._gates(decision.gates, gate) for gate in ("mandatory", "standard"))
            must = self._define("mandatory", "", BOOL, mandatory, "no mandatory rule of the review fails")
            should = self._define("standard", "", BOOL, standard, "no standard rule of the review fails")
            body = cases([(negate(call(must, CASE)), values[-1]), (negate(call(should, CASE)), values[1])], values[0])
            return self._define("decision", "", answer, body, note)
        if decision.pick == "all":
            raise InputError(f"{self.base.name}: decision: found pick all, expected one answer")
        covered = Binder("fun", "p", Named(self.policy_type), call(self.applies, Name(self.triggered), Name("p"), CASE))
        body = call(
            "h_first",
            covered,
            Name(self.consequence),
            Name(self.answers[decision.otherwise]),
            Op("list", tuple(Name(self.policy[n]) for n in self.ranked())),
        )
        return self._define("decision", "", answer, body, note)

    def ranked(self) -> list[str]:
        """Return the policies with a consequence in the order in which the decision looks at them."""
        decision = self.base.decision
        found = sorted((p for p in self.base.policies.values() if p.consequence), key=lambda p: p.rule)
        rank = {consequence: number for number, consequence in enumerate(decision.order)}
        return [p.name for p in sorted(found, key=lambda p: rank.get(p.consequence, len(rank)))]

    def _gates(self, name: str, gate: str) -> Term:
        """Return `every gate of a kind that the review comes down to in the case passes`."""
        policy = self.base.policies[name]
        if policy.gate:
            return call(self.when[name], CASE) if policy.gate == gate else Op("true")
        if policy.operator == "compose":
            found = [self._gates(part, gate) for part in policy.parts]
            return conjoin([term for term in found if term != Op("true")])
        chosen = {target: self._gates(target, gate) for _, target in policy.branches}
        if len(set(chosen.values())) == 1:
            return next(iter(chosen.values()))
        return self._selected(policy, chosen)

    def _amount(self) -> str:
        if self.base.amount is None:
            return ""
        body, scale = self.expressions.number(unroll(self.base.amount.value, self.base), {})
        self.scales["amount"] = scale
        note = f"Rule {self.base.amount.rule}: {self.base.amount.text} (in units of 1/{scale})"
        return self._define("amount", "", INT, body, note)
