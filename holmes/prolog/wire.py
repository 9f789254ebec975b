"""The frames between the Runner (client) and a Prolog server; imports nothing heavy."""

from __future__ import annotations

import struct
from _socket import socket

OUTCOMES = (
    "ok",
    "error",
    "timeout",
    "output_limit",
    "memory_limit",
    "violation",
    "killed",
)  # killed: from outside; the client runs the program again

_REQUEST = struct.Struct("=dQQQI")  # timeout s, memory, output, stack, program bytes
_REPLY = struct.Struct("=BidIII")  # outcome, exit code, seconds, lengths of stdout, stderr, note
_TEXT = struct.Struct("=BI")  # fine or not, length


READY, REFUSED, UNFIT = 1, 0, 2  # greetings; unfit: this containment was set up, but does not run a program


class Closed(ConnectionError):
    """The other side is gone."""


def receive(link: socket, size: int) -> bytes:
    """Read exactly `size` bytes; raises Closed at the end of the stream."""
    parts = []
    while size:
        part = link.recv(min(size, 1 << 20))
        if not part:
            raise Closed("the other side is gone")
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


def send_request(link: socket, program: bytes, timeout: float, memory: int, output: int, stack: int) -> None:
    """Send one program with its limits."""
    link.sendall(_REQUEST.pack(timeout, memory, output, stack, len(program)) + program)


def receive_request(link: socket) -> tuple[bytes, float, int, int, int]:
    """Return program, timeout, memory, output, stack."""
    timeout, memory, output, stack, length = _REQUEST.unpack(receive(link, _REQUEST.size))
    return receive(link, length), timeout, memory, output, stack


def send_reply(
    link: socket, outcome: int, exit_code: int, seconds: float, stdout: bytes, stderr: bytes, note: str = ""
) -> None:
    """Send what one program did."""
    text = note.encode()
    head = _REPLY.pack(outcome, exit_code, seconds, len(stdout), len(stderr), len(text))
    link.sendall(head + stdout + stderr + text)


def receive_reply(link: socket) -> tuple[int, int, float, bytes, bytes, str]:
    """Return outcome, exit code, seconds, stdout, stderr, note."""
    outcome, exit_code, seconds, out, err, note = _REPLY.unpack(receive(link, _REPLY.size))
    return outcome, exit_code, seconds, receive(link, out), receive(link, err), receive(link, note).decode()


def send_greeting(link: socket, kind: int, text: str) -> None:
    """Tell the client that the server is ready (text: the engine) or why not."""
    data = text.encode()
    link.sendall(_TEXT.pack(kind, len(data)) + data)


def receive_greeting(link: socket) -> tuple[int, str]:
    """Return (kind, engine or reason)."""
    kind, length = _TEXT.unpack(receive(link, _TEXT.size))
    return kind, receive(link, length).decode()
