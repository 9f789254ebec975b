"""The two releases: where they may come from, what is read of them, and how it is stored."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from holmes.cases import Case
from holmes.errors import InputError
from holmes.importing.cache import Import, Written, content_version, store
from holmes.importing.fetch import commit_of, opened
from holmes.sources.deonticbench import reader as deonticbench
from holmes.sources.holmes_release import finance_import as finance
from holmes.sources.holmes_release import law_import as law

HUB = "gydou/DeonticBench"
HOLMES_FILES = (
    law.CASES,
    law.TRACES,
    *(
        f"{finance.FOLDER}/{name}.json"
        for name in (*finance.SAMPLES, "gold", "case_index", "fudan_reimbursement_rules")
    ),
    "LICENSE",
)


def bring(
    release: str,
    origin: str,
    out: Path | None = None,
    statutes: Path | None = None,
    notify: Callable[[str], None] = lambda _: None,
) -> tuple[Import, Written]:
    """Import a release: read and check everything, then swap it in.

    release: ``holmes-release`` or ``deonticbench``. origin: see `opened`. out: root to write below instead of the
    cache. statutes: folder with ``sara`` and ``airline`` for a DeonticBench source without them. notify: progress.
    Returns what was read and what was written. Raises InputError, EnvironmentFailure; then nothing has changed.
    """
    if release == "holmes-release":
        with opened(origin, HOLMES_FILES, "", _holmes_files) as source:
            done = _holmes(source.folder, source.version, notify)
            return done, store(done, out)
    if release == "deonticbench":
        with opened(origin, (), HUB, lambda names: deonticbench.locate(names).files()) as source:
            done = _deonticbench(source.folder, source.version, statutes, notify)
            return done, store(done, out)
    raise InputError(f"release: found {release!r}, expected holmes-release or deonticbench")


def _holmes_files(names: Sequence[str]) -> Sequence[str]:
    return [name for name in names if any(name == known or name.endswith(f"/{known}") for known in HOLMES_FILES)]


def _holmes(folder: Path, version: str, notify: Callable[[str], None]) -> Import:
    root = law.find_root(folder)
    files = {name: root / name for name in HOLMES_FILES if (root / name).is_file()}
    configs: dict[str, Mapping[str, Sequence[Case]]] = {}
    missing = [name for name in HOLMES_FILES if name not in files and name != "LICENSE"]
    if law.CASES in files:
        notify("law: reading")
        configs["law_release"] = {"test": law.read_law(root)}
    if any(f"{finance.FOLDER}/{name}.json" in files for name in (*finance.SAMPLES, "gold")):
        notify("finance: reading")
        configs["finance_release"] = {"test": finance.read_finance(root)}
    if not configs:
        raise InputError(f"{root}: found neither {law.CASES} nor {finance.GOLD}, expected the HOLMES release")
    return Import(
        release="holmes-release",
        version=version or commit_of(root) or content_version(files),
        configs=configs,
        files=files,
        missing=tuple(missing),
    )


def _deonticbench(folder: Path, version: str, statutes: Path | None, notify: Callable[[str], None]) -> Import:
    inside = {p.relative_to(folder).as_posix(): p for p in folder.rglob("*") if p.is_file() and ".git" not in p.parts}
    if statutes is not None:
        if not statutes.is_dir():
            raise InputError(f"--statutes: found no folder {str(statutes)!r}, expected one with sara and airline")
        inside |= {f"statutes/{p.relative_to(statutes).as_posix()}": p for p in statutes.rglob("*") if p.is_file()}
    found = deonticbench.locate(sorted(inside))
    read = deonticbench.read_deonticbench(folder, inside, found, notify)
    files = {name: inside[name] for name in found.files()}
    return Import(
        release="deonticbench",
        version=version or commit_of(folder) or content_version(files),
        configs=read.configs,
        files=files,
        missing=read.missing,
        notes=read.notes,
    )
