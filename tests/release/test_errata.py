"""Errata of the release: kinds that were counted by others, stable documents, corrected and strict imports."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from holmes.commands.main import run
from holmes.errors import InputError
from holmes.report import errata
from holmes.services.importing import bring
from holmes.sources.holmes_release.defects import KINDS
from holmes.sources.holmes_release.finance_consistency import contradictions
from holmes.store import load_cases


@pytest.fixture(scope="module")
def audited(releases_dir, tmp_path_factory):
    """The audit's document, twice."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOLMES_CACHE", str(tmp_path_factory.mktemp("cache")))
        bring("holmes-release", str(releases_dir / "holmes"))
        from holmes.sources.holmes_release.defects import audit

        yield audit(), audit()


@pytest.mark.release
@pytest.mark.slow
def test_counted_kinds(audited) -> None:
    """What an outside list counts is found in full; every kind is explained; two runs give one document."""
    first, second = (json.dumps(document) for document in audited)
    assert first == second
    found = Counter((d["source"], d["kind"]) for d in audited[0]["defects"])
    law = {"concept_missing": 9, "mixed_verdict": 33, "undecided_tie": 14, "printed_rule_differs": 33}
    assert {kind: found["law_release", kind] for kind in law} == law
    assert found["law_release", "wrong_case_type"] == found["finance_release", "id_gap"] == 1
    assert found["finance_release", "asked_twice"] == 34
    assert {kind for _, kind in found} <= set(KINDS)
    assert all(d["evidence"] and d["id"] and d["field"] for d in audited[0]["defects"])


@pytest.mark.release
@pytest.mark.slow
def test_the_page_counts_what_the_audit_lists(audited, monkeypatch) -> None:
    """The page's counts are those of the document, whatever source it comes from."""

    class Audited:
        audited = "release"

        @staticmethod
        def defects():
            return audited[0]

    monkeypatch.setattr(errata, "sources", lambda: (Audited,))
    text = errata.page(["release"])
    assert "| mixed_verdict | 33 | 33 |" in text and "more)" in text
    with pytest.raises(InputError, match="errata: found 'nothing'"):
        errata.page(["nothing"])


@pytest.mark.release
@pytest.mark.slow
def test_corrected_and_strict_imports(releases_dir, tmp_path, monkeypatch) -> None:
    """Corrected golds are marked and no longer wrong; strict leaves the contested cases out."""
    monkeypatch.setenv("HOLMES_CACHE", str(tmp_path / "plain"))
    bring("holmes-release", str(releases_dir / "holmes"))
    plain = {c.id: c for config in ("law_release", "finance_release") for c in load_cases(config, "test")}
    monkeypatch.setenv("HOLMES_CACHE", str(tmp_path / "mended"))
    bring("holmes-release", str(releases_dir / "holmes"), corrected=True, strict=True)
    mended = {c.id: c for config in ("law_release", "finance_release") for c in load_cases(config, "test")}
    changed = [id for id, case in mended.items() if case.answer != plain[id].answer]
    assert changed and all("corrected" in mended[id].tags for id in changed)
    assert len(plain) == 1379 and 1000 < len(mended) < 1379


def test_deonticbench_has_nothing_to_correct(tmp_path, capsys) -> None:
    """An option that a source cannot keep is refused."""
    assert run(["import", "deonticbench", "--from", str(tmp_path), "--corrected"]) == 2
    assert "expected neither" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("record", "count"),
    [
        ({"has meal arranged": "false", "actual meal ppd": "40"}, 1),
        ({"has meal arranged": "true", "actual meal ppd": "40"}, 0),
        ({"is same city settlement": "true", "is nonlocal settlement": "true"}, 1),
        ({"payment amount gt 50000": "true", "payment amount ge 30000": "false"}, 1),
        ({"payment amount gt 50000": "false", "payment amount ge 30000": "true"}, 0),
        ({"daily meal standard exceeds 100": "false", "daily meal standard per person": "101"}, 1),
        ({"daily meal standard exceeds 100": "false", "daily meal standard per person": "100"}, 0),
    ],
)
def test_contradictions(record: dict[str, str], count: int) -> None:
    """Flags against numbers, exclusive flags, amounts of what is absent."""
    assert len(list(contradictions(record))) == count
