"""However a program ends, it decides its own result and nothing else: every exit code, signal and descriptor."""

from __future__ import annotations

import os
import signal
import threading
import time
from pathlib import Path

import pytest

from holmes.prolog import Limits, Runner, RunOutcome, wire
from holmes.prolog.results import Run
from holmes.prolog.verdict import judge
from holmes.prolog.worker import Lost, Reply, Worker
from tests.prolog.modes import EVERY, FAST, need, parameters

AFTER = ":- writeln(after).\n:- halt.\n"
LIMITS = Limits(timeout=10.0, memory=1 << 30, output=100_000, stack=128 << 20)
CODES = sorted({*range(4), *range(124, 166), *range(252, 256)})


@pytest.fixture
def runner(request: pytest.FixtureRequest):
    way = request.param
    need(way)
    with pytest.MonkeyPatch.context() as patch:
        if way[0] == "unsafe":
            patch.setenv("HOLMES_UNSAFE_PROLOG", "1")
        with Runner(LIMITS, workers=2, containment=way[0], server=way[1]) as one:
            one.run(AFTER)
            yield one


def interleaved(runner: Runner, programs: list[str], limits: Limits | None = None) -> list[Run]:
    """Run each program with a good one behind it, which must come out right."""
    runs = runner.run_many([text for program in programs for text in (program, AFTER)], limits)
    assert [run.stdout for run in runs[1::2]] == ["after\n"] * len(programs)
    return runs[::2]


@pytest.mark.parametrize("runner", EVERY, indirect=True)
def test_every_exit_code_is_the_programs_own(runner: Runner) -> None:
    """halt(N) is exit code N and an error (0: ok), also where N is what a shell prints for a signal."""
    codes = range(256) if runner.plan.server == "compiled" else CODES
    runs = interleaved(runner, [f":- writeln(x).\n:- halt({code}).\n" for code in codes])
    for code, run in zip(codes, runs, strict=True):
        assert (run.outcome, run.exit_code, run.stdout) == ("error" if code else "ok", code, "x\n")


@pytest.mark.parametrize("runner", EVERY, indirect=True)
def test_a_signal_to_itself_is_the_programs_own(runner: Runner) -> None:
    """With every handler unset, a program that signals itself has one result, and the batch goes on."""
    names = ["hup", "int", "quit", "abrt", "usr1", "usr2", "segv", "pipe", "alrm", "term", "chld", "sys", "xcpu"]
    programs = [
        f":- catch(on_signal({name}, _, default), _, true), thread_self(M), catch(thread_signal(M, true), _, true).\n"
        f":- catch(prolog_alert_signal(_, {name}), _, true), thread_self(M), catch(thread_signal(M, true), _, true).\n"
        for name in names
    ]
    programs += [":- abort.\n", "p(X) :- X = f(X, _), p(X).\n:- p(_), halt.\n", ":- '$holmes_timer'(0.01), sleep(1).\n"]
    programs += [":- on_signal(alrm, _, default), '$holmes_timer'(0.01), sleep(1).\n"]
    for run in interleaved(runner, programs, Limits(timeout=1.5, memory=1 << 30, stack=128 << 20)):
        assert run.outcome in ("ok", "error", "timeout")


@pytest.mark.parametrize("runner", EVERY, indirect=True)
def test_a_killing_shell_kills_its_own_program_at_most(runner: Runner) -> None:
    """Where a shell can start (unsafe), a signal it sends to the program is that program's result; else it is none."""
    numbers = sorted({*range(1, 32)} - {signal.SIGSTOP, signal.SIGTSTP, signal.SIGTTIN, signal.SIGTTOU})
    if runner.plan.server != "compiled" and runner.plan.walls != "unsafe":
        numbers = [signal.SIGKILL, signal.SIGSYS, signal.SIGXCPU]
    programs = [f":- catch(shell('kill -{number} $PPID; sleep 0.05'), _, true).\n:- halt.\n" for number in numbers]
    for run in interleaved(runner, programs):
        assert run.outcome == "violation" or runner.plan.walls == "unsafe"
        assert run.outcome in ("ok", "error", "violation")


