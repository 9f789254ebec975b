"""Runs the hostile programs beside this file and reports what came of them; usable under any account, stdlib only.

``python harness.py ROOT WALLS SERVER SCRATCH``: ROOT is the folder that holds the package `holmes`, WALLS the
containment, SERVER what runs the programs, SCRATCH a folder of the caller. Prints one JSON document.
"""

from __future__ import annotations

import dataclasses
import json
import os
import secrets
import socket
import sys
import threading
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
CANARY = ":- X is 6 * 7, writeln(X).\n:- halt.\n"


class Listener:
    """A loopback port that counts who calls."""

    def __init__(self) -> None:
        self.calls = 0
        self._tcp = socket.create_server(("127.0.0.1", 0))
        self.port = self._tcp.getsockname()[1]
        self._udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._udp.bind(("127.0.0.1", self.port))
        self._udp.settimeout(0.05)
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        while True:
            connection, _ = self._tcp.accept()
            self.calls += 1
            connection.close()

    def datagrams(self) -> int:
        """Count what came by UDP since the last question."""
        count = 0
        while True:
            try:
                self._udp.recv(100)
            except TimeoutError:
                return count
            count += 1


def attacks() -> dict[str, tuple[set[str], str]]:
    """Return name -> (outcomes that are fine, program text)."""
    found = {}
    for path in sorted(HERE.glob("*.pl")):
        text = path.read_text(encoding="utf-8")
        head = dict(line[2:].split(": ", 1) for line in text.splitlines()[:2])
        found[path.stem] = (set(head["expect"].split()), text)
    return found


def main(root: str, walls: str, server: str, scratch: Path) -> list[dict[str, Any]]:
    """Run every attack, one after the other, on one runner; returns one row an attack."""
    sys.path.insert(0, root)
    from holmes.prolog import Limits, Runner

    token = secrets.token_hex(12)
    os.environ["HOLMES_SECRET"] = token
    secret = scratch / "secret.pl"
    secret.write_text(f"gold('{token}').\n")
    (scratch / "link").symlink_to(secret)
    (scratch / "evil.so").write_bytes(b"\x7fELF")
    before = _state(scratch)
    listener = Listener()
    rows = []
    limits = Limits(timeout=20.0, memory=1 << 30, output=200_000, stack=128 << 20)
    short = dataclasses.replace(limits, timeout=0.25)
    with Runner(limits, containment=walls, server=server) as runner:
        runner.run(CANARY)
        for name, (expected, text) in attacks().items():
            served = next(worker.pid for worker in runner._idle if not worker.rare)
            for word, value in (
                ("SECRET", secret), ("SCRATCH", scratch), ("LINK", scratch / "link"), ("PORT", listener.port),
                ("SERVER", served), ("CLIENT", os.getpid()),
            ):  # fmt: skip
                text = text.replace(f"@{word}@", str(value))
            run = runner.run(text, short if "timeout" in expected else limits)
            after = runner.run(CANARY)
            rows.append(
                {
                    "name": name,
                    "outcome": run.outcome.value,
                    "note": run.note,
                    "expected": sorted(expected),
                    "leaked": token in run.stdout + run.stderr,
                    "opened": "LEAK" in run.stdout,
                    "touched": _state(scratch) != before,
                    "called": listener.calls + listener.datagrams(),
                    "alive": after.stdout == "42\n" and served in [worker.pid for worker in runner._idle],
                    "stdout": run.stdout[:300],
                    "stderr": run.stderr[:300],
                    "seconds": run.seconds,
                }
            )
    return rows


def _state(folder: Path) -> list[tuple[str, int, int, bytes]]:
    return [
        (path.name, path.lstat().st_mode, path.stat().st_mtime_ns, path.read_bytes())
        for path in sorted(folder.iterdir())
    ]


if __name__ == "__main__":
    json.dump(main(*sys.argv[1:4], Path(sys.argv[4])), sys.stdout)
