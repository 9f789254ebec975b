"""Derivation scores of reasoning traces, without a model: an `evaluate` module over `holmes`."""

import datasets
import evaluate

import holmes.hosts.evaluate_modules
from holmes.report.show import cases_given
from holmes.scoring import score
from holmes.scoring.derivation.parts import signature, with_derivation
from holmes.scoring.run import DERIVATION_PARTS, averages

DESCRIPTION = """
The steps of a trace are read as claims about the steps of the case's minimal sufficient derivations and held against
the values that the rules give: soundness, precision, coverage, F1, critical steps, support, first error, first leap.
"""
INPUTS = """
predictions: raw model outputs, one a case; thinking is not read.
references: the cases: ids of embedded cases ("law/moon_apiary/20261129-0"), or whole cases as JSON.
per_sample: also return the figures of every sample, with its first error and first leap.
Returns the means by name, each over the samples for which it is defined; samples; signature.
"""


class Derivation(holmes.hosts.evaluate_modules.Module):
    """Deterministic derivation scores of law, finance and statute cases (docs/scoring.md)."""

    def _info(self):
        text = datasets.Value("string")
        return evaluate.MetricInfo(
            description=DESCRIPTION,
            citation=holmes.hosts.evaluate_modules.CITATION,
            inputs_description=INPUTS,
            features=[datasets.Features({"predictions": text, "references": text})],
        )

    def _compute(self, predictions, references, per_sample=False):
        cases = cases_given(references)
        scores = [with_derivation(c, t, score(c, t)) for c, t in zip(cases, predictions, strict=True)]
        rows = [{name: s.parts[name] for name in DERIVATION_PARTS if name in s.parts} for s in scores]
        found = {**averages(rows, DERIVATION_PARTS), "samples": len(rows), "signature": signature()}
        if per_sample:
            found["per_sample"] = [{**row, "reason": s.reason} for row, s in zip(rows, scores, strict=True)]
        return found
