"""Rate and linearity of building finance cases: `python benchmarks/build_finance.py [--n 3000]`.

Prints cases a second of one core (processor time, set-up apart), the rate of each third of the run (linear: equal), the
peak memory at a third and at the end (constant: equal), and what part of the time goes into which step.
"""

from __future__ import annotations

import argparse
import itertools
import random
import resource
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from holmes.cases import Case, features, write_parquet
from holmes.domains.finance.handbook import NAMES
from holmes.domains.finance.planner.search import planner
from holmes.domains.finance.splits import source


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--n", type=int, default=3000, help="cases")
    n = parser.parse_args().n
    origin = source()
    features()  # imports datasets
    start = time.process_time()
    for name in NAMES:
        planner(name)
    for index in range(60):
        origin.item(0, index)
    print(f"set-up: {time.process_time() - start:.2f} s")
    marks: list[float] = []
    memory: list[int] = []
    parts = 0

    def cases() -> Iterator[Case]:
        nonlocal parts
        for index in range(n):
            if index % max(1, n // 3) == 0:
                marks.append(time.process_time())
                memory.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)
            case = origin.item(7, index)
            parts += case.difficulty.components
            yield case

    with tempfile.TemporaryDirectory() as folder:
        write_parquet(Path(folder) / "cases.parquet", cases())
    marks = [*marks[:3], time.process_time()]
    total = marks[-1] - marks[0]
    rates = [n / 3 / (b - a) for a, b in itertools.pairwise(marks)]
    print(f"cases a second: {n / total:.0f}; by third: {', '.join(f'{rate:.0f}' for rate in rates)}")
    print(f"peak memory: {memory[1]} MB after a third, {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024} MB")
    start = time.process_time()
    for index in range(500):
        plan = planner(NAMES[index % len(NAMES)])
        labels = plan.base.decision.type.values
        plan.draw(random.Random(index), labels[index % len(labels)])
    drawn = (time.process_time() - start) / 500
    print(f"drawing the records takes {drawn * parts / total:.0%} of this, texts, traces and programs the rest")


if __name__ == "__main__":
    main()
