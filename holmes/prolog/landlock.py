"""Landlock through ctypes: the process keeps read access to a few folders and to no other file."""

from __future__ import annotations

import ctypes
import os
import struct

READ_FILE, READ_DIR, EXECUTE = 1 << 2, 1 << 3, 1 << 0
_RULE = struct.Struct("=Qi")


def abi() -> int:
    """Return the Landlock version of this kernel, 0 when there is none."""
    libc = ctypes.CDLL(None, use_errno=True)
    return max(0, int(libc.syscall(444, None, ctypes.c_size_t(0), 1)))


def attributes(version: int) -> bytes:
    """Return what a ruleset gives up: every file access, TCP and more where this version of Landlock can."""
    files = (1 << 13) - 1
    for since, bit in ((2, 13), (3, 14), (5, 15)):
        if version >= since:
            files |= 1 << bit
    size = 24 if version >= 6 else 16 if version >= 4 else 8
    return struct.pack("=QQQ", files, 3 if version >= 4 else 0, 3 if version >= 6 else 0)[:size]


def readable(path: str) -> str:
    """Return the entry of the set-up by which a folder, or a file, stays readable."""
    return f"{READ_FILE | (READ_DIR if os.path.isdir(path) else 0)} {path}"  # noqa: PTH112


def restrict(given_up: bytes, kept: list[str]) -> None:
    """Give up file accesses for ever, except the kept ones.

    given_up: of `attributes`. kept: entries ``access path`` of paths that exist. Raises OSError.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    ruleset = libc.syscall(444, given_up, ctypes.c_size_t(len(given_up)), 0)
    if ruleset < 0:
        raise OSError(ctypes.get_errno(), "landlock")
    try:
        for entry in kept:
            access, _, path = entry.partition(" ")
            handle = os.open(path, os.O_PATH | os.O_CLOEXEC)
            try:
                if libc.syscall(445, ruleset, 1, _RULE.pack(int(access), handle), 0):
                    raise OSError(ctypes.get_errno(), f"landlock: {path}")
            finally:
                os.close(handle)
        if libc.prctl(38, 1, 0, 0, 0) or libc.syscall(446, ruleset, 0):  # 38: PR_SET_NO_NEW_PRIVS
            raise OSError(ctypes.get_errno(), "landlock")
    finally:
        os.close(ruleset)
