"""The groups `holmes` and `holmes_finance` end to end through lm_eval, against a loopback API that answers as told."""

from __future__ import annotations

import json

import pytest

from holmes.domains.finance.generate import components
from holmes.hosts.lm_eval import load_docs
from holmes.services.importing import bring
from holmes.services.samples import case_of
from holmes.stats import mean_interval
from holmes.tasks import task_names
from tests.chatserver import chat_server
from tests.finance.conftest import report
from tests.hosts.test_lm_eval import evaluate, metric

LEAVES = [name for name in task_names() if name.startswith("holmes_finance_") and not name.endswith("_release")]
SMOKE = {"holmes_split": "smoke"}


def gold_report(case) -> str:
    """The report of a flawless model: verdicts or amount, and of each subject the rules that fail."""
    data = report(case)
    for part, row in zip(components(case), data.get("items", [data]), strict=True):
        row["failing_rules"] = [rule for rule, _, passes in part["checks"] if not passes]
    return json.dumps(data)


@pytest.fixture(scope="module")
def finance() -> dict[str, object]:
    """The smoke cases of finance by prompt."""
    return {doc["prompt"]: case_of(doc) for name in LEAVES for doc in load_docs(name, **SMOKE)["test"]}


def test_gold_reports_score_one_and_groups_average_over_cases(finance) -> None:
    """Every finance subtask scores 1.0; with law all wrong, `holmes` is the share of finance among the cases."""
    with chat_server(lambda p, _: gold_report(finance[p]) if p in finance else "Answer: none of these") as server:
        results = evaluate(server.url, ["holmes"], holmes=SMOKE, limit=None)
    count = len(load_docs("holmes_law", **SMOKE)["test"])
    assert len(server.requests) == len(finance) + count
    for name in ("acc", "item_acc", "check_acc", "acc_strict", "item_acc_strict"):
        assert {leaf: metric(results, leaf, name) for leaf in LEAVES} == dict.fromkeys(LEAVES, 1.0)
        assert metric(results, "holmes_finance", name) == 1.0
    assert metric(results, "holmes_law", "acc") == 0.0
    assert metric(results, "holmes_finance", "abstained") == 0.0
    share = len(finance) / (len(finance) + count)  # neither the mean of tasks, 14/15, nor that of the groups, 1/2
    assert metric(results, "holmes", "acc") == pytest.approx(share)
    assert 0.6 < share < 0.9
    low, high = metric(results, "holmes", "acc_ci_lo"), metric(results, "holmes", "acc_ci_hi")
    whole = mean_interval([[1.0]] * len(finance) + [[0.0]] * count)  # of the cases of all leaves together
    assert (low, high) == (pytest.approx(whole.low), pytest.approx(whole.high))
    assert low < share < high
    assert metric(results, "holmes_finance", "acc_ci_hi") == 1.0 > metric(results, "holmes_finance", "acc_ci_lo") > 0.9


@pytest.mark.release
@pytest.mark.parametrize("compat", ["", "holmes-2026"])
def test_the_releases_group_averages_over_its_subtasks(releases_dir, tmp_path, monkeypatch, compat) -> None:
    """With the verdict of one of 28 cases wrong, the group is 27/28 and the other subtasks stay at 1.0."""
    monkeypatch.setenv("HOLMES_CACHE", str(tmp_path))
    bring("holmes-release", str(releases_dir / "holmes"))
    leaves = [f"{name}_release" for name in LEAVES]
    cases = {}
    for name in leaves:
        for doc in load_docs(name)["test"].select(range(2)):
            cases[doc["prompt"]] = case_of(doc)
    assert len(cases) == 28
    wrong = next(case for case in cases.values() if case.task == "finance_loans")

    def answer(prompt, _):
        case = cases[prompt]
        given = json.loads(case.answer) if case.answer_type == "report" else case.answer
        if case is wrong:
            given = next(label for label in case.choices if label != case.answer)
        return json.dumps({"steps": ["All was read."], "answer": int(given) if case.answer_type == "amount" else given})

    with chat_server(answer) as server:
        results = evaluate(server.url, ["holmes_finance_release"], holmes={"holmes_compat": compat}, limit=2)
    expected = dict.fromkeys(leaves, 1.0) | {"holmes_finance_loans_release": 0.5}
    assert {leaf: metric(results, leaf, "acc") for leaf in leaves} == expected
    assert metric(results, "holmes_finance_release", "acc") == pytest.approx(27 / 28)
    if not compat:  # the authors score whole cases only
        assert metric(results, "holmes_finance_release", "acc_strict") == pytest.approx(27 / 28)
