"""Rule-base files written once for the several places of a record, and expanded."""

from __future__ import annotations

import itertools
import re
import sys
from pathlib import Path

from holmes.errors import InputError
from holmes.util.files import write_text

SLOTS = 5
_MARK = re.compile(r"@(\w+)(  [\w<>]+):")


def expand(source: str, variant: str = "", slots: int = SLOTS) -> str:
    """Return the YAML of a source: lines with ``<n>`` once a place, sums and ranks written out, rules numbered.

    source: lines; ``@name`` begins one that replaces the line before it of its key in the variant of that name.
    variant: a name, or "" for the rules as they are. slots: how many places a record has, 1 or more.
    Raises InputError for a variant that no line names.
    """
    lines: list[str] = []
    used = not variant
    for line in source.splitlines():
        found = _MARK.match(line)
        if found is None:
            lines.append(line)
        elif found[1] == variant:
            used = True
            line = line.removeprefix(f"@{variant}")
            key = line.partition(":")[0]
            place = next((n for n, other in enumerate(lines) if other.startswith(f"{key}:")), None)
            if place is None:
                raise InputError(f"variant {variant}: found no line {key.strip()!r} before it, expected one")
            lines[place] = line
    if not used:
        raise InputError(f"variant: found {variant!r}, expected one of {', '.join(variants(source))}")
    numbers = itertools.count(1)
    made = [out for line in lines if not line.startswith("#") for out in _repeated(_summed(line, slots), slots)]
    head = "# Made by holmes.domains.statutes.slots from the source beside this file; do not edit."
    return "\n".join([head, *(re.sub(r"rule: \+", lambda _: f"rule: {next(numbers)}", line) for line in made)]) + "\n"


def variants(source: str) -> tuple[str, ...]:
    """Return the names of the variants of a source, in order."""
    return tuple(dict.fromkeys(found[1] for line in source.splitlines() if (found := _MARK.match(line))))


def _summed(line: str, slots: int) -> str:
    def added(match: re.Match[str]) -> str:
        return " + ".join(f"({match[1].replace('<n>', str(n))})" for n in range(1, slots + 1))

    return re.sub(r"SUM\{([^}]*)\}", added, line)


def _repeated(line: str, slots: int) -> list[str]:
    if "<n>" not in line:
        return [line]
    return [_ranked(line, n, slots).replace("<n>", str(n)) for n in range(1, slots + 1)]


def _ranked(line: str, n: int, slots: int) -> str:
    def rank(match: re.Match[str]) -> str:
        test, value = match[1], match[2]
        return " + ".join(
            f"(if {test}_{m} and {value}_{m} {'>=' if m < n else '>'} {value}_{n} then 1 else 0)"
            for m in range(1, slots + 1)
            if m != n
        )

    line = re.sub(r"RANK\{(\w+); (\w+)\}", rank, line)
    earlier = " + ".join(f"(if TEST_{m} then 1 else 0)" for m in range(1, n)) or "0"
    return re.sub(r"EARLIER\{(\w+)\}", lambda match: f"({earlier.replace('TEST', match[1])})", line)


if __name__ == "__main__":
    for name in sys.argv[1:]:
        file = Path(name)
        write_text(file.with_suffix(".yaml"), expand(file.read_text("utf-8")))
