"""Accuracy of Prolog programs, run contained: an `evaluate` module over `holmes`."""

import datasets
import evaluate

import holmes.hosts.evaluate_modules
from holmes.hosts.rewards import case_from
from holmes.scoring import score
from holmes.scoring.summary import summarise

DESCRIPTION = """
The program in a model's reply is extracted and run contained by SWI-Prolog; what it prints is compared with the gold:
amounts within one unit, labels exactly. A reply without a usable answer abstains and counts as wrong.
"""
INPUTS = """
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


class PrologAccuracy(holmes.hosts.evaluate_modules.Module):
    """Accuracy, macro-F1 and abstention rate of programs, with the two-level bootstrap of DeonticBench B.3."""

    def _info(self):
        text = datasets.Value("string")
        return evaluate.MetricInfo(
            description=DESCRIPTION,
            citation="",
            inputs_description=INPUTS,
            features=[
                datasets.Features({"predictions": datasets.Sequence(text), "references": text}),
                datasets.Features({"predictions": text, "references": text}),
            ],
        )

    def _compute(
        self, predictions, references, task="sara_numeric", mode="prolog", compat=None, replicates=1000, seed=0
    ):
        cases = [case_from(task, gold, id=str(place)) for place, gold in enumerate(references)]
        rows = [[p] if isinstance(p, str) or p is None else list(p) or [None] for p in predictions]
        scores = [[score(case, text, mode=mode) for text in row] for case, row in zip(cases, rows, strict=True)]
        found = {"n": len(cases), "signature": next((s.signature for row in scores for s in row), "")}
        for name, interval in summarise(cases, scores, compat=compat, replicates=replicates, seed=seed).items():
            found |= {name: interval.value, f"{name}_low": interval.low, f"{name}_high": interval.high}
        return found
