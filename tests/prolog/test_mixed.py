"""A mixed batch (good, broken, hostile): one result a program, in any order, for any workers, whoever is killed."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import threading
from pathlib import Path

import pytest

from holmes.prolog import Limits, Runner
from holmes.prolog.engine import asked
from tests.attacks.harness import attacks

SLOW = ("timeout", "memory_limit")


def batch(count: int, seed: int) -> list[str]:
    """Return programs: two thirds good, a sixth broken, a sixth hostile; none that uses up its time or memory."""
    rng = random.Random(seed)
    hostile = [text for _, (fine, text) in sorted(attacks().items()) if len(fine) == 1 and not fine & set(SLOW)]
    hostile = [text for text in hostile if "{" not in text]
    made = []
    for number in range(count):
        kind = rng.randrange(6)
        if kind < 4:
            made.append(f":- X is {number} * {rng.randrange(99)}, writeln(X).\n:- halt.\n")
        elif kind == 4:
            broken = (f"p({number}.\n", f":- foo({number}).\n", f":- X is a + {number}, writeln(X).\n", ":- halt(3).\n")
            made.append(rng.choice(broken))
        else:
            made.append(f"% {number}\n{rng.choice(hostile)}")
    return made


def results(programs: list[str], workers: int, seed: int = 0) -> dict[str, tuple[object, ...]]:
    """Run programs in an order of their own; return what counts of each run by program."""
    order = list(programs)
    random.Random(seed).shuffle(order)
    with Runner(Limits(timeout=60.0), workers=workers) as runner:
        runs = runner.run_many(order)
    return {p: (r.outcome, r.exit_code, r.stdout) for p, r in zip(order, runs, strict=True)}


def children(parent: int) -> list[int]:
    """Return all processes below one."""
    found: list[int] = []
    for task in Path(f"/proc/{parent}/task").glob("*/children"):
        with contextlib.suppress(OSError):
            for child in map(int, task.read_text(encoding="ascii").split()):
                found += [child, *children(child)]
    return found


def left() -> tuple[int, int]:
    """Return how many descriptors and child processes this process has."""
    return len(list(Path("/proc/self/fd").iterdir())), len(children(os.getpid()))


@pytest.mark.parametrize("count", [60, pytest.param(10_000, marks=pytest.mark.nightly)])
def test_any_order_and_any_number_of_workers(count):
    """With 1, 2 and 8 workers, shuffled each time: the same; no descriptor and no process stays."""
    programs = batch(count, 3)
    first = results(programs, 1)
    before = left()
    for workers in (2, 8):
        again = results(programs, workers, seed=workers)
        assert [(p, first[p], again[p]) for p in first if first[p] != again[p]] == []
        assert all(now <= then for now, then in zip(left(), before, strict=True))


@pytest.mark.parametrize(("count", "kills"), [(60, 5), pytest.param(10_000, 50, marks=pytest.mark.nightly)])
def test_processes_killed_at_random_moments(count, kills):
    """kill -9 of any server or child while a batch runs changes no result and leaves nothing behind."""
    programs = batch(count, 4)
    first = results(programs, 2)
    before = left()
    ended, rng = threading.Event(), random.Random(5)

    def strike() -> None:
        hits = 0
        while hits < kills and not ended.wait(rng.random() * 0.2):
            if there := children(os.getpid()):
                with contextlib.suppress(OSError):
                    os.kill(rng.choice(there), signal.SIGKILL)
                hits += 1

    striker = threading.Thread(target=strike)
    striker.start()
    try:
        again = results(programs, 2, seed=1)
    finally:
        ended.set()
        striker.join()
    assert [(p, first[p], again[p]) for p in first if first[p] != again[p]] == []
    # no more than before: a server that another test had left behind may have been struck as well
    assert all(now <= then for now, then in zip(left(), before, strict=True))


def test_a_command_that_is_killed_is_run_again(tmp_path):
    """The question where Prolog lies, ended by SIGKILL twice, is asked a third time; a program's own end is no kill."""
    counter = tmp_path / "count"
    script = f"echo x >> {counter}; test $(wc -l < {counter}) -lt 3 && kill -9 $$; echo done; exit 4"
    done = asked(["/bin/sh", "-c", script])
    assert (done.returncode, done.stdout) == (4, "done\n") and counter.read_text(encoding="utf-8") == "x\n" * 3
