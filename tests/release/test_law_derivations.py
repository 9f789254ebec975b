"""The derivations of the released law cases: families, critical steps, scores, what a reader is shown."""

from __future__ import annotations

import json

import pytest

from holmes.cases import Step
from holmes.derivations.derive import is_fact, is_policy_level
from holmes.logic.engine.evaluate import evaluate
from holmes.registry import derivations_of, domain_of, parts_of
from holmes.report.show import render
from holmes.scoring.derivation import has_derivations, score_derivation
from holmes.scoring.trace import score_samples
from holmes.services.importing import bring
from holmes.services.statistics import overview
from holmes.store import load_cases
from tests.derivation.made import written
from tests.release import made
from tests.trace.fakes import Words


@pytest.fixture(scope="module")
def law(releases_dir, tmp_path_factory):
    root = tmp_path_factory.mktemp("cache")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOLMES_CACHE", str(root))
        bring("holmes-release", str(releases_dir / "holmes"))
        yield load_cases("law_release")


@pytest.mark.release
def test_every_case_but_one_has_a_family_that_is_listed_in_full(law):
    """`aswa_case_17` alone has a gold that its facts do not entail: it is imported without derivations."""
    assert [case.id for case in law if not has_derivations(case)] == ["aswa_case_17"]
    found = overview(law)["derivations"]
    assert (found["stored"], found["all_listed"]) == (299, 299)
    assert found["several"] >= 100 and found["largest"] < 256


@pytest.mark.release
def test_members_derive_the_answer_and_no_label_can_be_spared(law):
    """By another path than the families': each member derives the answer, and does not with one label less."""
    for case in law[::17]:
        if not has_derivations(case):
            continue
        found = derivations_of(case)
        (part,) = found.parts
        graph = part.graph

        def derives(labels, part=part, graph=graph):
            kept = []
            for node in range(len(graph)):
                label = part.label(node)
                ways = graph.alternatives(node)
                kept.append((label is None or label in labels) and any(all(kept[p] for p in way) for way in ways))
            return kept[part.root]

        for member in case.derivations[:4]:
            assert derives(set(member)), case.id
            assert not any(derives(set(member) - {label}) for label in member), case.id
        necessary = set.intersection(*map(set, case.derivations))
        inferences = [label for label in case.derivations[0] if not is_fact(label) and label != part.answer]
        assert case.critical == tuple(n for n in inferences if n in necessary or is_policy_level(n)), case.id


@pytest.mark.release
def test_what_the_gold_says_of_articles_is_in_the_graph(law):
    """Articles that the gold calls defeated or applicable are so in closure mode, where the gold is whole."""
    for case in law[::13]:
        (part,) = parts_of(case)
        result = evaluate(part.base, part.facts)
        gold = json.loads(case.plan)["gold_trace"]
        assert set(gold["triggered_articles"]) <= {n for n, there in result.triggered.items() if there}, case.id


@pytest.mark.release
def test_reference_traces_score_one_and_bare_answers_nothing(law):
    """The first and last of a family, in the words of the case; the answer without a step."""
    for case in [case for case in law if has_derivations(case)][::29]:
        for number in (0, 255):
            score = score_derivation(case, f"{written(case, number).text()}\nAnswer: {case.answer}")
            assert set(score.numbers().values()) == {1.0}, (case.id, score.first_error)
            assert score.shortcut(True) is False
        assert set(score_derivation(case, f"Answer: {case.answer}").numbers().values()) == {0.0}


@pytest.mark.release
def test_trace_metrics_take_the_family_as_references(law):
    """The trace of a last member scores exactly 1 among all members, and less against the gold alone."""
    cases = [case for case in law if len(case.derivations) > 2][::20]
    texts = ["\n".join(s.text for s in derivations_of(case).trace(case.derivations[-1])) for case in cases]

    def family(case):
        found = derivations_of(case)
        return [found.trace(member) for member in found.family.members(256)]

    metrics = ("sa", "rouge_l")
    many = score_samples(cases, texts, metrics, encoder=Words(), family=family)
    one = score_samples(cases, texts, metrics, encoder=Words())
    assert all(row["sa_p"] == row["sa_f1"] == row["rouge_l"] == 1 for row in many)
    assert all(row["rouge_l"] < 1 for row in one)


@pytest.mark.release
def test_a_family_is_shown_in_words(law):
    """`holmes show ID --derivations`: sentences with rule numbers; the step that picks has no number in the release."""
    case = next(case for case in law if len(case.derivations) > 1)
    shown = render(case, derivations=True).partition("DERIVATIONS")[2]
    assert f"{len(case.derivations)} listed of {case.derivations_count}" in shown
    assert "is triggered.  [Rule " in shown and "  1. besides:" in shown
    assert "Rule 0" not in shown and "policy:" not in shown
    wrong = next(case for case in law if not has_derivations(case))
    assert render(wrong, derivations=True).endswith(
        "none: the facts do not entail the gold, or its rules are no rule base"
    )


def test_a_case_whose_gold_does_not_follow_is_named_on_import(tmp_path, monkeypatch):
    """A made-up release: both its theories prove entry, the second gold denies it; the import says so."""
    monkeypatch.setenv("HOLMES_CACHE", str(tmp_path / "cache"))
    root = made.holmes_release(tmp_path / "r")
    path = root / "law_data" / "datasets.json"
    stated = "2. The entry article covers entry; the prescribed consequence is a night ban."
    path.write_text(path.read_text().replace("2. Entry leads to a night ban.", stated))
    done, _ = bring("holmes-release", str(root))
    assert "law: no derivations, the facts do not entail the gold: lock_2" in done.notes
    first, second = load_cases("law_release")
    assert len(first.derivations) == 1 and "concept:1:entry=true" in first.critical
    assert not second.derivations and domain_of(second).derivations(second) is None


def test_rules_that_cannot_be_recovered_leave_no_derivations_and_say_so(tmp_path, monkeypatch):
    """The made-up release as it is states no consequence that is known: cases come, without families."""
    monkeypatch.setenv("HOLMES_CACHE", str(tmp_path / "cache"))
    done, _ = bring("holmes-release", str(made.holmes_release(tmp_path / "r")))
    assert any(note.startswith("law: no derivations: ") for note in done.notes)
    assert not any(case.derivations for case in load_cases("law_release"))


def test_the_picking_step_has_no_rule_number():
    """Its sentence in the release's words; other steps stay as they are."""
    from holmes.sources.holmes_release.law_parts import worded

    said = worded(None, Step("By Rule 0, the answer is a night ban.", "", "decision", "night_ban"))
    assert said.text == "The answer is a night ban."
    other = Step("By Rule 10, the answer key holds.", "10", "concept", "true")
    assert worded(None, other) == other
