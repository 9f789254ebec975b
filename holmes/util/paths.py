"""Where things lie: packaged data, tasks, metrics, and the user's cache."""

from __future__ import annotations

import os
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1]


def _packaged(inside: str, beside: str) -> Path:
    folder = PACKAGE / inside
    return folder if folder.is_dir() else PACKAGE.parent / beside


def tasks_dir() -> Path:
    """Return the folder of the lm-eval task YAMLs, installed or in a checkout."""
    return _packaged("_tasks", "holmes_tasks")


def metrics_dir() -> Path:
    """Return the folder of the `evaluate` modules, installed or in a checkout."""
    return _packaged("_metrics", "metrics")


def data_dir() -> Path:
    """Return the folder of the embedded parquet files (one folder a config)."""
    return PACKAGE / "data"


def cache_dir() -> Path:
    """Return the user's cache: ``HOLMES_CACHE``, else ``XDG_CACHE_HOME/holmes``, else ``~/.cache/holmes``."""
    if own := os.environ.get("HOLMES_CACHE"):
        return Path(own)
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "holmes"
