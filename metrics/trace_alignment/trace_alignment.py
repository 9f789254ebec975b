"""Trace alignment (SA-P/R/F1, ROUGE-L, BERTScore) with several references, as an `evaluate` module."""

import holmes.hosts.evaluate_modules
import holmes.hosts.figures


class TraceAlignment(holmes.hosts.evaluate_modules.Module):
    """See `holmes.hosts.figures.TraceAlignment`."""

    figures = holmes.hosts.figures.TraceAlignment
