"""What `holmes audit TARGET` runs for each target."""

from __future__ import annotations

from typing import Any

from holmes.audit.gate import report
from holmes.errors import InputError


def law(*, seed: int | None, n: int, bundle: str) -> dict[str, Any]:
    """Audit our law cases: shipped, fresh (seed), or one bundle."""
    from holmes.audit.law import Options, audit

    return report(audit(Options(seed=seed, n=n, bundle=bundle)))


def release(*, seed: int | None, n: int, bundle: str) -> dict[str, Any]:
    """Audit the authors' HOLMES release, once its importer can tell defects."""
    return _later("release")


def deonticbench(*, seed: int | None, n: int, bundle: str) -> dict[str, Any]:
    """Audit the authors' DeonticBench release, once its importer can tell defects."""
    return _later("deonticbench")


def _later(name: str) -> dict[str, Any]:
    raise InputError(f"audit {name}: found no audit for it in this version, expected law")
