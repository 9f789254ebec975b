"""The authors' way of reading traces (``compat="holmes-2026"``), reproduced with its faults and kept apart.

What differs from ours: a trace without a step they can read is NaN and leaves the mean; "Reasoning: …" lines and
one-paragraph traces hold no step; polarity is told by four phrases, so that "does not apply" counts as PASS; the
Conclusion lines of a finance gold trace are dropped, so that a perfect trace misses 1; SA-P sees headings and answers.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

from holmes.reading.step_results import Result, ResultKind
from holmes.reading.steps import TraceStep, trace_items
from holmes.scoring.trace.alignment import align
from holmes.scoring.trace.rouge import rouge_l
from holmes.scoring.trace.srmr import srmr
from holmes.scoring.trace.vectors import Embedded

NAME = "holmes-2026"
_DENIED = ("not triggered", "not established", "not applicable", "is defeated")
_NO_STEP = re.compile(r"(?:reasoning|answer)\s*:", re.I)
_MARK = re.compile(r"^(?:[-*•]|\d+[.)])\s+")
_CITATION = re.compile(r"\s*\[Rule[^\]]*\]")
_GOLD_STEP = re.compile(r"^Step \d+: (?:Check|Compute) — (.*?)\. Result: (.*?)\.?$")


@dataclass(frozen=True, slots=True)
class Texts:
    """The raw texts of one sample: layout (lines | report), the reply (text or parsed JSON), the gold trace's text."""

    layout: str
    reply: object
    gold: str


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
    """Return the steps of a finance gold trace: its Check and Compute lines only."""
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
    figures: dict[str, float] = {}
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
    reference = _lines(texts.gold)
    if texts.layout == "report":
        model = finance_steps(texts.reply)
        return model, finance_gold(texts.gold), [s.text for s in model], reference
    reply = texts.reply if isinstance(texts.reply, str) else ""
    return law_steps(reply), law_steps(texts.gold), _lines(reply), reference


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip()]
