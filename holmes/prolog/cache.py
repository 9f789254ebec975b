"""Results of programs that ran to their own end, kept by program, limits and engine."""

from __future__ import annotations

import hashlib
import json
import sqlite3
import threading
import warnings
from collections import OrderedDict
from collections.abc import Mapping
from pathlib import Path

from holmes.errors import EnvironmentFailure
from holmes.prolog.results import Limits, Run

_MOST = 50_000  # runs in memory


class Cache:
    """A thread-safe store of runs: off, in memory, or in an SQLite file shared by processes."""

    def __init__(self, path: str | None) -> None:
        self._path = path
        self.active = path is not None
        self._memory: OrderedDict[str, Run] = OrderedDict()
        self._held: dict[str, Run] = {}
        self._lock = threading.Lock()
        self._file: sqlite3.Connection | None = None

    @classmethod
    def open(cls, where: str | Path | bool | None) -> Cache:
        """Return a cache: None or False for none, True for memory, a path for a file."""
        if where is None or where is False:
            return cls(None)
        return cls("" if where is True else str(where))

    def after_fork(self) -> None:
        """In a forked process: a connection must not be shared, and the lock may have been held."""
        self._lock, self._file = threading.Lock(), None

    def _table(self) -> sqlite3.Connection | None:
        if not self._path:
            return None
        if self._file is None:
            try:
                Path(self._path).parent.mkdir(parents=True, exist_ok=True)
                self._file = sqlite3.connect(self._path, timeout=60, check_same_thread=False, isolation_level=None)
                self._file.execute("CREATE TABLE IF NOT EXISTS runs (key TEXT PRIMARY KEY, run TEXT NOT NULL)")
            except (sqlite3.Error, OSError) as error:
                raise EnvironmentFailure(
                    f"{self._path}: the cache of Prolog results cannot be opened: {error}"
                ) from error
        return self._file

    @staticmethod
    def key(program: bytes, limits: Limits, engine: str) -> str:
        """Return the key of one run."""
        return hashlib.sha256(f"{engine}\0{limits.signature()}\0".encode() + program).hexdigest()

    def get(self, key: str) -> Run | None:
        """Return the stored run, or None."""
        with self._lock:
            if (known := self._held.get(key) or self._memory.get(key)) is not None or (table := self._table()) is None:
                return known
            row = self._ask(table, "SELECT run FROM runs WHERE key = ?", key)
            if row is None:
                return None
            found = Run.from_dict(json.loads(row[0]))
            self._remember(key, found)
            return found

    def put(self, key: str, run: Run) -> None:
        """Store a run."""
        with self._lock:
            self._remember(key, run)
            if (table := self._table()) is not None:
                text = json.dumps(run.to_dict(), ensure_ascii=True)
                self._ask(table, "INSERT OR REPLACE INTO runs VALUES (?, ?)", key, text)

    def _ask(self, table: sqlite3.Connection, statement: str, *values: str) -> tuple[str] | None:
        """Run one statement; a full disk or a broken file costs the cache, never a result."""
        try:
            row: tuple[str] | None = table.execute(statement, values).fetchone()
            return row
        except sqlite3.Error as error:
            warnings.warn(f"{self._path}: results are kept in memory only: {error}", stacklevel=3)
            self._path = ""
            return None

    def hold(self, runs: Mapping[str, Run]) -> None:
        """Keep these runs in memory whatever their outcome, until the next call; a timeout is held only so."""
        with self._lock:
            self._held = dict(runs)

    def _remember(self, key: str, run: Run) -> None:
        self._memory[key] = run
        while len(self._memory) > _MOST:
            self._memory.popitem(last=False)

    def close(self) -> None:
        """Close the file, if any."""
        with self._lock:
            if self._file is not None:
                self._file.close()
                self._file = None
