"""Accuracy of Prolog programs, run contained, as an `evaluate` module."""

import holmes.hosts.evaluate_modules
import holmes.hosts.figures


class PrologAccuracy(holmes.hosts.evaluate_modules.Module):
    """See `holmes.hosts.figures.PrologAccuracy`."""

    figures = holmes.hosts.figures.PrologAccuracy
