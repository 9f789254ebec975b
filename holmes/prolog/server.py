"""The Prolog server, interpreted: forks one contained child a program and reports what became of it.

It serves where `server.c` cannot be compiled, with SWI-Prolog inside this process through pyswip, or as the supervisor
of an own `swipl` a program. Started by the Runner, never by hand; same frames, same filters, same results.
"""

from __future__ import annotations

import ctypes
import fcntl
import gc
import mmap
import os
import resource
import select
import sys
import time
from _signal import (  # type: ignore[import-not-found]
    SIG_DFL,
    SIG_IGN,
    SIGHUP,
    SIGINT,
    SIGKILL,
    SIGTERM,
    signal,
)

from holmes.prolog import landlock, wire
from holmes.prolog.child import Child, Filter, drain, limit
from holmes.prolog.embedded import Engine, Unsuited
from holmes.prolog.starting import Starter

MOST_FILES = 64
_WIPE_ON_FORK = 18
_STACK = 8  # bytes of the word to start
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


class _Link:
    """The socket, read as a plain descriptor: the filter of the server has no other calls."""

    @staticmethod
    def recv(size: int) -> bytes:
        """Return what has come, at most `size` bytes."""
        return os.read(wire.LINK, size)


class Server:
    """Answers requests on one socket, one program at a time."""

    def __init__(self, parent: int, key: mmap.mmap, setup: dict[str, bytes]) -> None:
        self._link, self._parent, self._key = _Link(), parent, key
        self._pid, self._client = os.getpid(), os.getppid()
        self._libc = ctypes.CDLL(None, use_errno=True)
        self._spare: Child | None = None
        self._place = setup["PROGRAM"].decode()
        self._file = -1  # the program's place where there is no /proc
        words = setup["WORDS"].decode().split("\0")[:-1]
        self._starter = Starter(words, setup["INNER"] == b"exec", self._libc) if words else None
        self._engine = None if words else Engine(setup)
        self._filter = Filter(setup["INNER"], self._libc)
        if words:
            self._libc.prctl(36, 1, 0, 0, 0)  # subreaper: what a killed child leaves comes here and is reaped
        if not self._place.startswith("/proc/"):
            self._file = os.open(self._place, os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o644)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        limit(0, resource.RLIMIT_NOFILE, MOST_FILES, MOST_FILES)
        for number in (SIGINT, SIGTERM, SIGHUP):
            signal(number, SIG_DFL)  # Prolog has put its own handlers in
        if setup["RULES"]:
            landlock.restrict(setup["RULES"], setup["PATHS"].decode().split("\0")[:-1])
        if setup["OUTER"]:
            Filter(setup["OUTER"], self._libc).install(None)

    def send(self, frame: bytes) -> None:
        """Send a frame behind the key, which is copied nowhere."""
        parts = [memoryview(self._key)[: wire.KEY], memoryview(frame)]
        while parts:
            done = os.writev(wire.LINK, parts)
            while parts and done >= len(parts[0]):
                done -= len(parts.pop(0))
            if parts:
                parts[0] = parts[0][done:]

    def serve(self) -> None:
        """Serve until the client goes away."""
        try:
            while self._wait():
                head = wire.receive(self._link, wire.REQUEST.size)
                timeout, memory, output, stack, length = wire.REQUEST.unpack(head)
                program = wire.receive(self._link, length)
                self._execute(program, timeout, memory, output, stack)
        except (wire.Closed, BrokenPipeError, ConnectionResetError):
            return
        finally:
            if self._spare is not None:
                self._spare.kill()

    def _wait(self) -> bool:
        """Wait for a request, a spare at hand; False when the client is gone."""
        if self._spare is None:
            try:
                self._spare = self._fork()
            except OSError:
                time.sleep(0.01)  # perhaps there is more when the program comes
        self._reap()
        poll = select.poll()
        poll.register(wire.LINK, select.POLLIN)
        if self._parent >= 0:
            poll.register(self._parent, select.POLLIN)
        while not (ready := dict(poll.poll(1000))) and os.getppid() == self._client:
            pass
        return bool(ready) and self._parent not in ready

    def _reap(self) -> None:
        """Reap what ended programs have left, without touching the spare."""
        spare = self._spare.pid if self._spare is not None else 0
        try:
            while (ended := os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)) and ended.si_pid != spare:
                os.waitpid(ended.si_pid, os.WNOHANG)
        except ChildProcessError:
            return

    def _fork(self) -> Child:
        made: list[int] = []
        lacking = "pipe"
        try:
            for _ in range(3):
                made += os.pipe()
            file = -1
            if self._file < 0:
                lacking = "memfd_create"
                file = os.memfd_create("program")
                made.append(file)
            lacking = "fork"
            pid = os.fork()
        except (OSError, AttributeError) as error:
            for handle in made:
                os.close(handle)
            raise OSError(getattr(error, "errno", 38), f"{lacking}: {getattr(error, 'strerror', error)}") from error
        control_child, control, out, out_child, err, err_child = made[:6]
        if pid == 0:
            try:
                self._become(control_child, file, out_child, err_child)
            except BaseException as error:  # reported on the child's stderr; the server sees the exit code
                os.write(2, f"holmes: {type(error).__name__}: {error}\n".encode())
            finally:
                os._exit(98)
        for handle in (control_child, out_child, err_child):
            os.close(handle)
        for handle in (out, err):
            fcntl.fcntl(handle, fcntl.F_SETFL, os.O_NONBLOCK)  # os.set_blocking makes a call that the filter lacks
        return Child(pid, control, file, out, err)

    def _become(self, control: int, file: int, out: int, err: int) -> None:
        """In the child: shut everything off, wait for the word to start, run the program; never returns."""
        os.setpgid(0, 0)
        self._libc.prctl(1, SIGKILL, 0, 0, 0)  # be killed when the server dies
        if os.getppid() != self._pid:
            os._exit(97)
        for number in (SIGTERM, SIGHUP, SIGINT):
            signal(number, SIG_IGN)  # the server ends a child by SIGKILL; nobody else should stop it
        for handle, place in ((out, 1), (err, 2), (file, 3), (control, 4)):
            if handle >= 0:
                os.dup2(handle, place)
        if file < 0:
            os.close(3)
        os.closerange(5, MOST_FILES)  # the limit; there are no others
        run: Callable[[int], None]
        if self._starter is not None:
            run = self._starter.run
        else:
            assert self._engine is not None
            resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))  # here: the server still has to write programs
            run = self._engine.run
            self._filter.install(os.getpid())
        word = os.read(4, _STACK)
        if len(word) < _STACK:
            os._exit(97)  # the server closed it: no program will come
        os.close(4)
        run(int.from_bytes(word, sys.byteorder))

    def _start(self, child: Child, program: bytes, stack: int) -> None:
        """Hand over the program and let the child go; raises BrokenPipeError when it is dead."""
        file, done = child.file if self._file < 0 else self._file, 0
        if self._file >= 0:
            os.ftruncate(file, 0)
        while done < len(program):  # pwrite: the child's copy of the descriptor must stay at the beginning
            done += os.pwrite(file, program[done:], done)
        os.write(child.control, stack.to_bytes(_STACK, sys.byteorder))
        os.close(child.control)
        if child.file >= 0:
            os.close(child.file)
        child.control = child.file = -1

    def _execute(self, program: bytes, timeout: float, memory: int, output: int, stack: int) -> None:
        """Run one program and send what it did."""
        asked = time.monotonic()
        try:
            child, self._spare = self._spare or self._fork(), None
        except OSError as error:
            self.send(_frame(wire.UNABLE, note=str(error.strerror)))
            return
        why = wire.EXITED
        taken = {child.out: bytearray(), child.err: bytearray()}
        started = time.monotonic()
        try:
            seconds = int(timeout) + 2
            limit(child.pid, resource.RLIMIT_CPU, seconds, seconds + 1)
            limit(child.pid, resource.RLIMIT_AS, memory, memory)
            self._start(child, program, stack)
            self._spare = self._fork()  # while the program runs
        except (ProcessLookupError, BrokenPipeError):
            why = wire.LOST
        except OSError:
            why = wire.LOST if child.control >= 0 else why
        why = self._watch(child, why, started + timeout, taken, output)
        ended = time.monotonic()
        out, err = bytes(taken[child.out])[:output], bytes(taken[child.err])[:output]
        status, usage = child.kill()
        cpu = usage.ru_utime + usage.ru_stime
        measured = (status, ended - started, cpu, started - asked, usage.ru_maxrss, -1, usage.ru_minflt)
        self.send(_frame(why, measured, out, err))

    def _watch(self, child: Child, why: int, stop: float, taken: dict[int, bytearray], output: int) -> int:
        """Take what the program prints until it ends or is to be ended; returns why."""
        watch = select.poll()
        for handle in (child.out, child.err, wire.LINK, *([self._parent] if self._parent >= 0 else [])):
            watch.register(handle, select.POLLIN)
        pause, life = 1.0, -1
        try:
            life = os.pidfd_open(child.pid)
            watch.register(life, select.POLLIN)
            pause = 1000.0
        except OSError:
            pass  # an old kernel: look again and again
        try:
            return self._take(child, why, stop, taken, output, watch, pause, life)
        finally:
            if life >= 0:
                os.close(life)

    def _take(
        self,
        child: Child,
        why: int,
        stop: float,
        taken: dict[int, bytearray],
        output: int,
        watch: select.poll,
        pause: float,
        life: int,
    ) -> int:
        while why == wire.EXITED and not os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT):
            left = stop - time.monotonic()
            if left <= 0:
                return wire.TIMEOUT
            for handle, _ in watch.poll(min(left * 1000 + 1, pause)):
                if handle == life:
                    continue
                if handle not in taken:
                    child.kill()
                    raise wire.Closed("the client is gone")
                if not drain(handle, taken):
                    watch.unregister(handle)
            pause = min(20.0, pause * 1.2) if life < 0 else pause
            if sum(map(len, taken.values())) > output:
                return wire.OUTPUT_LIMIT
        while why == wire.EXITED and (drain(child.out, taken) or drain(child.err, taken)):
            if sum(map(len, taken.values())) > output:
                return wire.OUTPUT_LIMIT
        return why


