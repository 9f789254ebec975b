"""Refutations by propagation and case distinction: why no coherent record satisfies a condition, step by step."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from holmes.cases import Step
from holmes.domains.policy.reasoning.nodes import Node, atom_of, body_of, nodes_in, say
from holmes.errors import InputError
from holmes.logic.language.model import And, Const, Expr, Implies, Not, Or, PolicyTest, RuleBase

Bound = tuple[Fraction, Fraction]
GIVEN = "given"  # in the place of a rule: what holds of all cases


@dataclass(frozen=True, slots=True)
class Known:
    """One thing found: a node's value, the rule that gives it ("" for an assumption), and what it was found from."""

    node: Node
    text: str
    rule: str
    kind: str
    result: str
    because: frozenset[Node]


class _Clash(Exception):
    def __init__(self, because: frozenset[Node], rule: str) -> None:
        self.because, self.rule = because, rule


class Refutation:
    """Shows that claims about a case contradict what is given of every case and the rules of one base."""

    def __init__(self, base: RuleBase, claims: Sequence[Expr], given: Sequence[Expr] = ()) -> None:
        self.base, self.claims, self.given = base, tuple(claims), tuple(given)
        self.assumptions = (*self.claims, *self.given)
        self.values: dict[Node, bool] = {}
        self.bounds: dict[str, Bound] = {}
        for name, fact in base.facts.items():
            if fact.type.kind == "int" and fact.type.low is not None and fact.type.high is not None:
                self.bounds[name] = (fact.type.low, fact.type.high)
        self.log: list[Known] = []

    def steps(self) -> tuple[Step, ...]:
        """Return the steps; raises InputError where the assumptions do not contradict each other."""
        found, _ = self._refute(0)
        return tuple(found)

    def _refute(self, depth: int) -> tuple[list[Step], frozenset[Node]]:
        start = len(self.log)
        saved = dict(self.values), dict(self.bounds)
        try:
            while self._round():
                pass
        except _Clash as clash:
            shown, used = self._used(start, clash)
            self._reset(start, saved)
            return shown, used
        node = self._choice()
        if node is None:
            raise InputError(f"{self.base.name}: refutation: found a record, expected a contradiction")
        propagated = self.log[start:]
        after = dict(self.values), dict(self.bounds)
        sides: list[Step] = []
        used = frozenset[Node]()
        for value in (True, False):
            mark = len(self.log)
            self._set(node, value, "", frozenset())
            told = f"{'First' if value else 'Then'} suppose that {say(node, value, self.base)}."
            inner, needed = self._refute(depth + 1)
            self._reset(mark, after)
            if node not in needed:  # the supposition played no part: the other side is not needed either
                sides, used = inner, needed
                break
            sides += [Step(told, "", "case", "true" if value else "false"), *inner]
            used |= needed - {node}
        shown, used = self._needed(propagated, used)
        self._reset(start, saved)
        return [*shown, *sides], used

    def _reset(self, mark: int, saved: tuple[dict[Node, bool], dict[str, Bound]]) -> None:
        del self.log[mark:]
        self.values, self.bounds = dict(saved[0]), dict(saved[1])

    def _used(self, start: int, clash: _Clash) -> tuple[list[Step], frozenset[Node]]:
        shown, used = self._needed(self.log[start:], clash.because)
        told = "That contradicts what is given of every case." if clash.rule == GIVEN else "That is a contradiction."
        return [*shown, Step(told, "" if clash.rule == GIVEN else clash.rule, "contradiction", "false")], used

    def _needed(self, log: Sequence[Known], used: frozenset[Node]) -> tuple[list[Step], frozenset[Node]]:
        kept: list[Known] = []
        for known in reversed(log):
            if known.node in used:
                kept.append(known)
                used = (used - {known.node}) | known.because
        return [Step(k.text, k.rule, k.kind, k.result) for k in reversed(kept)], used

    # ------------------------------------------------------------ propagation
    def _round(self) -> bool:
        before = len(self.log)
        for condition in self.claims:
            self._force(condition, True, "", frozenset())
        for condition in self.given:
            self._force(condition, True, GIVEN, frozenset())
        for node, rule, body in self._definitions():
            value = self.values.get(node)
            if value and node[0] == "applies":  # a defeat is cited by the rule that states it
                for relation in self.base.relations:
                    if node[1] in relation.losers:
                        defeater = PolicyTest("applies", relation.winner)
                        self._force(defeater, False, str(relation.rule), frozenset({node}))
            if value is not None:
                self._force(body, value, rule, frozenset({node}))
            elif (found := self._eval(body)) is not None:
                self._set(node, found, rule, self._atoms(body))
        return len(self.log) > before

    def _definitions(self) -> Iterator[tuple[Node, str, Expr]]:
        """Yield the definitions of all nodes that bear on the assumptions."""
        seen: set[Node] = set()
        waiting = [node for condition in self.assumptions for node in nodes_in(condition)]
        while waiting:
            node = waiting.pop(0)
            if node in seen or node[0] == "fact":
                continue
            seen.add(node)
            rule, body = body_of(node, self.base)
            yield node, rule, body
            waiting += nodes_in(body)

    def _choice(self) -> Node | None:
        """Return an undecided node of a definition or assumption that still leaves something open."""
        open_ = [(c, True) for c in self.assumptions]
        open_ += [(b, self.values[n]) for n, _, b in self._definitions() if n in self.values]
        for expr, _ in open_:
            if self._eval(expr) is None:
                return next((n for n in nodes_in(expr) if self._value(n) is None), None)
        return None

    def _value(self, node: Node) -> bool | None:
        return self._compare(node) if node[0] == "fact" and " " in node[1] else self.values.get(node)

    def _set(self, node: Node, value: bool, rule: str, because: frozenset[Node]) -> None:
        known = self._value(node)
        if known is value:
            return
        if known is not None:
            raise _Clash(because | self._held(node), rule)
        if node[0] == "fact" and " " in node[1]:
            self._tighten(node, value)
        self.values[node] = value
        kind = node[0] if node[0] != "decision" else "decision"
        text = f"{say(node, value, self.base)}{', as is given of every case' if rule == GIVEN else ''}."
        number = "" if rule == GIVEN else rule
        self.log.append(Known(node, text[:1].upper() + text[1:], number, kind, str(value).lower(), because))

    def _held(self, node: Node) -> frozenset[Node]:
        """Return what fixes a node: itself, or for a threshold all thresholds known of its fact."""
        if node in self.values:
            return frozenset({node})
        name = node[1].split(" ")[0]
        return frozenset(n for n in self.values if n[0] == "fact" and n[1].startswith(f"{name} "))

    def _force(self, expr: Expr, value: bool, rule: str, because: frozenset[Node]) -> None:
        match expr:
            case Const(value=known):
                if known is not value:
                    raise _Clash(because, rule)
            case Not(arg=arg):
                self._force(arg, not value, rule, because)
            case Implies(left=left, right=right):
                self._force(Or((Not(left), right)), value, rule, because)
            case And(args=args) | Or(args=args):
                conjunctive = isinstance(expr, And)
                if value is conjunctive:
                    for arg in args:
                        self._force(arg, value, rule, because)
                    return
                found = [(arg, self._eval(arg)) for arg in args]
                if any(v is value for _, v in found):
                    return
                left_open = [arg for arg, v in found if v is None]
                others = frozenset[Node]().union(*(self._atoms(arg) for arg, v in found if v is not None))
                if not left_open:
                    raise _Clash(because | others, rule)
                if len(left_open) == 1:
                    self._force(left_open[0], value, rule, because | others)
            case _:
                node, sign = atom_of(expr)
                self._set(node, value is sign, rule, because)

    def _eval(self, expr: Expr) -> bool | None:
        match expr:
            case Const(value=known):
                return bool(known)
            case Not(arg=arg):
                inner = self._eval(arg)
                return None if inner is None else not inner
            case Implies(left=left, right=right):
                return self._eval(Or((Not(left), right)))
            case And(args=args) | Or(args=args):
                stop = isinstance(expr, Or)
                found = [self._eval(arg) for arg in args]
                return stop if stop in found else None if None in found else not stop
            case _:
                node, sign = atom_of(expr)
                value = self._value(node)
                return None if value is None else value is sign

    def _atoms(self, expr: Expr) -> frozenset[Node]:
        known = [self._held(node) for node in nodes_in(expr) if self._value(node) is not None]
        return frozenset[Node]().union(*known)

    # ------------------------------------------------------------ thresholds
    def _compare(self, node: Node) -> bool | None:
        name, number = node[1].split(" ")
        low, high = self.bounds[name]
        return True if low >= Fraction(number) else False if high < Fraction(number) else None

    def _tighten(self, node: Node, value: bool) -> None:
        name, number = node[1].split(" ")
        low, high = self.bounds[name]
        self.bounds[name] = (Fraction(number), high) if value else (low, Fraction(number) - 1)
