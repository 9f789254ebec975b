"""Ratio of running times on inputs of two lengths: tells linear from quadratic without an absolute time."""

from __future__ import annotations

import time
from collections.abc import Callable


def growth(function: Callable[[str], object], unit: str, head: str = "", tail: str = "", small: int = 20_000) -> float:
    """Return time(8n) / time(n) / 8 in processor time, best of two: 1 when linear, 8 when quadratic."""

    def seconds(size: int) -> float:
        text = head + unit * (size // len(unit)) + tail
        best = float("inf")
        for _ in range(2):
            start = time.process_time()
            function(text)
            best = min(best, time.process_time() - start)
        return best

    return seconds(8 * small) / max(seconds(small), 1e-4) / 8