@pytest.mark.parametrize("runner", EVERY, indirect=True)
def test_what_a_program_says_of_its_end_is_not_believed(runner: Runner) -> None:
    """Messages of a limit, printed by a program that used nothing, make no limit of it."""
    said = "ERROR: not enough memory, Could not allocate memory; malloc; resource error: `memory'"
    programs = [f':- format(user_error, "{said}~n", []), halt({code}).\n' for code in (1, 134, 137, 152, 159)]
    for run in interleaved(runner, programs):
        assert run.outcome is RunOutcome.ERROR and run.exit_code > 0


@pytest.mark.parametrize("runner", EVERY, indirect=True)
def test_descriptors_can_neither_be_reached_nor_lost(runner: Runner) -> None:
    """Closing every stream, or opening each descriptor by name, disturbs nobody and forges nothing."""
    forged = "".join(f"\\x{byte:x}\\" for byte in b"\1" * 16) + "result"
    closing = ":- forall(stream_property(S, _), catch(close(S, [force(true)]), _, true)).\n"
    opening = (
        ":- forall(( between(0, 300, N), member(D, ['/proc/self/fd/', '/dev/fd/', '/proc/1/fd/']), "
        "member(M, [write, append, update]) ), "
        f"catch(( atom_concat(D, N, F), open(F, M, S), write(S, '{forged}'), close(S) ), _, true)).\n:- halt(7).\n"
    )
    by_number = (
        ":- forall(between(0, 20, N), catch(set_stream(user_output, file_no(N)), _, true)), writeln(x), halt(7).\n"
    )
    runs = interleaved(runner, [closing, closing + ":- halt(137).\n", opening, by_number])
    assert {run.outcome for run in runs} <= {"ok", "error", "violation", "timeout"}
    assert runs[2].exit_code == runs[3].exit_code == 7 or runner.plan.walls == "unsafe"


@pytest.mark.parametrize("runner", EVERY, indirect=True)
def test_a_child_has_five_descriptors_however_many_the_caller_has(runner: Runner) -> None:
    """With 300 open files in the client, a waiting child holds its three streams, its program and its start alone."""
    handles = [os.open("/dev/null", os.O_RDONLY) for _ in range(300)]
    for handle in handles:
        os.set_inheritable(handle, True)
    try:
        with Runner(LIMITS, containment=runner.plan.walls, server=runner.plan.server) as fresh:
            assert fresh.run(AFTER).stdout == "after\n"
            assert fresh._all, "no server to look at"
            spare = _youngest(next(iter(fresh._all)).pid)
            end = time.monotonic() + 20
            while (found := {int(link.name) for link in Path(f"/proc/{spare}/fd").iterdir()}) - set(range(5)):
                assert time.monotonic() < end, found  # it may be still about to close what it was born with
                time.sleep(0.05)
            assert {0, 1, 2, 4} <= found
    finally:
        for handle in handles:
            os.close(handle)


def _youngest(pid: int) -> int:
    """Follow the children of a process to the last one: the spare of a server, also within bubblewrap."""
    end = time.monotonic() + 20
    while time.monotonic() < end:
        seen, at = 0, pid
        while words := Path(f"/proc/{at}/task/{at}/children").read_text().split():
            at, seen = int(words[-1]), seen + 1
        if seen:
            return at
        time.sleep(0.05)
    raise AssertionError(f"{pid} has no children")


@pytest.mark.parametrize("runner", parameters(*FAST), indirect=True)
def test_no_child_inherits_the_key(runner: Runner) -> None:
    """The key of the frames stands in the memory of the server and in none of its children's."""
    worker = next(iter(runner._all))
    spare = _youngest(worker.pid)
    parent = int(Path(f"/proc/{spare}/stat").read_text().rsplit(") ", 1)[1].split()[1])
    assert _holds(parent, worker._key) and not _holds(spare, worker._key)


def _holds(pid: int, needle: bytes) -> bool:
    looked = 0
    with open(f"/proc/{pid}/mem", "rb", buffering=0) as memory:  # noqa: PTH123
        for line in Path(f"/proc/{pid}/maps").read_text().splitlines():
            span, rights, *_ = line.split()
            if "r" not in rights or "[v" in line:
                continue
            start, stop = (int(word, 16) for word in span.split("-"))
            try:
                memory.seek(start)
                data = memory.read(stop - start)
            except (OSError, ValueError):
                continue
            looked += len(data)
            if needle in data:
                return True
    assert looked > 1 << 20, "too little memory could be read"
    return False


