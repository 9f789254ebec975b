"""The `evaluate` module derivation, loaded as users load it."""

from __future__ import annotations

import json

import pytest

pytest.importorskip("evaluate")

import holmes
from holmes.errors import InputError
from holmes.scoring.derivation import score_derivation
from tests.derivation.made import sample, written


@pytest.fixture(autouse=True)
def offline(monkeypatch):
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")


def test_ids_and_whole_cases_as_references():
    """Gold is 1; figures equal the core's; a wrong reference is refused by name."""
    metric = holmes.load_metric("derivation")
    cases = [*sample("law")[:2], sample("finance")[3], sample("deontic_sara_numeric")[1]]
    gold = [written(case).text() for case in cases]
    found = metric.compute(predictions=gold, references=[case.id for case in cases])
    assert found["deriv_soundness"] == found["deriv_f1"] == found["deriv_critical"] == 1 and found["samples"] == 4
    assert found["shortcut"] == 0 and found["signature"].startswith("derivations:2|")
    halves = [text[: len(text) // 2] for text in gold]
    whole = [json.dumps(case.to_dict()) for case in cases]
    found = metric.compute(predictions=halves, references=whole, per_sample=True)
    own = [score_derivation(case, text) for case, text in zip(cases, halves, strict=True)]
    assert found["deriv_coverage"] == pytest.approx(sum(s.coverage for s in own) / 4)
    assert [row["deriv_f1"] for row in found["per_sample"]] == [s.f1 for s in own]
    with pytest.raises(InputError, match=r"found .law.no_such.1-1., expected an id"):
        metric.compute(predictions=["x"], references=["law/no_such/1-1"])


def test_nothing_gives_zeros():
    """An empty batch."""
    assert holmes.load_metric("derivation").compute(predictions=[], references=[])["samples"] == 0
