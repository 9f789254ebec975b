"""Files written whole (temporary name, then rename) and read with errors that name file and row."""

from __future__ import annotations

import contextlib
import errno
import json
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from holmes.errors import EnvironmentFailure, InputError


@contextlib.contextmanager
def whole(path: str | os.PathLike[str], mode: str = "w") -> Iterator[IO[Any]]:
    """Open a temporary file that becomes `path` only when the block ends well.

    path: the final name; its folder is created. mode: ``"w"`` (UTF-8, newline ``\\n``) or ``"wb"``.
    Yields the open file. Raises EnvironmentFailure when the disk is full; the old file, if any, is untouched.
    """
    final = Path(path)
    temporary: str | None = None
    try:
        final.parent.mkdir(parents=True, exist_ok=True)
        fd, temporary = tempfile.mkstemp(prefix=f".{final.name}.", suffix=".part", dir=final.parent)
        text: dict[str, Any] = {} if "b" in mode else {"encoding": "utf-8", "newline": "\n"}
        with os.fdopen(fd, mode, **text) as handle:
            yield handle
            handle.flush()
            os.fsync(handle.fileno())
        Path(temporary).chmod(0o666 & ~_umask())
        Path(temporary).replace(final)
        temporary = None
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise EnvironmentFailure(f"{final}: no space left on device; nothing was written") from error
        raise
    finally:
        if temporary is not None:
            with contextlib.suppress(OSError):
                Path(temporary).unlink()


def _umask() -> int:
    current = os.umask(0)
    os.umask(current)
    return current


def write_text(path: str | os.PathLike[str], text: str) -> None:
    """Write `text` to `path` whole."""
    with whole(path) as handle:
        handle.write(text)


def read_json(path: str | os.PathLike[str]) -> Any:
    """Read a JSON document; raises InputError naming the file and, for bad JSON, line and column."""
    name = Path(path)
    try:
        return json.loads(name.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise InputError(f"{name}: found no such file, expected a JSON file") from error
    except IsADirectoryError as error:
        raise InputError(f"{name}: found a folder, expected a JSON file") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{name}: byte {error.start}: found bytes that are not UTF-8, expected UTF-8 text") from error
    except json.JSONDecodeError as error:
        raise InputError(
            f"{name}: line {error.lineno} column {error.colno}: found {error.msg.lower()}, expected complete JSON"
        ) from error


def read_jsonl(path: str | os.PathLike[str]) -> Iterator[tuple[int, Any]]:
    """Yield (line number from 1, value) for each non-empty line; raises InputError naming file and line."""
    name = Path(path)
    try:
        handle = name.open("rb")
    except FileNotFoundError as error:
        raise InputError(f"{name}: found no such file, expected a JSON Lines file") from error
    except IsADirectoryError as error:
        raise InputError(f"{name}: found a folder, expected a JSON Lines file") from error
    with handle:
        for number, line in enumerate(handle, 1):
            if not line.strip():
                continue
            where = f"{name}: line {number}"
            try:
                value = json.loads(line.decode("utf-8"))
            except UnicodeDecodeError as error:
                raise InputError(f"{where}: found bytes that are not UTF-8, expected UTF-8 text") from error
            except json.JSONDecodeError as error:
                raise InputError(f"{where}: found {error.msg.lower()}, expected one JSON value a line") from error
            except RecursionError as error:
                raise InputError(f"{where}: found endless nesting, expected one JSON value a line") from error
            yield number, value
