"""What the `evaluate` modules share: inputs of four shapes, empty batches, figures out.

A module itself is thin: its name, its text, and the figures it asks for.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import datasets
import evaluate

from holmes.errors import InputError

INPUTS = """
predictions: one trace a sample: text (numbered lines, bullets, JSON with reasoning_trace, …) or a list of steps.
references: the gold trace, or several (the best counts), in the same form.
per_sample: also return the figures of every sample. baselines: also return what four baselines score.
encoder: minilm (packaged, offline), mpnet (the authors'), a folder, or a Hub name.
"""
CITATION = "HOLMES (2026), HOLogicBench (arXiv 2606.23238); see the card."


class Module(evaluate.Metric):  # type: ignore[misc]
    """A metric with inputs of several shapes; subclasses define `_info` and `_compute`."""

    def _infer_feature_from_batch(self, batch: Mapping[str, Sequence[Any]]) -> Any:
        """Choose the shape; an empty batch has none to infer and takes the first."""
        if any(len(column) == 0 for column in batch.values()):
            return self.info.features[0]
        return super()._infer_feature_from_batch(batch)

    def compute(self, *, predictions: Any = None, references: Any = None, **options: Any) -> Any:
        """Compute as every `evaluate` metric does; no samples at all give zeros and a count of 0."""
        given = predictions is not None and references is not None
        if given and len(predictions) == 0 and len(references) == 0 and self.writer is None:
            return self._compute([], [], **options)
        return super().compute(predictions=predictions, references=references, **options)


class TraceModule(Module):
    """A metric over traces; subclasses set metrics, figures and a description."""

    metrics: tuple[str, ...] = ()
    figures: tuple[str, ...] = ()
    description = ""

    def _info(self) -> Any:
        text, texts = datasets.Value("string"), datasets.Sequence(datasets.Value("string"))
        shapes = [(text, texts), (text, text), (texts, datasets.Sequence(texts)), (texts, texts)]
        return evaluate.MetricInfo(
            description=self.description,
            citation=CITATION,
            inputs_description=INPUTS,
            features=[datasets.Features({"predictions": p, "references": r}) for p, r in shapes],
        )

    def _compute(
        self,
        predictions: Sequence[Any],
        references: Sequence[Any],
        per_sample: bool = False,
        baselines: bool = False,
        **options: Any,
    ) -> dict[str, Any]:
        from holmes.scoring.trace import score_traces

        families = [family(p, r) for p, r in zip(predictions, references, strict=True)]
        scores, summary = score_traces(list(predictions), families, self.metrics, **options)
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
