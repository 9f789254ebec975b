"""Names as people read them: of tasks, answers, rule bases, operation types, outcomes, steps."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

from holmes.cases import Case

TYPES: Mapping[str, str] = {
    "PR": "priority and exception between rules (PR)",
    "PT": "rule changed by another (PT)",
    "PC": "rules combined (PC)",
    "PS": "rule chosen by context (PS)",
    "PQ": "statement about all rules (PQ)",
    "none": "no operation on rules",
    "unknown": "type not known",
}
ALL = "all cases"
"""What a row over several tasks is called."""
OUTCOMES: Mapping[str, str] = {
    "right": "right",
    "wrong": "wrong",
    "abstained": "no answer given",
    "malformed": "answer not readable",
    "error": "program failed",
    "timeout": "program ran too long",
    "output_limit": "program printed too much",
    "memory_limit": "program needed too much memory",
    "violation": "program tried something forbidden",
    "truncated": "reply was cut off",
    "failed": "no reply came",
}
CLASSES: Mapping[str, str] = {
    "sound": "right, reasoning sound",
    "unsound": "right, reasoning unsound",
    "unread": "right, reasoning not read",
    "unmeasured": "right, reasoning not measured",
    "wrong": "wrong answer",
    "unanswered": "no usable answer",
    "failed": "no reply came",
}
"""How a generation ended, by answer and by reasoning."""
LAYERS: Mapping[str, str] = {
    "fact": "reading the facts",
    "concept": "defined terms and tables",
    "trigger": "whether a rule is triggered or passes",
    "conflict": "priorities, exceptions, choices between rules",
    "answer": "the answer itself",
    "none": "no false step found",
    "unread": "reasoning not read",
}
"""Where the first false step of a reply lies (HOLogicBench A.1)."""


_ACRONYMS = {"sara": "SARA", "uscis": "USCIS"}


def plain(name: str) -> str:
    """Return an identifier as words: underscores gone, first letter large."""
    words = re.sub(r"[_\-]+", " ", name).strip()
    return words[:1].upper() + words[1:]


def task(name: str) -> str:
    """Return a task as people read it: ``holmes_finance_parallel_2_direct`` is "Finance parallel 2, answer only"."""
    base, notes = name, []
    for suffix, note in (("_release", "authors' cases"), ("_direct", "answer only"), ("_fewshot", "with examples")):
        if base.endswith(suffix):
            base = base.removesuffix(suffix)
            notes.append(note)
    words = [_ACRONYMS.get(word.lower(), word) for word in plain(base.removeprefix("holmes_")).split()]
    return ", ".join([" ".join(words), *reversed(notes)])


def answer(case: Case, text: str | None) -> str:
    """Return an answer in the words of the case: the first spelling of its label, subjects before verdicts."""
    if text is None:
        return "—"
    spoken = {alias.label: alias.text[0] for alias in case.aliases if alias.text}
    if text in spoken:
        return spoken[text]
    if text[:1] in "[{":
        try:
            value = json.loads(text)
        except ValueError:
            return text
        rows = value if isinstance(value, list) else [value]
        if all(isinstance(row, dict) for row in rows):
            said = [[spoken.get(str(v), str(v)) for v in row.values()] for row in rows]
            return "; ".join(": ".join(row) for row in said)
    return text


def reason(case: Case, text: str) -> str:
    """Return the reason of a score with answers in the words of the case; what it tells of steps is shown apart."""
    told = re.split(r"; first (?:error|leap): ", text)[0]
    for alias in case.aliases:
        if alias.text:
            told = told.replace(f"'{alias.label}'", f"“{alias.text[0]}”")
    return told


def label_of_step(label: str) -> str:
    """Return the text of a graph label for want of its sentence: ``policy:12:rioting:applies=false`` in words."""
    body = re.sub(r"^\d+\.(?=[a-z])", "", label)
    kind, _, rest = body.partition(":")
    name, _, value = rest.partition("=")
    words = plain(re.sub(r":", " ", name)).lower()
    return f"{kind} {words}" + (f": {value}" if value else "")


def layer(label: str) -> str:
    """Return the layer that a step belongs to, by the kind of its label."""
    body = re.sub(r"^\d+\.(?=[a-z])", "", label)
    kind = body.partition(":")[0]
    if kind in ("fact",):
        return "fact"
    if kind in ("concept", "table"):
        return "concept"
    if kind == "policy":
        return "trigger" if ":triggered" in body else "conflict"
    if kind in ("gate", "triggered"):
        return "trigger"
    if kind in ("decision", "amount", "answer"):
        return "answer"
    return "conflict"
