"""The policy tasks through lm_eval: gold replies from a chat server score 1, the files name the task's metrics."""

from __future__ import annotations

import yaml

from holmes.domains.policy.gold import gold_reply
from holmes.hosts.lm_eval import load_docs
from holmes.services.samples import case_of
from holmes.util.paths import tasks_dir
from tests.chatserver import chat_server
from tests.hosts.test_lm_eval import evaluate

TASKS = ("holmes_policy", "holmes_policy_direct")


def test_gold_replies_through_a_chat_server_score_one() -> None:
    """A model that answers from the gold has 1.0 in accuracy, witnesses and both, in both prompts."""
    known = {}
    for name in TASKS:
        for doc in load_docs(name)["test"].select(range(3)):
            known[doc["prompt"]] = gold_reply(case_of(doc), direct=name.endswith("direct"))
    assert len(known) == 6
    with chat_server(lambda prompt, _: known[prompt]) as server:
        results = evaluate(server.url, TASKS)
    for name in TASKS:
        found = results["results"][name]
        assert all(found[f"{metric},all"] == 1 for metric in ("acc", "both_acc", "witness_acc")), found
        assert found["abstained,all"] == found["failed,all"] == 0


def test_a_file_for_each_task() -> None:
    """Each leaf includes the policy template, which lists the witness metrics."""
    for name in TASKS:
        leaf = yaml.safe_load((tasks_dir() / "policy" / f"{name}.yaml").read_text())
        assert leaf == {"include": "../_policy_yaml", "task": name, "dataset_kwargs": {"holmes_task": name}}
    assert "witness_acc" in (tasks_dir() / "_policy_yaml").read_text()
