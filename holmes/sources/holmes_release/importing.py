"""What is read of the HOLMES release: its files, checked, as cases by config."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from holmes.cases import Case
from holmes.errors import InputError
from holmes.importing.cache import Import, content_version
from holmes.importing.fetch import commit_of
from holmes.sources.holmes_release import finance_import as finance
from holmes.sources.holmes_release import law_import as law
from holmes.sources.holmes_release.finance.gold import marked
from holmes.sources.holmes_release.heights import with_heights
from holmes.sources.holmes_release.law_parts import explained
from holmes.sources.holmes_release.names import FINANCE, LAW, NAME

FILES = (
    law.CASES,
    law.TRACES,
    *(
        f"{finance.FOLDER}/{name}.json"
        for name in (*finance.SAMPLES, "gold", "case_index", "fudan_reimbursement_rules")
    ),
    "LICENSE",
)


def wanted(names: Sequence[str]) -> Sequence[str]:
    """Return the files of a listing that the import reads, wherever its root lies."""
    return [name for name in names if any(name == known or name.endswith(f"/{known}") for known in FILES)]


def read(
    folder: Path, version: str, notify: Callable[[str], None], *, corrected: bool = False, strict: bool = False
) -> Import:
    """Return everything that the release holds, checked.

    folder: a checkout or an unpacked archive. version: of it, "" where unknown. notify: progress. corrected, strict:
    see `corrections.mended`.
    Raises InputError where it is no HOLMES release, or a row is damaged.
    """
    root = law.find_root(folder)
    files = {name: root / name for name in FILES if (root / name).is_file()}
    configs: dict[str, Mapping[str, Sequence[Case]]] = {}
    notes: tuple[str, ...] = ()
    missing = [name for name in FILES if name not in files and name != "LICENSE"]
    if law.CASES in files:
        notify("law: reading")
        told, notes = with_heights(root, law.read_law(root))
        configs[LAW] = {"test": told}
    if any(f"{finance.FOLDER}/{name}.json" in files for name in (*finance.SAMPLES, "gold")):
        notify("finance: reading")
        configs[FINANCE] = {"test": finance.read_finance(root)}
    if not configs:
        raise InputError(f"{root}: found neither {law.CASES} nor {finance.GOLD}, expected the HOLMES release")
    known: Mapping[str, Mapping[str, Sequence[Case]]] = configs
    if corrected or strict:
        from holmes.sources.holmes_release.corrections import mended

        notify("golds: deriving")
        known, changes = mended(configs, root, corrected=corrected, strict=strict)
        notes += changes
    if LAW in known:
        notify("law: deriving")
        told, left = explained(known[LAW]["test"], root)
        known, notes = {**known, LAW: {"test": told}}, (*notes, *left)
    if FINANCE in known:
        notify("finance: deriving")
        told, left = marked(known[FINANCE]["test"], root)
        known, notes = {**known, FINANCE: {"test": told}}, (*notes, *left)
    return Import(
        release=NAME,
        version=version or commit_of(root) or content_version(files),
        configs=known,
        files=files,
        missing=tuple(missing),
        notes=notes,
    )
