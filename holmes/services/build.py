"""Building cases: shards of fixed size, each a file written whole, the same for any number of workers."""

from __future__ import annotations

import importlib
import itertools
import json
import multiprocessing
import sys
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from holmes.cases import Case, read_cases, write_parquet
from holmes.errors import InputError
from holmes.interfaces import Generator
from holmes.logic.language.fingerprint import record
from holmes.registry import config, configs, find_plugin, owner_of
from holmes.registry import domain as registry_domain
from holmes.util.files import read_json, whole
from holmes.util.nearest import did_you_mean

LOOKED = 500  # items without one of the tier that is asked for, after which there is taken to be none
SHARD = 500  # items a file; part of the format, since it decides the bytes


@dataclass(frozen=True, slots=True)
class Shard:
    """A run of indices of one build: `count` items of the tier (any tier if empty) among start..stop-1."""

    domain: str
    seed: int
    tier: str
    number: int
    start: int
    stop: int
    count: int
    file: str


def available() -> tuple[str, ...]:
    """Return the configs that can be built, in order."""
    return tuple(known.name for known in configs() if known.generator is not None)


def generator(name: str) -> Generator:
    """Return the generator of a config, or of ``module:factory``; raises InputError for one that is unknown."""
    if ":" in name:  # "module:factory", so that a process of its own can find it, too
        module, factory = name.split(":")
        made: Generator = getattr(importlib.import_module(module), factory)()
        return made
    found = config(name).generator if name in available() else None
    if found is None:
        find_plugin(name)
        known = available()
        raise InputError(f"domain: found {name!r}, expected one of {', '.join(known)}{did_you_mean(name, known)}")
    return found()


def _shards(origin: Generator, domain: str, n: int, seed: int, tier: str, out: Path) -> Iterator[Shard]:
    """Cut a build of n items into shards; with a tier, indices of other tiers are passed over."""
    made = index = number = 0
    while made < n:
        start, count, size = index, 0, min(SHARD, n - made)
        if tier:
            while count < size:
                count += origin.tier(seed, index) == tier
                index += 1
                if index == LOOKED and not made + count:
                    raise InputError(f"build {domain}: tier: found no item of {tier!r} among {LOOKED}, expected some")
        else:
            count, index = size, index + size
        yield Shard(domain, seed, tier, number, start, index, count, str(out / f"part-{number:05d}.parquet"))
        made, number = made + count, number + 1


_GENERATORS: dict[str, Generator] = {}


def _cases(shard: Shard) -> Iterator[Case]:
    origin = _GENERATORS.setdefault(shard.domain, generator(shard.domain)) if shard.domain not in _GENERATORS else None
    origin = origin or _GENERATORS[shard.domain]
    for index in range(shard.start, shard.stop):
        if not shard.tier or origin.tier(shard.seed, index) == shard.tier:
            yield origin.item(shard.seed, index)


def write_shard(shard: Shard) -> int:
    """Build one shard and write its file whole; returns the number of cases."""
    return write_parquet(shard.file, _cases(shard))


def build(
    domain: str,
    n: int,
    seed: int = 0,
    *,
    tier: str = "",
    workers: int = 1,
    out: Path,
    progress: bool = True,
) -> list[Path]:
    """Build n items of a domain into `out`/part-00000.parquet … and `out`/manifest.json.

    n: 1 or more. tier: only items of this tier. workers: processes, 1 or more; the files do not depend on it.
    A build that was cut off goes on with the missing shards; memory does not grow with n.
    Returns the files. Raises InputError when `out` holds another build.
    """
    for name, value in (("n", n), ("workers", workers)):
        if value < 1:
            raise InputError(f"build {domain}: {name}: found {value}, expected 1 or more")
    origin = generator(domain)
    manifest = {
        "domain": domain,
        "n": n,
        "seed": seed,
        "tier": tier,
        "shard": SHARD,
        "fingerprint": origin.fingerprint,
    }
    _claim(out, manifest)
    files: list[Path] = []
    waiting: list[Shard] = []
    done = 0
    for shard in _shards(origin, domain, n, seed, tier, out):
        files.append(Path(shard.file))
        if files[-1].exists():
            done += shard.count
        else:
            waiting.append(shard)
    _GENERATORS[domain] = origin
    _run(waiting, workers, _Progress(domain, n, done, progress))
    return files


def _claim(out: Path, manifest: Mapping[str, Any]) -> None:
    """Write the manifest, or check that the folder holds this very build."""
    path = out / "manifest.json"
    if path.exists():
        found = read_json(path)
        if found != manifest:
            field = next((k for k in manifest if not isinstance(found, dict) or found.get(k) != manifest[k]), "n")
            had = found.get(field) if isinstance(found, dict) else found
            raise InputError(
                f"{path}: field {field}: found {had!r}, expected {manifest[field]!r}; "
                "the folder holds another build: choose another --out or delete it"
            )
        return
    if stray := sorted(out.glob("part-*.parquet")):
        raise InputError(f"{stray[0]}: found a shard without manifest.json, expected an empty folder")
    with whole(path) as handle:
        handle.write(json.dumps(manifest, indent=1) + "\n")


def _run(shards: list[Shard], workers: int, report: _Progress) -> None:
    if workers == 1 or len(shards) <= 1:
        for shard in shards:
            report.add(write_shard(shard))
        report.end()
        return
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(min(workers, len(shards)), mp_context=context) as pool:
        queue = iter(shards)
        running: set[Future[int]] = set()
        try:
            while True:
                for shard in itertools.islice(queue, 2 * workers - len(running)):
                    running.add(pool.submit(write_shard, shard))
                if not running:
                    break
                finished, running = wait(running, return_when=FIRST_COMPLETED)
                for future in finished:
                    report.add(future.result())
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    report.end()


class _Progress:
    """Progress on stderr: a line that rewrites itself on a terminal, one line at the end elsewhere."""

    def __init__(self, domain: str, total: int, done: int, shown: bool) -> None:
        self.domain, self.total, self.done, self.shown = domain, total, done, shown
        self.fresh, self.start = 0, time.monotonic()

    def add(self, count: int) -> None:
        self.done += count
        self.fresh += count
        if self.shown and sys.stderr.isatty():
            print(f"\r{self._line()}", end="", file=sys.stderr, flush=True)

    def end(self) -> None:
        if self.shown:
            print(f"\r{self._line()}" if sys.stderr.isatty() else self._line(), file=sys.stderr, flush=True)

    def _line(self) -> str:
        rate = self.fresh / max(time.monotonic() - self.start, 1e-9)
        return f"{self.domain}: {self.done:,} of {self.total:,} cases ({rate:,.0f} a second)"


def write_embedded(domain: str, folder: Path) -> dict[str, int]:
    """Write the shipped splits of a config as `folder`/<split>.parquet; returns split -> number of cases.

    Members that no generator of their own makes are its cases by task; they are written beside it.
    """
    if owner := owner_of(domain):
        record(registry_domain(owner).versions())
    made = generator(domain).embedded()
    written = {split: write_parquet(folder / f"{split}.parquet", make()) for split, make in made.items()}
    for name in config(domain).members:
        if config(name).generator is None:
            for split in written:
                own = [case for case in read_cases(folder / f"{split}.parquet") if case.task == name]
                write_parquet(folder.parent / name / f"{split}.parquet", own)
    return written
