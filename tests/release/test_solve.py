"""`holmes solve` on the law release: every symbolic field in release mode, the right values in closure mode."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from holmes.errors import InputError
from holmes.logic.language.model import And, Not, Or, Ref
from holmes.services.importing import bring
from holmes.services.solve import solve
from holmes.sources.holmes_release.law_gold import FIELDS
from holmes.sources.holmes_release.law_rulebases import _definition, recover
from tests import releases
from tests.release import made


def ways(*groups):
    """Premise sets as the proofs give them; a name that begins with "-" is used negated."""
    return [tuple((name.removeprefix("-"), not name.startswith("-")) for name in group.split()) for group in groups]


def fact(name):
    return Ref(name, "fact")


ATOMS = ["a", "b", "c", "d", "e"]


@pytest.mark.parametrize(
    ("observed", "text", "expected"),
    [
        (ways("a"), "X is a.", fact("a")),
        (ways("a -b"), "X is a and no b.", And((fact("a"), Not(fact("b"))))),
        (ways("a", "b"), "X is a or b.", Or((fact("a"), fact("b")))),
        (ways("a c", "b c"), "X is c and either a or b.", And((fact("c"), Or((fact("a"), fact("b")))))),
        (ways("a c", "b d"), "X requires one and the other.",
         And((Or((fact("a"), fact("b"))), Or((fact("c"), fact("d")))))),
        (ways("a c", "b d"), "X is a with c or b with d.",
         Or((And((fact("a"), fact("c"))), And((fact("b"), fact("d")))))),
    ],
)  # fmt: skip
def test_observed_premise_sets_become_a_definition(observed, text, expected):
    """Shared premises are factored out; two disjoint pairs are read as the sentence says, and the choice is noted."""
    notes: list[str] = []
    assert _definition("x", observed, text, ATOMS, notes) == expected
    assert bool(notes) == (len(observed) == 2 and len({n for way in observed for n, _ in way}) == 4)


@pytest.fixture
def imported(tmp_path, monkeypatch):
    """A made-up law release whose rules state a consequence, imported."""
    monkeypatch.setenv("HOLMES_CACHE", str(tmp_path / "cache"))
    root = made.holmes_release(tmp_path / "r")

    def state(value):
        for case in value["bundles"][0]["cases"]:
            case["rules_text"] = (
                "1. Entry is a picked lock.\n2. The entry article; the prescribed consequence is a night ban."
            )
        case["isabelle"]["theory_code"] = case["isabelle"]["theory_code"].replace("lemma derive_entry", "lemma kept")
        case["isabelle"]["theory_code"] = case["isabelle"]["theory_code"].replace("lemma trigger_art", "lemma left")

    made.change(root / "law_data/datasets.json", state)
    bring("holmes-release", str(root))
    return root


def test_both_modes_on_a_made_up_release(imported):
    """Golds that are right agree on every field in both modes."""
    for mode in ("release", "closure"):
        document = solve(config="law_release", mode=mode).document(answers=True)
        assert document["disagreements"] == []
        assert document["cases"] == document["agree"] == 2
        assert document["fields"] == dict.fromkeys(FIELDS, 2)
        assert document["answers"][0] == {"id": "lock_1", "answer": "night_ban", "trace": [1, 2, 2]}


def test_a_wrong_gold_is_named_with_both_values(imported, monkeypatch):
    """A changed gold comes out as one disagreement with id, field, gold, derived and the odd one out."""
    root = imported
    made.change(
        root / "law_data/datasets.json",
        lambda v: v["bundles"][0]["cases"][0]["gold_trace"].update(final_result="No_Criminal_Liability"),
    )
    bring("holmes-release", str(root))
    document = solve(config="law_release", mode="release").document()
    assert document["disagreements"] == [
        {
            "id": "lock_1",
            "field": "final_result",
            "gold": "No_Criminal_Liability",
            "derived": "night_ban",
            "odd": "gold",
        }
    ]
    assert document["agree"] == 1
    assert document["fields"]["final_result"] == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "neither or both"),
        ({"config": "law_release", "file": "x.jsonl"}, "neither or both"),
        ({"config": "law_release", "mode": "open"}, "--mode: found 'open'"),
        ({"config": "nothing"}, "found 'nothing'"),
        ({"file": "missing.jsonl"}, "missing.jsonl: found no such file"),
    ],
)
def test_wrong_use_is_one_clear_line(arguments, message):
    """Neither source, both, an unknown mode, config or file."""
    with pytest.raises(InputError, match=message):
        solve(**arguments)


@pytest.mark.release
def test_the_authors_law_release(releases_dir, tmp_path):
    """300 of 300 on every field in release mode; in closure mode one final result differs."""
    env = os.environ | {"HOLMES_CACHE": str(tmp_path)}
    bring("holmes-release", str(releases_dir / "holmes"), out=tmp_path)

    def run(mode):
        done = subprocess.run(
            [sys.executable, "-m", "holmes", "solve", "--config", "law_release", "--mode", mode, "--json"],
            cwd=releases.ROOT, env=env, capture_output=True, text=True, check=True,
        )  # fmt: skip
        return json.loads(done.stdout)

    exact = run("release")
    assert exact["agree"] == exact["cases"] == 300
    assert exact["fields"] == dict.fromkeys(FIELDS, 300)
    closed = run("closure")
    assert closed["fields"]["final_result"] == 299
    assert [d["id"] for d in closed["disagreements"] if d["field"] == "final_result"] == ["aswa_case_17"]


@pytest.mark.release
def test_the_recovered_bundles(releases_dir):
    """Ten bundles, 285 rules, 129 concepts, 60 articles; four concepts needed the sentence to be read."""
    bundles = recover(releases_dir / "holmes")
    assert len(bundles) == 10
    assert sum(len(b.rules) for b in bundles) == 285
    assert sum(len(b.rulebase.concepts) for b in bundles) == 129
    assert sum(len(b.rulebase.policies) for b in bundles) == 60
    assert sum(len(b.notes) for b in bundles) == 4
