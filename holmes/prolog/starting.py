"""An own `swipl` a program, started by the interpreted server in a child under one filter."""

from __future__ import annotations

import ctypes
import os
import resource

from holmes.prolog import seccomp

_FIXED = 0x02 | 0x20 | 0x100000  # mmap: private, anonymous, at this place or not at all
_LOCALE = {"LANG": "C.UTF-8", "LC_ALL": "C.UTF-8", "PATH": "/bin"}
PROGRAM, SHOWN = "/proc/self/fd/3", "/program.pl"


class Starter:
    """Turns a child into a `swipl`.

    words: its command, with {stack} and {program}. filtered: under `seccomp.exec_filter`.
    """

    def __init__(self, words: list[str], filtered: bool, libc: ctypes.CDLL) -> None:
        self._words, self._filtered, self._libc = words, filtered, libc
        libc.mmap.restype = ctypes.c_void_p
        libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_int] * 3, ctypes.c_long]
        libc.execve.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p]

    def run(self, stack: int) -> None:
        """Limit the process and exec; never returns."""
        program = PROGRAM if _is_open(3) else SHOWN
        words = [word.format(stack=stack, program=program).encode() for word in self._words]
        for limit, value in ((resource.RLIMIT_CORE, 0), (resource.RLIMIT_FSIZE, 0), (resource.RLIMIT_NOFILE, 64)):
            resource.setrlimit(limit, (value, value))
        arguments = (ctypes.c_char_p * (len(words) + 1))(*words, None)
        settings = [f"{name}={value}".encode() for name, value in _LOCALE.items()]
        environment = (ctypes.c_char_p * (len(settings) + 1))(*settings, None)
        # The filter lets one path be executed: the one at this address, which no other process can guess or reach.
        path = words[0] + b"\0"
        address = self._libc.mmap(self._secret(), len(path), 3, _FIXED, -1, 0)
        ctypes.memmove(address, path, len(path))
        if self._filtered:
            code = seccomp.exec_filter(os.uname().machine, os.getpid(), address)
            buffer = ctypes.create_string_buffer(code, len(code))
            seccomp.install(self._libc, seccomp.Program(len(code) // 8, ctypes.addressof(buffer)))
        self._libc.execve(address, arguments, environment)
        os._exit(98)

    @staticmethod
    def _secret() -> int:
        return 0x10_0000_0000 + (int.from_bytes(os.urandom(4), "little") << 12)


def _is_open(handle: int) -> bool:
    try:
        os.fstat(handle)
    except OSError:
        return False
    return True
