"""How often intervals hold the truth: print the table of docs/statistics.md.

    python benchmarks/coverage.py [--repetitions 1000] [--seed 0]

A cell is a simulated model: n cases, K generations, accuracy p. Methods: the headline interval, Wilson's on all
outputs, and the two-level percentile bootstrap of DeonticBench B.3.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from holmes.stats import bootstrap, macro_f1_interval, mean_interval, ratio_interval
from tests.stats import simulate


def wilson(rows: list[list[float]]) -> tuple[float, float]:
    """Return Wilson's interval of all outputs, as if they were independent."""
    n, m, z2 = sum(map(len, rows)), float(np.mean(rows)), 1.959964**2
    centre, half = (m + z2 / 2 / n) / (1 + z2 / n), (z2 * (m * (1 - m) / n + z2 / 4 / n**2)) ** 0.5 / (1 + z2 / n)
    return centre - half, centre + half


METHODS: dict[str, Callable[[list[list[float]]], tuple[float, float]]] = {
    "headline": lambda rows: (lambda e: (e.low, e.high))(mean_interval(rows)),
    "Wilson on all outputs": wilson,
    "two-level bootstrap": lambda rows: (lambda e: (e.low, e.high))(bootstrap(rows)),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repetitions", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--n", type=int, action="append", help="These numbers of cases alone.")
    parser.add_argument("--only", choices=[*METHODS, "macro-F1 and ratio"], help="One table alone.")
    given = parser.parse_args()
    numbers = given.n or simulate.NUMBERS
    print(f"{given.repetitions} repetitions a cell; nominal level 95 %; share of intervals that hold the truth, %")
    print("accuracy: mean over p of " + ", ".join(map(str, simulate.SHARES)) + " (lowest cell)")
    every: dict[str, list[float]] = {}
    for method, interval in METHODS.items():
        if given.only not in (None, method):
            continue
        slow = method == "two-level bootstrap"
        print(f"\n{method}" + (" (a fifth of the repetitions)" if slow else ""))
        print("| n | " + " | ".join(simulate.MODELS) + " |\n|---|" + "---|" * len(simulate.MODELS))
        for n in numbers:
            cells = []
            for k, sameness in simulate.MODELS.values():
                rates = []
                for p in simulate.SHARES:
                    generator = np.random.default_rng([given.seed, n, k, int(1000 * p), int(10 * (sameness or 0))])
                    total = max(1, given.repetitions // 5) if slow else given.repetitions
                    hits = 0
                    for _ in range(total):
                        low, high = interval(simulate.outputs(generator, n, p, k, sameness).tolist())
                        hits += low - 1e-12 <= p <= high + 1e-12
                    rates.append(100 * hits / total)
                every.setdefault(method, []).extend(rates if n >= 35 else [])
                cells.append(f"{np.mean(rates):.1f} ({min(rates):.0f})")
            print(f"| {n} | " + " | ".join(cells) + " |")
        if every[method]:
            print(f"n ≥ 35: mean {np.mean(every[method]):.1f}, lowest {min(every[method]):.1f}", flush=True)
    if given.only not in (None, "macro-F1 and ratio"):
        return
    print("\nheadline interval of macro-F1 and of a pooled ratio: mean over p (lowest cell)")
    print("| n | macro-F1, half yes | macro-F1, 15 % yes | macro-F1, K = 4 | ratio |\n|---|---|---|---|---|")
    for n in numbers:
        columns = []
        for k, sameness, share in ((1, None, 0.5), (1, None, 0.15), (4, 1.0, 0.3), (0, None, 0)):
            rates = []
            for p in simulate.SHARES:
                generator = np.random.default_rng([given.seed, n, k, int(1000 * p), int(100 * share)])
                hits = 0
                for _ in range(given.repetitions):
                    if k:
                        got = macro_f1_interval(simulate.tables(generator, n, p, k, sameness, share).tolist())
                        truth = simulate.true_macro_f1(p, share)
                    else:
                        got, truth = ratio_interval(*simulate.pairs(generator, n, p, 4)), p
                    hits += got.low <= truth <= got.high
                rates.append(100 * hits / given.repetitions)
            columns.append(f"{np.mean(rates):.1f} ({min(rates):.0f})")
        print(f"| {n} | " + " | ".join(columns) + " |", flush=True)


if __name__ == "__main__":
    main()
