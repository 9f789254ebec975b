"""What the Prolog server needs of the standard library, without the modules that would make each of its forks dearer.

`subprocess`, `shutil`, `dataclasses`, `signal` and their like bring hundreds of pages and at-fork hooks.
"""

from __future__ import annotations

import os

SIGHUP, SIGINT, SIGILL, SIGABRT, SIGBUS, SIGFPE, SIGKILL, SIGSEGV, SIGTERM, SIGXCPU, SIGSYS = (
    1, 2, 4, 6, 7, 8, 9, 11, 15, 24, 31,
)  # fmt: skip


def which(name: str) -> str | None:
    """Return the first executable of that name on PATH."""
    for folder in os.environ.get("PATH", os.defpath).split(os.pathsep):
        path = f"{folder or '.'}/{name}"
        if os.access(path, os.X_OK) and not os.path.isdir(path):  # noqa: PTH112
            return path
    return None


def ask(words: list[str]) -> tuple[int, str]:
    """Run a short command with an empty stdin; returns its exit code, and stdout and stderr together."""
    read, write = os.pipe()
    actions = [
        (os.POSIX_SPAWN_OPEN, 0, "/dev/null", os.O_RDONLY, 0),
        (os.POSIX_SPAWN_DUP2, write, 1),
        (os.POSIX_SPAWN_DUP2, write, 2),
    ]
    try:
        pid = os.posix_spawn(words[0], words, os.environ, file_actions=actions)
    finally:
        os.close(write)
    parts = []
    while part := os.read(read, 1 << 16):
        parts.append(part)
    os.close(read)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), b"".join(parts).decode("utf-8", "replace")
