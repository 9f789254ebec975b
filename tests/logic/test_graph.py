"""Explanation graphs: the worked examples, agreement with evaluation, and folding of what the rules alone decide."""

from __future__ import annotations

import pytest

from holmes.logic.engine.evaluate import evaluate
from holmes.logic.explain.explain import explain
from holmes.logic.explain.graph import Graph, text_of
from tests.logic.bases import ALL, base, random_facts
from tests.logic.test_evaluate import FERRY, GUILD, LOCK


def labels(graph: Graph, nodes: tuple[int, ...]) -> set[str]:
    return {text for node in nodes if (text := graph.label(node)) is not None}


def test_the_law_example_node_by_node() -> None:
    """Micro-example 6: the warning rests on the learner's rule and on the alarm being disarmed."""
    graph = explain(base("lock_keepers"), LOCK)
    assert graph.label(graph.root) == "decision:10=warning"
    (alternative,) = graph.alternatives(graph.root)
    assert labels(graph, alternative) == {
        "policy:5:learner:applies=true",
        "policy:3:release:applies=false",
        "policy:4:surge:applies=false",
    }
    below = labels(graph, graph.reachable())
    assert {"conflict:7:false_alarm>alarm", "conflict:8:learner>release", "fact:warden_present=false"} <= below
    assert not any(label.startswith("conflict:9") for label in below)


def test_the_finance_example_has_two_reasons() -> None:
    """Micro-example 5: one alternative for each failed standard gate, the selection and passed gates in both."""
    graph = explain(base("guild_travel"), GUILD)
    common = {"selection:10:review->grant_review", "gate:7:documented_w=PASS", "gate:6:sponsor_open=PASS"}
    found = [labels(graph, alternative) - common for alternative in graph.alternatives(graph.root)]
    assert found == [{"gate:4:lodging_ok=FAIL"}, {"gate:5:meals_ok=FAIL"}]
    assert all(common <= labels(graph, alternative) for alternative in graph.alternatives(graph.root))
    assert graph.amount is not None
    assert graph.label(graph.amount) == "amount:12=8328"


def test_list_facts_are_labelled_record_by_record() -> None:
    """A count over a list rests on every record; an empty list is itself the reason."""
    below = labels(graph := explain(base("ferry_company"), FERRY), graph.reachable())
    assert {"fact:crew[1].joined=2020-01-01", "fact:crew[2].rank=hand", "concept:3:seasoned=1"} <= below
    empty = explain(base("ferry_company"), {**FERRY, "crew": ()})
    assert "fact:crew=0" in labels(empty, empty.reachable())


@pytest.mark.parametrize("name", ALL)
def test_graph_agrees_with_evaluation(name: str) -> None:
    """The graph's own values, computed by another path, are those of the compiled rule base; premises come first."""
    rulebase = base(name)
    for seed in range(40):
        facts = random_facts(rulebase, seed)
        for defeat in ("grounded", "one_pass"):
            graph, result = explain(rulebase, facts, defeat=defeat), evaluate(rulebase, facts, defeat=defeat)
            assert graph.value(graph.root) == result.answer
            assert result.amount is None or graph.value(graph.amount or 0) == result.amount
            values = {str(label): graph.value(node) for node, label in graph.labelled()}
            for concept, value in result.concepts.items():
                rule = rulebase.concepts[concept].rule
                assert values[f"concept:{rule}:{concept}={text_of(value)}"] == value
            active = {f"conflict:{c.relation.rule}:{c.winner}>{c.loser}" for c in result.conflicts if c.active}
            assert active == {text for text in values if text.startswith("conflict:")}
            for node in range(len(graph)):
                assert graph.alternatives(node), graph.label(node)
                assert all(premise < node for alternative in graph.alternatives(node) for premise in alternative)


@pytest.mark.parametrize("name", ALL)
def test_labels_name_one_node(name: str) -> None:
    """No two nodes of a case carry the same label, save two ways to look up one row of a table."""
    for seed in range(20):
        graph = explain(base(name), random_facts(base(name), seed))
        texts = [str(label) for _, label in graph.labelled() if label.kind != "table"]
        assert len(texts) == len(set(texts))


def test_static_guards_are_folded(tmp_path: object) -> None:
    """A quantifier over the policies that override another ranges over those alone."""
    from pathlib import Path

    from holmes.logic.loader import load_rulebase

    source = (Path(__file__).parent / "oddments" / "harbour_first.yaml").read_text("utf-8")
    guarded = source.replace("when: odd,", 'when: "odd and every h in policies that override big: not triggered(h)",')
    file = Path(str(tmp_path)) / "guarded.yaml"
    file.write_text(guarded, "utf-8")
    rulebase = load_rulebase(file)
    assert rulebase.families["policies that override big"] == ("tea_ship",)
    facts = random_facts(rulebase, 3)
    graph = explain(rulebase, facts)
    node = next(n for n, label in graph.labelled() if label.name == "strange" and label.aspect == "triggered")
    body = graph.alternatives(node)[0][0]
    assert graph.value(body) is (
        evaluate(rulebase, facts).concepts["odd"] and not evaluate(rulebase, facts).triggered["tea_ship"]
    )
