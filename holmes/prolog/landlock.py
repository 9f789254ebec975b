"""Landlock through ctypes: the process keeps read access to a few folders and to no other file."""

from __future__ import annotations

import ctypes
import os
import struct

from holmes.prolog.seccomp import no_new_privileges

_READ_FILE, _READ_DIR = 1 << 2, 1 << 3


def abi() -> int:
    """Return the Landlock version of this kernel, 0 when there is none."""
    libc = ctypes.CDLL(None, use_errno=True)
    return max(0, int(libc.syscall(444, None, ctypes.c_size_t(0), 1)))


def restrict(readable: list[str]) -> None:
    """Give up every file access for ever, except reading below the given paths; TCP too where the kernel can.

    readable: folders or files that exist. Raises OSError when the kernel has no Landlock.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    version = abi()
    if version < 1:
        raise OSError(ctypes.get_errno(), "landlock")
    files = (1 << 13) - 1
    for since, bit in ((2, 13), (3, 14), (5, 15)):
        if version >= since:
            files |= 1 << bit
    attributes = struct.pack("=QQQ", files, 3 if version >= 4 else 0, 3 if version >= 6 else 0)
    size = 24 if version >= 6 else 16 if version >= 4 else 8
    ruleset = libc.syscall(444, attributes, ctypes.c_size_t(size), 0)
    if ruleset < 0:
        raise OSError(ctypes.get_errno(), "landlock")
    try:
        for path in readable:
            handle = os.open(path, os.O_PATH | os.O_CLOEXEC)
            try:
                folder = os.fstat(handle).st_mode & 0o170000 == 0o040000
                rule = struct.pack("=Qi", _READ_FILE | (_READ_DIR if folder else 0), handle)
                if libc.syscall(445, ruleset, 1, rule, 0):
                    raise OSError(ctypes.get_errno(), f"landlock: {path}")
            finally:
                os.close(handle)
        no_new_privileges(libc)
        if libc.syscall(446, ruleset, 0):
            raise OSError(ctypes.get_errno(), "landlock")
    finally:
        os.close(ruleset)
