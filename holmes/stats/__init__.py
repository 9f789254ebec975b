"""Intervals and paired tests over per-case numbers."""

from holmes.stats.bootstrap import Interval, bootstrap
from holmes.stats.compare import Comparison, compare
from holmes.stats.macro_f1 import macro_f1

__all__ = ["Comparison", "Interval", "bootstrap", "compare", "macro_f1"]
