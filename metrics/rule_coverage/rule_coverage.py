"""Rule coverage (which gold rules a trace cites, in what order) as an `evaluate` module."""

import holmes.hosts.evaluate_modules


class RuleCoverage(holmes.hosts.evaluate_modules.TraceModule):
    """Precision, recall and F1 over sets of cited rule numbers, and their order."""

    metrics = ("rule_coverage",)
    figures = ("rule_f1", "rule_precision", "rule_recall", "rule_order")
    description = "Coverage of the gold rules by the rules that a trace cites (HOLMES 5.2)."
