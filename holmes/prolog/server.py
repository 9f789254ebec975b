"""The Prolog server: a small process that forks one contained child a program and reports what it did.

Started by the Runner, never by hand. It is single-threaded, holds SWI-Prolog with the libraries loaded, keeps one
child forked ahead, and ends when its client does. It imports nothing heavy, so that a fork stays cheap.
"""

from __future__ import annotations

import gc
import os
import resource
import select
import sys
import time
from _signal import SIG_DFL, signal  # type: ignore[import-not-found]
from _socket import socket

from holmes.prolog import contain, wire
from holmes.prolog import minimal_os as lean
from holmes.prolog.engine import PrologMissing

_CANARY = b':- X is 6*7, format("canary ~w~n", [X]), halt.\n'
_CANARY_EVERY = 500


class Child:
    """A forked process that waits for its program, seen from the server."""

    __slots__ = ("control", "err", "file", "handle", "out", "pid")

    def __init__(self, pid: int, control: int, file: int, out: int, err: int) -> None:
        self.pid, self.control, self.file, self.out, self.err = pid, control, file, out, err
        self.handle = os.pidfd_open(pid)

    def start(self, program: bytes, stack: int) -> None:
        """Hand over the program and let the child go."""
        done = 0
        while done < len(program):  # pwrite: the child's copy of the descriptor must stay at the beginning
            done += os.pwrite(self.file, program[done:], done)
        contain.go(self.control, stack)
        os.close(self.control)
        os.close(self.file)
        self.control = self.file = -1

    def kill(self) -> tuple[int, resource.struct_rusage]:
        """End the process group and reap the child; returns wait status and usage."""
        for end in (os.killpg, os.kill):  # the group exists only once the child has made it
            try:
                end(self.pid, lean.SIGKILL)
            except ProcessLookupError:
                continue
        _, status, usage = os.wait4(self.pid, 0)
        for handle in (self.control, self.file, self.out, self.err, self.handle):
            if handle >= 0:
                os.close(handle)
        return status, usage


