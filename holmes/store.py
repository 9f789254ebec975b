"""Cases by config name: embedded ones from the package, imported `*_release` ones from the cache."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from holmes.cases import Case, read_cases, write_parquet
from holmes.errors import InputError
from holmes.interfaces import OURS, Config, Generator
from holmes.registry import DISTRIBUTION, brought_by, find_plugin, owner_of, source_of, sources
from holmes.registry import config as find
from holmes.registry import configs as registry_configs
from holmes.util.files import read_json
from holmes.util.nearest import did_you_mean
from holmes.util.paths import cache_dir, data_dir
from holmes.version import __version__


@dataclass(frozen=True, slots=True)
class Place:
    """Where one config lies: its folder of ``<split>.parquet`` files, its source, and the version of that source."""

    folder: Path
    source: str  # holmes | holmes-release | deonticbench
    version: str


def release_of(config: str) -> str | None:
    """Return the release that an import must bring for `config`, or None for an embedded one."""
    found = source_of(config)
    return None if found is None else found.name


def import_dir(release: str, root: Path | None = None) -> Path:
    """Return the folder of an imported release below `root` (default: the cache); it need not exist."""
    return (root or cache_dir()) / "releases" / release


def configs() -> tuple[str, ...]:
    """Return the names of all configs that can be loaded now, embedded ones first, each part sorted."""
    embedded = sorted(own.name for own in registry_configs() if _shipped(own.name))
    made = sorted(own.name for own in registry_configs() if _brought(own.name))
    imported = [
        own.name
        for origin in sources()
        for own in origin.configs
        if any((import_dir(origin.name) / own.name).glob("*.parquet"))
    ]
    return (*embedded, *made, *imported)


def _shipped(config: str) -> bool:
    """Tell whether the package holds cases of a config; its folder of certificates holds none."""
    known = any(own.name == config for own in registry_configs())
    return known and any((data_dir() / config).glob("*.parquet"))


def splits(config: str) -> tuple[str, ...]:
    """Return the splits that `config` has, sorted; raises InputError where the config is missing."""
    if (known := _drawn(config)) is not None or _brought(config):
        return tuple(sorted(known.splits if known is not None else find(config).splits))
    return tuple(sorted(path.stem for path in _place(config).folder.glob("*.parquet")))


def load_cases(config: str, split: str = "test", seed: int = 0) -> list[Case]:
    """Load all cases of one split, each row checked.

    config: an embedded config, one of a plug-in (built into the cache where it is not there yet), a drawn one, or an
    imported one. split: test | hard | smoke | dev | train | whole, where the config has it. seed: of a drawn sample.
    Returns the cases in file order. Raises InputError in one line; for a release that is not imported it holds the
    command that imports it.
    """
    drawn = _drawn(config)
    if drawn is not None and drawn.draw is not None:
        return list(drawn.draw(split, seed))
    path = _file(config, split)
    try:
        return list(read_cases(path))
    except InputError:
        fresh = _file(config, split)
        if fresh == path:
            raise
        return list(read_cases(fresh))  # an import replaced the folder while it was being read


def provenance(config: str, split: str = "test", seed: int = 0) -> dict[str, str | int]:
    """Say where the cases of a config come from, for logs and results.

    Returns ``source`` (holmes, holmes-release, deonticbench), ``version`` (of the package, or commit or content hash
    of the release), ``fingerprint`` (sha256 of the cases, see `fingerprint`), ``path`` and ``cases`` (their number).
    Raises InputError like `load_cases`.
    """
    drawn = _drawn(config)
    if drawn is not None:
        found = load_cases(config, split, seed)
        made = {"source": OURS, "version": __version__, "fingerprint": fingerprint(found)}
        return {**made, "path": "+".join(drawn.members), "cases": len(found)}
    cases = load_cases(config, split)
    place = _place(config)
    return {
        "source": place.source,
        "version": place.version,
        "fingerprint": fingerprint(cases),
        "path": str(place.folder / f"{split}.parquet"),
        "cases": len(cases),
    }


def fingerprint(cases: Iterable[Case]) -> str:
    """Return the sha256 of the cases' canonical JSON (sorted keys, no spaces, UTF-8, one line a case), as hex."""
    digest = hashlib.sha256()
    for case in cases:
        line = json.dumps(case.to_dict(), ensure_ascii=False, sort_keys=True, separators=(",", ":"))
        digest.update(line.encode() + b"\n")
    return digest.hexdigest()


def original(release: str) -> Path:
    """Return the folder with the imported release's own files; raises InputError where it is not imported."""
    folder = import_dir(release)
    if not folder.is_dir():
        raise InputError(f"{release}: found no import in {folder.parent}, expected one from: {import_command(release)}")
    return folder.resolve() / "original"


def import_command(release: str) -> str:
    """Return the command that imports a release."""
    return f"holmes import {release} --from DIR"


def _drawn(config: str) -> Config | None:
    return next((own for own in registry_configs() if own.name == config and own.draw is not None), None)


def _brought(config: str) -> str:
    """Return the domain of a plug-in that has a config without packaged data; empty for other configs."""
    owner = owner_of(config)
    return owner if owner and brought_by(owner)[0] != DISTRIBUTION else ""


def _place(config: str) -> Place:
    release = release_of(config)
    if release is None:
        if _shipped(config):
            return Place(data_dir() / config, OURS, __version__)
        if owner := _brought(config):
            return Place(_made(config, owner), OURS, brought_by(owner)[1])
        find_plugin(config)
        known = list(dict.fromkeys((*configs(), *(own.name for origin in sources() for own in origin.configs))))
        raise InputError(f"config: found {config!r}, expected one of {', '.join(known)}{did_you_mean(config, known)}")
    home = import_dir(release).resolve()  # the link may be moved by a later import; the folder it names stays whole
    folder = home / config
    if not any(folder.glob("*.parquet")):
        raise InputError(
            f"{config}: found no import in {import_dir(release).parent}, expected one from: {import_command(release)}"
        )
    manifest = read_json(home / "manifest.json")
    return Place(folder, release, str(manifest["version"]))


def _made(config: str, owner: str) -> Path:
    """Return the folder of a plug-in's config in the cache; each split is built there when first asked for."""
    return cache_dir() / "domains" / owner / f"{brought_by(owner)[1]}-{_maker(config).fingerprint}" / config


def _maker(config: str) -> Generator:
    known = find(config)
    if known.generator is None:
        raise InputError(f"config {config!r}: found no generator, expected one: its cases are made when asked for")
    return known.generator()


def _file(config: str, split: str) -> Path:
    path = _place(config).folder / f"{split}.parquet"
    brought = not path.is_file() and release_of(config) is None and _brought(config)
    if brought and (make := _maker(config).embedded().get(split)):
        write_parquet(path, make())
    if not path.is_file():
        raise InputError(f"{config}: found no split {split!r}, expected one of {', '.join(splits(config))}")
    return path
