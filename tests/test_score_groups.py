"""`holmes score --task GROUP`: one call, every leaf and the group, whichever way the outputs were logged."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from holmes.commands.main import run
from holmes.services.task_groups import groups
from holmes.stats import mean_interval
from holmes.store import load_cases
from holmes.tasks import task_names

LAW = load_cases("law", "smoke")[:2]
LOANS = [c for c in load_cases("finance", "test") if c.task == "finance_loans"][:2]


def line(case, text: object) -> str:
    """One logged line."""
    return json.dumps({"id": case.id, "outputs": [text]}) + "\n"


def gold(case) -> str:
    """A reply that is right and says nothing else."""
    return f"Answer: {case.answer}"


def scored(words: list[str], capsys) -> dict:
    """The document that `holmes score` prints."""
    assert run(["score", "--json", *words]) == 0
    return json.loads(capsys.readouterr().out, parse_constant=pytest.fail)


@pytest.fixture
def mixed(tmp_path: Path) -> Path:
    """Two law cases, both right, and two of finance, both silent."""
    path = tmp_path / "all.jsonl"
    rows = [line(c, gold(c)) for c in LAW] + [line(c, None) for c in LOANS]
    path.write_text("".join(rows[::2] + rows[1::2]), encoding="utf-8")
    return path


def test_groups_hold_every_leaf() -> None:
    """A group of groups stands for its leaves, all of them tasks."""
    assert set(groups()["holmes_finance"].leaves) < set(groups()["holmes"].leaves) <= set(task_names())
    assert "holmes_law" in groups()["holmes"].leaves and len(groups()["holmes_finance"].leaves) == 14


def test_a_mixed_file_is_scored_by_leaf_and_group(mixed: Path, capsys) -> None:
    """Rows come leaf by leaf; the group averages over cases and says which leaves it lacks."""
    document = scored(["--samples", str(mixed), "--task", "holmes"], capsys)
    assert [(d["task"], d["summary"]["acc"]) for d in document["tasks"]] == [
        ("holmes_law", 1.0), ("holmes_finance_loans", 0.0)
    ]  # fmt: skip
    (group,) = document["groups"]
    assert (group["group"], group["cases"], group["summary"]["acc"]) == ("holmes", 4, 0.5)
    assert group["summary"]["abstained"] == 0.5 and len(group["missing"]) == 13
    assert group["pooled"]["accuracy"]["value"] == 0.5 and "two-level bootstrap" in group["pooled_by"]
    ends = mean_interval([[1.0], [1.0], [0.0], [0.0]])
    assert (group["summary"]["acc_ci_lo"], group["summary"]["acc_ci_hi"]) == (ends.low, ends.high)


def test_a_folder_of_lm_eval(tmp_path: Path, capsys) -> None:
    """A folder is searched for the files of the leaves; two runs of one leaf in it are refused."""
    inside = tmp_path / "model"
    inside.mkdir()
    for name, cases in (("holmes_law", LAW), ("holmes_finance_loans", LOANS)):
        (inside / f"samples_{name}_2026-12-01T00-00-00.1.jsonl").write_text("".join(line(c, gold(c)) for c in cases))
    (inside / "samples_holmes_policy_2026-12-01T00-00-00.1.jsonl").write_text("not ours\n")
    group = scored(["--samples", str(tmp_path), "--task", "holmes"], capsys)["groups"][0]
    assert group["tasks"] == ["holmes_law", "holmes_finance_loans"]
    (inside / "samples_holmes_law_2026-12-02T00-00-00.1.jsonl").write_text(line(LAW[0], "x"))
    assert run(["score", "--samples", str(tmp_path), "--task", "holmes"]) == 2
    assert "found 2 files of holmes_law" in capsys.readouterr().err


def test_several_files_for_one_group(tmp_path: Path, capsys) -> None:
    """One --task takes all --samples where it is a group, and is refused more than one where it is none."""
    files = []
    for case in (LAW[0], LOANS[0]):
        files += ["--samples", str(tmp_path / f"{case.domain}.jsonl")]
        Path(files[-1]).write_text(line(case, gold(case)))
    assert scored([*files, "--task", "holmes"], capsys)["groups"][0]["cases"] == 2
    assert run(["score", *files, "--task", "holmes_law"]) == 2
    assert "found 2 --samples and 1 --task" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"id": "nobody", "outputs": []}, "line 1: found id 'nobody', expected a case of deontic_sara"),
        ({"doc": {"task_name": "holmes_law"}}, "line 1: found task 'holmes_law', expected a case of deontic_sara"),
        ([1], "line 1: found list, expected a case of deontic_sara"),
    ],
)
def test_a_line_of_no_leaf(row: object, message: str, tmp_path: Path, capsys) -> None:
    """A line that belongs to no leaf of the group is refused, never dropped."""
    path = tmp_path / "x.jsonl"
    path.write_text(json.dumps(row))
    assert run(["score", "--samples", str(path), "--task", "deontic_sara"]) == 2
    assert message in capsys.readouterr().err


def test_undefined_figures_are_null_and_leave_the_mean(tmp_path: Path, capsys) -> None:
    """In the authors' mode an empty reply has no ROUGE-L: null in its row, and the run's mean is over the others."""
    path = tmp_path / "law.jsonl"
    trace = "\n".join(s.text for s in LAW[0].trace)
    path.write_text(line(LAW[0], trace) + line(LAW[1], ""))
    words = ["--samples", str(path), "--task", "holmes_law", "--trace-metrics", "rouge_l"]
    document = scored([*words, "--option", "compat=holmes-2026"], capsys)
    assert [c["metrics"]["rouge_l"] for c in document["cases"]] == [1.0, None]
    assert document["summary"]["rouge_l"] == 1.0
