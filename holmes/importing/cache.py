"""Put an import into the cache whole: a new folder beside the old one, then one atomic move of a link."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from holmes.cases import Case, write_parquet
from holmes.errors import EnvironmentFailure
from holmes.store import fingerprint, import_dir
from holmes.util.files import write_text


@dataclass(frozen=True, slots=True)
class Import:
    """What an importer read: configs -> splits -> cases; the files read (name inside -> path); what is missing."""

    release: str
    version: str
    configs: Mapping[str, Mapping[str, Sequence[Case]]]
    files: Mapping[str, Path]
    missing: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Written:
    """What was written: the folder, and per config its cases a split and the fingerprint of its test split."""

    folder: Path
    configs: Mapping[str, Mapping[str, int]]
    fingerprints: Mapping[str, str] = field(default_factory=dict)


def content_version(files: Mapping[str, Path]) -> str:
    """Return ``sha256:`` and 16 hex digits over names and bytes of the files of a release that names no version."""
    digest = hashlib.sha256()
    for name in sorted(files):
        digest.update(name.encode() + b"\0" + hashlib.sha256(files[name].read_bytes()).digest())
    return f"sha256:{digest.hexdigest()[:16]}"


def store(done: Import, root: Path | None = None) -> Written:
    """Write an import below `root` (default: the cache), replacing an earlier one of the same release at one moment.

    Until the link is moved readers see the earlier import; a killed or failed import leaves it untouched.
    Returns what was written. Raises EnvironmentFailure when the disk is full.
    """
    link = import_dir(done.release, root)
    try:
        link.parent.mkdir(parents=True, exist_ok=True)
        with _alone(link):
            folder = Path(tempfile.mkdtemp(prefix=f".{done.release}.", dir=link.parent))
            try:
                folder.chmod(0o755)
                written = _fill(folder, done)
                _point(link, folder)
            except BaseException:
                shutil.rmtree(folder, ignore_errors=True)
                raise
            _sweep(link, folder)
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise EnvironmentFailure(f"{link}: no space left on device; the earlier import is untouched") from error
        if error.errno in (errno.EACCES, errno.EROFS, errno.ENOTDIR, errno.EEXIST):
            raise EnvironmentFailure(f"{link.parent}: cannot write there: {os.strerror(error.errno)}") from error
        raise
    return Written(link, written.configs, written.fingerprints)


def _fill(folder: Path, done: Import) -> Written:
    counts: dict[str, dict[str, int]] = {}
    prints: dict[str, str] = {}
    for config, splits in done.configs.items():
        counts[config] = {
            split: write_parquet(folder / config / f"{split}.parquet", cs) for split, cs in splits.items()
        }
        prints[config] = fingerprint(splits["test"])
    for inside, path in done.files.items():
        target = folder / "original" / inside
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)
    manifest = {
        "release": done.release,
        "version": done.version,
        "configs": {c: {"splits": counts[c], "fingerprint": prints[c]} for c in counts},
        "missing": list(done.missing),
        "notes": list(done.notes),
    }
    write_text(folder / "manifest.json", json.dumps(manifest, indent=1, ensure_ascii=False) + "\n")
    return Written(folder, counts, prints)


def _point(link: Path, folder: Path) -> None:
    fresh = folder.with_name(folder.name + ".link")
    fresh.symlink_to(folder.name)
    try:
        fresh.replace(link)
    except BaseException:
        fresh.unlink(missing_ok=True)
        raise


def _sweep(link: Path, keep: Path) -> None:
    """Remove the folders of earlier or killed imports of this release."""
    for path in link.parent.glob(f".{link.name}.*"):
        if path.name.startswith(keep.name) or path.suffix == ".lock":
            continue
        if path.is_symlink():
            path.unlink(missing_ok=True)
        else:
            shutil.rmtree(path, ignore_errors=True)


@contextlib.contextmanager
def _alone(link: Path) -> Iterator[None]:
    """Hold the lock of a release: two imports at the same time run one after the other."""
    with link.with_name(f".{link.name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
