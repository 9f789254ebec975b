"""The frames between the Runner (client) and a Prolog server, compiled or interpreted; imports nothing heavy.

The client first sends a key of 16 bytes, drawn for this server alone, then the set-up; each frame that comes back
begins with the key. A server keeps the key in memory that no child inherits, so that a program cannot speak in its
name, even if a descriptor of the socket should reach it.
"""

from __future__ import annotations

import struct

TYPE_CHECKING = False  # type checkers take it for true; importing `typing` would cost the server
if TYPE_CHECKING:
    from _socket import socket
    from typing import Protocol

    class Readable(Protocol):
        """A socket, or what reads like one."""

        def recv(self, size: int, /) -> bytes:
            """Return what has come, at most `size` bytes; nothing at the end."""


KEY = 16
LINK, PARENT = 3, 4  # a server's descriptors: the socket, and a pidfd of the client where the kernel has them
EXITED, TIMEOUT, OUTPUT_LIMIT, LOST, UNABLE = range(5)  # why a program is no longer there
READY, REFUSED = 1, 0  # greetings

# The set-up, in this order; lists are texts that end in NUL each. `INNER` holds seccomp.MARKER where a child puts its
# process id. `WORDS`, for the interpreted server alone: the command of a `swipl` a program, else empty.
SETUP = ("PROGRAM", "HOME", "OUTER", "INNER", "RULES", "PATHS", "GOALS", "NATIVE", "DEADLY", "WORDS")

REQUEST = struct.Struct("=dQQQI")  # timeout s, memory, output, stack, program bytes
# key, why, wait status, seconds, CPU seconds, seconds until the start, kB resident, refused call or -1, page faults,
# lengths of stdout, stderr and note
REPLY = struct.Struct("=16sBidddQiIIII")
_GREETING = struct.Struct("=16sBI")  # key, kind, length
_LENGTH = struct.Struct("=I")


class Closed(ConnectionError):
    """The other side is gone."""


class Forged(ConnectionError):
    """A frame without the key."""


def receive(link: Readable, size: int) -> bytes:
    """Read exactly `size` bytes; raises Closed at the end of the stream."""
    part = link.recv(size) if size else b""
    if len(part) == size:
        return part
    parts = [part]
    size -= len(part)
    while size:
        if not part:
            raise Closed("the other side is gone")
        part = link.recv(min(size, 1 << 20))
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


def listed(texts: list[str]) -> bytes:
    """Return texts as a field of the set-up."""
    return b"".join(text.encode() + b"\0" for text in texts)


def send_setup(link: socket, key: bytes, setup: dict[str, bytes]) -> None:
    """Send the key and every field of SETUP."""
    frame = b"".join(_LENGTH.pack(len(setup[name])) + setup[name] for name in SETUP)
    link.sendall(key + frame)


def receive_setup(link: Readable) -> dict[str, bytes]:
    """Return the fields of SETUP; the key has been read already."""
    return {name: receive(link, _LENGTH.unpack(receive(link, _LENGTH.size))[0]) for name in SETUP}


def receive_greeting(link: Readable, key: bytes) -> tuple[int, str]:
    """Return (READY or REFUSED, what the server says)."""
    said, kind, length = _GREETING.unpack(receive(link, _GREETING.size))
    if said != key:
        raise Forged("the greeting does not carry the key")
    return kind, receive(link, length).decode("utf-8", "replace")


def greeting(kind: int, text: str) -> bytes:
    """Return a greeting without its key."""
    data = text.encode()
    return _GREETING.pack(b"", kind, len(data))[KEY:] + data


def send_request(link: socket, program: bytes, timeout: float, memory: int, output: int, stack: int) -> None:
    """Send one program with its limits."""
    link.sendall(REQUEST.pack(timeout, memory, output, stack, len(program)) + program)


def receive_reply(link: Readable, key: bytes) -> tuple[int, int, float, float, float, int, int, int, bytes, bytes, str]:
    """Return why, status, seconds, CPU, waited, kB resident, refused call, page faults, stdout, stderr, note."""
    said, *facts, out, err, note = REPLY.unpack(receive(link, REPLY.size))
    if said != key:
        raise Forged("a reply does not carry the key")
    rest = receive(link, out + err + note)
    why, status, seconds, cpu, waited, resident, refused, faults = facts
    stdout, stderr, text = rest[:out], rest[out : out + err], rest[out + err :].decode("utf-8", "replace")
    return why, status, seconds, cpu, waited, resident, refused, faults, stdout, stderr, text
