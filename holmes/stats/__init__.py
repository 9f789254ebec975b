"""Intervals, paired tests and what to plan a comparison by, over per-case numbers (docs/statistics.md)."""

from holmes.stats.bootstrap import Interval, bootstrap
from holmes.stats.clusters import cluster_bootstrap
from holmes.stats.compare import Comparison, compare
from holmes.stats.intervals import Estimate, macro_f1_interval, mean_interval, ratio_interval
from holmes.stats.macro_f1 import macro_f1
from holmes.stats.paired import McNemar, SignFlip, detectable, holm, mcnemar, sign_flip

__all__ = [
    "Comparison",
    "Estimate",
    "Interval",
    "McNemar",
    "SignFlip",
    "bootstrap",
    "cluster_bootstrap",
    "compare",
    "detectable",
    "holm",
    "macro_f1",
    "macro_f1_interval",
    "mcnemar",
    "mean_interval",
    "ratio_interval",
    "sign_flip",
]
