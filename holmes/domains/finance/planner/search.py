"""Records by condition: a search for a coherent record with the verdict and the failing rules asked for."""

from __future__ import annotations

import functools
import math
import random
from collections import deque
from collections.abc import Mapping
from typing import Any

from holmes.domains.finance.handbook import Exchange, clause
from holmes.domains.finance.weights import Weights, features, weights_of
from holmes.errors import CheckFailed
from holmes.logic.engine.incremental import IncrementalEvaluator, some
from holmes.logic.engine.sampling import Sampler
from holmes.logic.language import model as m
from holmes.logic.language.walk import walk

STARTS, STEPS = 24, 100  # searches begun anew, changes tried in each
NOISE = 0.05  # share of the changes that may make a record worse, or a search could be caught
SWEEPS = 2  # times that every fact is drawn again once the record is what was asked for
FAILS: Mapping[str, tuple[int, ...]] = {  # how many rules fail where some do
    "Partial": (1, 1, 1, 2, 2, 3),
    "Unknown": (0, 0, 1, 2),
    "Rejection": (1, 1, 2, 2, 2, 3, 3),
    "": (*(1,) * 18, 2, 3),  # the second of two verdicts: a single change nearly always turns it
}
AGAIN = 0.15  # share of the rejections in which a second mandatory rule may fail: no single change turns these
ALONE = 0.12  # share of the rejections in which no standard rule fails: whoever stops at the first failing rule errs
SPARED = 0.35  # share of the milder verdicts in which a mandatory rule fails, where a rule can spare it
PLAIN = 0.35  # weight of a rule that one fact decides, against 1 for the others: a reader of single facts learns little
LIMIT = 2.2  # weight of a rule that compares two sums: words tell nothing about it
NOTHING = 0.4  # share of the sums that are zero where they may be
SAME = 0.15  # share of the numbers that are set to another number of the record
EDGE = 0.25  # share of the numbers that are moved to the edge of what leaves every rule as it is
Facts = dict[str, m.Value]


