"""Rule coverage (which gold rules a trace cites, in what order), as an `evaluate` module."""

import holmes.hosts.evaluate_modules
import holmes.hosts.figures


class RuleCoverage(holmes.hosts.evaluate_modules.Module):
    """See `holmes.hosts.figures.RuleCoverage`."""

    figures = holmes.hosts.figures.RuleCoverage
