"""What the plans of a law rule base cost, kept in the cache against made: `python benchmarks/planning.py`.

Prints the processor and the wall time of both for every bundle, interleaved, and their ratio over all.
"""

from __future__ import annotations

import os
import tempfile
import time

from holmes.domains.law.planner.kept import kept_plans
from holmes.domains.law.rulebases import bundle, bundles

TIMES = 3  # times that kept plans are read; the mean counts


def main() -> None:
    """Measure and print."""
    total = [0.0] * 4
    with tempfile.TemporaryDirectory() as folder:
        os.environ["HOLMES_CACHE"] = folder
        for name in bundles():
            base = bundle(name)
            spent = []
            for times in (1, TIMES):  # the first call makes the plans and keeps them
                start, wall = time.process_time(), time.perf_counter()
                for _ in range(times):
                    kept_plans(base)
                spent += [(time.process_time() - start) / times, (time.perf_counter() - wall) / times]
            print(f"{name:24} made {spent[0]:5.2f} s, kept {spent[2]:6.3f} s of processor time")
            total = [a + b for a, b in zip(total, spent, strict=True)]
    print(f"kept against made: processor time {total[2] / total[0]:.3f}, wall time {total[3] / total[1]:.3f}")


if __name__ == "__main__":
    main()
