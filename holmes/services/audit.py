"""What `holmes audit TARGET` runs for each target."""

from __future__ import annotations

from typing import Any

from holmes.audit.gate import report
from holmes.errors import InputError


def law(*, seed: int | None, n: int, bundle: str) -> dict[str, Any]:
    """Audit our law cases: shipped, fresh (seed), or one bundle; with the authors' figures where imported."""
    from holmes.domains.law.gates.run import Options, audit
    from holmes.sources.holmes_release.law_gates import beside

    return beside(report(audit(Options(seed=seed, n=n, bundle=bundle))))


def release(*, seed: int | None, n: int, bundle: str) -> dict[str, Any]:
    """Find the defects of the authors' imported HOLMES release."""
    from holmes.sources.holmes_release.defects import audit

    _shipped("release", seed)
    return audit()


def deonticbench(*, seed: int | None, n: int, bundle: str) -> dict[str, Any]:
    """Find the defects of the authors' imported DeonticBench release."""
    from holmes.sources.deonticbench.defects import audit

    _shipped("deonticbench", seed)
    return audit()


def _shipped(name: str, seed: int | None) -> None:
    if seed is not None:
        raise InputError(f"audit {name}: found --seed, expected none: a release is audited as imported")
