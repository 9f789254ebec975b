"""Case: JSON and Parquet round trips, and messages for bad rows."""

from __future__ import annotations

import dataclasses

import pytest

from holmes.cases import Alias, Case, Difficulty, Fact, Pair, Step, features, read_cases, write_jsonl, write_parquet
from holmes.errors import InputError

FULL = Case(
    id="law/x/1", domain="law", task="law", source="holmes", rules="1. …", case="Ann 张三", question="?",
    answer="fine", answer_type="label", bundle="b", choices=("fine", "none"), aliases=(Alias("fine", ("a fine",)),),
    trace=(Step("s", "3", "policy", "true"),), derivations=(("a", "b"), ("a",)), derivations_complete=True,
    derivations_count="75582720000000000000000", critical=("a",), hol_types=("PC",), hol_evidence="{}",
    difficulty=Difficulty(3, 2, 1, 1, 0, 0, 1, "basic"), facts=(Fact("f", "money", "7/10"),), program=":- halt.",
    pair=Pair("fam", "original", ""), tags=("t",), plan="{}", seed=7, index=2**40, rulebase="ab",
)  # fmt: skip
BARE = Case("i", "law", "law", "holmes", "", "", "", "No", "label")


@pytest.mark.parametrize("ending", ["parquet", "jsonl"])
def test_round_trip_keeps_every_field(tmp_path, ending):
    """What is written is what is read: no type inference, no lost or changed value."""
    path = tmp_path / f"c.{ending}"
    (write_parquet if ending == "parquet" else write_jsonl)(path, [FULL, BARE])
    assert list(read_cases(path)) == [FULL, BARE]


def test_parquet_holds_the_explicit_features(tmp_path):
    """`datasets` reads the file with the declared Features, also when a column is empty everywhere."""
    from datasets import Dataset

    write_parquet(tmp_path / "c.parquet", [BARE])
    loaded = Dataset.from_parquet(str(tmp_path / "c.parquet"), cache_dir=str(tmp_path / "cache"))
    assert loaded.features == features()
    assert Case.from_dict(loaded[0]) == BARE


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"answer": "prison"}, "field answer: found 'prison', expected one of fine, none"),
        ({"seed": "7"}, "field seed: found '7', expected int"),
        ({"seed": True}, "field seed: found True, expected int"),
        ({"choices": "fine"}, "field choices: found 'fine', expected a list"),
        ({"colour": 1}, "field colour: found an unknown field"),
        ({"answer_type": "essay"}, "field answer_type: found 'essay', expected label, amount or report"),
        ({"trace": [{"rule": "1"}]}, "field trace: field text: found nothing, expected str"),
    ],
)
def test_bad_rows_are_named(change, message):
    """An error names the place, the id, the field, what was found and what was expected."""
    row = FULL.to_dict() | change
    with pytest.raises(InputError) as error:
        Case.from_dict(row, "f.jsonl: line 3")
    assert str(error.value).startswith("f.jsonl: line 3: case 'law/x/1'")
    assert message in str(error.value)


def test_a_killed_write_leaves_the_old_file(tmp_path):
    """A file is replaced whole or not at all."""
    path = tmp_path / "c.parquet"
    write_parquet(path, [BARE])

    def broken():
        yield dataclasses.replace(BARE, id="other")
        raise RuntimeError("killed")

    with pytest.raises(RuntimeError):
        write_parquet(path, broken(), batch=1)
    assert [c.id for c in read_cases(path)] == ["i"]
    assert [p.name for p in tmp_path.iterdir()] == ["c.parquet"]
