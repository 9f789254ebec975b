"""The packaged metrics as `evaluate` modules: inputs of several shapes, empty batches, figures out.

A module itself is thin: it names what it computes (`holmes.hosts.figures`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import datasets
import evaluate

from holmes.hosts.figures import Figures


class Module(evaluate.Metric):  # type: ignore[misc]
    """A metric with inputs of several shapes; subclasses set `figures`."""

    figures: type[Figures] = Figures

    def _info(self) -> Any:
        text = datasets.Value("string")
        texts = datasets.Sequence(text)
        kinds = {"text": text, "texts": texts, "lists of texts": datasets.Sequence(texts)}
        return evaluate.MetricInfo(
            description=self.figures.description,
            citation=self.figures.citation,
            inputs_description=self.figures.inputs,
            features=[
                datasets.Features({"predictions": kinds[p], "references": kinds[r]}) for p, r in self.figures.shapes
            ],
        )

    def _infer_feature_from_batch(self, batch: Mapping[str, Sequence[Any]]) -> Any:
        """Choose the shape; an empty batch has none to infer and takes the first."""
        if any(len(column) == 0 for column in batch.values()) and isinstance(self.info.features, list):
            return self.info.features[0]
        return super()._infer_feature_from_batch(batch)

    def compute(self, *, predictions: Any = None, references: Any = None, **options: Any) -> Any:
        """Compute as every `evaluate` metric does; no samples at all give zeros and a count of 0."""
        given = predictions is not None and references is not None
        if given and len(predictions) == 0 and len(references) == 0 and self.writer is None:
            return self._compute([], [], **options)
        return super().compute(predictions=predictions, references=references, **options)

    def _compute(self, predictions: Sequence[Any], references: Sequence[Any], **options: Any) -> dict[str, Any]:
        return self.figures().of(predictions, references, **options)
