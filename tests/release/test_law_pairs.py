"""Counterfactual families and samples by type of the released cases."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from holmes.configs.by_type import WRONG
from holmes.derivations.operations import TYPES
from holmes.errors import InputError
from holmes.registry import domain_of, parts_of
from holmes.scoring import score
from holmes.services.importing import bring
from holmes.services.statistics import check
from holmes.sources.holmes_release.law_changes import words
from holmes.sources.holmes_release.names import COUNTERFACTUAL
from holmes.store import load_cases
from holmes.tasks import cases_of, task_spec


@pytest.fixture(scope="module")
def imported(releases_dir, tmp_path_factory):
    root = tmp_path_factory.mktemp("cache")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOLMES_CACHE", str(root))
        bring("holmes-release", str(releases_dir / "holmes"))
        yield root


def told(case) -> dict[str, set[bool]]:
    """What the sentences of a text tell, by the lexicon of the bundle."""
    found: dict[str, set[bool]] = {}
    for _, literal in words(case.bundle).literals(case.case):
        if literal is not None:
            found.setdefault(literal[0], set()).add(literal[1])
    return found


@pytest.mark.release
def test_families_of_released_law(imported):
    """Each decisive change turns the answer, each control leaves it; one fact apart; texts tell the very record."""
    rows = load_cases(COUNTERFACTUAL, "every")
    assert len(rows) == 3 * 288 and len(load_cases(COUNTERFACTUAL)) == 3 * 220
    for original, decisive, control in zip(rows[::3], rows[1::3], rows[2::3], strict=True):
        assert decisive.answer != original.answer == control.answer, original.id
        (was,) = parts_of(original)
        for member, most in ((decisive, 2 if "robust" in original.tags else 1), (control, 1)):
            (part,) = parts_of(member)
            apart = [name for name, value in part.facts.items() if was.facts[name] != value]
            assert 1 <= len(apart) <= most and member.case != original.case, member.id
        for member in (original, decisive, control):
            (part,) = parts_of(member)
            found = told(member)
            assert all(found.get(name, {False}) == {value} for name, value in part.facts.items()), member.id
            assert "gold_trace" not in member.plan or member is original
    for member in rows[1::90]:
        assert check(member).types == member.hol_types
        assert score(member, f"Answer: {member.answer}").value == 1


@pytest.mark.release
def test_samples_by_type_leave_wrong_golds_out(imported):
    """The paper's 500 and 250 of the authors' cases; 1 law and 37 finance golds are marked and never drawn."""
    marked = [c.id for config in ("law_release", "finance_release") for c in load_cases(config) if WRONG in c.tags]
    assert len(marked) == 38 and marked[0] == "aswa_case_17"
    for split, each in (("test", 100), ("half", 50)):
        cases = cases_of(task_spec("holmes_types_release"), split)
        assert len({case.id for case in cases}) == len(TYPES) * each
        assert not {case.id for case in cases} & set(marked)
        counted = Counter(kind for case in cases for kind in case.hol_types)
        assert all(counted[kind] >= each for kind in TYPES)


@pytest.mark.release
def test_a_fact_without_words_is_not_told(imported):
    """A sentence that no case of the bundle has is no change; a wrong split and a wrong gold admit none."""
    law = load_cases("law_release")
    here = domain_of(law[0]).interventions(law[0])
    change = next(c for fact in here.components[0].facts for c, _ in here.components[0].changes(0, fact, None))
    assert not here.tells(replace(change, fact="flies_to_the_moon", before=False, after=True))
    assert domain_of(law[0]).interventions(next(c for c in law if WRONG in c.tags)) is None
    with pytest.raises(InputError, match="found no split 'dev', expected one of every, test"):
        load_cases(COUNTERFACTUAL, "dev")
