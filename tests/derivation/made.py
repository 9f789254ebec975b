"""Cases, their reference traces line by line, and single changes to them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from holmes.cases import Case
from holmes.derivations.derive import Derivations, is_fact
from holmes.derivations.trace import step
from holmes.scoring.derivation.reference import reference_of
from holmes.store import load_cases

CONFIGS = ("law", "finance", "deontic_sara_numeric", "deontic_sara_binary")
EVERY = {"law": 43, "finance": 131, "deontic_sara_numeric": 27, "deontic_sara_binary": 27}


@cache
def sample(config: str, every: int = 0) -> tuple[Case, ...]:
    """Return every n-th case of a config."""
    return tuple(load_cases(config)[:: every or EVERY[config]])


@dataclass(frozen=True)
class Written:
    """The reference trace of one member: its lines, and the label of each."""

    case: Case
    derivations: Derivations
    member: tuple[str, ...]
    lines: tuple[str, ...]
    labels: tuple[str, ...]

    @property
    def inferences(self) -> list[int]:
        """The places of the lines that are neither facts nor the answer."""
        wanted = set(self.derivations.inferences(self.member))
        return [place for place, label in enumerate(self.labels) if label in wanted]

    def text(self, *, without: int = -1, instead: str = "", extra: str = "") -> str:
        """Return the trace with one line left out or replaced, or one more at its end."""
        lines = [instead if place == without else line for place, line in enumerate(self.lines)]
        return "\n".join(line for line in (*lines, extra) if line)


def written(case: Case, number: int = 0) -> Written:
    """Return the reference trace of a member of a case's family; the last one where there are fewer."""
    found = reference_of(case).derivations
    member = list(found.family.members(number + 1))[-1]
    steps = found.trace(member)
    nodes = zip(found.parts, found.nodes(member), strict=True)
    labels = tuple(part.label(node) or "" for part, inside in nodes for node in inside)
    assert len(labels) == len(steps)
    return Written(case, found, member, tuple(s.text for s in steps), labels)


def outside(trace: Written) -> list[tuple[str, str]]:
    """Return (label, sentence) of the true steps of a case that a member leaves out, answers excepted."""
    found = trace.derivations
    kept = set(trace.member)
    result = []
    for part in found.parts:
        for node, label in part.graph.labelled():
            text = part.label(node) or ""
            if text in kept or is_fact(text) or label.kind in ("decision", "amount"):
                continue
            said = found.say(part.part, step(part.part.base, part.graph, node, part.part.names))
            result.append((text, said.text))
    return result


_OPPOSITE = (
    (" does not hold.", " holds."),
    (" is not triggered.", " is triggered."),
    (" does not apply.", " applies."),
    (" passes.", " fails."),
)


def flipped(line: str) -> str:
    """Return a reference line with another value; "" for a line whose value is a word (an enum)."""
    for denied, stated in _OPPOSITE:
        for one, other in ((denied, stated), (stated, denied)):
            if line.endswith(one):
                return line.removesuffix(one) + other
    if " applies: " in line:
        return line[: line.index(" applies: ")] + " does not apply."
    if " defeats Rule" in line:
        return line.replace(" defeats ", " does not defeat ")
    match = re.search(r"(?: is | gives )(\d[\d./]*)\.$", line)
    return f"{line[: match.start(1)]}98765.5." if match else ""
