"""The Runner: runs Prolog programs contained, from any thread, in any number of servers."""

from __future__ import annotations

import atexit
import contextlib
import os
import re
import threading
import weakref
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import TracebackType

from holmes.errors import EnvironmentFailure, InputError
from holmes.prolog.cache import Cache
from holmes.prolog.engine import PROGRAM, SHOWN
from holmes.prolog.results import Limits, Run, RunOutcome, messages
from holmes.prolog.worker import Lost, Unfit, Worker

RESTART_AFTER = 2_000  # programs a server runs before a fresh one takes over
_ATTEMPTS = 6
_MUCH = 200 << 20  # a program of this size that is killed twice was most likely killed for its memory
_MODES = ("auto", "seccomp", "bwrap", "unsafe")


class Runner:
    """Runs programs in contained processes.

    limits: the default limits. workers: programs that run at the same time. cache: None for none, ``True`` for one in
    memory, or a path of an SQLite file that keeps results between processes. containment: ``auto`` (seccomp and
    Landlock, else bubblewrap, else refusal), or one of them by name.
    Thread-safe; after a fork the child's copy opens servers of its own. Servers start with the first program.
    """

    def __init__(
        self,
        limits: Limits | None = None,
        workers: int = 1,
        cache: Cache | str | Path | bool | None = None,
        containment: str = "auto",
    ) -> None:
        if workers < 1:
            raise InputError(f"workers: found {workers!r}, expected a whole number, at least 1")
        if containment not in _MODES:
            raise InputError(f"containment: found {containment!r}, expected one of {', '.join(_MODES)}")
        self.limits = limits or Limits()
        self.workers = workers
        self.cache = cache if isinstance(cache, Cache) else Cache.open(cache)
        self._mode = containment
        self._closed = False
        self._engine = ""
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
        if not self._engine:
            with self._worker():
                pass
        return self._engine

    @contextlib.contextmanager
    def _worker(self) -> Iterator[Worker]:
        """Lend one server for one program; a server that misbehaves is closed, not put back."""
        slots = self._slots
        slots.acquire()
        try:
            with self._lock:
                if self._closed:
                    raise EnvironmentFailure("the Prolog runner is closed")
                worker = self._idle.pop() if self._idle else None
            if worker is None:
                worker = self._start()
                with self._lock:
                    self._all.add(worker)
                self._engine = worker.engine
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

    def _start(self) -> Worker:
        try:
            return Worker(self._mode)
        except Unfit:
            if self._mode != "auto":
                raise
            return Worker("bwrap")

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
        why, used = "", 0
        for _ in range(_ATTEMPTS):
            try:
                with self._worker() as worker:
                    answer, engine = worker.ask(data, limits), worker.engine
            except Lost as error:
                why = str(error)
                continue
            if answer[0] == "killed":
                why, before, used = "its process was killed from outside", used, int(answer[-1]) << 10
                if min(before, used) > _MUCH:
                    note = f"killed twice by the system while it used {used >> 20} MB"
                    return Run(RunOutcome.MEMORY_LIMIT, "", "", 0.0, -9, note)
                continue
            result = _finish(*answer, engine=engine)
            if key and result.outcome in (RunOutcome.OK, RunOutcome.ERROR):
                self.cache.put(key, result)
            return result
        raise EnvironmentFailure(f"a Prolog program could not be run in {_ATTEMPTS} attempts: {why}")

    def run_many(self, programs: Iterable[str], limits: Limits | None = None) -> list[Run]:
        """Run many programs, `workers` at a time; returns their runs in the same order."""
        todo: Sequence[str] = list(programs)
        if self.workers == 1 or len(todo) < 2:
            return [self.run(program, limits) for program in todo]
        with ThreadPoolExecutor(min(self.workers, len(todo))) as pool:
            waiting = [pool.submit(self.run, program, limits) for program in todo]
            try:
                return [one.result() for one in waiting]
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise

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


def _finish(outcome: str, code: int, seconds: float, out: bytes, err: bytes, note: str, engine: str) -> Run:
    stderr = err.decode("utf-8", "replace").replace(PROGRAM, SHOWN)
    errors, warnings = messages(stderr)
    result = RunOutcome(outcome)
    if result is RunOutcome.OK and errors:
        result = RunOutcome.ERROR
    notes = [note] if note else []
    notes += [f"refused: native library {Path(name).stem}" for name in dict.fromkeys(_NATIVE.findall(stderr))]
    if "thread_create/3: error in system call" in stderr:
        notes.append("refused: threads")
    if "NOT CONTAINED" in engine:
        notes.append("not contained: HOLMES_UNSAFE_PROLOG=1")
    return Run(
        result, out.decode("utf-8", "replace"), stderr, round(seconds, 4), code, "; ".join(notes), errors, warnings
    )


_NATIVE = re.compile(r"(\S+\.so): failed to map segment")  # what the filter's refusal looks like to SWI-Prolog
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
