"""Kill anything at any moment: no result is lost or wrong, no process is left behind."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from holmes.errors import EnvironmentFailure
from holmes.prolog import Limits, Run, Runner, RunOutcome

ROOT = Path(__file__).resolve().parents[2]
SLOW = ":- get_time(A), repeat, get_time(B), B - A > 0.7, !, writeln(done).\n:- halt.\n"


def children(pid: int) -> list[int]:
    """The living child processes of a process."""
    try:
        return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []


def alive(pid: int) -> bool:
    """True while a process exists and is no zombie."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(") ", 1)[1][0] not in "ZX"
    except OSError:
        return False


def gone(pids: list[int], seconds: float = 20.0) -> bool:
    """Wait until none of the processes lives."""
    end = time.monotonic() + seconds
    while any(alive(pid) for pid in pids):
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


def server_of(runner: Runner) -> int:
    (worker,) = runner._all
    return worker.pid


def during(runner: Runner, act) -> Run:
    """Run the slow program and, while it runs, call act(server pid)."""
    runner.run(":- halt.\n")
    found: list[Run] = []
    thread = threading.Thread(target=lambda: found.append(runner.run(SLOW)))
    thread.start()
    time.sleep(0.2)
    act(server_of(runner))
    thread.join()
    return found[0]


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGUSR1])
def test_a_killed_program_is_run_again(number: int) -> None:
    """A signal to the child and to the spare, from outside, loses nothing."""
    with Runner() as runner:

        def kill(server: int) -> None:
            for pid in children(server):
                os.kill(pid, number)

        assert during(runner, kill).stdout == "done\n"


def test_a_killed_server_is_replaced() -> None:
    """SIGKILL to the server loses nothing and takes its children along."""
    seen: list[int] = []

    def kill(server: int) -> None:
        seen.extend([server, *children(server)])
        os.kill(server, signal.SIGKILL)

    with Runner() as runner:
        assert during(runner, kill).stdout == "done\n"
        assert len(seen) >= 2 and gone(seen)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGUSR1, signal.SIGSEGV])
def test_other_signals_to_the_server_do_no_harm(number: int) -> None:
    """Whatever signal reaches the server, the result is right."""
    with Runner() as runner:
        assert during(runner, lambda server: os.kill(server, number)).stdout == "done\n"
        assert runner.run(":- writeln(x).\n:- halt.\n").stdout == "x\n"


def test_an_idle_spare_may_die() -> None:
    """The child that waits for the next program is replaced when it is killed."""
    with Runner() as runner:
        runner.run(":- halt.\n")
        for pid in children(server_of(runner)):
            os.kill(pid, signal.SIGKILL)
        assert runner.run(":- writeln(x).\n:- halt.\n").stdout == "x\n"


def test_a_large_program_killed_twice_is_a_memory_limit() -> None:
    """What the system kills again and again for its memory is an outcome, not the end of the whole evaluation."""
    hog = "p(L) :- p(L).\n:- length(L, 16000000), p(L).\n"
    found: list[Run] = []
    with Runner(Limits(timeout=60.0)) as runner:
        runner.run(":- halt.\n")
        thread = threading.Thread(target=lambda: found.append(runner.run(hog)))
        thread.start()
        server, end = server_of(runner), time.monotonic() + 60
        while thread.is_alive() and time.monotonic() < end:
            for pid in children(server):
                if resident(pid) > 230 << 20:
                    os.kill(pid, signal.SIGKILL)
            time.sleep(0.02)
        thread.join(5)
    assert found[0].outcome is RunOutcome.MEMORY_LIMIT and "killed" in found[0].note


def resident(pid: int) -> int:
    """Bytes of memory a process has now."""
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGESIZE")
    except (OSError, IndexError):
        return 0


CLIENT = """
import os, sys, threading, time
from holmes.prolog import Runner
runner = Runner(workers=2)
runner.run(":- halt.\\n")
for _ in range(2):
    threading.Thread(target=runner.run, args=("p :- p.\\n:- p.\\n",), daemon=True).start()
while len(runner._all) < 2:
    time.sleep(0.1)
time.sleep(0.5)
if os.fork() == 0:
    time.sleep(60)  # a forked child that still holds the sockets
    os._exit(0)
print(*(worker.pid for worker in runner._all), flush=True)
time.sleep(60)
"""


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_a_killed_client_leaves_no_process_behind(number: int) -> None:
    """When the client dies, its servers and their programs end, even if a fork still holds the sockets."""
    with subprocess.Popen(
        [sys.executable, "-c", CLIENT], stdout=subprocess.PIPE, text=True, cwd=ROOT, start_new_session=True
    ) as client:
        assert client.stdout is not None
        servers = [int(word) for word in client.stdout.readline().split()]
        family = [*servers, *(pid for server in servers for pid in children(server))]
        assert len(servers) == 2 and len(family) >= 4
        os.kill(client.pid, number)
        client.wait()
        try:
            assert gone(family)
        finally:
            os.killpg(client.pid, signal.SIGKILL)


def test_a_client_that_exits_leaves_no_process_behind() -> None:
    """Leaving Python without closing the runner ends its servers."""
    code = "from holmes.prolog import default_runner as d; print(d().run(':- halt.').exit_code, d()._idle[0].pid)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)
    exit_code, server = map(int, done.stdout.split())
    assert exit_code == 0 and gone([server])


def test_close_stops_programs_in_other_threads() -> None:
    """close ends the servers at once; the thread that waits for a program gets one clear error."""
    runner = Runner(Limits(timeout=60.0))
    runner.run(":- halt.\n")
    errors: list[BaseException] = []

    def work() -> None:
        try:
            runner.run("p :- p.\n:- p.\n")
        except EnvironmentFailure as error:
            errors.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    time.sleep(0.3)
    family = [server_of(runner), *children(server_of(runner))]
    runner.close()
    thread.join(20)
    assert not thread.is_alive() and "closed" in str(errors[0]) and gone(family)


def _storm(seconds: float, seed: int) -> None:
    """Run numbered programs in threads while servers and children are killed at random."""
    dice = random.Random(f"storm/{seed}")
    wrong: list[str] = []
    stop = time.monotonic() + seconds
    with Runner(workers=2) as runner:

        def work(number: int) -> None:
            step = 0
            while time.monotonic() < stop:
                step += 1
                expected = f"{number * 1000 + step}\n"
                got = runner.run(f":- writeln({number * 1000 + step}).\n:- halt.\n")
                if (got.stdout, got.outcome.value, got.exit_code) != (expected, "ok", 0):
                    wrong.append(f"{expected!r} {got}")

        threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]
        for thread in threads:
            thread.start()
        killed = 0
        while time.monotonic() < stop:
            time.sleep(dice.uniform(0.05, 0.4))
            servers = [worker.pid for worker in list(runner._all)]
            targets = [pid for server in servers for pid in children(server)] + servers[:1]
            if targets:
                try:
                    os.kill(dice.choice(targets), signal.SIGKILL)
                    killed += 1
                except ProcessLookupError:
                    pass
        for thread in threads:
            thread.join(60)
        assert not any(thread.is_alive() for thread in threads)
    assert not wrong and killed > 3


@pytest.mark.slow
def test_random_kills_never_change_a_result() -> None:
    """Three seconds of random SIGKILLs among servers and programs: every result is right."""
    _storm(3.0, 1)


@pytest.mark.nightly
@pytest.mark.parametrize("seed", range(5))
def test_random_kills_for_longer(seed: int) -> None:
    """The same for a minute."""
    _storm(60.0, seed)
