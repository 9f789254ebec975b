"""Labelled traces of other hands: what is found, inverted, seen; docs/scoring.md quotes the figures."""

from __future__ import annotations

import re
from pathlib import Path

from tests.derivation.hands import FILES, agreement, confusion

DOCS = Path(__file__).resolve().parents[2] / "docs/scoring.md"


def test_the_documented_confusion_table_is_what_is_measured():
    """A row a figure, a column a hand; found at least 90 % over all, inverted at most .5 %, planted errors seen."""
    figures = [confusion(name) for name in FILES]
    text = DOCS.read_text()
    for name in figures[0]:
        row = "".join(rf" {re.escape(str(one[name]))} \|" for one in figures)
        assert re.search(rf"^\| {re.escape(name)} \|{row}$", text, re.MULTILINE), (name, [one[name] for one in figures])
    labels = [int(str(one["labels"])) for one in figures]
    found = [float(str(one["found"])) for one in figures]
    assert sum(n * share for n, share in zip(labels, found, strict=True)) / sum(labels) >= 0.9
    assert all(float(str(one["inverted"])) <= 0.005 for one in figures)
    seen, planted = (sum(int(str(one["planted errors found"]).split("/")[n]) for one in figures) for n in (0, 1))
    assert planted >= 20 and seen / planted >= 0.8


def test_figures_as_read_go_with_figures_from_the_labels():
    """Rank correlation of deriv_f1 at least .9; soundness parts good from bad reasoning with at least .95."""
    found = agreement()
    text = DOCS.read_text()
    assert all(f"{name}: {value}" in text for name, value in found.items()), found
    numbers = [float(value) for value in list(found.values())[:2]]
    assert numbers[0] >= 0.9 and numbers[1] >= 0.95
