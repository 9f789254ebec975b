"""The shipped law cases: rebuilt byte by byte, nested and disjoint as promised, true to their rule bases."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from holmes.cases import Case, features, read_cases
from holmes.domains.law.planner.plans import TIERS
from holmes.domains.law.rulebases import bundles, rulebase_of
from holmes.domains.law.splits import PER_BUNDLE, SIZES, hard
from holmes.logic.engine.evaluate import evaluate
from holmes.services.build import write_embedded
from holmes.util.paths import data_dir

FOLDER = data_dir() / "law"
SPLITS = ("test", "hard", "smoke", "dev", "train")


@pytest.fixture(scope="module")
def splits() -> dict[str, list[Case]]:
    """All shipped splits."""
    return {name: list(read_cases(FOLDER / f"{name}.parquet")) for name in SPLITS}


def test_rebuilding_gives_the_same_cases(tmp_path: Path, splits: dict[str, list[Case]]) -> None:
    """The builder writes the shipped splits again: the same rows, and the same bytes with the same pyarrow."""
    write_embedded("law", tmp_path)
    for name in SPLITS:
        assert list(read_cases(tmp_path / f"{name}.parquet")) == splits[name]
        old, new = FOLDER / f"{name}.parquet", tmp_path / f"{name}.parquet"
        if pq.read_metadata(old).created_by == pq.read_metadata(new).created_by:
            assert old.read_bytes() == new.read_bytes()


def test_splits_are_nested_and_disjoint(splits: dict[str, list[Case]]) -> None:
    """hard and smoke lie within test; dev and train share no record with test or with each other."""
    ids = {name: [case.id for case in cases] for name, cases in splits.items()}
    assert set(ids["hard"]) < set(ids["test"]) and set(ids["smoke"]) < set(ids["test"])
    assert all(hard(case) for case in splits["hard"])
    facts = {name: {(c.bundle, c.facts) for c in cases} for name, cases in splits.items()}
    assert not facts["test"] & facts["dev"] and not facts["test"] & facts["train"] and not facts["dev"] & facts["train"]
    everything = ids["test"] + ids["dev"] + ids["train"]
    assert len(set(everything)) == len(everything)
    assert {name: len(splits[name]) for name in SIZES} == SIZES


def test_test_split_is_balanced(splits: dict[str, list[Case]]) -> None:
    """Thirty cases a bundle, tiers 8/9/9/4, answers as even as thirty allow."""
    for name in bundles():
        cases = [case for case in splits["test"] if case.bundle == name]
        assert len(cases) == PER_BUNDLE
        assert [sum(c.difficulty.tier == t for c in cases) for t in TIERS] == [8, 9, 9, 4]
        counts = Counter(case.answer for case in cases)
        assert set(counts) == set(cases[0].choices) and max(counts.values()) - min(counts.values()) <= 1


def test_every_answer_follows_from_the_facts(splits: dict[str, list[Case]]) -> None:
    """Evaluating the stored facts under the case's own rule base gives the stored answer, in every split."""
    for cases in splits.values():
        for case in cases:
            base = rulebase_of(case)
            facts = {f.name: f.value == "true" if f.type == "bool" else int(f.value) for f in case.facts}
            assert evaluate(base, facts).answer == case.answer


def test_files_carry_the_features() -> None:
    """Each file has the schema of `features()`, so that nothing is inferred."""
    for name in SPLITS:
        assert pq.read_schema(FOLDER / f"{name}.parquet").equals(features().arrow_schema)