def test_a_frame_without_the_key_is_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """What comes with another key is never read as a result: the program is run again elsewhere."""
    with Runner(LIMITS) as runner:
        assert runner.run(AFTER).stdout == "after\n"
        (worker,) = runner._idle
        right = worker._key
        worker._key = bytes(wire.KEY)
        with pytest.raises(Lost, match="key"):
            worker.ask(AFTER.encode(), LIMITS)
        worker._key = right
        assert runner.run(AFTER).stdout == "after\n"


def reply(status: int, **facts: object) -> Reply:
    values = {
        "why": wire.EXITED, "status": status, "seconds": 0.1, "cpu": 0.1, "waited": 0.0, "resident": 9_000,
        "refused": -1, "faults": 1, "stdout": b"", "stderr": b"", "note": "",
    }  # fmt: skip
    return Reply(**(values | facts))


def test_exit_numbers_never_name_a_signal() -> None:
    """All 256 exit codes are ok or error."""
    for code in range(256):
        outcome, found = judge(reply(code << 8), LIMITS, True)
        assert (outcome, found) == (RunOutcome.ERROR if code else RunOutcome.OK, code)


def test_signals_are_judged_by_evidence() -> None:
    """A limit needs the time or memory that was used; a foreign signal means another try; own ones are errors."""
    assert judge(reply(signal.SIGKILL), LIMITS, True)[0] is None
    assert judge(reply(signal.SIGXCPU), LIMITS, True)[0] is None
    assert judge(reply(signal.SIGXCPU, cpu=10.5), LIMITS, True)[0] is RunOutcome.TIMEOUT
    assert judge(reply(signal.SIGKILL, cpu=10.5), LIMITS, True)[0] is RunOutcome.TIMEOUT
    assert judge(reply(signal.SIGKILL, resident=900 << 10), LIMITS, True)[0] is RunOutcome.MEMORY_LIMIT
    assert judge(reply(signal.SIGSYS), LIMITS, True)[0] is RunOutcome.VIOLATION
    assert judge(reply(signal.SIGSYS), LIMITS, False)[0] is None
    for number in (signal.SIGUSR2, signal.SIGABRT, signal.SIGSEGV, signal.SIGALRM):
        assert judge(reply(number), LIMITS, True) == (RunOutcome.ERROR, -number)
    for number in (signal.SIGUSR1, signal.SIGTERM, signal.SIGHUP):
        assert judge(reply(number), LIMITS, True)[0] is None
    full = reply(signal.SIGABRT, resident=900 << 10, stderr=b"[FATAL ERROR: Could not allocate memory")
    assert judge(full, LIMITS, True)[0] is RunOutcome.MEMORY_LIMIT


def test_a_program_that_never_comes_back_is_one_result(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that dies with one program again and again, and lives with others, makes that program an error."""
    ask = Worker.ask

    def deadly(self: Worker, program: bytes, limits: Limits) -> Reply:
        if b"poison" in program:
            raise Lost("gone")
        return ask(self, program, limits)

    monkeypatch.setattr(Worker, "ask", deadly)
    with Runner(LIMITS) as runner:
        runs = runner.run_many([AFTER, ":- poison.\n", AFTER])
    assert [run.stdout for run in runs] == ["after\n", "", "after\n"]
    assert runs[1].outcome is RunOutcome.ERROR and "attempts" in runs[1].note


def test_threads_end_too(tmp_path: Path) -> None:
    """Eight threads that run programs with all kinds of ends get each its own."""
    programs = [":- halt(137).\n", ":- abort.\n", ":- writeln(a).\n:- halt.\n", "p :- p.\n:- p.\n"]
    expected = ["error", "", "ok", "timeout"]
    wrong: list[str] = []
    with Runner(Limits(timeout=0.5), workers=3) as runner:

        def work(start: int) -> None:
            for step in range(8):
                at = (start + step) % 4
                run = runner.run(programs[at])
                if expected[at] and run.outcome != expected[at]:
                    wrong.append(f"{programs[at]!r} {run}")

        threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert not wrong
