"""The explanation graph of a case (docs/derivations.md): labelled and hidden nodes, alternatives, one root."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from typing import NamedTuple

from holmes.logic.language.model import Value
from holmes.logic.language.unparse import number_text

Alternatives = tuple[tuple[int, ...], ...]
LEAF: Alternatives = ((),)


def text_of(value: Value) -> str:
    """Return the canonical text of a value: true, 12, 0.7, 1/3, 2017-02-03, an enum value."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Fraction):
        return number_text(value)
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, tuple):
        return ",".join(text_of(item) if isinstance(item, str) else str(number) for number, item in enumerate(value, 1))
    return str(value)


class Label(NamedTuple):
    """What a reader could write down as a step; ``str(label)`` is its stable text.

    kind: fact | concept | table | policy | gate | transform | compose | selection | conflict | decision | amount.
    rule: 0 for facts. aspect: triggered or applies (policy), the chosen policy (selection), the loser (conflict).
    """

    kind: str
    rule: int
    name: str
    aspect: str
    value: str

    def __str__(self) -> str:
        """Return the text, for example ``policy:3:release:applies=false`` or ``conflict:8:learner>release``."""
        match self.kind:
            case "fact":
                return f"fact:{self.name}={self.value}"
            case "policy":
                return f"policy:{self.rule}:{self.name}:{self.aspect}={self.value}"
            case "selection":
                return f"selection:{self.rule}:{self.name}->{self.aspect}"
            case "conflict":
                return f"conflict:{self.rule}:{self.name}>{self.aspect}"
            case "decision" | "amount":
                return f"{self.kind}:{self.rule}={self.value}"
            case _:
                return f"{self.kind}:{self.rule}:{self.name}={self.value}"


@dataclass(frozen=True, slots=True)
class Graph:
    """An explanation graph; nodes are numbered so that premises come before what they support.

    root: the node of the decision. amount: the node of the amount, or None.
    """

    root: int
    amount: int | None
    _alternatives: tuple[Alternatives, ...]
    _labels: tuple[Label | None, ...]
    _values: tuple[Value | None, ...]
    _named: Mapping[tuple[str, str], int]

    def __len__(self) -> int:
        """Return the number of nodes, those that do not support the root included."""
        return len(self._alternatives)

    def alternatives(self, node: int) -> Alternatives:
        """Return the alternatives of a node, each a tuple of premise nodes; ``((),)`` for a leaf."""
        return self._alternatives[node]

    def label(self, node: int) -> str | None:
        """Return the text of the node's label, None for a hidden node."""
        label = self._labels[node]
        return None if label is None else str(label)

    def info(self, node: int) -> Label | None:
        """Return the node's label in parts, None for a hidden node."""
        return self._labels[node]

    def value(self, node: int) -> Value | None:
        """Return the value of the node's expression, None for conflicts and selections."""
        return self._values[node]

    def named(self, kind: str, name: str) -> int:
        """Return the node of a ``concept``, or of what concerns a policy, hidden or not.

        kind: concept | triggered | applies | unless (the exemption of a transformed policy) | selection.
        Raises KeyError for a name that the rule base does not have.
        """
        return self._named[kind, name]

    def reachable(self, *starts: int) -> tuple[int, ...]:
        """Return the nodes below `starts` (by default the root) through any alternative, in first-visit order."""
        seen: dict[int, None] = {}
        stack = list(reversed(starts or (self.root,)))
        while stack:
            node = stack.pop()
            if node in seen:
                continue
            seen[node] = None
            for alternative in reversed(self._alternatives[node]):
                stack += alternative[::-1]
        return tuple(seen)

    def labelled(self) -> Iterator[tuple[int, Label]]:
        """Yield (node, label) for every labelled node of the case, whether or not it supports the root."""
        for node, label in enumerate(self._labels):
            if label is not None:
                yield node, label
