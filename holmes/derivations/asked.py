"""What a case asks besides the label or amount of a part: a claim about one value, or a question about policies."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from holmes.logic.language.model import RuleBase, Value
from holmes.logic.language.policy_terms import Question

Record = Mapping[str, Value]


@dataclass(frozen=True, slots=True)
class Goal:
    """A claim about one value of a part, and whether the gold says that it holds.

    kind: concept | applies | positive | amount. name: of the concept or policy. value: claimed. denied: the claim is
    that it is another one.
    """

    kind: str
    name: str
    value: Value
    denied: bool
    holds: bool


@dataclass(frozen=True, slots=True)
class Posed:
    """A question about policies with its rule base, its gold, and the records that show what is so.

    refuter: rule -> the smallest record by which that member of a family breaks what is asked of it, None where none
    does. refuters: for each condition that a witness must satisfy the record that does, None where none does.
    possible: some record that can occur; raises InputError where there is none.
    """

    question: Question
    base: RuleBase
    answer: str
    refuter: Callable[[int], Record | None]
    refuters: Callable[[], tuple[Record | None, ...]]
    possible: Callable[[], Record]
