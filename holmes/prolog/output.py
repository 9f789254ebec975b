"""The answer in a program's stdout: each domain's answer line, amounts read exactly."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

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
class ProgramContract:
    """What a program of a task prints and how it may leave its main out.

    pattern: its answer line; the first group is the answer. labels: empty for amounts and for free text. amount: the
    answer is a number. mains: what a program may define without calling it, best first, each as (name, arguments), and
    the directive that calls it and prints.
    """

    pattern: re.Pattern[str]
    labels: tuple[str, ...] = ()
    amount: bool = False
    mains: tuple[tuple[tuple[str, bool], str], ...] = ()


def answer_line(
    pattern: str, labels: tuple[str, ...] = (), *, amount: bool = False, mains: tuple[Any, ...] = ()
) -> ProgramContract:
    """Return the contract of a line that matches a pattern, in any case and with blanks around it."""
    return ProgramContract(re.compile(rf"\s*(?:{pattern})\s*", re.IGNORECASE), labels, amount, mains)


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


def read_output(stdout: str, line: ProgramContract) -> Reading:
    """Read the answer a program printed.

    stdout: all of it. line: the contract of its task. The same answer printed twice is one answer. Returns a Reading.
    """
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


def _value(text: str, line: ProgramContract) -> tuple[str | None, Fraction | None]:
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