class Server:
    """Answers requests on one socket, one program at a time."""

    def __init__(self, link: socket, parent: int, backend: contain.Backend) -> None:
        self.link, self.parent, self.backend = link, parent, backend
        self.spare: Child | None = None
        self.count = 0

    def serve(self) -> None:
        """Serve until the client goes away or the canary fails."""
        try:
            while self._wait():
                if self.count % _CANARY_EVERY == 0 and not self._canary():
                    return  # the client starts another server and asks again
                self.count += 1
                request = wire.receive_request(self.link)
                reply = self.execute(*request)
                if reply is None:
                    return
                wire.send_reply(self.link, *reply)
        except (wire.Closed, BrokenPipeError, ConnectionResetError):
            return
        finally:
            if self.spare is not None:
                self.spare.kill()

    def _wait(self) -> bool:
        """Wait for a request, a spare at hand; False when the client is gone."""
        if self.spare is None:
            self.spare = self._fork()
        self._reap()
        poll = select.poll()
        poll.register(self.link, select.POLLIN)
        poll.register(self.parent, select.POLLIN)
        ready = dict(poll.poll())
        return self.parent not in ready

    def _reap(self) -> None:
        """Reap what ended programs have left, without touching the spare."""
        spare = self.spare.pid if self.spare is not None else 0
        try:
            while (ended := os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)) and ended.si_pid != spare:
                os.waitpid(ended.si_pid, os.WNOHANG)
        except ChildProcessError:
            return

    def _canary(self) -> bool:
        reply = self.execute(_CANARY, 20.0, contain.CANARY_MEMORY, 10_000, 1 << 28)
        return reply is not None and reply[3] == b"canary 42\n"

    def _fork(self) -> Child:
        control, control_child = os.pipe()[::-1]
        file = os.memfd_create("program")
        out, out_child = os.pipe()
        err, err_child = os.pipe()
        pid = os.fork()
        if pid == 0:
            try:
                self.backend.child(control_child, file, out_child, err_child)
            except BaseException as error:  # reported on the child's stderr; the server sees the exit code
                os.write(err_child, f"holmes: {type(error).__name__}: {error}\n".encode())
            os._exit(98)
        for handle in (control_child, out_child, err_child):
            os.close(handle)
        for handle in (out, err):
            os.set_blocking(handle, False)
        return Child(pid, control, file, out, err)

    def execute(
        self, program: bytes, timeout: float, memory: int, output: int, stack: int
    ) -> tuple[int, int, float, bytes, bytes, str] | None:
        """Run one program; returns outcome, exit code, seconds, stdout, stderr, note; None when the client is gone.

        The note of a killed program is the memory it used, in kB.
        """
        child, self.spare = self.spare or self._fork(), None
        watch = select.poll()
        for handle in (child.out, child.err, child.handle, self.link.fileno(), self.parent):
            watch.register(handle, select.POLLIN)
        started = time.monotonic()
        reason = ""
        taken: dict[int, bytearray] = {child.out: bytearray(), child.err: bytearray()}
        try:
            seconds = int(timeout) + 2
            _limit(child.pid, resource.RLIMIT_CPU, seconds, seconds + 1)
            _limit(child.pid, resource.RLIMIT_AS, memory, memory)
            child.start(program, stack)
        except (ProcessLookupError, BrokenPipeError):
            reason = "killed"
        if not reason:
            self.spare = self._fork()  # while the program runs
        while not reason:
            left = timeout - (time.monotonic() - started)
            if left <= 0:
                reason = "timeout"
                break
            for handle, _ in watch.poll(left * 1000 + 1):
                if handle in taken:
                    if not _drain(handle, taken, output):
                        watch.unregister(handle)
                elif handle == child.handle:
                    reason = "exit"
                else:
                    child.kill()
                    return None
            if len(taken[child.out]) + len(taken[child.err]) > output:
                reason = "output_limit"
        seconds_used = time.monotonic() - started
        if reason == "exit":
            while _drain(child.out, taken, output) or _drain(child.err, taken, output):
                if len(taken[child.out]) + len(taken[child.err]) > output:
                    reason = "output_limit"
                    break
        out, err = bytes(taken[child.out])[:output], bytes(taken[child.err])[:output]
        status, usage = child.kill()
        outcome, code = contain.judge(reason, status, usage, err, timeout, memory)
        note = str(usage.ru_maxrss) if outcome == "killed" else ""
        return wire.OUTCOMES.index(outcome), code, seconds_used, out, err, note


def _limit(pid: int, kind: int, soft: int, hard: int) -> None:
    """Limit a child, staying below what this process itself may not exceed."""
    most = resource.getrlimit(kind)[1]
    if most != resource.RLIM_INFINITY:
        soft, hard = min(soft, most), min(hard, most)
    resource.prlimit(pid, kind, (soft, hard))


def _drain(handle: int, taken: dict[int, bytearray], limit: int) -> bool:
    """Read what is there, a little beyond the limit at most; False at the end of the stream or when empty."""
    try:
        data = os.read(handle, 1 << 16)
    except BlockingIOError:
        return False
    taken[handle] += data
    return bool(data)


def main(descriptor: int, mode: str, override: bool, parent_id: int) -> None:
    """Serve on an inherited socket.

    descriptor: the socket. mode: ``auto``, ``seccomp``, ``bwrap`` or ``unsafe``. override: ``unsafe`` is allowed.
    parent_id: the process id of the client.
    """
    link = socket(fileno=descriptor)
    try:
        parent = os.pidfd_open(parent_id)
        if os.getppid() != parent_id:
            return
        backend = contain.choose(mode, override)
        for number in (lean.SIGINT, lean.SIGTERM, lean.SIGHUP):
            signal(number, SIG_DFL)  # Prolog has put its own handlers in
        server = Server(link, parent, backend)
        gc.collect()
        gc.freeze()
        gc.disable()
        server.spare = server._fork()
        if not server._canary():
            wire.send_greeting(link, wire.UNFIT, f"{backend.name}: a program that prints 42 does not run there")
            return
        server.count = 1
    except (PrologMissing, contain.Unavailable, OSError) as error:
        wire.send_greeting(link, wire.REFUSED, str(error))
        sys.exit(1)
    wire.send_greeting(link, wire.READY, backend.name)
    server.serve()
