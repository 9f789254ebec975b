"""Families of minimal sets as zero-suppressed decision diagrams: union, join and minimisation in one pass."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

EMPTY = 0  # no set at all
UNIT = 1  # the empty set alone
_LAST = sys.maxsize  # the variable of both terminals


class OverBudget(Exception):
    """The diagrams grew beyond the node budget."""


class Zdd:
    """A store of diagram nodes (variable, without, with); every family in it is an antichain.

    Variables are the integers 0, 1, …, tested in this order. `without` holds the sets that lack the variable, `with_`
    those that have it (with the variable taken out). budget: the most nodes that may be made. support: for each node
    the variables that occur below it, as bits.
    """

    def __init__(self, budget: int = 1_000_000) -> None:
        self.variable: list[int] = [_LAST, _LAST]
        self.without: list[int] = [EMPTY, EMPTY]
        self.with_: list[int] = [EMPTY, EMPTY]
        self.support: list[int] = [0, 0]
        self._budget = budget
        self._unique: dict[tuple[int, int, int], int] = {}
        self._union: dict[tuple[int, int], int] = {}
        self._join: dict[tuple[int, int], int] = {}
        self._nonsuper: dict[tuple[int, int], int] = {}
        self._erased: dict[tuple[int, int], int] = {}

    def __len__(self) -> int:
        return len(self.variable)

    def node(self, variable: int, without: int, with_: int) -> int:
        """Return the node of this variable and these two families; raises OverBudget."""
        if with_ == EMPTY:
            return without
        key = (variable, without, with_)
        found = self._unique.get(key)
        if found is None:
            if len(self.variable) > self._budget:
                raise OverBudget
            found = self._unique[key] = len(self.variable)
            self.variable.append(variable)
            self.without.append(without)
            self.with_.append(with_)
            self.support.append(1 << variable | self.support[without] | self.support[with_])
        return found

    def single(self, variables: int) -> int:
        """Return the family whose only set has these variables, given as bits."""
        family = UNIT
        while variables:
            variable = variables.bit_length() - 1
            variables ^= 1 << variable
            family = self.node(variable, EMPTY, family)
        return family

    def erase(self, family: int, variables: int) -> int:
        """Return the minimal sets of { x without the variables : x in family }; variables as bits."""
        variables &= self.support[family]
        if not variables:
            return family
        key = (family, variables)
        found = self._erased.get(key)
        if found is None:
            v = self.variable[family]
            low, high = self.erase(self.without[family], variables), self.erase(self.with_[family], variables)
            erased = variables >> v & 1
            found = self.union(low, high) if erased else self.node(v, low, self.nonsuper(high, low))
            self._erased[key] = found
        return found

    def _parts(self, family: int, variable: int) -> tuple[int, int]:
        if self.variable[family] == variable:
            return self.without[family], self.with_[family]
        return family, EMPTY

    def union(self, a: int, b: int) -> int:
        """Return the minimal sets of a ∪ b."""
        if a == b or b == EMPTY:
            return a
        if a == EMPTY:
            return b
        if UNIT in (a, b):
            return UNIT
        key = (a, b) if a < b else (b, a)
        found = self._union.get(key)
        if found is None:
            v = min(self.variable[a], self.variable[b])
            (a0, a1), (b0, b1) = self._parts(a, v), self._parts(b, v)
            low = self.union(a0, b0)
            found = self._union[key] = self.node(v, low, self.nonsuper(self.union(a1, b1), low))
        return found

    def join(self, a: int, b: int) -> int:
        """Return the minimal sets of { x ∪ y : x in a, y in b }."""
        if EMPTY in (a, b):
            return EMPTY
        if a in (UNIT, b):  # in an antichain x ∪ x' is minimal only where x = x'
            return b
        if b == UNIT:
            return a
        key = (a, b) if a < b else (b, a)
        found = self._join.get(key)
        if found is None:
            v = min(self.variable[a], self.variable[b])
            (a0, a1), (b0, b1) = self._parts(a, v), self._parts(b, v)
            low = self.join(a0, b0)
            high = self.union(self.join(a1, self.union(b0, b1)), self.join(a0, b1))
            found = self._join[key] = self.node(v, low, self.nonsuper(high, low))
        return found

    def nonsuper(self, a: int, b: int) -> int:
        """Return the sets of a that include no set of b."""
        if a in (b, EMPTY) or b == UNIT:
            return EMPTY
        if b == EMPTY or a == UNIT:
            return a
        key = (a, b)
        found = self._nonsuper.get(key)
        if found is None:
            v = self.variable[a]
            if v > self.variable[b]:
                found = self.nonsuper(a, self.without[b])
            else:
                b0, b1 = self._parts(b, v)
                low = self.nonsuper(self.without[a], b0)
                found = self.node(v, low, self.nonsuper(self.nonsuper(self.with_[a], b0), b1))
            self._nonsuper[key] = found
        return found

    def below(self, family: int) -> list[int]:
        """Return the nodes of a family's diagram, children before parents, terminals left out."""
        order: list[int] = []
        seen = {EMPTY, UNIT}
        stack = [(family, False)]
        while stack:
            node, done = stack.pop()
            if done:
                order.append(node)
            elif node not in seen:
                seen.add(node)
                stack += [(node, True), (self.without[node], False), (self.with_[node], False)]
        return order


@contextmanager
def deep_recursion(depth: int) -> Iterator[None]:
    """Allow recursion as deep as a diagram has variables (pure Python calls, so no machine stack is used up)."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, 8 * depth + 2_000))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)
