"""Where the authors' releases lie; tests that need them carry the marker `release` (tests/conftest.py)."""

from __future__ import annotations

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MISSING = "the authors' releases are missing"
MARKERS = {"holmes": "holmes/law_data/datasets.json", "deonticbench": "deonticbench/data"}
HOW = (
    "put the releases at ../shared/release beside the repository, or name their folder in HOLMES_RELEASES"
    " (it holds holmes/law_data, holmes/finance_data and deonticbench/data)"
)


def candidates() -> tuple[Path, ...]:
    """The folders that may hold the releases: HOLMES_RELEASES alone where it is set, else ../shared/release."""
    named = os.environ.get("HOLMES_RELEASES")
    return (Path(named),) if named else (ROOT.parent / "shared" / "release",)


def find() -> Path | None:
    """The folder with both releases, or None."""
    for folder in candidates():
        if all((folder / inside).exists() for inside in MARKERS.values()):
            return folder
    return None


def required() -> bool:
    """True when missing data is a failure (HOLMES_REQUIRE_RELEASES=1)."""
    return os.environ.get("HOLMES_REQUIRE_RELEASES", "") not in ("", "0")


def release_dir(name: str = "") -> Path:
    """The folder of one release (`holmes` or `deonticbench`), or of both; only for tests marked `release`."""
    folder = find()
    if folder is None:
        raise FileNotFoundError(f"{MISSING}: {HOW}")
    return folder / name if name else folder
