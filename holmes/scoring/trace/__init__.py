"""Trace metrics that hold still: SRMR, SA-P/R/F1, ROSCOE, ROUGE-L, BERTScore and rule coverage.

Everything is computed once for a whole run: unique strings are embedded once, compared in float64, and ties go to the
lowest gold index, so that a score depends neither on batch size nor on the order of the cases.
"""

from __future__ import annotations

from holmes.scoring.trace.samples import METRICS, Summary, score_samples, score_traces, summarise

__all__ = ["METRICS", "Summary", "score_samples", "score_traces", "summarise"]