def _frame(
    why: int,
    measured: tuple[int, float, float, float, int, int, int] = (0, 0.0, 0.0, 0.0, 0, -1, 0),
    out: bytes = b"",
    err: bytes = b"",
    note: str = "",
) -> bytes:
    text = note.encode()
    return wire.REPLY.pack(b"", why, *measured, len(out), len(err), len(text))[wire.KEY :] + out + err + text


def _descriptors(link: int, parent: int) -> int:
    """Put the two inherited descriptors into their places and close every other one; returns PARENT, -1 for none."""
    moved = [os.dup(handle) if handle >= 0 else -1 for handle in (link, parent)]
    high = [handle + 20 if handle >= 0 else -1 for handle in moved]
    for old, new in zip(moved, high, strict=True):
        if old >= 0:
            os.dup2(old, new)
    os.dup2(high[0], wire.LINK)
    os.dup2(high[1] if high[1] >= 0 else high[0], wire.PARENT)  # nothing else may take that place
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    os.closerange(5, most if 0 < most < 1 << 20 else 1 << 20)
    return wire.PARENT if parent >= 0 else -1


def main(link_number: int, parent_number: int) -> None:
    """Serve on inherited descriptors: the socket, and a pidfd of the client or -1."""
    parent = _descriptors(link_number, parent_number)
    key = mmap.mmap(-1, mmap.PAGESIZE, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    key.madvise(_WIPE_ON_FORK)  # no child inherits it
    view = memoryview(key)
    got = 0
    while got < wire.KEY:
        if not (count := os.readv(wire.LINK, [view[got : wire.KEY]])):
            return
        got += count
    setup = wire.receive_setup(_Link())
    try:
        server = Server(parent, key, setup)
    except (Unsuited, OSError, ImportError) as error:
        os.writev(wire.LINK, [view[: wire.KEY], wire.greeting(wire.REFUSED, str(error))])
        sys.exit(1)
    gc.collect()
    gc.freeze()
    gc.disable()
    server.send(wire.greeting(wire.READY, "interpreted"))
    server.serve()
