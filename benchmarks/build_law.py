"""Rate and linearity of building law cases: `python benchmarks/build_law.py [--n 3000]`.

Prints cases a second of one core (processor time, set-up apart), the rate of each third of the run (linear: equal),
and the peak memory at a third and at the end (constant: equal).
"""

from __future__ import annotations

import argparse
import itertools
import resource
import tempfile
import time
from pathlib import Path

from holmes.cases import features, write_parquet
from holmes.domains.law.splits import source


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--n", type=int, default=3000, help="cases")
    n = parser.parse_args().n
    origin = source()
    features()  # imports datasets
    start = time.process_time()
    for index in range(len(origin.names)):
        origin.item(0, index)
    print(f"set-up: {(time.process_time() - start) / len(origin.names):.2f} s a bundle")
    marks: list[float] = []
    memory: list[int] = []

    def cases():  # type: ignore[no-untyped-def]
        for index in range(n):
            if index % max(1, n // 3) == 0:
                marks.append(time.process_time())
                memory.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)
            yield origin.item(7, index)

    with tempfile.TemporaryDirectory() as folder:
        write_parquet(Path(folder) / "cases.parquet", cases())
    marks = [*marks[:3], time.process_time()]
    rates = [n / 3 / (b - a) for a, b in itertools.pairwise(marks)]
    print(f"cases a second: {n / (marks[-1] - marks[0]):.0f}; by third: {', '.join(f'{r:.0f}' for r in rates)}")
    print(f"peak memory: {memory[1]} MB after a third, {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024} MB")


if __name__ == "__main__":
    main()
