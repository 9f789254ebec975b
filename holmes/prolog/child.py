"""A forked child as the interpreted server sees it, and what limits it."""

from __future__ import annotations

import ctypes
import os
import resource
import sys
from _signal import SIGKILL  # type: ignore[import-not-found]

from holmes.prolog import seccomp


class Child:
    """A forked process that waits for its program, seen from the server."""

    __slots__ = ("control", "err", "file", "out", "pid")

    def __init__(self, pid: int, control: int, file: int, out: int, err: int) -> None:
        self.pid, self.control, self.file, self.out, self.err = pid, control, file, out, err

    def kill(self) -> tuple[int, resource.struct_rusage]:
        """End the process group and reap the child; returns wait status and usage."""
        for end in (os.killpg, os.kill):  # the group exists only once the child has made it
            try:
                end(self.pid, SIGKILL)
            except ProcessLookupError:
                continue
        _, status, usage = os.wait4(self.pid, 0)
        for handle in (self.control, self.file, self.out, self.err):
            if handle >= 0:
                os.close(handle)
        return status, usage


class Filter:
    """A filter built once, with the process id patched in, and installed after a fork with little work."""

    def __init__(self, code: bytes, libc: ctypes.CDLL) -> None:
        self._libc = libc
        self._buffer = ctypes.create_string_buffer(code, len(code))
        marker = seccomp.MARKER.to_bytes(4, sys.byteorder)
        self._places = [at for at in range(4, len(code), 8) if code[at : at + 4] == marker]
        self._program = seccomp.Program(len(code) // 8, ctypes.addressof(self._buffer))

    def install(self, pid: int | None) -> None:
        """Lock this process under the filter for ever; raises OSError when the kernel refuses."""
        if pid is not None:
            for at in self._places:
                ctypes.memmove(ctypes.addressof(self._buffer) + at, pid.to_bytes(4, sys.byteorder), 4)
        seccomp.install(self._libc, self._program)


def limit(pid: int, kind: int, soft: int, hard: int) -> None:
    """Limit a process, staying below what this one itself may not exceed."""
    most = resource.getrlimit(kind)[1]
    if most != resource.RLIM_INFINITY:
        soft, hard = min(soft, most), min(hard, most)
    resource.prlimit(pid, kind, (soft, hard))


def drain(handle: int, taken: dict[int, bytearray]) -> bool:
    """Read what is there; False at the end of the stream or when there is nothing now."""
    try:
        data = os.read(handle, 1 << 16)
    except BlockingIOError:
        return False
    taken[handle] += data
    return bool(data)
