"""The authors' way of reading traces (``compat="holmes-2026"``), reproduced with its faults and kept apart.

What differs from ours: a trace without a step they can read is NaN and leaves the mean; "Reasoning: …" lines and
one-paragraph traces hold no step; polarity is told by four phrases, so that "does not apply" counts as PASS; the
Conclusion lines of a finance gold trace are dropped, so that a perfect trace misses 1; SA-P sees headings and answers.
Golds come in two forms, told apart by their lines: "Step 3: Check — …. Result: PASS." (finance), and sentences (law).
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

from holmes.errors import InputError
from holmes.reading.step_results import Result, ResultKind
from holmes.reading.steps import TraceStep, trace_items
from holmes.scoring.trace.alignment import align
from holmes.scoring.trace.rouge import rouge_l
from holmes.scoring.trace.srmr import srmr
from holmes.scoring.trace.vectors import Embedded

NAME = "holmes-2026"
READING = 2  # 1 dropped golds' Decide and Identify lines, and took a scenario's name for a string of its own
METRICS = ("srmr", "sa", "rouge_l")  # the others have no authors' mode: they are ours, and signed so
_DENIED = ("not triggered", "not established", "not applicable", "is defeated")
_NO_STEP = re.compile(r"(?:reasoning|answer)\s*:", re.I)
_MARK = re.compile(r"^(?:[-*•]|\d+[.)])\s+")
_CITATION = re.compile(r"\s*\[Rule[^\]]*\]")
_GOLD_STEP = re.compile(r"^Step \d+: (.*?)\. Result: (.*?)\.?$")
_SCENARIO = re.compile(r"^\[Scenario [^\]]*\]$")


@dataclass(frozen=True, slots=True)
class Texts:
    """The raw texts of one sample.

    layout: report for golds of step lines, lines for golds of sentences, any other word to tell by the gold.
    reply: text, parsed JSON, or a tuple of steps that are taken as they are (baselines). gold: the gold trace's text.
    """

    layout: str
    reply: object
    gold: str

    @property
    def stepped(self) -> bool:
        """Whether the gold is of the form with step lines."""
        known = self.layout in ("report", "lines")
        return self.layout == "report" if known else any(map(_GOLD_STEP.match, _lines(self.gold)))


def texts_of(place: int, prediction: object, references: Sequence[object]) -> Texts:
    """Return the texts of one sample without a case.

    place: of the sample, for messages. prediction: text, JSON, or a list of lines. references: the one gold trace, as
    text or a list of lines. Raises InputError for another number of references, or a gold of another type.
    """
    if len(references) != 1:
        raise InputError(f"references: sample {place}: found {len(references)}, expected one with compat={NAME!r}")
    gold = _joined(references[0])
    if not isinstance(gold, str):
        raise InputError(
            f"references: sample {place}: found {type(gold).__name__}, expected text or lines with compat={NAME!r}"
        )
    return Texts("", _joined(prediction), gold)


def _joined(trace: object) -> object:
    """Return a list of lines as one text, anything else as it is."""
    lines = isinstance(trace, list | tuple) and all(isinstance(line, str) for line in trace)
    return "\n".join(trace) if lines else trace  # type: ignore[arg-type]


def law_steps(text: str) -> tuple[TraceStep, ...]:
    """Return the steps of a law trace: every line that is not "Reasoning:" or "Answer:", PASS unless denied."""
    steps = []
    for line in _lines(text):
        if not _NO_STEP.match(line):
            description = _CITATION.sub("", _MARK.sub("", line)).strip().rstrip(".").strip()
            word = "FAIL" if any(phrase in line.lower() for phrase in _DENIED) else "PASS"
            steps.append(_step(line, description, word))
    return tuple(steps)


def finance_gold(text: str) -> tuple[TraceStep, ...]:
    """Return the steps of a finance gold trace: its lines with a result, whatever verb they begin with.

    The verb ("Check — …") is part of the description; Construct and Conclusion lines state no result and are no steps.
    """
    found = [(line, _GOLD_STEP.match(line)) for line in _lines(text)]
    return tuple(_step(line, match[1], match[2]) for line, match in found if match)


def finance_steps(reply: object) -> tuple[TraceStep, ...]:
    """Return the steps of a finance reply's ``reasoning_trace``."""
    steps = []
    for place, item in enumerate(trace_items(reply), 1):
        description, result = str(item.get("description", "")), str(item.get("result", ""))
        steps.append(_step(f"Step {item.get('step', place)}: {description}. Result: {result}.", description, result))
    return tuple(steps)


def _step(text: str, description: str, result: str) -> TraceStep:
    return TraceStep(text, description, (), Result(ResultKind.LABEL if result else ResultKind.NONE, raw=result))


def strings(texts: Texts) -> list[str]:
    """Return every string that `score` compares."""
    model, gold, hypothesis, reference = sides(texts)
    return [s.description for s in (*model, *gold)] + [*hypothesis, *reference]


def score(texts: Texts, metrics: Sequence[str], embedded: Embedded | None) -> dict[str, float]:
    """Return the authors' figures of one sample, under the names of ours; NaN where they have none."""
    model, gold, hypothesis, reference = sides(texts)
    figures: dict[str, float] = {"trace_steps": float(len(model)), "no_trace": float(not model)}
    if "srmr" in metrics and embedded is not None:
        table = embedded.similarity([s.description for s in model], [s.description for s in gold])
        s = srmr(model, gold, table, results="authors")
        values = (s.f1, s.precision, s.recall) if model and gold else (math.nan,) * 3
        figures |= dict(zip(("srmr", "srmr_precision", "srmr_recall"), values, strict=True))
    if "sa" in metrics and embedded is not None:
        a = align(embedded.similarity(hypothesis, reference))
        present = bool(hypothesis and reference)
        values = (a.precision, a.recall, a.f1) if present else (math.nan,) * 3
        figures |= dict(zip(("sa_p", "sa_r", "sa_f1"), values, strict=True))
    if "rouge_l" in metrics:
        figures["rouge_l"] = rouge_l("\n".join(hypothesis), texts.gold) if hypothesis else math.nan
    return figures


def sides(texts: Texts) -> tuple[tuple[TraceStep, ...], tuple[TraceStep, ...], list[str], list[str]]:
    """Return the steps of reply and gold, and the strings of reply and gold that SA compares."""
    reference = _gold_lines(texts.gold)
    gold = finance_gold(texts.gold) if texts.stepped else law_steps(texts.gold)
    if (steps := _given(texts.reply)) is not None:
        return steps, gold, [s.text for s in steps], reference
    if texts.stepped:
        model = finance_steps(texts.reply)
        return model, gold, [s.text for s in model], reference
    reply = texts.reply if isinstance(texts.reply, str) else ""
    return law_steps(reply), gold, _lines(reply), reference


def _given(reply: object) -> tuple[TraceStep, ...] | None:
    if isinstance(reply, tuple) and all(isinstance(step, TraceStep) for step in reply):
        return reply
    return None


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip()]


def _gold_lines(text: str) -> list[str]:
    """Return the strings of a gold that SA compares: its lines, the name of a scenario one with the line below it."""
    joined: list[str] = []
    for line in _lines(text):
        if joined and _SCENARIO.match(joined[-1]):
            joined[-1] += f" {line}"
        else:
            joined.append(line)
    return joined