class Planner:
    """Draws coherent records of one clause; what it draws depends on the generator handed over alone."""

    def __init__(self, base: m.RuleBase, weights: Mapping[str, Weights] | None = None) -> None:
        """base: the clause. weights: label -> the weights of its facts; by default those shipped (`balance`)."""
        self.base = base
        self.evaluator = evaluator = IncrementalEvaluator(base)
        self.checks = checks(base)
        slot = evaluator.program.slot
        self._slots = {name: slot["policy", name] for name in self.checks}
        self._names = {place: name for name, place in self._slots.items()}
        self.bools = tuple(name for name, fact in base.facts.items() if fact.type.kind == "bool")
        self.mandatory = frozenset(name for name in self.checks if base.policies[name].gate == "mandatory")
        self.read = {name: evaluator.reads["policy", name] for name in self.checks}
        self.weights = {name: _weight(base.policies[name], len(self.read[name])) for name in self.checks}
        self.selectors = frozenset(
            part.name
            for policy in base.policies.values()
            if policy.selector is not None
            for part in walk(policy.selector)
            if isinstance(part, m.Ref) and part.kind == "fact"
        )
        known = frozenset().union(*self.read.values()) if self.read else frozenset()
        self._others = tuple(sorted(evaluator.reads["decision", "decision"] - known))
        self.balance = weights_of(base) if weights is None else weights
        self._features = features(base)
        self._sampler = Sampler(base, "ranges")
        self._numbers = tuple(name for name, fact in base.facts.items() if fact.type.kind in ("int", "money"))
        self._idle: deque[tuple[Mapping[str, Any], tuple[str, ...]]] = deque(maxlen=8)
        self._kinds = {name: fact.type for name, fact in base.facts.items()}

    # ------------------------------------------------------------ looking at a record
    def found(self, facts: Mapping[str, Any]) -> tuple[str, frozenset[str]] | None:
        """Return the verdict and the failing rules of a record; None where it is not coherent."""
        self.evaluator.load(facts)
        return self._now() if self.evaluator.coherent() else None

    def _now(self) -> tuple[str, frozenset[str]]:
        state = self.evaluator.state
        return str(state[self.evaluator.decision]), frozenset(n for n in self._asked() if not state[self._slots[n]])

    def _asked(self) -> tuple[str, ...]:
        """Return the rules that the review of the record at hand asks for."""
        if self.evaluator.chosen is None or not self.selectors:
            return self.checks
        return tuple(self._names[place] for _, place in self.evaluator.chosen(self.evaluator.state))

    def irrelevant(self, facts: Mapping[str, Any]) -> list[str]:
        """Return the Boolean and enum facts no change of which, alone, changes the verdict."""
        for known, found in self._idle:  # what was drawn is asked again when its plan is written
            if known == facts:
                return list(found)
        evaluator = self.evaluator
        evaluator.load(facts)
        result: list[str] = []
        now = evaluator.state[evaluator.decision]
        for name, type_ in self._kinds.items():
            if type_.kind not in ("bool", "enum"):
                continue
            for value in (not facts[name],) if type_.kind == "bool" else type_.values:
                if value == facts[name]:
                    continue
                kept = evaluator.change(name, value)
                differs = evaluator.state[evaluator.decision] != now and evaluator.coherent()
                evaluator.undo(name, kept)
                if differs:
                    break
            else:
                result.append(name)
        self._idle.append((dict(facts), tuple(result)))
        return result

    # ------------------------------------------------------------ drawing
    def draw(self, rng: random.Random, label: str, fixed: Mapping[str, m.Value] | None = None) -> Facts:
        """Return a coherent record whose verdict is `label`.

        rng: decides everything. label: a verdict of the clause. fixed: facts that must have these values.
        Which rules fail is drawn first. Then a record in which just these fail is searched, and its facts are drawn
        anew where they leave all that as it is, with the weights of `balance`: under these each single fact is as
        frequent with one verdict as with another, or a reader of words would know the verdict.
        Raises CheckFailed where no record is found.
        """
        fixed = fixed or {}
        evaluator = self.evaluator
        weights = self.balance.get(label, {})
        for _ in range(STARTS):
            evaluator.clear()
            facts = {name: fixed.get(name, self._first(rng, name, weights)) for name in self.base.facts}
            evaluator.load(facts)
            asked = self._asked()
            free = [name for name in self.base.facts if name not in fixed and name not in self.selectors]
            failing = self._failing(rng, label, [name for name in asked if self.read[name] - fixed.keys()])
            if self._search(rng, label, asked, failing, frozenset(free)):
                for _ in range(SWEEPS):
                    self._redraw(rng, label, asked, failing, free, weights)
                self._edge(rng, label, asked, failing, free)
                return evaluator.facts()
        raise CheckFailed(f"{self.base.name}: found no record with the verdict {label}, expected one")

    def _failing(self, rng: random.Random, label: str, names: list[str]) -> frozenset[str]:
        """Choose which of some rules are to fail, so that the verdict may be `label`."""
        values = self.base.decision.type.values
        strict = [n for n in names if n in self.mandatory]
        plain = [n for n in names if n not in self.mandatory]
        spared = strict if not self.base.decision.gates and rng.random() < SPARED else []
        if label == values[0]:
            return frozenset(some(rng, spared, self.weights, rng.choice((1, 1, 2))))
        count = rng.choice(FAILS.get(label, FAILS[""]))
        if label in ("Partial", "Unknown"):
            first = some(rng, plain, self.weights, 1) if label == "Partial" else []
            rest = [n for n in plain + spared if n not in first]
        else:
            alone = not plain or rng.random() < ALONE
            first = some(rng, strict, self.weights, 1) + ([] if alone else some(rng, plain, self.weights, 1))
            again = rng.random() < AGAIN or not plain
            if alone and not again:
                return frozenset(first)
            rest = [n for n in (strict if again else plain) if n not in first]
        return frozenset([*first, *some(rng, rest, self.weights, count - len(first))])

    def _bad(self, label: str, asked: tuple[str, ...], failing: frozenset[str]) -> list[frozenset[str]]:
        """Return, for all that is not as asked for, the facts on which it rests."""
        state, slots, read = self.evaluator.state, self._slots, self.read
        bad = [read[name] for name in asked if (not state[slots[name]]) is not (name in failing)]
        bad += [rests for condition, rests in self.evaluator.integrity if not condition(state)]
        if not bad and state[self.evaluator.decision] != label:
            bad.append(frozenset(self._others) or frozenset(self.base.facts))
        return bad

    def _search(
        self, rng: random.Random, label: str, asked: tuple[str, ...], failing: frozenset[str], free: frozenset[str]
    ) -> bool:
        """Change facts on which something rests that is not as asked for, until everything is."""
        evaluator = self.evaluator
        bad = self._bad(label, asked, failing)
        for _ in range(STEPS):
            if not bad:
                return True
            choice = sorted(rng.choice(bad) & free)
            if not choice:
                return False
            name = rng.choice(choice)
            kept = evaluator.change(name, self._value(rng, name))
            after = self._bad(label, asked, failing)
            if len(after) <= len(bad) or rng.random() < NOISE:
                bad = after
            else:
                evaluator.undo(name, kept)
        return not bad

    def _redraw(
        self,
        rng: random.Random,
        label: str,
        asked: tuple[str, ...],
        failing: frozenset[str],
        free: list[str],
        weights: Weights,
    ) -> None:
        """Draw every free fact anew by weight (a Metropolis step each) where all stays as asked for."""
        evaluator = self.evaluator
        for name in rng.sample(free, len(free)):
            type_, there = self._kinds[name], evaluator.state[evaluator.slot[name]]
            value = not there if type_.kind == "bool" else self._value(rng, name)
            if value == there:
                continue
            own, look = weights.get(name, {}), self._features[name]
            gain = own.get(look(value), 0.0) - own.get(look(there), 0.0)
            if gain < 0 and rng.random() >= math.exp(gain):
                continue
            kept = evaluator.change(name, value)
            if self._bad(label, asked, failing):
                evaluator.undo(name, kept)

    def _edge(
        self, rng: random.Random, label: str, asked: tuple[str, ...], failing: frozenset[str], free: list[str]
    ) -> None:
        """Move some numbers to the last value that leaves the verdict and every failing rule as they are."""
        evaluator = self.evaluator
        for name in self._numbers:
            type_ = self._kinds[name]
            if name not in free or rng.random() > EDGE:
                continue
            inside = int(evaluator.state[evaluator.slot[name]])
            outside = int(rng.choice([e for e in (type_.low, type_.high) if e is not None]))
            evaluator.change(name, outside)
            if not self._bad(label, asked, failing):
                evaluator.change(name, inside)
                continue
            while abs(outside - inside) > 1:
                middle = (inside + outside) // 2
                evaluator.change(name, middle)
                if self._bad(label, asked, failing):
                    outside = middle
                else:
                    inside = middle
            evaluator.change(name, inside)

    def _first(self, rng: random.Random, name: str, weights: Weights) -> Any:
        """Draw the value of a fact with which a search begins."""
        if self._kinds[name].kind == "bool":
            own = weights.get(name, {})
            return rng.random() * (1 + math.exp(own.get("false", 0.0) - own.get("true", 0.0))) < 1
        return self._value(rng, name)

    def _value(self, rng: random.Random, name: str) -> Any:
        type_ = self._kinds[name]
        if type_.kind == "bool":
            return rng.random() < 0.5
        if type_.kind == "enum":
            return rng.choice(type_.values)
        if type_.kind == "money" and type_.low == 0 and rng.random() < NOTHING:
            return 0
        if rng.random() < SAME:
            number = self.evaluator.state[self.evaluator.slot[rng.choice(self._numbers)]]
            if number is not None and (type_.low or 0) <= number <= (type_.high or number):
                return number
        self._sampler.rng = rng
        number = int(self._sampler.number(type_))
        return number // 5 * 5 if type_.kind == "money" and number > 100 and rng.random() < 0.8 else number


def _weight(rule: m.Policy, read: int) -> float:
    if isinstance(rule.when, m.Compare) and not isinstance(rule.when.right, m.Const):
        return LIMIT
    return 1.0 if read > 1 else PLAIN


def checks(base: m.RuleBase) -> tuple[str, ...]:
    """Return the rules of a clause that pass or fail, in the order in which its review or its families name them."""

    def gates(name: str) -> list[str]:
        policy = base.policies[name]
        if policy.gate:
            return [name]
        parts = policy.parts or tuple(target for _, target in policy.branches)
        return [gate for part in parts for gate in gates(part)]

    if base.decision.gates:
        return tuple(dict.fromkeys(gates(base.decision.gates)))
    return tuple(name for family in base.families.values() for name in family)


def planner(name: str, edition: Exchange | None = None) -> Planner:
    """Return the planner of a clause, set up once; that of an edition looks at records and has no weights to draw."""
    return _planner(name, edition if clause(name, edition) is not clause(name) else None)


@functools.lru_cache(maxsize=128)
def _planner(name: str, edition: Exchange | None) -> Planner:
    return Planner(clause(name, edition).base, None if edition is None else {})
