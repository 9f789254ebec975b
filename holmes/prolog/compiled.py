"""The compiled server: built on first use from `server.c` into the user's cache."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from holmes.prolog.engine import Installation
from holmes.util.paths import cache_dir

SOURCE = Path(__file__).with_name("server.c")
_HEADER = Path(__file__).with_name("server_seal.h")
_FLAGS = ("-O2", "-std=gnu11", "-Wl,-z,now")


class Unavailable(Exception):
    """This way of running programs does not work here; the message is one line. Never leaves the package."""


def compiler() -> str | None:
    """Return the C compiler: ``CC``, else cc, gcc or clang on PATH; None for none."""
    for name in (os.environ.get("CC"), "cc", "gcc", "clang"):
        if name and (found := shutil.which(name)):
            return found
    return None


def place(where: Installation) -> Path:
    """Return where the server for this SWI-Prolog lies: another source, version or library is another file."""
    parts = [
        SOURCE.read_bytes(),
        _HEADER.read_bytes(),
        where.version.encode(),
        where.library.encode(),
        where.arch.encode(),
        *_machine(),
    ]
    name = hashlib.sha256(b"\0".join(parts)).hexdigest()[:20]
    return cache_dir() / "prolog" / f"server-{name}"


def _machine() -> list[bytes]:
    return [os.uname().machine.encode(), " ".join(_FLAGS).encode()]


def build(where: Installation) -> Path:
    """Return the compiled server, built now if it is not there; raises Unavailable with the reason."""
    try:
        target = place(where)
    except RuntimeError as error:  # an account without a home folder
        raise Unavailable(f"no folder for the cache: {error} (set HOLMES_CACHE)") from error
    if _trusted(target):
        return target
    if (tool := compiler()) is None:
        raise Unavailable("no C compiler (apt-get install gcc libc6-dev)")
    headers = Path(where.home) / "include"
    if not (headers / "SWI-Prolog.h").is_file():
        raise Unavailable(f"no {headers / 'SWI-Prolog.h'}")
    if not where.library:
        raise Unavailable("SWI-Prolog has no shared library")
    try:
        target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        handle, name = tempfile.mkstemp(prefix="server-", suffix=".new", dir=target.parent)
        os.close(handle)
    except OSError as error:
        raise Unavailable(f"{target.parent} cannot be written: {error.strerror}") from error
    made = Path(name)
    folder = str(Path(where.library).parent)
    words = [tool, *_FLAGS, str(SOURCE), f"-I{headers}", where.library, f"-Wl,-rpath,{folder}", "-ldl", "-o", str(made)]
    try:
        done = subprocess.run(
            words, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, errors="replace", timeout=120
        )
        if done.returncode or not made.stat().st_size:
            said = (done.stderr.strip().splitlines() or ["it says nothing"])[0]
            raise Unavailable(f"{tool} does not build the server: {said[:160]}")
        made.chmod(0o755)
        made.replace(target)  # whole or not at all, whoever else builds it now
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Unavailable(f"{tool} does not build the server: {error}") from error
    finally:
        made.unlink(missing_ok=True)
    if not _trusted(target):
        raise Unavailable(f"{target.parent} lies where nothing may be executed")
    return target


def _trusted(path: Path) -> bool:
    """Whether a file of the cache is ours and nobody else can have written it."""
    try:
        found = path.stat()
    except OSError:
        return False
    return found.st_uid in (0, os.geteuid()) and not found.st_mode & 0o022 and os.access(path, os.X_OK)
