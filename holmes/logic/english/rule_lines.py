"""Printed rules cut into numbered lines, and what has been read of them so far."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from holmes.errors import InputError
from holmes.logic.language.model import Amount, Decision, Expr, Policy, Table

_LINE = re.compile(
    r"\s*Rule (\d+)(?: \((?=[ma]|standard)(mandatory|standard)?((?:(?:, )?among the [\w ]+)*)\))?: *(.*)"
)


class ReadError(InputError):
    """A rule text that cannot be read; rule, found and expected are fields too."""

    def __init__(self, rule: int, found: str, expected: str) -> None:
        self.rule, self.found, self.expected = rule, found, expected
        super().__init__(f"rule {rule}: found {found}, expected {expected}")


@dataclass(frozen=True, slots=True)
class Line:
    """One numbered rule as printed: number, mark of its gate, text, table rows."""

    number: int
    gate: str
    text: str
    rows: tuple[str, ...] = ()
    families: tuple[str, ...] = ()


@dataclass(slots=True)
class Reading:
    """What the rule texts say, by rule number; `rulebase` makes a rule base of it."""

    concepts: dict[int, tuple[str, Expr]] = field(default_factory=dict)
    policies: dict[int, Policy] = field(default_factory=dict)
    relations: list[tuple[str, int, tuple[int, ...], int, bool]] = field(default_factory=list)
    tables: dict[int, Table] = field(default_factory=dict)
    decision: Decision | None = None
    amount: Amount | None = None
    references: list[tuple[int, str, int]] = field(default_factory=list)  # (rule, concept, rule referred to)
    families: dict[str, list[int]] = field(default_factory=dict)  # name -> rules marked as members
    glosses: list[tuple[int, int, str]] = field(default_factory=list)  # (rule, rule named, its consequence as named)
    heads: dict[str, int] = field(default_factory=dict)  # name of a composed or selecting policy -> its rule


def lines(text: str) -> list[Line]:
    """Cut a printed rule text into its numbered rules, in the order printed.

    text: lines `Rule 4: …`, table rows `| … |` under their rule. Raises InputError naming a line that is neither,
    or a number that comes twice.
    """
    found: list[Line] = []
    for place, row in enumerate(text.splitlines(), 1):
        if match := _LINE.fullmatch(row):
            kin = tuple(name.replace(" ", "_") for name in re.findall(r"among the ([\w ]+)", match[3] or ""))
            found.append(Line(int(match[1]), match[2] or "", match[4].strip(), families=kin))
        elif row.strip().startswith("|") and found:
            found[-1] = replace(found[-1], rows=(*found[-1].rows, row.strip()))
        elif row.strip():
            raise InputError(
                f"line {place}: found {row.strip()[:60]!r}, expected `Rule <number>: <text>` or a table row"
            )
    seen: set[int] = set()
    for line in found:
        if line.number in seen:
            raise InputError(f"rule {line.number}: found twice, expected each number once")
        seen.add(line.number)
    return found
