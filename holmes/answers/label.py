"""Labels: one of the answers that a question lists, or a text where it lists none."""

from __future__ import annotations

import re

from holmes.answers.kind import Kind, key, unread
from holmes.cases import Case
from holmes.interfaces import Strictness
from holmes.reading.answer import last_answer
from holmes.reading.thinking import Reply
from holmes.results import Judged, Outcome


class Label(Kind):
    """A label, read from the last committed answer of a reply."""

    name = "label"

    def judge(self, case: Case, reply: Reply, *, cut: bool, strictness: Strictness) -> Judged:
        """Compare the label that a reply commits itself to with the gold."""
        answer = last_answer(reply.text, case.choices, case.aliases, cut=cut)
        if answer is None or answer.malformed:
            return unread(answer, reply)
        right = answer.label == case.answer
        if not case.choices and not case.aliases:
            right = key(answer.label or "") == key(case.answer)
        outcome = Outcome.RIGHT if right else Outcome.WRONG
        reason = f"read {answer.label!r}, gold {case.answer!r}: {answer.reason}"
        return Judged(outcome, answer.label, reason, read_as=answer.read_as)

    def published(self, case: Case, text: str | None) -> Judged:
        """Read as the authors of HOLMES do: the first answer line of the whole text.

        A label is read where the line equals a spelling, else the earliest spelling inside the line.
        """
        read = _first_line(case, text or "")
        outcome = Outcome.RIGHT if read == case.answer else Outcome.WRONG if read else Outcome.ABSTAINED
        return Judged(
            Outcome.FAILED if text is None else outcome, read, f"first answer line: {read!r}, gold {case.answer!r}"
        )


def _first_line(case: Case, text: str) -> str | None:
    line = re.search(r"^\s*Answer:[^\S\n]*(.*)$", text, re.IGNORECASE | re.MULTILINE)
    if line is None:
        return None
    words = _words(line[1])
    spellings = [(_words(s), a.label) for a in case.aliases for s in a.text]
    spellings += [(_words(c), c) for c in case.choices]
    for spelling, label in spellings:
        if spelling and words == spelling:
            return label
    inside = [(words.find(s), -len(s), label) for s, label in spellings if s and s in words]
    return min(inside)[2] if inside else None


def _words(text: str) -> str:
    return " ".join(w for w in re.findall(r"[a-z0-9]+", text.lower()) if w not in ("a", "an", "the"))
