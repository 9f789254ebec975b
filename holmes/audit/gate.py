"""The document of an audit: gates of our own data, or defects of released data."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from holmes.results import Defect, Gate


def report(gates: Iterable[Gate], defects: Iterable[dict[str, Any]] = ()) -> dict[str, Any]:
    """Return the JSON document of `holmes audit`: defects, gates, names of the gates that fail."""
    listed = list(gates)
    failures = [f"{g.gate} [{g.scope}]" for g in listed if not g.ok]
    return {"defects": list(defects), "gates": [asdict(g) for g in listed], "failures": failures}


def document(defects: Iterable[Defect]) -> dict[str, Any]:
    """Return the audit's JSON document; a release has no gates, and its defects are findings, not failures."""
    ordered = sorted(defects, key=lambda d: (d.source, d.kind, d.id, d.field, d.evidence))
    return {"defects": [asdict(defect) for defect in ordered], "gates": [], "failures": []}
