"""A batch of good, broken and hostile programs: one result each, in any order, with any workers, under fire."""

from __future__ import annotations

import os
import random
import signal
import threading
import time
from pathlib import Path

import pytest

from holmes.prolog import Limits, Runner
from holmes.prolog.results import Run
from tests.attacks.harness import attacks
from tests.prolog.modes import FAST, need
from tests.prolog.plain import same_names

LIMITS = Limits(timeout=20.0, memory=1 << 30, output=20_000, stack=16 << 20)
# Attacks whose end does not depend on how fast the machine is.
_STEADY = (
    "close_output", "exit_codes_of_signals", "fork", "halt_codes", "kill_self", "memory_message", "read_secret",
    "shell", "signal_default", "write_file", "exec", "list_folder", "halt_cancel", "forge_frames",
)  # fmt: skip


def batch(count: int, seed: str) -> list[str]:
    """Return programs of all kinds, each with its own number in it."""
    hostile = [text for name, (_, text) in attacks().items() if name in _STEADY]
    assert len(hostile) == len(_STEADY)
    kinds = [
        ":- writeln({n}).\n:- halt.\n",
        "p({n}).\nq(X) :- p(Y), X is Y * 2.\n:- q(X), format('Tax result: ~w~n', [X]).\n",
        ":- initialization(main, main).\nmain :- numlist(1, 50, L), sum_list(L, S), X is S + {n}, writeln(X).\n",
        ":- initialization(main).\nmain :- findall(X, between(1, 5, X), L), writeln({n}-L), halt.\n",
        "p(X) :- q(X, {n}).\n:- p(1).\n:- writeln({n}).\n",
        "p(1) q({n}).\n:- writeln({n}).\n",
        ":- X is foo + {n}, writeln(X).\n:- halt({n} mod 256).\n",
        ":- C is {n} mod 256, halt(C).\n",
        ":- initialization(main, main).\nmain :- fail.\n% {n}\n",
        ":- atom_length(X, {n}).\n:- format('张三 {n}~n').\n",
        *hostile,
    ]
    kinds *= 5
    kinds.append("p(X) :- p(f(X)), writeln(X).\n:- catch(p({n}), error(resource_error(_), _), writeln({n})).\n")
    dice = random.Random(seed)
    return [dice.choice(kinds).replace("{n}", str(n)) for n in range(count)]


def facts(run: Run) -> tuple[object, ...]:
    """What must be the same in every run of a program."""
    return run.outcome, same_names(run.stdout), run.exit_code, len(run.load_errors), run.note


def _family(pid: int) -> list[int]:
    found = []
    try:
        for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
            found += [int(word), *_family(int(word))]
    except OSError:
        pass
    return found


class Killer(threading.Thread):
    """Sends SIGKILL to one process of a runner at random moments."""

    def __init__(self, runner: Runner, times: int, pause: float, seed: str) -> None:
        super().__init__()
        self._runner, self._times, self._pause = runner, times, pause
        self._dice = random.Random(seed)
        self.killed = 0
        self.stop = threading.Event()

    def run(self) -> None:
        while self.killed < self._times and not self.stop.wait(self._dice.uniform(0, 2 * self._pause)):
            servers = [worker.pid for worker in list(self._runner._all)]
            targets = sorted({*servers, *(pid for server in servers for pid in _family(server))})
            if targets:
                try:
                    os.kill(self._dice.choice(targets), signal.SIGKILL)
                    self.killed += 1
                except ProcessLookupError:
                    pass


def state() -> tuple[int, set[str]]:
    """How many descriptors this process has, and which processes are its children."""
    return len(list(Path("/proc/self/fd").iterdir())), {str(pid) for pid in _family(os.getpid())}


def check(count: int, kills: int, pause: float, way: tuple[str, str], workers: tuple[int, ...], folder: Path) -> None:
    """Run a batch in order and unharmed, then in other orders under fire, and compare; then look for what is left."""
    need(way)
    programs = batch(count, "mixed")
    with Runner(LIMITS, workers=2, containment=way[0], server=way[1]) as calm:
        handles, family = state()
        expected = [facts(run) for run in calm.run_many(programs)]
    assert len({one[0] for one in expected}) >= 3
    temporary = sorted(folder.parent.iterdir())
    for number in workers:
        order = list(range(count))
        random.Random(f"order/{number}").shuffle(order)
        with Runner(LIMITS, workers=number, containment=way[0], server=way[1]) as runner:
            runner.run(programs[0])
            killer = Killer(runner, kills, pause, f"kills/{number}")
            killer.start()
            found = runner.run_many([programs[at] for at in order])
            killer.stop.set()
            killer.join()
        assert killer.killed >= min(kills, 3)
        wrong = [
            (programs[at], expected[at], facts(run))
            for at, run in zip(order, found, strict=True)
            if facts(run) != expected[at]
        ]
        assert wrong == []
    end = time.monotonic() + 20
    while (now := state())[0] > handles or now[1] - family:
        assert time.monotonic() < end, (now, handles, family)
        time.sleep(0.1)
    assert sorted(folder.parent.iterdir()) == temporary


@pytest.mark.slow
@pytest.mark.parametrize("way", FAST[:1], ids="-".join)
def test_a_mixed_batch_is_the_same_under_fire(way: tuple[str, str], tmp_path: Path) -> None:
    """A hundred and fifty programs with 1, 2 and 8 workers, other orders, and SIGKILL at random moments."""
    check(150, 6, 0.2, way, (1, 2, 8), tmp_path)


@pytest.mark.nightly
@pytest.mark.parametrize("way", FAST, ids="-".join)
def test_ten_thousand_programs_are_the_same_under_fire(way: tuple[str, str], tmp_path: Path) -> None:
    """Ten thousand, with fifty kills in each run."""
    check(10_000, 50, 0.4, way, (1, 2, 8), tmp_path)
