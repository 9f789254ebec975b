"""Derivation scores of reasoning traces, without a model, as an `evaluate` module."""

import holmes.hosts.evaluate_modules
import holmes.hosts.figures


class Derivation(holmes.hosts.evaluate_modules.Module):
    """See `holmes.hosts.figures.Derivation`."""

    figures = holmes.hosts.figures.Derivation
