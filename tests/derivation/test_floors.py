"""What a trace earns that reasons nothing out, and that implied steps give nothing away (docs/derivations.md)."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.derivation.floors import EMPTY, floor
from tests.derivation.made import sample

DOCS = Path(__file__).resolve().parents[2] / "docs/scoring.md"
EVERY = 6


@pytest.mark.parametrize("name", EMPTY)
def test_floors_are_documented_and_nothing_is_given_away(name):
    """An empty trace is worth 0; sweeping claims gain nothing by what is implied; without conflicts below .85."""
    found = floor(sample("law", EVERY), name)
    row = f"| {name} | " + " | ".join(f"{value:.3f}" for value in found.values()) + " |"
    assert row in DOCS.read_text(), row
    if name == "no conflict resolved":
        assert found["coverage"] < 0.85 and found["critical"] < 0.85
    else:
        assert found["coverage"] == found["coverage, nothing implied"]
    if name == "nothing said":
        assert set(found.values()) == {0.0}
