"""Ablated engines on the shipped law cases."""

from __future__ import annotations

from holmes.domains.law.ablations import LIMITS, ablated, table
from holmes.store import load_cases


def test_every_operator_matters_on_the_shipped_cases() -> None:
    """No engine that lacks an operator reaches its limit, and the card says what each one reaches."""
    cases = load_cases("law")
    found = ablated(cases)
    assert found.keys() == LIMITS.keys()
    assert {name: share for name, share in found.items() if share > LIMITS[name]} == {}
    assert f"| no priorities | {found['no_priorities']:.3f} |" in table(cases)
