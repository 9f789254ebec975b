"""The persistent embedding cache: one SQLite file an encoder, safe for concurrent writers and killed processes."""

from __future__ import annotations

import hashlib
import sqlite3
import sys
import zlib
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

import numpy as np

from holmes.scoring.trace.encoder import Encoder, Progress, Vectors
from holmes.util.paths import cache_dir

_ASKED_AT_ONCE = 500
_WRITTEN_AT_ONCE = 512


class CachedEncoder:
    """An encoder that looks its texts up on disk first and embeds each missing unique text once."""

    def __init__(self, encoder: Encoder, folder: Path | None = None) -> None:
        """Remember encoder and folder (default: ``embeddings`` in the user's cache); the file is opened when needed."""
        self.encoder = encoder
        self.folder = folder or cache_dir() / "embeddings"
        self.hits = self.misses = 0
        self._memory: dict[str, Vectors] = {}
        self._off = False

    @property
    def signature(self) -> str:
        """Return the signature of the encoder behind the cache."""
        return self.encoder.signature

    @property
    def path(self) -> Path:
        """Return the cache file; its name holds the encoder's hash, so other weights never share it."""
        safe = "".join(c if c.isalnum() or c in "-._" else "_" for c in self.signature)
        return self.folder / f"{safe}.f32.sqlite"

    def encode(self, texts: Sequence[str], progress: Progress | None = None) -> Vectors:
        """Return the embeddings of the texts, in their order, embedding what is new exactly once."""
        if not texts:
            return np.zeros((0, 0), dtype=np.float32)
        unique = sorted(set(texts))
        keys = {text: hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest() for text in unique}
        known = {t: self._memory[t] for t in unique if t in self._memory}
        asked = [t for t in unique if t not in known]
        stored = self._read([keys[t] for t in asked])
        known.update({t: stored[keys[t]] for t in asked if keys[t] in stored})
        missing = [t for t in unique if t not in known]
        self.hits, self.misses = self.hits + len(unique) - len(missing), self.misses + len(missing)
        for start in range(0, len(missing), _WRITTEN_AT_ONCE):  # in blocks: a killed run keeps what it has
            block = missing[start : start + _WRITTEN_AT_ONCE]
            vectors = self.encoder.encode(block)
            known.update(zip(block, vectors, strict=True))
            self._write([(keys[t], v) for t, v in zip(block, vectors, strict=True)])
            if progress is not None:
                progress(start + len(block), len(missing))
        self._memory.update(known)
        return np.stack([known[t] for t in texts])

    def tokens(self, texts: Sequence[str]) -> list[Vectors]:
        """Return token vectors from the encoder; these are large and not kept."""
        return self.encoder.tokens(texts)

    def _open(self) -> sqlite3.Connection | None:
        if self._off:
            return None
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            connection = sqlite3.connect(self.path, timeout=60.0)
            connection.execute("CREATE TABLE IF NOT EXISTS vectors (key BLOB PRIMARY KEY, row BLOB NOT NULL)")
        except (sqlite3.Error, OSError) as error:
            self._give_up(error)
            return None
        return connection

    def _give_up(self, error: Exception) -> None:
        """Go on without the disk: a damaged or unwritable cache costs time, never a score."""
        self._off = True
        print(f"holmes: embedding cache {self.path} is not usable ({error}); going on without it", file=sys.stderr)

    def _read(self, keys: Sequence[bytes]) -> dict[bytes, Vectors]:
        found: dict[bytes, Vectors] = {}
        connection = self._open() if keys else None
        if connection is None:
            return found
        with closing(connection):
            try:
                for block in _blocks(keys):
                    marks = ",".join("?" * len(block))
                    for key, row in connection.execute(f"SELECT key, row FROM vectors WHERE key IN ({marks})", block):
                        vector = _unpacked(row)
                        if vector is not None:
                            found[key] = vector
            except sqlite3.Error as error:
                self._give_up(error)
                return {}
        return found

    def _write(self, rows: Sequence[tuple[bytes, Vectors]]) -> None:
        connection = self._open()
        if connection is None:
            return
        with closing(connection):
            try:
                with connection:
                    connection.executemany(
                        "INSERT OR REPLACE INTO vectors VALUES (?, ?)",
                        [(key, _packed(row)) for key, row in rows],
                    )
            except sqlite3.Error as error:
                self._give_up(error)


def _packed(row: Vectors) -> bytes:
    values = row.astype("<f4").tobytes()
    return zlib.crc32(values).to_bytes(4, "little") + values


def _unpacked(row: object) -> Vectors | None:
    """Return the vector of a stored row, None for a damaged one: it is embedded anew."""
    if not isinstance(row, bytes) or len(row) < 8 or len(row) % 4:
        return None
    if zlib.crc32(row[4:]) != int.from_bytes(row[:4], "little"):
        return None
    return np.frombuffer(row[4:], dtype="<f4").astype(np.float32)


def _blocks(keys: Sequence[bytes]) -> Iterator[Sequence[bytes]]:
    for start in range(0, len(keys), _ASKED_AT_ONCE):
        yield keys[start : start + _ASKED_AT_ONCE]
