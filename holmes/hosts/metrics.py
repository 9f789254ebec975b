"""The packaged metrics by name, as light objects that are used like those of `evaluate`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from holmes.errors import InputError
from holmes.hosts.figures import METRICS, Figures
from holmes.util.paths import metrics_dir


class Metric:
    """A metric that gathers samples and computes its figures over them, as an `evaluate` module does.

    name, description, citation, inputs_description: of the metric.
    """

    def __init__(self, figures: Figures) -> None:
        self._figures = figures
        self._predictions: list[Any] = []
        self._references: list[Any] = []
        self.name, self.description = figures.name, figures.description
        self.citation, self.inputs_description = figures.citation, figures.inputs

    def add(self, *, prediction: Any, reference: Any) -> None:
        """Add one sample."""
        self._predictions.append(prediction)
        self._references.append(reference)

    def add_batch(self, *, predictions: Sequence[Any], references: Sequence[Any]) -> None:
        """Add samples; raises InputError where there are not as many predictions as references."""
        if len(predictions) != len(references):
            raise InputError(
                f"metric {self.name}: found {len(predictions)} predictions and {len(references)} references,"
                " expected as many"
            )
        self._predictions += predictions
        self._references += references

    def compute(
        self, *, predictions: Sequence[Any] | None = None, references: Sequence[Any] | None = None, **options: Any
    ) -> dict[str, Any]:
        """Return the figures of all samples, those added before and those given, and forget the samples.

        options: of the metric, see inputs_description. No samples at all give zeros and a count of 0.
        """
        if (predictions is None) != (references is None):
            raise InputError(f"metric {self.name}: found one of predictions and references, expected both or none")
        if predictions is not None and references is not None:
            self.add_batch(predictions=predictions, references=references)
        held, against = self._predictions, self._references
        self._predictions, self._references = [], []
        return self._figures.of(held, against, **options)

    def _feature_names(self) -> list[str]:  # what `evaluate.combine` asks of a module
        return ["predictions", "references"]


def load_metric(name: str, **kwargs: Any) -> Any:
    """Load one of the packaged metrics.

    name: folder name below `metrics/`, for example ``"srmr"``. kwargs: of ``evaluate.load`` (experiment_id,
    keep_in_memory, num_process, …); with any of them the metric is loaded by `evaluate`.
    Returns a Metric, which needs neither `evaluate` nor `datasets`; with kwargs an ``evaluate.EvaluationModule``.
    Raises InputError for an unknown name.
    """
    if name not in METRICS:
        raise InputError(f"metric: found {name!r}, expected one of {', '.join(sorted(METRICS))}")
    if not kwargs:
        return Metric(METRICS[name]())
    import evaluate

    return evaluate.load(str(metrics_dir() / name), **kwargs)
