"""Conditions on a case down to their atoms: what refutations split on, and what each defined atom stands for."""

from __future__ import annotations

from holmes.errors import InputError
from holmes.formal.ir import FALSE, TRUE, Apply, Binder, Definition, Name, Op, Recursion, Term, call, equal
from holmes.formal.refutation import substitute
from holmes.formal.rules import RuleTheory
from holmes.formal.vocabulary import CASE

TRANSPARENT = ("h_", "q_")


class Formulas:
    """Unfolds the operators of the base theory and what a question defines; everything else is an atom."""

    def __init__(self, rules: RuleTheory) -> None:
        self.rules = rules
        self.declared = rules.theory.declarations

    def formula(self, term: Term) -> Term:
        """Return a condition in connectives over atoms."""
        match term:
            case Op(op="true" | "false"):
                return term
            case Op(op="and" | "or" | "not" | "imp" | "iff" | "if" as op, args=args):
                return Op(op, tuple(self.formula(arg) for arg in args))
            case Op(op="le" | "eq"):
                return term
            case Apply(function=Binder(kind="fun", variable=variable, body=body), args=(arg, *rest)):
                return self.formula(_applied(substitute(body, {variable: arg}), tuple(rest)))
            case Apply(function=Apply(function=function, args=args), args=more):
                return self.formula(Apply(function, (*args, *more)))
            case Apply(function=Name(name=name), args=args):
                return self._named(name, args, term)
            case _:
                raise InputError(f"refutation: found {term!r:.80}, expected a condition")

    def _named(self, name: str, args: tuple[Term, ...], term: Term) -> Term:
        declared = self.declared.get(name)
        if isinstance(declared, Recursion):
            if name in ("h_every", "h_some"):
                predicate, listed = args
                assert isinstance(listed, Op)
                found = tuple(self.formula(_applied(predicate, (item,))) for item in listed.args)
                if not found:
                    return TRUE if name == "h_every" else FALSE
                return found[0] if len(found) == 1 else Op("and" if name == "h_every" else "or", found)
            for left, right in declared.clauses:
                if isinstance(left, Apply) and (values := _matched(left.args, args)) is not None:
                    return self.formula(substitute(right, values))
            return term  # a fact of the case
        if isinstance(declared, Definition) and name.startswith(TRANSPARENT):
            values = dict(zip((v for v, _ in declared.parameters), args, strict=False))
            body = substitute(declared.body, values)
            return self.formula(_applied(body, args[len(declared.parameters) :]))
        return term

    def definition(self, atom: Term) -> Term | None:
        """Return what an atom stands for, None for facts, numbers and values."""
        rules = self.rules
        if isinstance(atom, Op) and atom.op == "eq" and atom.args[0] == call(rules.decision, CASE):
            return self._decided(atom.args[1])
        if not isinstance(atom, Apply) or not isinstance(atom.function, Name):
            return None
        declared = self.declared.get(atom.function.name)
        if not isinstance(declared, Definition) or len(declared.parameters) != len(atom.args):
            return None
        values = dict(zip((v for v, _ in declared.parameters), atom.args, strict=True))
        return self.formula(substitute(declared.body, values))

    def _decided(self, answer: Term) -> Term:
        """Return `the decision is such` as a choice over the policies that apply, in the order of the decision."""
        rules = self.rules
        decision = rules.base.decision
        if decision.pick == "gates":
            raise InputError("refutation: found a decision by gates, expected one by policies that apply")
        found = _same(Name(rules.answers[decision.otherwise]), answer)
        for name in reversed(rules.ranked()):
            applies = self.formula(rules.status("applies", name))
            consequence = Name(rules.answers[rules.base.policies[name].consequence])
            found = Op("if", (applies, _same(consequence, answer), found))
        return found


def _same(left: Term, right: Term) -> Term:
    assert isinstance(equal(left, right), Op)
    return TRUE if left == right else FALSE


def _applied(function: Term, args: tuple[Term, ...]) -> Term:
    if not args:
        return function
    if isinstance(function, Apply):
        return Apply(function.function, (*function.args, *args))
    return Apply(function, args)


def _matched(pattern: tuple[Term, ...], args: tuple[Term, ...]) -> dict[str, Term] | None:
    """Return the values of the variables of a left side whose constructors are plain; None where they differ."""
    if len(pattern) != len(args):
        return None
    found: dict[str, Term] = {}
    for left, arg in zip(pattern, args, strict=True):
        if not isinstance(left, Name):
            return None
        if "_" not in left.name:
            found[left.name] = arg
        elif left != arg:
            return None
    return found
