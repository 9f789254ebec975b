"""One gate: what was measured, on what, the limit, and whether it holds."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Gate:
    """A measured value and its limit. limit reads ``<= 0.75`` or ``>= 0.25``."""

    gate: str
    scope: str
    value: float
    limit: str
    ok: bool


def at_most(gate: str, scope: str, value: float, limit: float) -> Gate:
    """Return a gate that holds if value <= limit."""
    return Gate(gate, scope, round(float(value), 4), f"<= {limit:g}", bool(value <= limit + 1e-9))


def at_least(gate: str, scope: str, value: float, limit: float) -> Gate:
    """Return a gate that holds if value >= limit."""
    return Gate(gate, scope, round(float(value), 4), f">= {limit:g}", bool(value >= limit - 1e-9))


def report(gates: Iterable[Gate], defects: Iterable[dict[str, Any]] = ()) -> dict[str, Any]:
    """Return the JSON document of `holmes audit`: defects, gates, names of the gates that fail."""
    listed = list(gates)
    failures = [f"{g.gate} [{g.scope}]" for g in listed if not g.ok]
    return {"defects": list(defects), "gates": [asdict(g) for g in listed], "failures": failures}
