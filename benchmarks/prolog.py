"""Programs a second: one plain `swipl` a program against the contained runner, and where the time of a run goes.

``python benchmarks/prolog.py [--programs FOLDER] [--rounds N] [--count N] [--servers NAME …]``. Without a folder it
writes programs of its own, about as long as the references of DeonticBench. Rounds are interleaved, because other work
on the machine comes and goes. Wall time is that of the client; processor time is that of all processes: the client, and
what it started.
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
from collections.abc import Callable, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from holmes.prolog import Runner, runner
from holmes.prolog.worker import Reply, Worker

PLAIN = "one swipl a program"
_TICK = os.sysconf("SC_CLK_TCK")


def own_program(number: int) -> str:
    """Return a tax computation of about ninety clauses that loads without a warning and ends in one answer line."""
    people = [f"person_{number}_{person}" for person in range(12)]
    lines = ["% own benchmark program", ":- dynamic note/2."]
    lines += [f"income({name}, 2017, {9000 + 371 * person + number})." for person, name in enumerate(people)]
    lines += [f"deduction({name}, 2017, {100 * person})." for person, name in enumerate(people)]
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


def plain(programs: Sequence[str], folder: Path) -> list[str]:
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


def _seconds(pid: int) -> float:
    """Processor seconds of a process and of the children it has waited for."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rsplit(") ", 1)[1].split()
    return sum(int(field) for field in fields[11:15]) / _TICK


def processors(one: Runner | None) -> tuple[float, frozenset[int]]:
    """Return the processor seconds so far of this process, its ended children and a runner's servers; and the servers.

    Two readings may be subtracted only while the servers are the same: one that ended is no longer counted.
    """
    usages = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    own = sum(usage.ru_utime + usage.ru_stime for usage in usages)
    servers = frozenset(worker.pid for worker in one._all) if one is not None else frozenset()
    return own + sum(map(_seconds, servers)), servers


def measured(one: Runner | None, work: Callable[[], list[str]]) -> tuple[list[str], float, float]:
    """Do the work; return its outputs, wall seconds and processor seconds."""
    while True:
        (before, servers), start = processors(one), time.perf_counter()
        outputs = work()
        wall = time.perf_counter() - start
        after, now = processors(one)
        if servers == now:
            return outputs, wall, after - before


def throughput(programs: Sequence[str], rounds: int, servers: Sequence[str]) -> None:
    """Print wall and processor time a program of each way, and the ratios to one swipl a program."""
    runner.RESTART_AFTER = 1 << 30  # the same servers all the time
    walls: dict[str, list[float]] = {}
    costs: dict[str, list[float]] = {}
    with tempfile.TemporaryDirectory() as folder:
        runners = {
            f"{server}, {workers} worker{'s' * (workers > 1)}": Runner(workers=workers, server=server)
            for server in servers
            for workers in (1, 2)
        }
        for one in runners.values():
            one.run_many([programs[0]] * 8)
        print("engines:", *sorted({one.engine for one in runners.values()}), sep="\n  ")
        for _ in range(rounds):
            expected: list[str] = []
            for name, one in ((PLAIN, None), *runners.items()):
                if one is None:
                    outputs, wall, cost = measured(None, lambda: plain(programs, Path(folder)))
                    expected = outputs
                else:
                    work = lambda one=one: [run.stdout for run in one.run_many(programs)]  # noqa: E731
                    outputs, wall, cost = measured(one, work)
                walls.setdefault(name, []).append(wall / len(programs) * 1000)
                costs.setdefault(name, []).append(cost / len(programs) * 1000)
                if outputs != expected:
                    sys.exit(f"{name} prints other outputs than one swipl a program")
        for one in runners.values():
            one.close()
    print(f"{'median of rounds':28} {'wall ms':>8} {'ratio':>7} {'CPU ms':>8} {'ratio':>7}   best wall, CPU ratio")
    for name in walls:
        wall_ratios = [base / mine for mine, base in zip(walls[name], walls[PLAIN], strict=True)]
        cost_ratios = [base / mine for mine, base in zip(costs[name], costs[PLAIN], strict=True)]
        print(
            f"{name:28} {statistics.median(walls[name]):8.2f} {statistics.median(wall_ratios):6.2f}x"
            f" {statistics.median(costs[name]):8.2f} {statistics.median(cost_ratios):6.2f}x"
            f"   {max(wall_ratios):6.2f}x {max(cost_ratios):6.2f}x"
        )


def stages(programs: Sequence[str], rounds: int, servers: Sequence[str]) -> None:
    """Print where the time of a run goes, as the server itself measures it."""
    print(f"\n{'stages, ms a program':28} {'client':>7} {'start':>7} {'run':>7} {'CPU':>7} {'faults':>7}")
    for server in servers:
        with Runner(server=server) as one:
            worker = Worker(one.plan)
        try:
            for name, texts in (("halt at once", [":- halt.\n"] * len(programs)), ("programs", list(programs))):
                found: list[tuple[float, Reply]] = []
                for _ in range(rounds):
                    for text in texts:
                        start = time.perf_counter()
                        reply = worker.ask(text.encode(), one.limits)
                        found.append((time.perf_counter() - start, reply))

                def median(value: Callable[[float, Reply], float], found: list[tuple[float, Reply]] = found) -> float:
                    return statistics.median(value(wall, reply) for wall, reply in found)

                print(
                    f"{f'{server}: {name}':28} {median(lambda wall, r: wall - r.seconds - r.waited) * 1000:7.2f}"
                    f" {median(lambda _, r: r.waited) * 1000:7.2f} {median(lambda _, r: r.seconds) * 1000:7.2f}"
                    f" {statistics.mean(r.cpu for _, r in found) * 1000:7.2f} {median(lambda _, r: r.faults):7.0f}"
                )
        finally:
            worker.close()
    print(
        "client: until the request is there, and from the end to the answer; start: handing the program over; run: of"
    )
    print("the program, by the clock; CPU: of its process, which was forked while another ran; faults: of that process")


def main() -> None:
    """Read the options and print both parts."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--programs", type=Path, help="folder of .pl files to run instead of own programs")
    parser.add_argument("--count", type=int, default=100, help="programs a round")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--servers", nargs="+", default=["compiled"], help="compiled, interpreted, plain")
    options = parser.parse_args()
    if options.programs:
        files = sorted(options.programs.glob("*.pl"))
        programs = [file.read_text(encoding="utf-8") for file in files[:: max(1, len(files) // options.count)]]
    else:
        programs = [own_program(number) for number in range(options.count)]
    throughput(programs[: options.count], options.rounds, options.servers)
    stages(programs[: options.count], options.rounds, options.servers)


if __name__ == "__main__":
    main()
