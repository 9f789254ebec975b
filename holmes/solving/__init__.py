"""Solving cases again, ours and the releases', and holding what comes out against their golds."""

from __future__ import annotations

from holmes.solving.report import MODES, Disagreement, Report, Solved, solve

__all__ = ["MODES", "Disagreement", "Report", "Solved", "solve"]
