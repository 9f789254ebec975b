"""What the loader reports: problems of a rule base, each with file, line, rule, field, found and expected."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from holmes.errors import InputError

KINDS = ("yaml", "names", "types", "shape", "defeat", "semantics", "text")


@dataclass(frozen=True, slots=True)
class Problem:
    """One fault of a rule base.

    line: from 1, 0 where unknown. rule: its number as text, or the name of a fact, table or section.
    kind: yaml | names | types | shape | defeat | semantics | text. warning: reported, not refused.
    """

    file: str
    line: int
    rule: str
    field: str
    found: str
    expected: str
    kind: str
    warning: bool = False

    def __str__(self) -> str:
        """Return the one-line message."""
        where = f"rule {self.rule}" if self.rule.isdigit() else self.rule
        place = ": ".join(part for part in (f"{self.file}:{self.line}", where, self.field) if part)
        return f"{place}: found {self.found}, expected {self.expected} [{self.kind}]"


class RuleBaseError(InputError):
    """A rule base that cannot be used; `problems` lists every fault found."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(sorted(problems, key=lambda p: (p.file, p.line, KINDS.index(p.kind), str(p))))
        super().__init__("\n".join(map(str, self.problems)))
