"""What one statement of a trace is, and what a line inherits from those before it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from holmes.logic.english.lexicon import Meaning
from holmes.scoring.derivation.segments import Group, Segment
from holmes.scoring.derivation.tokens import NOTHING, Token

Subject = tuple[tuple[int, ...], Meaning | None, bool]


class Statement(NamedTuple):
    """One statement, before it is held against a case.

    kind: rule (codes say what of rules), conflict (rules defeat losers), name (of a concept), part (of a concept whose
    rule is cited, by a word of its name), draw (the consequence of rules is drawn). value: asserted or denied, None
    where the value is a number or word among the tokens. cited: the rules in brackets that close it.
    """

    kind: str
    rules: tuple[int, ...]
    losers: tuple[int, ...]
    meaning: Meaning | None
    codes: frozenset[str]
    value: bool | None
    tokens: tuple[Token, ...]
    cited: tuple[int, ...]


@dataclass(slots=True)
class State:
    """What a line inherits: the rule spoken of last, the predicate of a heading, the subject that waits for one."""

    last: tuple[int, ...] = ()
    heading: tuple[frozenset[str], bool] | None = None
    topic: list[Subject] = field(default_factory=list)
    subject: Subject | None = None
    prefix: tuple[frozenset[str], bool] | None = None
    nested: bool = False
    named: tuple[int, ...] = ()
    used: bool = False

    def other(self, rules: tuple[int, ...]) -> tuple[int, ...]:
        """Return the rules spoken of last, where they are others than these."""
        return self.subject[0] if self.subject and self.subject[0] != rules else ()


def made(
    kind: str, segment: Segment, group: Group, *, rules: tuple[int, ...] = (), losers: tuple[int, ...] = (),
    meaning: Meaning | None = None, codes: frozenset[str] = NOTHING, value: bool | None = True,
) -> Statement:  # fmt: skip
    return Statement(kind, rules, losers, meaning, codes, value, tuple(segment.tokens), group.cited)


def negations(found: Sequence[Token]) -> int:
    """Return how often tokens deny."""
    return sum("N" in t.codes or t.kind == "¬" for t in found)
