"""Trace alignment (SA-P/R/F1, ROUGE-L, BERTScore) with several references as an `evaluate` module."""

import holmes.hosts.evaluate_modules


class TraceAlignment(holmes.hosts.evaluate_modules.TraceModule):
    """How close a trace's text is to its best reference; says nothing about whether the results are right."""

    description = "Text alignment of a reasoning trace with a family of references (HOLMES 5, HOLogicBench 4.1)."

    def _compute(self, predictions, references, metrics=("sa", "rouge_l"), **options):
        self.metrics = tuple(metrics)
        return super()._compute(predictions, references, **options)
