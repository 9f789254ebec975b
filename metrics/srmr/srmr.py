"""SRMR (Step Result Matching Rate), as an `evaluate` module."""

import holmes.hosts.evaluate_modules
import holmes.hosts.figures


class Srmr(holmes.hosts.evaluate_modules.Module):
    """See `holmes.hosts.figures.Srmr`."""

    figures = holmes.hosts.figures.Srmr
