"""The answer in a program's stdout: each domain's answer line, amounts read exactly."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from holmes.errors import InputError
from holmes.logic.language.unparse import number_text

Kind = Literal["answer", "none", "conflict", "unreadable"]

_AMOUNT = re.compile(
    r"""(?P<open>\()?\s*(?P<minus>[-−])?\s*(?:US)?[$€£¥]?\s*(?P<minus2>[-−])?
        (?:(?P<over>\d+)r(?P<under>\d+)|(?P<whole>\d{1,3}(?:,\d{3})+|\d+)(?P<part>\.\d+)?(?:[eE](?P<power>[+-]?\d{1,3}))?)
        \s*(?P<close>\))?\s*(?:USD|dollars?)?\.?""",
    re.VERBOSE,
)
_LONGEST = 1_000  # characters; Prolog prints integers of any length


@dataclass(frozen=True, slots=True)
class _Line:
    pattern: re.Pattern[str]
    labels: tuple[str, ...]  # empty for amounts and for free text
    amount: bool = False


def _line(pattern: str, labels: tuple[str, ...] = (), amount: bool = False) -> _Line:
    return _Line(re.compile(rf"\s*(?:{pattern})\s*", re.IGNORECASE), labels, amount)


# Task name without `deontic_` and ending -> its answer line.
LINES: dict[str, _Line] = {
    "sara_numeric": _line(r"Tax result\s*:\s*(.*)", amount=True),
    "airline": _line(r"Total cost\s*:\s*(.*)", amount=True),
    "sara_binary": _line(r"Result\s*:\s*(.*)", ("Entailment", "Contradiction")),
    "uscis": _line(r"['\"]?(Accepted|Dismissed)['\"]?\s*\.?", ("Accepted", "Dismissed")),
    "housing": _line(r"housing_answer\(\s*(.*?)\s*\)\s*\.?", ("yes", "no")),
    "law": _line(r"Answer\s*:\s*(.*)"),
    "finance_amount": _line(r"Amount\s*:\s*(.*)", amount=True),
    "finance": _line(r"Answer\s*:\s*(.*)"),
    "policy": _line(r"Answer\s*:\s*(.*)"),
}


@dataclass(frozen=True, slots=True)
class Reading:
    """What stdout says.

    answer: canonical text of the one answer, or None. lines: the answer lines as printed. kind: `answer`; `none`, no
    answer line; `conflict`, two different answers; `unreadable`, an answer line without a readable value (an unbound
    variable, another label). extra_lines: the other lines that are not blank. value: the amount, exact.
    """

    answer: str | None
    lines: tuple[str, ...]
    kind: Kind
    extra_lines: tuple[str, ...]
    value: Fraction | None = None


def line_of(task: str) -> _Line:
    """Return the answer line of a task; raises InputError for a task without one."""
    name = task.removeprefix("deontic_")
    for known, line in LINES.items():
        if name == known or name.startswith(f"{known}_"):
            return line
    raise InputError(f"domain: found {task!r}, expected one of {', '.join(LINES)}")


def read_output(stdout: str, domain: str) -> Reading:
    """Read the answer a program printed.

    stdout: all of it. domain: a task name (``deontic_airline``, ``sara_binary_release``, ``law``, …).
    The same answer printed twice is one answer. Returns a Reading.
    """
    line = line_of(domain)
    printed: list[str] = []
    extra: list[str] = []
    answers: dict[str | None, Fraction | None] = {}
    for text in stdout.split("\n"):
        match = line.pattern.fullmatch(text)
        if match is None:
            if text.strip():
                extra.append(text.rstrip("\r"))
            continue
        printed.append(text)
        answer, value = _value(match.group(1).strip(), line)
        answers[answer] = value
    if not printed:
        return Reading(None, (), "none", tuple(extra))
    if len(answers) > 1:
        return Reading(None, tuple(printed), "conflict", tuple(extra))
    ((answer, value),) = answers.items()
    return Reading(answer, tuple(printed), "unreadable" if answer is None else "answer", tuple(extra), value)


def _value(text: str, line: _Line) -> tuple[str | None, Fraction | None]:
    if line.amount:
        value = read_amount(text)
        return (None, None) if value is None else (number_text(value), value)
    bare = text.rstrip(".").strip().strip("'\"").strip()
    if not line.labels:
        return (bare or None, None) if not re.fullmatch(r"_(?:G?\d+)?", bare) else (None, None)
    return next((label for label in line.labels if label.casefold() == bare.casefold()), None), None


def read_amount(text: str) -> Fraction | None:
    """Read one number exactly: ``1166``, ``1,166.00``, ``$5``, ``1.0e16``, ``-3``, ``(3)``, ``2333r2``; else None.

    An unbound variable, infinity and not-a-number are no numbers.
    """
    match = _AMOUNT.fullmatch(text.strip().strip("'\"")) if len(text) <= _LONGEST else None
    if match is None or bool(match["open"]) != bool(match["close"]):
        return None
    if match["over"] is not None:
        if int(match["under"]) == 0:
            return None
        value = Fraction(int(match["over"]), int(match["under"]))
    else:
        value = Fraction(match["whole"].replace(",", "") + (match["part"] or "") + f"e{match['power'] or 0}")
    negative = bool(match["open"]) or bool(match["minus"]) != bool(match["minus2"])
    return -value if negative else value
