"""The real ROSCOE suite (semantic alignment and similarity; more with the user's models), as an `evaluate` module."""

import holmes.hosts.evaluate_modules
import holmes.hosts.figures


class Roscoe(holmes.hosts.evaluate_modules.Module):
    """See `holmes.hosts.figures.Roscoe`."""

    figures = holmes.hosts.figures.Roscoe
