"""A loopback model through lm_eval: the report's numbers are lm_eval's own."""

from __future__ import annotations

import json

import pytest

from holmes.report.document import document
from holmes.report.runs import load
from tests.chatserver import chat_server
from tests.hosts.test_lm_eval import by_prompt, evaluate, gold_text
from tests.report.planted import TASK


@pytest.mark.slow
def test_the_numbers_are_those_of_lm_eval(tmp_path):
    """A model that is right on one of three cases, twice a case: accuracy and ends as lm_eval wrote them, no note."""
    known = by_prompt([TASK])
    right = next(iter(known))
    with chat_server(
        lambda prompt, _: gold_text(known[prompt][0], "answer") if prompt == right else "Dunno."
    ) as server:
        results = evaluate(server.url, tasks=[TASK], k=2)
    (tmp_path / f"samples_{TASK}_2026-01-01T00-00-00.000000.jsonl").write_text(
        "".join(json.dumps(row, default=str) + "\n" for row in results["samples"][TASK]), encoding="utf-8"
    )
    written = {"results": results["results"], "model_name": "loopback", "total_evaluation_time_seconds": "3.5"}
    (tmp_path / "results_2026-01-01T00-00-00.000000.json").write_text(
        json.dumps(written, default=str), encoding="utf-8"
    )
    runs = load([str(tmp_path)])
    told = document(runs)
    cell = told["tables"]["headline"]["rows"][0][3]
    for mine, name in (("value", "acc"), ("low", "acc_ci_lo"), ("high", "acc_ci_hi")):
        assert cell[mine] == pytest.approx(results["results"][TASK][f"{name},all"], abs=1e-12)
    assert runs[0].name == "loopback" and runs[0].seconds == 3.5
    assert not any("the host wrote" in note for note in told["notes"])
    assert {c["id"] for c in told["cases"] if c["outcome"] == "right"} == {known[right][0].id}
