"""One Prolog server as the client sees it: started, asked, closed."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

from holmes.errors import EnvironmentFailure
from holmes.prolog import wire
from holmes.prolog.contain import OVERRIDE
from holmes.prolog.results import Limits

_ROOT = str(Path(__file__).resolve().parents[2])
# The package stands there as a bare name: its own __init__ would import more than a server needs.
_START = """
import sys
sys.modules["holmes"] = package = type(sys)("holmes")
package.__path__ = [sys.argv[1] + "/holmes"]
from holmes.prolog.server import main
main(int(sys.argv[2]), sys.argv[3], sys.argv[4] == "override", int(sys.argv[5]))
"""
_PATIENCE = 60.0  # seconds beyond the limit before a server counts as lost


class Lost(Exception):
    """The server ended without a result; asking another one is safe."""


class Unfit(EnvironmentFailure):
    """A containment that can be set up here but runs no program, for example with another SWI-Prolog version."""


class Worker:
    """A server process and the socket to it; used by one thread at a time."""

    def __init__(self, mode: str) -> None:
        self.served = 0
        self._pid = os.getpid()
        ours, theirs = socket.socketpair()
        override = "override" if os.environ.get(OVERRIDE) == "1" else "contained"
        arguments = [str(theirs.fileno()), mode, override, str(self._pid)]
        environment = {"LANG": "C.UTF-8", "LC_ALL": "C.UTF-8", "PATH": os.environ.get("PATH", os.defpath)}
        try:
            # -I -S: no site packages, no user settings; fewer pages make each fork cheaper.
            self._process = subprocess.Popen(
                [sys.executable, "-I", "-S", "-c", _START, _ROOT, *arguments],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                pass_fds=(theirs.fileno(),),
                env=environment,
                cwd="/",
                start_new_session=True,
            )
        except BaseException:
            ours.close()
            raise
        finally:
            theirs.close()
        self._link = ours
        self._link.settimeout(_PATIENCE)
        try:
            kind, self.engine = wire.receive_greeting(ours)
        except OSError as error:
            self.close()
            raise Lost(f"the Prolog server ended while starting: {error}") from error
        except BaseException:
            self.close()
            raise
        if kind != wire.READY:
            self.close()
            raise (Unfit if kind == wire.UNFIT else EnvironmentFailure)(self.engine)

    @property
    def pid(self) -> int:
        """The process id of the server."""
        return self._process.pid

    def ask(self, program: bytes, limits: Limits) -> tuple[str, int, float, bytes, bytes, str]:
        """Run one program; returns outcome, exit code, seconds, stdout, stderr, note. Raises Lost.

        The outcome `killed` means that somebody else ended the process; its note is the memory it used, in kB.
        """
        self.served += 1
        try:
            self._link.settimeout(limits.timeout + _PATIENCE)
            wire.send_request(self._link, program, limits.timeout, limits.memory, limits.output, limits.stack)
            outcome, code, seconds, out, err, note = wire.receive_reply(self._link)
        except OSError as error:
            raise Lost(str(error)) from error
        return wire.OUTCOMES[outcome], code, seconds, out, err, note

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
