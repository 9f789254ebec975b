"""One Prolog server as the client sees it: started, asked, closed."""

from __future__ import annotations

import contextlib
import os
import secrets
import signal
import socket
import subprocess
from dataclasses import dataclass

from holmes.prolog import wire
from holmes.prolog.contain import Plan
from holmes.prolog.results import Limits

CANARY = b':- X is 6*7, format("canary ~w~n", [X]), halt.\n'
_CANARY_LIMITS = Limits(timeout=20.0, memory=1 << 30, output=10_000, stack=1 << 28)
_PATIENCE = 60.0  # seconds beyond the limit before a server counts as lost


class Lost(Exception):
    """The server ended without a result; asking another one is safe."""


class Unable(Exception):
    """The machine does not give a server what it takes now: processes, descriptors, memory."""


class Unfit(Exception):
    """A way that can be set up here but runs no program, for example with another SWI-Prolog version."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What a server measured of one program: nothing of it comes from the program but stdout and stderr.

    why: of `wire`. status: of wait4. seconds, cpu: wall and processor time of the program. waited: seconds from the
    request to the start. resident: kB at most. refused: the number of the call that ended it, or -1. faults: page
    faults. note: why the server was unable.
    """

    why: int
    status: int
    seconds: float
    cpu: float
    waited: float
    resident: int
    refused: int
    faults: int
    stdout: bytes
    stderr: bytes
    note: str


class Worker:
    """A server process and the socket to it; used by one thread at a time.

    rare: it has the rare native libraries.
    """

    def __init__(self, plan: Plan, rare: bool = False) -> None:
        self.plan, self.rare = plan, rare
        self.served = 0
        self._pid = os.getpid()
        self._key = secrets.token_bytes(wire.KEY)
        handles: list[int] = []
        try:
            self._link, theirs = socket.socketpair()
        except OSError as error:
            raise Unable(f"no socket: {error.strerror}") from error
        try:
            with contextlib.suppress(OSError, AttributeError):  # old kernels: the server then watches its parent
                handles.append(os.pidfd_open(self._pid))
            handles.append(theirs.fileno())
            numbers = [str(theirs.fileno()), str(handles[0] if len(handles) == 2 else -1)]
            self._process = subprocess.Popen(
                [*plan.command, *numbers, *plan.after],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                pass_fds=handles,
                env=plan.environment,
                cwd="/",
                start_new_session=True,
            )
        except OSError as error:
            self._link.close()
            raise Unable(f"the Prolog server cannot be started: {error.strerror}") from error
        except BaseException:
            self._link.close()
            raise
        finally:
            theirs.close()
            for handle in handles[:-1]:
                os.close(handle)
        try:
            self._greet()
        except BaseException:
            self.close()
            raise

    def _greet(self) -> None:
        self._link.settimeout(_PATIENCE)
        try:
            wire.send_setup(self._link, self._key, self.plan.setup)
            kind, said = wire.receive_greeting(self._link, self._key)
        except (OSError, ValueError) as error:
            raise Lost(f"the Prolog server ended while starting{self._ending()}") from error
        if kind != wire.READY:
            raise Unfit(" ".join(said.split()))
        if not self.healthy():
            raise Unfit(f"{self.plan.name}: a program that prints 42 does not run there")

    def _ending(self) -> str:
        with contextlib.suppress(subprocess.TimeoutExpired):
            return f" (exit code {self._process.wait(1)})"
        return ""

    @property
    def pid(self) -> int:
        """The process id of the server, or of the bubblewrap around it."""
        return self._process.pid

    def healthy(self) -> bool:
        """Whether a known program does there what it has to do; raises Lost."""
        reply = self.ask(CANARY, _CANARY_LIMITS)
        self.served -= 1
        return reply.stdout == b"canary 42\n" and reply.status == 0

    def ask(self, program: bytes, limits: Limits) -> Reply:
        """Run one program; raises Lost when the server does not answer, Unable when it cannot."""
        self.served += 1
        try:
            self._link.settimeout(limits.timeout + _PATIENCE)
            wire.send_request(self._link, program, limits.timeout, limits.memory, limits.output, limits.stack)
            reply = Reply(*wire.receive_reply(self._link, self._key))
        except (OSError, ValueError) as error:
            raise Lost(str(error) or type(error).__name__) from error
        if reply.why == wire.UNABLE:
            raise Unable(reply.note)
        return reply

    def abort(self) -> None:
        """From another thread: make a blocked `ask` raise Lost; the server ends by itself."""
        with contextlib.suppress(OSError):
            self._link.shutdown(socket.SHUT_RDWR)

    def forget(self) -> None:
        """In a forked process: let go of the inherited socket without disturbing the parent's server."""
        self._link.close()
        self._process.returncode = 0  # not our child: never wait for it

    def close(self) -> None:
        """End the server and its children; safe to call twice."""
        if os.getpid() != self._pid:
            self.forget()
            return
        self._link.close()
        try:
            self._process.wait(2)
        except subprocess.TimeoutExpired:
            with contextlib.suppress(ProcessLookupError):
                self._process.send_signal(signal.SIGKILL)
            self._process.wait()
