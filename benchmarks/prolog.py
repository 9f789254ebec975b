"""Programs a second: one plain `swipl` a program against the contained runner, and where the time of a run goes.

``python benchmarks/prolog.py [--programs FOLDER] [--rounds N] [--count N]``. Without a folder it writes programs of
its own, about as long as the references of DeonticBench. Rounds are interleaved, because other work on the machine
comes and goes; the best round of each way counts.
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from holmes.prolog import Runner


def own_program(number: int) -> str:
    """Return a tax computation of about ninety clauses that ends in one answer line."""
    lines = ["% own benchmark program", ":- dynamic note/2."]
    for person in range(12):
        lines.append(f"income(person_{number}_{person}, 2017, {9000 + 371 * person + number}).")
        lines.append(f"deduction(person_{number}_{person}, 2017, {100 * person}).")
    for band in range(12):
        low, high, rate = 5000 * band, 5000 * (band + 1), 5 + 2 * band
        lines += [
            f"band_{band}(Income, Tax) :-",
            f"    Income > {low}, Top is min(Income, {high}), Slice is Top - {low}, Tax is Slice * {rate} / 100, !.",
            f"band_{band}(_, 0).",
        ]
    calls = ",\n    ".join(f"band_{band}(Income, T{band})" for band in range(12))
    total = " + ".join(f"T{band}" for band in range(12))
    lines += [
        "taxable(P, Y, Income) :-",
        "    income(P, Y, Gross),",
        "    findall(D, deduction(P, Y, D), Ds), sum_list(Ds, Sum),",
        "    ( Gross > Sum -> Income is Gross - Sum ; Income = 0 ).",
        f"tax(P, Y, Tax) :-\n    taxable(P, Y, Income),\n    {calls},\n    Tax is {total}.",
        "all_taxes(Total) :- findall(T, (income(P, Y, _), tax(P, Y, T)), Ts), sum_list(Ts, Total).",
        ":- all_taxes(T), R is round(T), format('Tax result: ~w~n', [R]).",
        ":- halt.",
    ]
    return "\n".join(lines) + "\n"


def plain(programs: list[str], folder: Path) -> list[str]:
    """Run each program by a swipl of its own."""
    found = []
    for number, program in enumerate(programs):
        file = folder / f"{number}.pl"
        if not file.exists():
            file.write_text(program, encoding="utf-8")
        done = subprocess.run(
            ["swipl", "-q", "-f", str(file)], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
        )
        found.append(done.stdout)
    return found


def cpu(runner: Runner | None) -> float:
    """Return the CPU seconds used so far by ended children, or by a runner's servers and their children."""
    if runner is not None:
        ticks = 0
        for worker in runner._all:
            fields = Path(f"/proc/{worker.pid}/stat").read_text(encoding="utf-8").rsplit(") ", 1)[1].split()
            ticks += sum(int(field) for field in fields[11:15])
        return ticks / os.sysconf("SC_CLK_TCK")
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def throughput(programs: list[str], rounds: int) -> None:
    """Print programs a second of each way, best of the interleaved rounds, and the ratios."""
    speeds: dict[str, list[float]] = {}
    costs: dict[str, list[float]] = {}
    with tempfile.TemporaryDirectory() as folder, Runner() as one, Runner(workers=2) as two:
        print(f"engine: {one.engine}")
        two.run_many([programs[0]] * 4)
        ways: dict[str, tuple[Runner | None, Callable[[], list[str]]]] = {
            "one swipl a program": (None, lambda: plain(programs, Path(folder))),
            "runner, 1 worker": (one, lambda: [run.stdout for run in one.run_many(programs)]),
            "runner, 2 workers": (two, lambda: [run.stdout for run in two.run_many(programs)]),
        }
        for _ in range(rounds):
            outputs = []
            for name, (runner, work) in ways.items():
                before, start = cpu(runner), time.perf_counter()
                outputs.append(work())
                speeds.setdefault(name, []).append(len(programs) / (time.perf_counter() - start))
                costs.setdefault(name, []).append((cpu(runner) - before) / len(programs) * 1000)
            if not outputs[0] == outputs[1] == outputs[2]:
                sys.exit("the ways print different outputs")
    first = "one swipl a program"
    print(f"{'':22} {'programs/s (best)':>18} {'ratio':>7} {'median ratio':>13} {'CPU ms':>8} {'CPU ratio':>10}")
    for name, speed in speeds.items():
        ratios = [mine / plain_one for mine, plain_one in zip(speed, speeds[first], strict=True)]
        print(
            f"{name:22} {max(speed):18.1f} {max(speed) / max(speeds[first]):6.2f}x {statistics.median(ratios):12.2f}x"
            f" {min(costs[name]):8.2f} {min(costs[first]) / min(costs[name]):9.2f}x"
        )


def main() -> None:
    """Read the options and print both parts."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--programs", type=Path, help="folder of .pl files to run instead of own programs")
    parser.add_argument("--count", type=int, default=100, help="programs a round")
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    if options.programs:
        programs = [file.read_text(encoding="utf-8") for file in sorted(options.programs.glob("*.pl"))][: options.count]
    else:
        programs = [own_program(number) for number in range(options.count)]
    throughput(programs, options.rounds)
    script = Path(__file__).with_name("prolog_profile.py")
    subprocess.run([sys.executable, "-I", "-S", str(script), programs[0]], check=True)


if __name__ == "__main__":
    main()
