"""The JSON twin: planted errors come out as planted; numbers agree with each other and with the score command."""

from __future__ import annotations

import json
import math

import pytest

from holmes.commands.main import run as holmes
from holmes.errors import InputError
from holmes.report.runs import load
from tests.report import planted


def ids(report, run: str, **wanted) -> set[str]:
    return {c["id"] for c in report.told["cases"] if c["run"] == run and all(c.get(k) == v for k, v in wanted.items())}


def planned(report, run: str, *kinds: str) -> set[str]:
    return {id for id, kind in report.plans[run].items() if kind in kinds}


@pytest.mark.parametrize("run", ["slow", "quick"])
def test_planted_outcomes_come_out(report, run):
    """Exactly the planted cases are right, wrong, silent, failed."""
    assert ids(report, run, outcome="right") == planned(report, run, "right", "term")
    assert ids(report, run, outcome="wrong") == planned(report, run, "wrong")
    assert ids(report, run, outcome="abstained") == planned(report, run, "silent")
    assert ids(report, run, outcome="failed") == planned(report, run, "failed")


def test_planted_false_terms_come_out_as_unsound_and_in_their_layer(report):
    """A right answer on a false defined term is unsound; its first fault lies in the terms, and nowhere else."""
    assert ids(report, "slow", **{"class": "unsound"}) == planned(report, "slow", "term")
    assert ids(report, "slow", layer="concept") == planned(report, "slow", "term")
    assert ids(report, "slow", **{"class": "sound"}) == planned(report, "slow", "right")


def test_accuracy_is_that_of_holmes_score(report, capsys):
    """The headline is what `holmes score` says of the same file, interval included."""
    assert holmes(["score", "--samples", str(report.folders["slow"] / f"samples_{planted.TASK}.jsonl"),
                   "--task", planted.TASK, "--json"]) == 0  # fmt: skip
    summary = json.loads(capsys.readouterr().out)["summary"]
    cell = next(row for row in report.told["tables"]["headline"]["rows"] if row[0]["text"] == "slow")[3]
    assert (cell["value"], cell["low"], cell["high"]) == (summary["acc"], summary["acc_ci_lo"], summary["acc_ci_hi"])
    assert cell["value"] == pytest.approx(7 / 12) and cell["method"] == "agresti-coull-neff"


def test_nothing_is_nan_and_every_interval_holds_its_value(report):
    """The document is JSON without NaN, and low ≤ value ≤ high in every cell that has an interval."""
    cells = [cell for table in report.told["tables"].values() for row in table["rows"] for cell in row]
    ranged = [cell for cell in cells if cell.get("low") is not None]
    assert len(ranged) > 50
    for cell in ranged:
        assert cell["low"] - 1e-12 <= cell["value"] <= cell["high"] + 1e-12, cell
    assert "NaN" not in report.page.with_suffix(".json").read_text(encoding="utf-8")


def test_runs_that_differ_in_one_label_are_paired(report):
    """Thinking against plain is a row of its own, over the same cases."""
    row = report.told["tables"]["labels"]["rows"][0]
    assert [cell["text"] for cell in row[:5]] == ["thinking", "—", "yes", "no", "all cases"]
    assert row[5]["value"] == 12 and row[6]["value"] == pytest.approx((7 - 8) / 12)


def test_labels_are_words(report):
    """Answers are shown as the text of a case spells them, never as identifiers."""
    golds = {c["gold"] for c in report.told["cases"]}
    assert golds and all(" " in gold for gold in golds)
    assert not any("_" in cell["text"] for t in report.told["tables"].values() for row in t["rows"] for cell in row)


def test_usage_is_summed(report):
    """Tokens and seconds that the run recorded are there; of the other run nothing is claimed."""
    rows = report.told["tables"]["recorded"]["rows"]
    assert [cell["value"] for cell in rows[0][:5]] == ["slow", 12, 1200.0, 240.0, 18.0] and len(rows) == 1


def test_markdown_holds_the_same_figures(report):
    """The Markdown twin shows each cell's text and range."""
    text = report.page.with_suffix(".md").read_text(encoding="utf-8")
    for table in report.told["tables"].values():
        for row in table["rows"]:
            for cell in row:
                assert cell["text"] in text and cell.get("range", "") in text


def test_published_figures_carry_their_caveat(report):
    """Facts of the papers concern the task, and the caveat stands with them."""
    told = report.told["published"]
    assert told["facts"] and "not comparable" in told["caveat"]
    assert any("law, 300 cases" in fact["about"] for fact in told["facts"])
    assert not any("SARA" in fact["about"] or "airline" in fact["about"] for fact in told["facts"])


def test_bad_input_is_named(tmp_path):
    """A path that is not there, a folder without samples, a label of no run."""
    for given, found in ((str(tmp_path / "none"), "found no"), (str(tmp_path), "found no samples")):
        with pytest.raises(InputError, match=found):
            load([given])
    cases = planted.law_cases(1)
    folder = planted.write_run(tmp_path / "one", {cases[0].id: "right"}, cases)
    with pytest.raises(InputError, match="--label"):
        load([str(folder)], ["other:effort=high"])
    assert load([str(folder)], ["one:effort=high"])[0].labels == {"effort": "high"}
    assert load([f"named={folder}"])[0].name == "named"
    assert not math.isnan(load([str(folder)])[0].entries[0].mean)
