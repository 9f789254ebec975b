"""Records by condition: a search for a coherent record with the verdict and the failing rules asked for."""

from __future__ import annotations

import functools
import random
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from holmes.errors import CheckFailed
from holmes.logic import model as m
from holmes.logic.compile import Program
from holmes.logic.evaluate import program_for
from holmes.logic.reduce import unroll
from holmes.logic.sampling import Sampler
from holmes.logic.walk import walk

STARTS, STEPS = 60, 160  # searches begun anew, changes tried in each
FAILS = (1, 1, 1, 2, 2, 2, 3, 3, 4)  # how many rules fail where some do
PLAIN = 0.35  # weight of a rule that one fact decides, against 1 for the others: a reader of single facts learns little
PROBES = 60  # random records on which the sense of a fact is found
NOTHING = 0.4  # share of the sums that are zero where they may be
EDGE = 0.4  # share of the numbers that are moved to the edge of what leaves every rule as it is
Facts = dict[str, m.Value]


class Planner:
    """Draws coherent records of one clause; what it draws depends on the generator handed over alone."""

    def __init__(self, base: m.RuleBase) -> None:
        self.base = base
        self.program: Program = program_for(base)
        self.checks = checks(base)
        slot = self.program.slot
        self._slots = [slot["policy", name] for name in self.checks]
        self._decision = slot["decision", "decision"]
        self._coherent = [self.program.compile(unroll(e, self.program.rulebase), {}) for e in base.integrity]
        self.bools = tuple(name for name, fact in base.facts.items() if fact.type.kind == "bool")
        self.mandatory = frozenset(name for name in self.checks if base.policies[name].gate == "mandatory")
        self.read = {name: read_by(base, name) for name in self.checks}
        self.weights = {name: PLAIN if len(self.read[name]) < 2 else 1.0 for name in self.checks}
        self._sampler = Sampler(base, "ranges")
        read = {name: self.read[name] & frozenset(self.bools) for name in self.checks}
        gates = [[n for n in self.checks if read[n] and (n in self.mandatory) == kind] for kind in (True, False)]
        self.groups = tuple(tuple(sorted(frozenset().union(*(read[n] for n in names)))) for names in gates)
        self.usual = tuple(len(names) for names in gates)  # a rule that two facts can meet is met by one of them
        self.helpful = {name: self._helps(name) for name in self.bools}

    def found(self, facts: Mapping[str, Any]) -> tuple[str, frozenset[str]] | None:
        """Return the verdict and the failing rules of a record; None where it is not coherent."""
        state = self.program.run(facts)
        state += [None] * (self.program.size - len(state))
        if not all(condition(state) for condition in self._coherent):
            return None
        failing = frozenset(name for name, slot in zip(self.checks, self._slots, strict=True) if not state[slot])
        return str(state[self._decision]), failing

    def draw(self, rng: random.Random, label: str, fixed: Mapping[str, m.Value] | None = None) -> Facts:
        """Return a coherent record whose verdict is `label`.

        rng: decides everything. label: a verdict of the clause. fixed: facts that must have these values.
        How many Boolean facts speak for the claim, under mandatory and under standard rules, is drawn apart from the
        label and held to where the search allows it: or a reader who counts good and bad signs would know the verdict.
        Raises CheckFailed where no record is found.
        """
        fixed = fixed or {}
        free = [name for name in self.base.facts if name not in fixed]
        open_ = [name for name in self.checks if self.read[name] - fixed.keys()]  # what is fixed decides the others
        failing = self._failing(rng, label, open_)
        good = tuple(count + rng.randint(0, 1) for count in self.usual)
        best: tuple[float, Facts] | None = None
        for start in range(STARTS):
            if start and start % 3 == 0:  # some rules cannot fail together
                failing = self._failing(rng, label, open_)
            facts: Facts = {name: fixed.get(name, self._value(rng, name)) for name in self.base.facts}
            cost = self._cost(facts, label, failing, good)
            for _ in range(STEPS):
                if cost == 0:
                    return self._edged(rng, facts, free)
                name = rng.choice(free)
                kept, facts[name] = facts[name], self._value(rng, name)
                after = self._cost(facts, label, failing, good)
                if after <= cost:
                    cost = after
                else:
                    facts[name] = kept
            if cost < 1 and (best is None or cost < best[0]):
                best = cost, facts
                if cost <= 0.3:
                    break
        if best is None:
            raise CheckFailed(f"{self.base.name}: found no record with the verdict {label}, expected one")
        return self._edged(rng, best[1], free)

    def _helps(self, name: str) -> bool:
        """Return the value of a Boolean fact with which fewer rules fail, over random records."""
        rng = random.Random(f"{self.base.name}/{name}/helps")
        balance = 0
        for _ in range(PROBES):
            facts = {other: self._value(rng, other) for other in self.base.facts}
            pair = [self.found({**facts, name: value}) for value in (True, False)]
            if pair[0] is not None and pair[1] is not None:
                balance += len(pair[1][1]) - len(pair[0][1])
        return balance >= 0

    def _failing(self, rng: random.Random, label: str, names: list[str]) -> frozenset[str]:
        """Choose which of some rules are to fail, so that the verdict may be `label`."""
        good = self.base.decision.type.values[0]
        if label == good:
            return frozenset()
        count = rng.choice(FAILS)
        if label == "Unknown":
            count = rng.choice((0, 0, 1, 2))
            first: list[str] = []
        elif label == "Partial":
            first = self._some(rng, [n for n in names if n not in self.mandatory], 1)
        else:
            first = self._some(rng, [n for n in names if n in self.mandatory], 1)
            if count > 1:  # a standard rule besides, or whoever stops at the first failing rule would be right
                first += self._some(rng, [n for n in names if n not in self.mandatory], 1)
        milder = label in ("Partial", "Unknown")
        rest = [n for n in names if n not in first and not (milder and n in self.mandatory)]
        return frozenset([*first, *self._some(rng, rest, count - len(first))])

    def _some(self, rng: random.Random, names: list[str], count: int) -> list[str]:
        left, chosen = list(names), []
        for _ in range(min(count, len(names))):
            chosen += rng.choices(left, [self.weights[n] for n in left])
            left.remove(chosen[-1])
        return chosen

    def _value(self, rng: random.Random, name: str) -> m.Value:
        type_ = self.base.facts[name].type
        if type_.kind == "bool":
            return rng.random() < 0.5
        if type_.kind == "enum":
            return rng.choice(type_.values)
        if type_.kind == "money" and type_.low == 0 and rng.random() < NOTHING:
            return Fraction(0)
        self._sampler.rng = rng
        number = self._sampler.number(type_)
        if type_.kind == "money" and number > 100 and rng.random() < 0.8:
            return Fraction(int(number) // 5 * 5)
        return number

    def _cost(self, facts: Facts, label: str, failing: frozenset[str], good: tuple[int, ...]) -> float:
        found = self.found(facts)
        if found is None:
            return 1000.0
        verdict, there = found
        off = sum(
            abs(sum(facts[name] is self.helpful[name] for name in group) - wanted)
            for group, wanted in zip(self.groups, good, strict=True)
        )
        return 3.0 * (verdict != label) + len(there ^ failing) + min(0.1 * off, 0.9)

    def _edged(self, rng: random.Random, facts: Facts, free: list[str]) -> Facts:
        """Move some numbers to the last value that leaves the verdict and every failing rule as they are."""
        wanted = self.found(facts)
        for name in free:
            type_ = self.base.facts[name].type
            if type_.kind not in ("int", "money") or rng.random() > EDGE:
                continue
            ends = [e for e in (type_.low, type_.high) if e is not None]
            inside, outside = int(_number(facts[name])), int(rng.choice(ends))
            if self.found({**facts, name: Fraction(outside)}) == wanted:
                continue
            while abs(outside - inside) > 1:
                middle = (inside + outside) // 2
                if self.found({**facts, name: Fraction(middle)}) == wanted:
                    inside = middle
                else:
                    outside = middle
            facts[name] = Fraction(inside)
        return facts

    def irrelevant(self, facts: Facts) -> list[str]:
        """Return the Boolean and enum facts no change of which, alone, changes the verdict."""
        now = self.found(facts)
        assert now is not None
        result = []
        for name, fact in self.base.facts.items():
            if fact.type.kind not in ("bool", "enum"):
                continue
            values: tuple[m.Value, ...] = (True, False) if fact.type.kind == "bool" else fact.type.values
            near = [self.found({**facts, name: other}) for other in values]
            if all(there is None or there[0] == now[0] for there in near):
                result.append(name)
        return result


def _number(value: m.Value) -> Fraction:
    assert isinstance(value, Fraction)
    return value


def checks(base: m.RuleBase) -> tuple[str, ...]:
    """Return the rules of a clause that pass or fail, in the order in which its review or its families name them."""
    if base.decision.gates:
        return base.policies[base.decision.gates].parts
    return tuple(name for family in base.families.values() for name in family)


def read_by(base: m.RuleBase, policy: str) -> frozenset[str]:
    """Return the facts that a rule reads, through concepts and waivers."""
    found: set[str] = set()

    def visit(expr: m.Expr | None) -> None:
        for part in walk(expr) if expr is not None else ():
            if isinstance(part, m.Ref) and part.kind == "fact":
                found.add(part.name)
            elif isinstance(part, m.Ref) and part.kind == "concept":
                visit(base.concepts[part.name].body)
            elif isinstance(part, m.Lookup):
                for key in base.tables[part.table].keys:
                    visit(key)

    rule = base.policies[policy]
    visit(rule.when)
    visit(rule.unless)
    if rule.base:
        found |= read_by(base, rule.base)
    return frozenset(found)


@functools.lru_cache(maxsize=32)
def planner(name: str) -> Planner:
    """Return the planner of a clause, set up once."""
    from holmes.finance.policy import clause

    return Planner(clause(name).base)
