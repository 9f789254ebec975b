"""The finance tasks: a YAML each, the cases of their subtype, the metrics of a report, groups over all of them."""

import json

import pytest
import yaml

from holmes.hosts.lm_eval import load_docs, process_results
from holmes.services.samples import case_of
from holmes.tasks import task_names
from holmes.util.paths import tasks_dir
from tests.finance.conftest import report

LEAVES = [name for name in task_names() if name.startswith("holmes_finance_") and not name.endswith("_release")]
SIZES = {"approval": 429, "materials": 40, "invoices": 20, "labour": 30, "loans": 40, "amount": 120}


@pytest.mark.parametrize("name", LEAVES)
def test_each_task_holds_its_own_cases_and_scores_golds_as_right(name) -> None:
    """A leaf has the cases of its subtype alone; a gold report gives 1 in every metric of accuracy."""
    docs = load_docs(name)["test"]
    assert len(docs) == SIZES.get(name.removeprefix("holmes_finance_"), 50)
    doc = docs[len(docs) - 1]
    assert "holmes_" + doc["task"] == name
    found = process_results(doc, [json.dumps(report(case_of(doc)))])
    assert [found[m] for m in ("acc", "item_acc", "acc_strict", "item_acc_strict", "abstained")] == [1, 1, 1, 1, 0]


def test_the_groups_hold_every_leaf_and_average_over_cases() -> None:
    """`holmes_finance` lists all fourteen leaves, `holmes` adds law; both weigh by size, metrics are those reported."""
    group = yaml.safe_load((tasks_dir() / "finance" / "holmes_finance.yaml").read_text())
    assert sorted(group["task"]) == sorted(LEAVES)
    both = yaml.safe_load((tasks_dir() / "holmes.yaml").read_text())
    assert both["task"] == ["holmes_law", "holmes_finance"]
    assert all(row["weight_by_size"] for row in (*group["aggregate_metric_list"], *both["aggregate_metric_list"]))
    for name in LEAVES:
        leaf = yaml.safe_load((tasks_dir() / "finance" / f"{name}.yaml").read_text())
        assert (leaf["task"], leaf["dataset_kwargs"]) == (name, {"holmes_task": name})
