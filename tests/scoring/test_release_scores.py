"""Gold answers and gold traces of the authors' release under both scorings."""

from __future__ import annotations

import pytest

from holmes.scoring import score
from holmes.scoring.citations import authors_rules, score_rules
from holmes.services.importing import bring
from holmes.sources.holmes_release.law_defects import law_defects
from holmes.store import load_cases
from tests import releases


@pytest.fixture(scope="module")
def law(releases_dir, tmp_path_factory):
    root = tmp_path_factory.mktemp("cache")
    bring("holmes-release", str(releases_dir / "holmes"), out=root)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOLMES_CACHE", str(root))
        return load_cases("law_release")


@pytest.mark.release
def test_gold_answers_score_300_of_300(law):
    """Label and every alias, plain and dressed up, are read as the gold, by both readings."""
    assert len(law) == 300
    for case in law:
        spellings = [case.answer] + [t for a in case.aliases if a.label == case.answer for t in a.text]
        for words in spellings:
            for text in (f"Answer: {words}", f"<think>Answer: x</think>**Final answer:** *{words}*."):
                assert score(case, text).value == 1, (case.id, text)
            assert score(case, f"Answer: {words}", compat="holmes-2026").value == 1
        for other in case.choices:
            assert score(case, f"Answer: {other}").value == (other == case.answer)


@pytest.mark.release
def test_gold_traces_are_whole(law):
    """Citing the gold trace scores 1 in every part, but where it leaves out what every derivation needs (closure)."""
    short = set()
    for case in law:
        text = "\n".join(f"{i}. so [Rule {s.rule}]" for i, s in enumerate(case.trace, 1))
        ours, theirs = score_rules(case, text), authors_rules(case, text, True)
        if (ours.f1, ours.order, ours.coverage, ours.broken) != (1, 1, 1, ""):
            short.add(case.id)
        assert ours.precision == 1, case.id
        assert theirs.reasoning == pytest.approx(1) and theirs.overall == pytest.approx(1), case.id
    incomplete = {d.id for d in law_defects(releases.release_dir("holmes")) if d.kind == "incomplete_trace"}
    assert len(short) == 47 and short < incomplete
