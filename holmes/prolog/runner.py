"""The Runner: runs Prolog programs contained, from any thread, in any number of servers."""

from __future__ import annotations

import atexit
import contextlib
import os
import threading
import time
import weakref
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import TracebackType

from holmes.errors import EnvironmentFailure, InputError
from holmes.prolog.cache import Cache
from holmes.prolog.contain import MODES, OVERRIDE, REFUSAL, SERVERS, Plan, plans, with_rare
from holmes.prolog.engine import wants_rare
from holmes.prolog.results import BatchFailure, Limits, Run, RunOutcome
from holmes.prolog.verdict import finished, judge
from holmes.prolog.worker import Lost, Reply, Unable, Unfit, Worker

RESTART_AFTER = 2_000  # programs a server runs before a fresh one takes over
CANARY_EVERY = 500  # programs after which a server is asked for what is known
_ATTEMPTS = 10
_MUCH = 200 << 20  # a program of this size that is killed twice was most likely killed for its memory


class Runner:
    """Runs programs in contained processes.

    limits: the default limits. workers: programs that run at the same time. cache: None for none, ``True`` for one in
    memory, or a path of an SQLite file that keeps results between processes. containment: ``auto`` (seccomp and
    Landlock, else bubblewrap, else refusal), or one of them by name: ``seccomp``, ``bwrap``, ``unsafe``. server:
    ``auto`` (compiled, else interpreted, else an own `swipl` a program), ``compiled``, ``interpreted``, ``plain``.
    Thread-safe; after a fork the child's copy opens servers of its own. Servers start with the first program.
    """

    def __init__(
        self,
        limits: Limits | None = None,
        workers: int = 1,
        cache: Cache | str | Path | bool | None = None,
        containment: str = "auto",
        server: str = "auto",
    ) -> None:
        if workers < 1:
            raise InputError(f"workers: found {workers!r}, expected a whole number, at least 1")
        if containment not in MODES:
            raise InputError(f"containment: found {containment!r}, expected one of {', '.join(MODES)}")
        if server not in SERVERS:
            raise InputError(f"server: found {server!r}, expected one of {', '.join(SERVERS)}")
        self.limits = limits or Limits()
        self.workers = workers
        self.cache = cache if isinstance(cache, Cache) else Cache.open(cache)
        self._mode, self._server = containment, server
        self._closed = False
        self._plan: Plan | None = None
        self._rare: Plan | None = None
        self._reset()
        _RUNNERS.add(self)

    def _reset(self) -> None:
        self._lock = threading.Lock()
        self._slots = threading.BoundedSemaphore(self.workers)
        self._idle: list[Worker] = []
        self._all: set[Worker] = set()

    def _after_fork(self) -> None:
        """Leave the parent's servers to the parent; its locks may have been held at the fork."""
        for worker in self._all:
            worker.forget()
        self._reset()
        self.cache.after_fork()

    @property
    def engine(self) -> str:
        """SWI-Prolog's version and the containment in force; starts a server if none runs yet."""
        return self.plan.name

    @property
    def plan(self) -> Plan:
        """The way in which programs are run here; starts a server if none runs yet."""
        for attempt in range(_ATTEMPTS):
            if self._plan is not None:
                break
            try:
                with self._worker():
                    pass
            except (Lost, Unable) as error:
                if attempt == _ATTEMPTS - 1:
                    raise EnvironmentFailure(str(error)) from error
        assert self._plan is not None
        return self._plan

    @contextlib.contextmanager
    def _worker(self, rare: bool = False) -> Iterator[Worker]:
        """Lend one server for one program; a server that misbehaves is closed, not put back.

        rare: one with the rare native libraries.
        """
        slots = self._slots
        slots.acquire()
        try:
            with self._lock:
                if self._closed:
                    raise EnvironmentFailure("the Prolog runner is closed")
                worker, spared = self._choose(rare)
            if spared is not None:
                spared.close()
            if worker is None:
                worker = self._start(rare)
                with self._lock:
                    self._all.add(worker)
            good = False
            try:
                yield worker
                good = True
            finally:
                with self._lock:
                    keep = good and not self._closed and worker.served < RESTART_AFTER
                    if keep:
                        self._idle.append(worker)
                    else:
                        self._all.discard(worker)
                if not keep:
                    worker.close()
        finally:
            slots.release()

    @property
    def version(self) -> str:
        """SWI-Prolog's version alone, for signatures: how a program is contained does not change what it prints."""
        return self.engine.split()[0]

    def key(self, program: str, limits: Limits | None = None) -> str:
        """Return the key under which the cache keeps a run."""
        return self.cache.key(program.encode("utf-8", "replace"), limits or self.limits, self.engine)

    def _choose(self, rare: bool) -> tuple[Worker | None, Worker | None]:
        """Return an idle server of the kind, or None; and an idle one of the other kind that has to make room."""
        for worker in reversed(self._idle):
            if worker.rare == rare:
                self._idle.remove(worker)
                return worker, None
        if not self._idle or len(self._all) < self.workers + 1:
            return None, None
        spared = self._idle.pop(0)
        self._all.discard(spared)
        return None, spared

    def _start(self, rare: bool = False) -> Worker:
        """Start a server in the first way that works; raises Lost or Unable when another try may do."""
        if rare:
            if self._plan is None:
                first = self._start()  # to find the way; it waits for a program of its kind
                with self._lock:
                    self._all.add(first)
                    self._idle.append(first)
            if self._rare is None:
                assert self._plan is not None
                self._rare = with_rare(self._plan)
            return Worker(self._rare, True)
        if self._plan is not None:
            try:
                return Worker(self._plan)
            except Unfit as error:  # it ran here before: the known program was ended from outside
                raise Lost(str(error)) from error
        reasons: list[str] = []
        for plan in plans(self._mode, self._server, os.environ.get(OVERRIDE) == "1"):
            if isinstance(plan, str):
                reasons.append(plan)
                continue
            for last in (False, False, True):
                try:
                    worker = Worker(plan)
                except Unfit as error:
                    reasons.append(f"{plan.server} server: {error}")
                    break
                except (Lost, Unable) as error:
                    if last:
                        reasons.append(f"{plan.server} server: {error}")
                    time.sleep(0.05)
                else:
                    self._plan = plan
                    return worker
        raise EnvironmentFailure(REFUSAL.format(reasons="; ".join(dict.fromkeys(reasons))))

    def run(self, program: str, limits: Limits | None = None) -> Run:
        """Run one program.

        program: Prolog text; lone surrogates become question marks. limits: None for the runner's own.
        Returns a Run. Raises EnvironmentFailure when nothing can run here (missing `swipl`, no containment).
        """
        limits = limits or self.limits
        data = program.encode("utf-8", "replace")
        key = ""
        if self.cache.active:
            key = self.key(program, limits)
            if (known := self.cache.get(key)) is not None:
                return known
        rare = wants_rare(program)
        ended: list[Reply] = []
        lost = 0
        why = ""
        for attempt in range(_ATTEMPTS):
            try:
                with self._worker(rare) as worker:
                    if worker.served and worker.served % CANARY_EVERY == 0 and not worker.healthy():
                        raise Lost("a server no longer does what it has to do")
                    reply, filtered = self._ask(worker, data, limits), worker.plan.filtered
            except _Gone as error:
                lost += 1
                why = str(error)
            except (Lost, Unable) as error:
                why = str(error)
                time.sleep(0.02 * attempt)  # the machine may have more to give in a moment
            else:
                outcome, code = judge(reply, limits, filtered)
                if outcome is not None and not rare and wants_rare("", reply.stderr.decode("utf-8", "replace") or " "):
                    rare = True  # it had no word of it, and it was refused one that is harmless
                    continue
                if outcome is not None:
                    result = finished(reply, outcome, code, filtered)
                    if key and outcome in (RunOutcome.OK, RunOutcome.ERROR):
                        self.cache.put(key, result)
                    return result
                ended.append(reply)
                why = "its process was killed from outside"
                if (used := _least(ended[-2:])) > _MUCH:
                    note = f"killed twice by the system while it used {used >> 20} MB"
                    return Run(RunOutcome.MEMORY_LIMIT, "", "", 0.0, -9, note)
        if lost + len(ended) == _ATTEMPTS and self._healthy():
            # Known programs run here and this one never does: that is its own result, and no reason to stop a batch.
            code = os.waitstatus_to_exitcode(ended[-1].status) if ended else -9
            return Run(RunOutcome.ERROR, "", "", 0.0, code, f"it ended in each of {_ATTEMPTS} attempts: {why}")
        raise EnvironmentFailure(f"a Prolog program could not be run in {_ATTEMPTS} attempts: {why}")

    @staticmethod
    def _ask(worker: Worker, data: bytes, limits: Limits) -> Reply:
        try:
            return worker.ask(data, limits)
        except Lost as error:
            raise _Gone(str(error)) from error

    def _healthy(self) -> bool:
        """Whether a server runs a known program now."""
        for _ in range(3):
            with contextlib.suppress(Lost, Unable, EnvironmentFailure), self._worker() as worker:
                if worker.healthy():
                    return True
        return False

    def run_many(self, programs: Iterable[str], limits: Limits | None = None) -> list[Run]:
        """Run many programs, `workers` at a time; returns their runs in the same order.

        Raises BatchFailure, with the runs that were made, when the machine fails for good; it is reported once.
        """
        todo: Sequence[str] = list(programs)
        failures: list[EnvironmentFailure] = []

        def one(program: str) -> Run | None:
            if failures:
                return None
            try:
                return self.run(program, limits)
            except EnvironmentFailure as error:
                failures.append(error)
                return None

        if self.workers == 1 or len(todo) < 2:
            found = [one(program) for program in todo]
        else:
            with ThreadPoolExecutor(min(self.workers, len(todo))) as pool:
                waiting = [pool.submit(one, program) for program in todo]
                try:
                    found = [task.result() for task in waiting]
                except BaseException:
                    pool.shutdown(wait=False, cancel_futures=True)
                    raise
        if failures:
            raise BatchFailure(str(failures[0]), found) from failures[0]
        return [run for run in found if run is not None]

    def close(self) -> None:
        """End all servers; programs that still run in other threads are stopped and raise EnvironmentFailure."""
        with self._lock:
            self._closed = True
            idle, self._idle = self._idle, []
            self._all.difference_update(idle)
            busy = list(self._all)
        for worker in busy:
            worker.abort()
        for worker in idle:
            worker.close()
        self.cache.close()

    def __enter__(self) -> Runner:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class _Gone(Lost):
    """A server that was lost while it had this very program."""


def _least(replies: Sequence[Reply]) -> int:
    """Return the bytes that each of two killed runs used at least; 0 for fewer than two."""
    return min(reply.resident << 10 for reply in replies) if len(replies) == 2 else 0


_RUNNERS: weakref.WeakSet[Runner] = weakref.WeakSet()
_DEFAULT: list[Runner] = []
_DEFAULT_LOCK = threading.Lock()


def default_runner() -> Runner:
    """Return the process-wide runner: one worker a core, results cached in memory; made anew when closed."""
    with _DEFAULT_LOCK:
        if _DEFAULT and _DEFAULT[0]._closed:
            _DEFAULT.clear()
        if not _DEFAULT:
            _DEFAULT.append(Runner(workers=max(1, min(8, len(os.sched_getaffinity(0)))), cache=True))
        return _DEFAULT[0]


def _after_fork() -> None:
    global _DEFAULT_LOCK
    _DEFAULT_LOCK = threading.Lock()
    for runner in list(_RUNNERS):
        runner._after_fork()


def _at_exit() -> None:
    for runner in list(_RUNNERS):
        runner.close()


os.register_at_fork(after_in_child=_after_fork)
atexit.register(_at_exit)
