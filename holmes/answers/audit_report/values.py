"""One value of an audit report as a verdict or an amount of its case, and the answer that prose commits itself to."""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from holmes.cases import Alias, Case
from holmes.reading.amounts import amount, committed_amount
from holmes.reading.answer import last_answer
from holmes.reading.marks import unstruck
from holmes.reading.repair import Cut
from holmes.reading.rows import VERDICTS, opened, under

_INNER = ("value", "text", "name", "marks", "number", "amount", "total", *VERDICTS)


@dataclass(frozen=True, slots=True)
class Value:
    """What a value commits its report to. answer: a label, or an exact amount as text; "" where it is unreadable."""

    answer: str
    reason: str = ""
    read_as: str = ""


def agreed(case: Case, values: Sequence[object]) -> Value | None:
    """Return the one answer of several values; unreadable where they differ; None where all are placeholders."""
    read = [found for value in values if (found := value_of(case, value)) is not None]
    answers = {found.answer for found in read if found.answer}
    if len(answers) > 1:
        return Value("", "two answers that differ")
    return next((found for found in read if found.answer), read[0] if read else None)


def value_of(case: Case, value: object) -> Value | None:
    """Return what a value of a report commits it to; None where it copies the placeholder of the schema.

    value: a text or a number, or these in a list of one or in an object.
    """
    value = opened(value)
    if isinstance(value, str) and not isinstance(value, Cut):
        value = unstruck(value)[0].strip() if value.strip() else value
    if isinstance(value, list) and len(value) == 1:
        value = opened(value[0])
    if isinstance(value, dict):
        held = under(value, _INNER) or list(value.values())
        plain = [inner for inner in held if not isinstance(inner, dict | list)]
        return agreed(case, plain) or Value("", "an object without an answer")
    if value is None or isinstance(value, bool | list):
        return Value("", "no answer")
    if case.answer_type == "amount":
        return _amount(case, value)
    return _label(case, value) if isinstance(value, str) else Value("", "no verdict")


def in_prose(case: Case, text: str, *, cut: bool) -> Value | None:
    """Return the answer that prose commits itself to; None for no answer. cut: only answer lines count."""
    if case.answer_type == "amount":
        found = committed_amount(text, cut=cut)
        return (
            None
            if found is None
            else Value("" if found.value is None else _canonical(case, found.value), found.reason, found.read_as)
        )
    read = last_answer(text, case.choices, case.aliases, cut=cut)
    return None if read is None else Value(read.label or "", read.reason, read.read_as)


def is_label(case: Case, text: str) -> str:
    """Return the label that a text is and nothing besides, marks, spaces and case apart; "" for none."""
    return _spelled(case.choices, case.aliases).get(_squeezed(text), "")


@functools.lru_cache(maxsize=64)
def _spelled(choices: tuple[str, ...], aliases: tuple[Alias, ...]) -> dict[str, str]:
    """Return the label of each of its spellings."""
    found = {_squeezed(label): label for label in choices}
    return found | {_squeezed(text): alias.label for alias in aliases for text in (*alias.text, alias.label)}


def _squeezed(text: str) -> str:
    return re.sub(r"[\W_]+", "", text).casefold()


def _label(case: Case, text: str) -> Value | None:
    if text.rstrip(" .\"'*").endswith("?"):
        return Value("", "a question")
    if (label := is_label(case, text)) or isinstance(text, Cut):
        return Value(label, "" if label else "cut off")
    read = last_answer(f"Answer: {text.strip()}", case.choices, case.aliases)
    if read is None and not re.search(r"\w", text):
        return Value("", "empty")
    return None if read is None else Value(read.label or "", read.reason)


def _amount(case: Case, value: object) -> Value | None:
    if isinstance(value, Cut):
        return Value("", "cut off")
    found = amount(str(value))
    if found is None:
        read = committed_amount(f"Answer: {value}")
        if read is None:
            return None if re.search(r"\w", str(value)) else Value("", "empty")
        found = read.value
    return Value("" if found is None else _canonical(case, found))


def _canonical(case: Case, value: Fraction) -> str:
    gold = amount(case.answer)
    return case.answer if gold is not None and value == gold else str(value)
