"""Prints how many times faster the bootstrap is than the paper's loop written in Python."""

from __future__ import annotations

import random
import time

from holmes.stats.bootstrap import bootstrap


def loop(outputs: list[list[float]], replicates: int) -> tuple[float, float]:
    """The paper's procedure, case by case."""
    rng = random.Random(0)
    means = []
    for _ in range(replicates):
        total = 0.0
        for _ in outputs:
            total += rng.choice(rng.choice(outputs))
        means.append(total / len(outputs))
    means.sort()
    return means[int(0.025 * replicates)], means[int(0.975 * replicates)]


def main() -> None:
    """Time both on the sizes of the paper's hard sets."""
    rng = random.Random(1)
    for cases, runs, kind in ((35, 4, "0/1"), (80, 3, "0/1"), (300, 4, "0/1"), (80, 3, "any"), (300, 4, "any")):
        outputs = [
            [rng.random() if kind == "any" else float(rng.random() < 0.4) for _ in range(runs)] for _ in range(cases)
        ]
        fast = bootstrap(outputs)
        start = time.perf_counter()
        slow = loop(outputs, 1000)
        middle = time.perf_counter()
        for _ in range(20):
            fast = bootstrap(outputs)
        ratio = (middle - start) / ((time.perf_counter() - middle) / 20)
        intervals = f"loop {slow[0]:.3f}-{slow[1]:.3f}, ours {fast.low:.3f}-{fast.high:.3f}"
        print(f"N={cases} K={runs} {kind}: {intervals}, {ratio:.0f} times faster")


if __name__ == "__main__":
    main()
