"""Hard sets: candidates from failures, the review file, the seeded split."""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from holmes.cases import Case, Pair, read_cases
from holmes.errors import InputError
from holmes.scoring import Outcome, Score
from holmes.store import load_cases
from holmes.training.hard_set import Candidate, candidates, read_review, review, split

ROOT = Path(__file__).resolve().parents[2]


def case(index, family=""):
    return Case(f"c/{index}", "deontic", "t", "holmes", "", "", f"question {index}?", "10", "amount", pair=Pair(family))


def scored(*outcomes):
    return [Score(float(o == "right"), Outcome(o), None, "") for o in outcomes]


def found(number, families=None):
    return [Candidate(case(i, families[i] if families else ""), 2, 1, {"m": ("wrong", "right")}) for i in range(number)]


def test_any_failure_over_models_and_runs_makes_a_candidate():
    """One wrong output of six is enough; whatever is not right is a failure; cases right everywhere are left out."""
    cases = {f"c/{i}": case(i) for i in range(4)}
    scores = {
        "m1.jsonl": {
            "c/0": scored("right", "right"),
            "c/1": scored("right", "wrong"),
            "c/2": scored("timeout", "error"),
        },
        "m2.jsonl": {"c/0": scored("right"), "c/1": scored("right"), "c/2": scored("abstained")},
    }
    result = candidates(cases, scores)
    assert [(c.case.id, c.failures, c.runs) for c in result] == [("c/2", 3, 3), ("c/1", 1, 3)]
    assert result[1].outcomes == {"m1.jsonl": ("right", "wrong"), "m2.jsonl": ("right",)}


def test_the_review_file_goes_to_people_and_comes_back(tmp_path):
    """Candidates are written as CSV; answers are read back and carried into the next file."""
    path = tmp_path / "review.csv"
    review(path, found(3))
    rows = list(csv.DictReader(path.open()))
    assert [r["id"] for r in rows] == ["c/0", "c/1", "c/2"] and rows[0]["outcomes"] == "m: wrong right"
    rows[0]["keep"], rows[1]["keep"], rows[1]["note"] = "Yes", "n", 'ambiguous, "see" text'
    with path.open("w") as handle:
        table = csv.DictWriter(handle, rows[0])
        table.writeheader()
        table.writerows(rows)
    decided = read_review(path)
    assert decided == {"c/0": ("yes", ""), "c/1": ("no", 'ambiguous, "see" text'), "c/2": ("", "")}
    review(path, found(4), decided)
    assert read_review(path) == decided | {"c/3": ("", "")}


def test_cells_are_no_formulas(tmp_path):
    """A question that begins like a formula does not run in a spreadsheet."""
    odd = [Candidate(replace(case(0), question="=cmd()"), 1, 1, {})]
    review(tmp_path / "r.csv", odd)
    assert next(csv.DictReader((tmp_path / "r.csv").open()))["question"] == "'=cmd()"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("id,keep\na,perhaps\n", "line 2: field keep: found 'perhaps'"),
        ("a,b\n", "field id: found no such column"),
        ("", "field id"),
    ],
)
def test_bad_reviews_are_named(tmp_path, text, message):
    """A missing column or an unreadable answer is named with its line."""
    (tmp_path / "r.csv").write_text(text)
    with pytest.raises(InputError, match=message):
        read_review(tmp_path / "r.csv")
    with pytest.raises(InputError, match="no such file"):
        read_review(tmp_path / "none.csv")


def test_the_split_is_seeded_and_whole():
    """Every case lands on one side, the share is met, and the same seed gives the same split in any order."""
    hard, rest = split(found(40), 0.4, seed=1)
    assert len(hard) == 16 and len(rest) == 24
    assert {c.id for c in hard} | {c.id for c in rest} == {f"c/{i}" for i in range(40)}
    assert split(found(40)[::-1], 0.4, seed=1) == (hard, rest)
    assert split(found(40), 0.4, seed=2)[0] != hard
    assert split(found(3), 0)[0] == [] == split(found(3), 1)[1]
    with pytest.raises(InputError, match=r"share: found 1.5"):
        split(found(1), 1.5)


def test_families_stay_together():
    """No counterfactual twin of a held-out case is left for training."""
    families = [f"f{i // 4}" for i in range(40)]
    hard, rest = split(found(40, families), 0.5)
    assert {c.pair.family for c in hard} & {c.pair.family for c in rest} == set()
    assert len(hard) == 20


def command(*arguments, cache):
    environment = os.environ | {"HOLMES_CACHE": str(cache), "PYTHONPATH": str(ROOT)}
    return subprocess.run([sys.executable, "-m", "holmes", "hard-set", *arguments], cwd=ROOT, env=environment,
                          capture_output=True, text=True, timeout=300, check=False)  # fmt: skip


def test_the_command_end_to_end(tmp_path):
    """Two models, one failing on two cases: review file, provisional split; then the reviewed split."""
    cases = load_cases("deontic_sara_binary", "smoke")
    good = {c.id: [f"```prolog\n{c.program}\n```"] for c in cases}
    bad = good | {cases[0].id: ["no program"], cases[1].id: [None]}
    for name, table in (("one.jsonl", good), ("two.jsonl", bad)):
        (tmp_path / name).write_text("".join(json.dumps({"id": i, "outputs": o}) + "\n" for i, o in table.items()))
    files = [str(tmp_path / "one.jsonl"), str(tmp_path / "two.jsonl"), "--config", "deontic_sara_binary"]
    shared = [*files, "--split", "smoke", "--out", str(tmp_path / "out"), "--json"]
    done = command(*shared, cache=tmp_path)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == {
        "cases": 8, "candidates": 2, "validated": 0, "open": 2, "hard": 1, "rest": 1, "provisional": True,
    }  # fmt: skip
    review_file = tmp_path / "filled.csv"
    text = (tmp_path / "out" / "review.csv").read_text().splitlines()
    rows = list(csv.reader(text))
    rows[1][-2], rows[2][-2] = "yes", "no"
    with review_file.open("w") as handle:
        csv.writer(handle).writerows(rows)
    done = command(*shared, "--review", str(review_file), "--share", "1", cache=tmp_path)
    assert json.loads(done.stdout)["hard"] == 1, done.stderr
    assert [c.id for c in read_cases(tmp_path / "out" / "hard.jsonl")] == [rows[1][0]]


def test_samples_of_other_cases_are_named(tmp_path):
    """A case id that the config does not hold is one line and exit code 2; nothing is written."""
    (tmp_path / "s.jsonl").write_text('{"id": "zzz", "outputs": ["x"]}\n')
    done = command(
        str(tmp_path / "s.jsonl"), "--config", "deontic_sara_binary", "--out", str(tmp_path / "o"), cache=tmp_path
    )
    assert done.returncode == 2 and "field id: found 'zzz'" in done.stderr
    assert not (tmp_path / "o").exists()
