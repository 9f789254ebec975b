"""Cases by config name: embedded ones from the package, imported `*_release` ones from the cache."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from holmes.cases import Case, read_cases
from holmes.errors import InputError
from holmes.util.files import read_json
from holmes.util.paths import cache_dir, data_dir

# release -> the configs that its import provides
RELEASES: dict[str, tuple[str, ...]] = {
    "holmes-release": ("law_release", "finance_release"),
    "deonticbench": (
        "deontic_sara_numeric_release",
        "deontic_sara_binary_release",
        "deontic_airline_release",
        "deontic_housing_release",
        "deontic_uscis_release",
    ),
}


DRAWN = "types"
"""The config that has no file: a sample by higher-order type (`holmes.configs.by_type`)."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where one config lies: its folder of ``<split>.parquet`` files, its source, and the version of that source."""

    folder: Path
    source: str  # holmes | holmes-release | deonticbench
    version: str


def release_of(config: str) -> str | None:
    """Return the release that an import must bring for `config`, or None for an embedded one."""
    return next((name for name, known in RELEASES.items() if config in known), None)


def import_dir(release: str, root: Path | None = None) -> Path:
    """Return the folder of an imported release below `root` (default: the cache); it need not exist."""
    return (root or cache_dir()) / "releases" / release


def configs() -> tuple[str, ...]:
    """Return the names of all configs that can be loaded now, embedded ones first, each part sorted."""
    embedded = sorted(p.name for p in data_dir().glob("*") if any(p.glob("*.parquet"))) if data_dir().is_dir() else []
    imported = [c for name, known in RELEASES.items() for c in known if any((import_dir(name) / c).glob("*.parquet"))]
    return (*embedded, *imported)


def splits(config: str) -> tuple[str, ...]:
    """Return the splits that `config` has, sorted; raises InputError where the config is missing."""
    if config == DRAWN:
        from holmes.configs.by_type import SPLITS

        return tuple(sorted(SPLITS))
    return tuple(sorted(path.stem for path in _place(config).folder.glob("*.parquet")))


def load_cases(config: str, split: str = "test") -> list[Case]:
    """Load all cases of one split, each row checked.

    config: an embedded config ("law", "deontic_sara_numeric", …) or an imported one ("law_release", …).
    split: test | hard | smoke | dev | train | whole, where the config has it.
    Returns the cases in file order. Raises InputError in one line; for a release that is not imported it holds the
    command that imports it.
    """
    if config == DRAWN:
        from holmes.configs.by_type import by_type

        return list(by_type(split).cases)
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
    if config == DRAWN:
        from holmes import __version__
        from holmes.configs.by_type import CONFIGS, by_type

        drawn = by_type(split, seed).cases
        made = {"source": "holmes", "version": __version__, "fingerprint": fingerprint(drawn)}
        return {**made, "path": "+".join(CONFIGS), "cases": len(drawn)}
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


def _place(config: str) -> Place:
    release = release_of(config)
    if release is None:
        from holmes import __version__

        folder = data_dir() / config
        if "/" in config or not any(folder.glob("*.parquet")):
            known = ", ".join((*configs(), *(c for names in RELEASES.values() for c in names if c not in configs())))
            raise InputError(f"config: found {config!r}, expected one of {known}")
        return Place(folder, "holmes", __version__)
    home = import_dir(release).resolve()  # the link may be moved by a later import; the folder it names stays whole
    folder = home / config
    if not any(folder.glob("*.parquet")):
        raise InputError(
            f"{config}: found no import in {import_dir(release).parent}, expected one from: {import_command(release)}"
        )
    manifest = read_json(home / "manifest.json")
    return Place(folder, release, str(manifest["version"]))


def _file(config: str, split: str) -> Path:
    path = _place(config).folder / f"{split}.parquet"
    if not path.is_file():
        raise InputError(f"{config}: found no split {split!r}, expected one of {', '.join(splits(config))}")
    return path
