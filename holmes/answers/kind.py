"""The base of the kinds of answer, and what several of them share."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

from holmes.cases import Case
from holmes.interfaces import Strictness
from holmes.reading.mentions import Answer
from holmes.reading.thinking import Reply
from holmes.results import Judged, Outcome, Score


class Kind:
    """A kind of answer with the defaults that most kinds have."""

    name = ""
    layout = "lines"  # of the gold traces that its authors score: lines, or report
    blank = "answer"

    def __init__(
        self, tolerance: int | Fraction = 0, *, blank: str = "", meaning: Callable[[Case], str] | None = None
    ) -> None:
        """tolerance: how far an amount may be off. blank: what stands on the answer line of a prompt, and meaning: what
        the prompt of a case says of it.
        """
        self.tolerance = Fraction(tolerance)
        self.blank = blank or self.blank
        self.meaning = meaning

    def contract(self, case: Case, *, trace: str = "none") -> str:
        """Return the answer line as a prompt asks for it."""
        return f"Answer: <{self.blank}>" + (f"\nwhere <{self.blank}> is {self.meaning(case)}" if self.meaning else "")

    def empty(self, case: Case) -> Mapping[str, float]:
        """Return the parts of the score of a reply that never came: none beside accuracy."""
        return {}

    def judge(self, case: Case, reply: Reply, *, cut: bool, strictness: Strictness) -> Judged:
        """Return what a reply without its reasoning is worth."""
        raise NotImplementedError

    def canonical(self, case: Case, answer: str) -> str:
        """Return one text for answers that are equal: the answer as it was read."""
        return answer

    def published(self, case: Case, text: str | None) -> Judged | None:
        """Return what the authors' own reading makes of a raw reply: none is known."""
        return None

    def gold_reply(self, case: Case) -> str:
        """Return the reply that earns every point: the trace with its citations, then the answer line."""
        return "\n".join(["Reasoning:", *cited(case), f"Answer: {self.shown(case)}"])

    def metrics(self, scores: Sequence[Score]) -> Mapping[str, float]:
        """Return the figures of this kind for one case: none beside accuracy."""
        return {}

    def shown(self, case: Case) -> str:
        """Return the gold as a prompt shows it."""
        return next((alias.text[0] for alias in case.aliases if alias.label == case.answer and alias.text), case.answer)


def cited(case: Case) -> list[str]:
    """Return the steps of the gold trace, each closed by the rule that it uses."""
    return [f"{step.text}{f' [Rule {step.rule}]' if step.rule else ''}" for step in case.trace]


def unread(answer: Answer | None, reply: Reply) -> Judged:
    """Return the judgement on a reply without a usable answer."""
    if answer is not None:
        return Judged(Outcome.MALFORMED, None, answer.reason)
    return Judged(Outcome.ABSTAINED, None, "no answer was read" if reply.text else "the reply is empty")


def key(text: str) -> str:
    """Return a text as answers without listed labels are compared: no case, no outer stops, single blanks."""
    return " ".join(re.sub(r"[\s_]+", " ", text).casefold().strip(" .").split())
