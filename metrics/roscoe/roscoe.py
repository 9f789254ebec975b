"""The real ROSCOE suite (semantic alignment and similarity; more with the user's models) as an `evaluate` module."""

import holmes.hosts.evaluate_modules


class Roscoe(holmes.hosts.evaluate_modules.TraceModule):
    """ROSCOE-SA and -SS from a sentence encoder; -LI and -LC when callables for them are given."""

    metrics = ("roscoe",)
    description = "ROSCOE: unsupervised and reference-based scores of step-by-step reasoning (Golovneva et al. 2023)."

    def _compute(
        self, predictions, references, sources=None, contradiction=None, perplexity=None, grammar=None, **options
    ):
        result = super()._compute(predictions, references, sources=sources, **options)
        return result | holmes.hosts.evaluate_modules.with_models(
            predictions, sources, contradiction, perplexity, grammar
        )
