"""The audit of the law release: its own defects, and each kind planted in a copy of it."""

from __future__ import annotations

import json
import re
import shutil
from collections import Counter

import pytest

from holmes.services.importing import bring
from holmes.sources.holmes_release.defects import audit
from holmes.sources.holmes_release.law_lexicon import learn, stem, symbols

LAW, TRACES = "law_data/datasets.json", "law_data/law_nl_traces.json"


def test_a_lexicon_is_learned_from_wording_and_company():
    """Each sentence goes to the literal whose words and polarity it has; names are replaced; others state nothing."""
    texts = {
        "1": "Ann opened the gate. No guard was present. It rained.",
        "2": "Bob did not open the gate. A guard was present.",
        "3": "Cid opened the gate. A guard was present.",
    }
    facts = {
        "1": {"opens_gate": True, "guard_present": False},
        "2": {"opens_gate": False, "guard_present": True},
        "3": {"opens_gate": True, "guard_present": True},
    }
    lexicon = learn(texts, facts)
    assert lexicon.said("1") == {"opens_gate": {True}, "guard_present": {False}}
    assert lexicon.said("2") == {"opens_gate": {False}, "guard_present": {True}}
    assert lexicon.patterns["1"][0] == lexicon.patterns["3"][0]


@pytest.mark.parametrize(
    ("text", "found"),
    [("the exit_alarm rang", ["exit_alarm"]), ("Art_Theft and \\<not>", ["Art_Theft", "\\<not>"]), ("7_5 o'clock", [])],
)
def test_symbols_in_texts_are_found(text, found):
    """Words joined by underscores and Isabelle tokens; numbers with an underscore are none."""
    assert symbols(text) == found


@pytest.mark.parametrize(("one", "other"), [("opens", "opened"), ("touches", "touched"), ("guard", "guards")])
def test_inflections_share_a_stem(one, other):
    """Present and past, singular and plural meet."""
    assert stem(one) == stem(other)


@pytest.fixture
def planted(releases_dir, tmp_path, monkeypatch):
    """Audit a changed copy of the law release; returns a function from edits to the new defects."""
    monkeypatch.setenv("HOLMES_CACHE", str(tmp_path / "cache"))
    root = tmp_path / "copy"
    (root / "law_data").mkdir(parents=True)
    for name in (LAW, TRACES):
        shutil.copyfile(releases_dir / "holmes" / name, root / name)

    def run(edit=lambda cases, traces: None):
        law, traces = (json.loads((root / name).read_text()) for name in (LAW, TRACES))
        cases = {c["case_id"]: c for b in law["bundles"] for c in b["cases"]}
        edit(cases, {t["case_id"]: t for t in traces["traces"]})
        for name, value in ((LAW, law), (TRACES, traces)):
            (root / name).write_text(json.dumps(value))
        bring("holmes-release", str(root))
        return [d for d in audit()["defects"] if d["source"] == "law_release"]

    return run


@pytest.mark.release
def test_the_authors_law_release(planted):
    """One wrong result; 111 traces that leave out what the facts trigger; texts are sound, and no
    narrative is another case's."""
    found = planted()
    counts = Counter(d["kind"] for d in found)
    assert set(counts) == {
        "concept_missing", "duplicate", "false_lemma", "false_line", "incomplete_trace", "mixed_verdict",
        "printed_rule_differs", "uncited_conflict", "undecided_tie", "wrong_case_type", "wrong_gold",
    }  # fmt: skip
    assert counts["incomplete_trace"] == 111
    wrong = [d for d in found if d["kind"] == "wrong_gold" and d["field"] == "final_result"]
    assert [(d["id"], d["right_value"]) for d in wrong] == [("aswa_case_17", "imprisonment_between_7_15_years")]


@pytest.mark.release
def test_planted_defects_are_found_by_kind_and_id(planted):
    """A copied text, an omitted fact, a leak, a swapped and a cut narrative, a changed gold, a false lemma."""

    def edit(cases, traces):
        cases["dawe_case_11"]["case_text"] = cases["dawe_case_12"]["case_text"]
        cases["epwp_case_05"]["case_text"] = re.sub(
            r" *\S[^.]* exceeded[^.]*\.", "", cases["epwp_case_05"]["case_text"]
        )
        cases["mcbr_case_03"]["case_text"] += " The border_lantern_turns_blue fact holds."
        one, other = traces["ohsr_case_01"], traces["ohsr_case_02"]
        keys = "natural_language_trace"
        one[keys], other[keys] = other[keys], one[keys]
        traces["pcwd_case_05"][keys] = traces["pcwd_case_05"][keys].split("However")[0]
        gold = cases["ssdr_case_02"]
        gold["gold_trace"]["final_result"] = gold["questions"][0]["answer"] = "No_Criminal_Liability"
        theory = cases["ciwa_case_02"]["isabelle"]
        theory["theory_code"] = theory["theory_code"].replace(
            'trigger_art_data_theft: "article_triggered', 'trigger_art_data_theft: "\\<not> article_triggered'
        )

    before = {(d["kind"], d["id"], d["field"]) for d in planted()}
    new = {(d["kind"], d["id"]) for d in planted(edit) if (d["kind"], d["id"], d["field"]) not in before}
    expected = {
        ("copied_text", "dawe_case_12"), ("wrong_text", "dawe_case_11"), ("omitted_fact", "dawe_case_11"),
        ("omitted_fact", "epwp_case_05"), ("symbol_leak", "mcbr_case_03"), ("wrong_narrative", "ohsr_case_01"),
        ("wrong_narrative", "ohsr_case_02"), ("truncated_narrative", "pcwd_case_05"), ("wrong_gold", "ssdr_case_02"),
        ("false_lemma", "ciwa_case_02"),
    }  # fmt: skip
    assert expected - new <= {("omitted_fact", "dawe_case_11"), ("wrong_text", "dawe_case_11")}
    assert {("omitted_fact", "dawe_case_11"), ("wrong_text", "dawe_case_11")} & new
    assert new - expected == set()
