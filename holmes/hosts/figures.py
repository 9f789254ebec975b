"""The packaged metrics without a framework: what each returns for predictions and references."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from holmes.errors import InputError

TRACES = """
predictions: one trace a sample: text (numbered lines, bullets, JSON with reasoning_trace, …) or a list of steps.
references: the gold trace, or several (the best counts), in the same form.
per_sample: also return the figures of every sample. baselines: also return what four baselines score.
encoder: minilm (packaged, offline), mpnet (the authors'), a folder, or a Hub name.
"""
OUTPUTS = """
predictions: raw model outputs, one a case; thinking is not read.
references: the cases: ids of embedded cases ("law/moon_apiary/20261129-0"), or whole cases as JSON.
per_sample: also return the figures of every sample, with its first error and first leap.
Returns the means by name, each over the samples for which it is defined; samples; signature.
"""
PROGRAMS = """
predictions: raw model replies, one a case, or a list of K of them a case.
references: gold answers, as text.
task: whose answer line counts: sara_numeric, sara_binary, airline, housing, uscis.
mode: "prolog" (default), or "answer" to read the answer from the reply's text.
compat: None, or "deontic-2026" (macro-F1 counts 0 for a class that a sample lacks).
replicates, seed: of the bootstrap over cases and outputs.
Returns accuracy, abstained, wrong and failed, numeric_accuracy for amounts, macro_f1 for two labels, each with _low and
_high (95 %);
n, the number of cases; signature.
"""
CITATION = "HOLMES (2026), HOLogicBench (arXiv 2606.23238); see the card."


class Figures:
    """What a metric says of itself and returns; subclasses define `of`.

    shapes: what predictions and references may be, first choice first: text, or texts (a list of them). inputs: the
    arguments of `of` in words.
    """

    name = ""
    description = ""
    inputs = ""
    citation = CITATION
    shapes: tuple[tuple[str, str], ...] = (("text", "text"),)

    def of(self, predictions: Sequence[Any], references: Sequence[Any], **options: Any) -> dict[str, Any]:
        """Return the figures of a batch by name."""
        raise NotImplementedError


class TraceFigures(Figures):
    """A metric over traces; subclasses set metrics and figures (all of the metric's where they name none)."""

    inputs = TRACES
    shapes = (("text", "texts"), ("text", "text"), ("texts", "lists of texts"), ("texts", "texts"))
    metrics: tuple[str, ...] = ()
    figures: tuple[str, ...] = ()

    def of(
        self,
        predictions: Sequence[Any],
        references: Sequence[Any],
        per_sample: bool = False,
        baselines: bool = False,
        **options: Any,
    ) -> dict[str, Any]:
        """Return the means; in lists, the figures of each sample and of baselines where they are asked for."""
        from holmes.scoring.trace import score_traces

        families = [family(p, r) for p, r in zip(predictions, references, strict=True)]
        metrics = tuple(options.pop("metrics", self.metrics))
        scores, summary = score_traces(list(predictions), families, metrics, **options)
        result: dict[str, Any] = {name: defined(summary.means.get(name, 0.0)) for name in self.wanted(summary.means)}
        result |= {
            "samples": summary.cases,
            "no_trace": summary.no_trace,
            "signature": " ".join(summary.signature.values()),
        }
        if per_sample:
            result["per_sample"] = [{name: defined(s[name]) for name in self.wanted(s)} for s in scores]
        if baselines:
            result["baselines"] = {
                name: {figure: defined(means.get(figure, 0.0)) for figure in self.wanted(means)}
                for name, means in summary.baselines.items()
            }
        return result

    def wanted(self, found: Mapping[str, float]) -> list[str]:
        """Return the names of the figures to report: the module's own, or where it names none, all of its metric."""
        return list(self.figures) or [n for n in found if n not in ("trace_steps", "no_trace")]


class Srmr(TraceFigures):
    """Steps matched one to one by meaning, then checked by result; options tau, matching, results."""

    name = "srmr"
    metrics = ("srmr",)
    figures = ("srmr", "srmr_precision", "srmr_recall")
    description = "Step Result Matching Rate: F1 over steps whose meaning and result agree (HOLMES, appendix B)."


class RuleCoverage(TraceFigures):
    """Precision, recall and F1 over sets of cited rule numbers, and their order."""

    name = "rule_coverage"
    metrics = ("rule_coverage",)
    figures = ("rule_f1", "rule_precision", "rule_recall", "rule_order")
    description = "Coverage of the gold rules by the rules that a trace cites (HOLMES 5.2)."


class TraceAlignment(TraceFigures):
    """How close a trace's text is to its best reference; says nothing about whether the results are right."""

    name = "trace_alignment"
    metrics = ("sa", "rouge_l")
    description = "Text alignment of a reasoning trace with a family of references (HOLMES 5, HOLogicBench 4.1)."


class Roscoe(TraceFigures):
    """ROSCOE-SA and -SS from a sentence encoder; -LI and -LC when callables for them are given."""

    name = "roscoe"
    metrics = ("roscoe",)
    description = "ROSCOE: unsupervised and reference-based scores of step-by-step reasoning (Golovneva et al. 2023)."

    def of(  # type: ignore[override]
        self,
        predictions: Sequence[Any],
        references: Sequence[Any],
        sources: Sequence[str] | None = None,
        contradiction: Any = None,
        perplexity: Any = None,
        grammar: Any = None,
        **options: Any,
    ) -> dict[str, Any]:
        """Return the means of ROSCOE, those of the models that are given among them."""
        result = super().of(predictions, references, sources=sources, **options)
        return result | with_models(predictions, sources, contradiction, perplexity, grammar)


class Derivation(Figures):
    """Deterministic derivation scores of law, finance and statute cases (docs/scoring.md)."""

    name = "derivation"
    inputs = OUTPUTS
    description = """
The steps of a trace are read as claims about the steps of the case's minimal sufficient derivations and held against
the values that the rules give: soundness, precision, coverage, F1, critical steps, support, first error, first leap.
"""

    def of(  # type: ignore[override]
        self, predictions: Sequence[Any], references: Sequence[Any], per_sample: bool = False
    ) -> dict[str, Any]:
        """Return the means of the derivation scores."""
        from holmes.scoring.core import score
        from holmes.scoring.derivation.parts import signature, with_derivation
        from holmes.scoring.run import DERIVATION_PARTS, averages
        from holmes.services.find import cases_given

        cases = cases_given(references)
        scores = [with_derivation(c, t, score(c, t)) for c, t in zip(cases, predictions, strict=True)]
        rows = [{name: s.parts[name] for name in DERIVATION_PARTS if name in s.parts} for s in scores]
        figures = {name: defined(value) for name, value in averages(rows, DERIVATION_PARTS).items()}
        found: dict[str, Any] = {**figures, "samples": len(rows), "signature": signature()}
        if per_sample:
            found["per_sample"] = [{**row, "reason": s.reason} for row, s in zip(rows, scores, strict=True)]
        return found


class PrologAccuracy(Figures):
    """Accuracy, macro-F1 and abstention rate of programs, with the two-level bootstrap of DeonticBench B.3."""

    name = "prolog_accuracy"
    inputs = PROGRAMS
    citation = ""
    shapes = (("texts", "text"), ("text", "text"))
    description = """
The program in a model's reply is extracted and run contained by SWI-Prolog; what it prints is compared with the gold:
amounts within one unit, labels exactly. A reply without a usable answer abstains and counts as wrong.
"""

    def of(  # type: ignore[override]
        self,
        predictions: Sequence[Any],
        references: Sequence[Any],
        task: str = "sara_numeric",
        mode: str = "prolog",
        compat: str | None = None,
        replicates: int = 1000,
        seed: int = 0,
    ) -> dict[str, Any]:
        """Return accuracy and its kin, each with its interval."""
        from holmes.hosts.rewards import case_from
        from holmes.scoring.core import score
        from holmes.scoring.summary import summarise

        cases = [case_from(task, gold, id=str(place)) for place, gold in enumerate(references)]
        rows = [[p] if isinstance(p, str) or p is None else list(p) or [None] for p in predictions]
        scores = [[score(case, text, mode=mode) for text in row] for case, row in zip(cases, rows, strict=True)]
        found: dict[str, Any] = {
            "n": len(cases),
            "signature": next((s.signature for row in scores for s in row), ""),
        }
        for name, interval in summarise(cases, scores, compat=compat, replicates=replicates, seed=seed).items():
            found |= {name: interval.value, f"{name}_low": interval.low, f"{name}_high": interval.high}
        return found


METRICS: dict[str, type[Figures]] = {
    kind.name: kind for kind in (Derivation, PrologAccuracy, Roscoe, RuleCoverage, Srmr, TraceAlignment)
}


def defined(figure: float) -> float | None:
    """Return a figure, None where it is undefined: what no trace scores in the authors' mode leaves the mean."""
    return None if math.isnan(figure) else figure


def family(prediction: Any, reference: Any) -> list[Any]:
    """Return the references of one sample as a list of traces, whichever of the four shapes they came in."""
    if isinstance(prediction, str):
        return [reference] if isinstance(reference, str) else list(reference)
    if not isinstance(reference, Sequence) or isinstance(reference, str):
        raise InputError(f"references: found {type(reference).__name__}, expected steps or lists of steps")
    nested = any(not isinstance(r, str) for r in reference)
    return list(reference) if nested else [list(reference)]


def with_models(
    predictions: Sequence[Any], sources: Sequence[str] | None, contradiction: Any, perplexity: Any, grammar: Any
) -> dict[str, float]:
    """Return the means of ROSCOE's logical inference and language coherence, for the models that are given."""
    from holmes.reading.steps import read_steps
    from holmes.scoring.trace.roscoe import language_coherence, logical_inference
    from holmes.scoring.trace.run import average
    from holmes.scoring.trace.samples import model_trace

    scores = []
    for place, prediction in enumerate(predictions):
        trace = model_trace(prediction) if isinstance(prediction, str) else read_steps(prediction)
        steps = [s.text for s in trace]
        figures = language_coherence(steps, perplexity, grammar)
        if contradiction is not None:
            source = [s.text for s in read_steps(sources[place])] if sources is not None else []
            figures |= logical_inference(steps, source, contradiction)
        scores.append({f"roscoe_{name}": value for name, value in figures.items()})
    return average(scores)
