"""SRMR (Step Result Matching Rate) as an `evaluate` module."""

import holmes.hosts.evaluate_modules


class Srmr(holmes.hosts.evaluate_modules.TraceModule):
    """Steps matched one to one by meaning, then checked by result; options tau, matching, results."""

    metrics = ("srmr",)
    figures = ("srmr", "srmr_precision", "srmr_recall")
    description = "Step Result Matching Rate: F1 over steps whose meaning and result agree (HOLMES, appendix B)."
