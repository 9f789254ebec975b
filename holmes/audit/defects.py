"""A defect of released data, and the document that an audit returns."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Defect:
    """One defect. kind: what is wrong; source: the config; id, field: where; evidence: how it shows.

    right_value: what should stand there, as text, empty where that cannot be told.
    """

    kind: str
    source: str
    id: str
    field: str
    evidence: str
    right_value: str = ""


def document(defects: Iterable[Defect]) -> dict[str, Any]:
    """Return the audit's JSON document; a release has no gates, and its defects are findings, not failures."""
    ordered = sorted(defects, key=lambda d: (d.source, d.kind, d.id, d.field, d.evidence))
    return {"defects": [asdict(defect) for defect in ordered], "gates": [], "failures": []}
