"""Runs that were asked in other words are marked where they are compared."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from holmes.commands.compare import compare
from holmes.hosts.lm_eval import load_docs
from holmes.report.comparisons import asked_otherwise, pairwise
from holmes.report.runs import load

TASK = "holmes_law_direct"


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """Three runs over the smoke cases: as today, as today, and with one rule of a prompt in another place."""
    folder, docs = tmp_path_factory.mktemp("runs"), list(load_docs(TASK, holmes_split="smoke")["test"])
    files = {}
    for name in ("one", "two", "other"):
        rows = []
        for place, doc in enumerate(docs):
            prompt = doc["prompt"] + (" " if name == "other" and place == 3 else "")
            rows.append({"doc": doc | {"prompt": prompt}, "resps": [[f"Answer: {doc['answer']}"]]})
        files[name] = folder / name / f"samples_{TASK}.jsonl"
        files[name].parent.mkdir()
        files[name].write_text("".join(json.dumps(row, default=str) + "\n" for row in rows))
    lines = "".join(json.dumps({"id": doc["id"], "outputs": ["Answer: no"]}) + "\n" for doc in docs)
    files["bare"] = folder / f"samples_{TASK}.jsonl"
    files["bare"].write_text(lines)
    return files


def test_differing_prompts_are_counted_and_said(runs) -> None:
    """One of twenty prompts differs; runs that logged none are not judged."""
    one, two, other, bare = load([str(runs[name]) for name in ("one", "two", "other", "bare")])
    assert asked_otherwise(one, two) == asked_otherwise(one, bare) == 0
    assert asked_otherwise(one, other) == 1
    assert "the prompts differ in 1 cases" in pairwise([one, other]).note
    assert "differ in" not in pairwise([one, two]).note


def test_compare_says_so(runs) -> None:
    """The command prints a note and counts in JSON."""
    told = CliRunner().invoke(compare, [str(runs["one"]), str(runs["other"])])
    assert told.exit_code == 0 and "NOTE: the prompts differ in 1 cases" in told.output
    same = CliRunner().invoke(compare, [str(runs["one"]), str(runs["two"]), "--json"])
    assert [row["prompts_differ"] for row in json.loads(same.output)["tasks"]] == [0]
