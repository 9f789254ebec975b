"""The shipped questions: rebuilt alike, in balance, in separate splits, confirmed from their text by every path."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from holmes.cases import features
from holmes.domains.policy.gates.run import audit
from holmes.domains.policy.questions.terms import FORMS
from holmes.domains.policy.splits import SIZES, TEST, hard, source
from holmes.domains.policy.verify import problems
from holmes.services.build import build, write_embedded
from holmes.services.verify import by_prolog
from holmes.util.paths import data_dir
from tests.policy.conftest import SPLITS
from tests.toy_domain import read_build

FOLDER = data_dir() / "policy"


def test_items_are_rebuilt_alike(shipped, tmp_path: Path) -> None:
    """An item is a function of rule bases, seed and index: the first cases again, whatever was built before."""
    assert [source().item(TEST, case.index) for case in reversed(shipped["test"][:30])] == shipped["test"][:30][::-1]


def test_any_number_of_workers_builds_the_same(tmp_path: Path, monkeypatch) -> None:
    """One process and two write the same cases, shard by shard."""
    monkeypatch.setattr("holmes.services.build.SHARD", 4)
    for workers in (1, 2):
        build("policy", 12, 5, workers=workers, out=tmp_path / str(workers), progress=False)
    one, two = (list(read_build(tmp_path / str(workers))) for workers in (1, 2))
    assert one == two and len(one) == 12


@pytest.mark.nightly
def test_rebuilding_gives_the_same_splits(tmp_path: Path, shipped) -> None:
    """The builder writes the shipped splits again."""
    from holmes.cases import read_cases

    write_embedded("policy", tmp_path)
    for name in SPLITS:
        assert list(read_cases(tmp_path / f"{name}.parquet")) == shipped[name]


def test_splits_are_nested_and_ask_different_things(shipped) -> None:
    """hard and smoke lie within test; no question of one split, whatever it takes as given, is asked in another."""
    ids = {name: {case.id for case in cases} for name, cases in shipped.items()}
    assert ids["smoke"] < ids["hard"] < ids["test"]
    assert all(hard(case) for case in shipped["hard"])
    assert {name: len(shipped[name]) for name in SIZES} == SIZES
    asked = {
        name: {(c.rulebase, json.dumps({**json.loads(c.plan)["question"], "given": []}, sort_keys=True)) for c in cases}
        for name, cases in shipped.items()
    }
    assert not asked["test"] & asked["dev"] and not asked["test"] & asked["train"] and not asked["dev"] & asked["train"]


def test_types_forms_and_answers_are_balanced(shipped) -> None:
    """Sixty cases a type, every form of it; as many yes as no in each; twins have different answers."""
    cases = shipped["test"]
    assert Counter(case.hol_types for case in cases) == {(kind,): 60 for kind in FORMS}
    for kind, forms in FORMS.items():
        found = Counter(case.tags[0] for case in cases if case.hol_types == (kind,))
        assert set(found) == set(forms) and max(found.values()) - min(found.values()) <= 2
    for form in {form for forms in FORMS.values() for form in forms} - {"governs", "which"}:
        answers = Counter(case.answer for case in cases if case.tags[0] == form)
        assert answers["yes"] == answers["no"]
    for one, two in zip(cases[::2], cases[1::2], strict=True):
        assert one.pair.family == two.pair.family and one.answer != two.answer
        assert {one.pair.role, two.pair.role} == {"original", "decisive"}


def test_every_second_question_is_confirmed_from_its_text(shipped) -> None:
    """Rules and question read back, decided by SAT and by listing all records; witnesses by evaluation; gold reply."""
    for case in (*shipped["test"][::2], *shipped["dev"][::10]):
        assert list(problems(case)) == [], case.id


def test_programs_answer_from_the_record(shipped) -> None:
    """The Prolog program of a case told, or of a witness, prints the gold answer."""
    cases = [case for case in shipped["test"][:60] if case.program]
    assert len(cases) > 20 and by_prolog(cases) == []


@pytest.mark.nightly
def test_no_gate_fails_on_the_shipped_questions() -> None:
    """`holmes audit policy` lists no failure."""
    assert audit(seed=None, n=0, bundle="")["failures"] == []


def test_files_carry_the_features() -> None:
    """Each file has the schema of `features()`, so that nothing is inferred."""
    for name in SPLITS:
        assert pq.read_schema(FOLDER / f"{name}.parquet").equals(features().arrow_schema)


def test_a_trace_ends_in_the_answer_and_cites_rules_of_the_case(shipped) -> None:
    """Every reference cites rules that the text holds; its last step is the answer; nothing names a symbol."""
    for case in shipped["test"]:
        rules = {line.split(":")[0] for line in case.rules.splitlines()}
        assert all(not step.rule or f"Rule {step.rule}" in rules for step in case.trace)
        assert case.trace[-1].result == case.answer and case.trace[-1].kind == "decision"
        assert len(case.trace) >= 3
        assert "_" not in case.question and "_" not in "".join(step.text for step in case.trace)
