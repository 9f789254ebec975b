"""What a graph must offer so that families can be worked out."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Protocol, TypeVar

Node = TypeVar("Node", bound=Hashable)
Label = str


class Explains(Protocol[Node]):
    """What a graph must offer; `holmes.logic.explain.graph.Graph` does."""

    @property
    def root(self) -> Node: ...
    def alternatives(self, node: Node) -> Sequence[Sequence[Node]]: ...
    def label(self, node: Node) -> Label | None: ...
