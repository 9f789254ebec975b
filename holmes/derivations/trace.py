"""The full trace of a case: every step that bears on it, premises first, with rule numbers and sentences."""

from __future__ import annotations

import heapq
from collections.abc import Mapping

from holmes.cases import Step
from holmes.logic.engine.evaluate import NONE
from holmes.logic.explain.explain import explain
from holmes.logic.explain.graph import Graph, Label
from holmes.logic.language.model import RuleBase, Value
from holmes.logic.narrative.values import filled

STAGES = (
    "fact",
    "table",
    "concept",
    "policy",
    "transform",
    "compose",
    "selection",
    "gate",
    "conflict",
    "decision",
    "amount",
)


def spoken(rulebase: RuleBase, answer: str) -> str:
    """Return the first spelling of an answer, its own name with spaces where none is declared."""
    labels = dict(rulebase.decision.labels)
    return labels[answer][0] if labels.get(answer) else answer.replace("_", " ")


def _entities(rulebase: RuleBase, names: Mapping[str, str]) -> dict[str, str]:
    return {entity: names.get(entity, f"the {kind}") for entity, kind in rulebase.entities.items()}


def _fill(sentence: str, values: Mapping[str, str]) -> str:
    for key, value in values.items():
        sentence = sentence.replace(f"{{{key}}}", value)
    return sentence[:1].upper() + sentence[1:]


def _fact(rulebase: RuleBase, label: Label, value: Value | None, names: Mapping[str, str]) -> str:
    base_name, _, rest = label.name.partition("[")
    fact = rulebase.facts[base_name]
    if rest or isinstance(value, tuple):
        what = fact.phrases[0] if fact.phrases else base_name
        if not rest:
            return _fill(f"{what}: {label.value} members.", names)
        place, _, field = rest.partition("].")
        return _fill(f"{what}, member {place}: {field.replace('_', ' ')} is {label.value}.", names)
    sentences = fact.denies if value is False else fact.says
    if sentences:
        return _fill(filled(sentences[0], label.value), names)
    what = fact.phrases[0] if fact.phrases else base_name.replace("_", " ")
    return _fill(f"{what}: {label.value}.", names)


def sentence(rulebase: RuleBase, graph: Graph, node: int, names: Mapping[str, str]) -> str:
    """Return the sentence of one labelled node.

    names: entity -> name; an entity without a name is called by its kind. Raises ValueError for a hidden node.
    """
    label = graph.info(node)
    if label is None:
        raise ValueError(f"node {node}: found a hidden node, expected a labelled one")
    rule = f"Rule {label.rule}"
    match label.kind:
        case "fact":
            return _fact(rulebase, label, graph.value(node), _entities(rulebase, names))
        case "concept":
            concept = rulebase.concepts[label.name]
            phrase = concept.phrases[0] if concept.phrases else label.name.replace("_", " ")
            if concept.type.kind == "bool":
                return f"By {rule}, the condition “{phrase}” {'holds' if label.value == 'true' else 'does not hold'}."
            return f"By {rule}, the {phrase} is {label.value}."
        case "table":
            keys = label.name.partition("[")[2]
            return f"By the table of {rule}, the row {keys.rstrip(']').replace(',', ', ')} gives {label.value}."
        case "gate":
            return f"{rule} {'passes' if label.value == 'PASS' else 'fails'}."
        case "transform" | "compose":
            return f"{rule} {'passes' if label.value == 'true' else 'fails'}."
        case "selection":
            chosen = rulebase.policies[label.aspect].rule
            return f"By {rule}, Rule {chosen} is the one to follow."
        case "policy" if label.aspect == "triggered":
            return f"{rule} is {'' if label.value == 'true' else 'not '}triggered."
        case "policy":
            consequence = rulebase.policies[label.name].consequence
            holds = label.value == "true"
            return f"{rule} applies: {spoken(rulebase, consequence)}." if holds else f"{rule} does not apply."
        case "conflict":
            winner, loser = rulebase.policies[label.name].rule, rulebase.policies[label.aspect].rule
            if winner == label.rule:
                return f"{rule} defeats Rule {loser}."
            return f"By {rule}, Rule {winner} defeats Rule {loser}."
        case "decision":
            answer = graph.value(node)
            answers = [str(a) for a in answer] if isinstance(answer, tuple) else [str(answer)]
            return f"By {rule}, the answer is {', '.join(spoken(rulebase, a) for a in answers)}."
        case _:
            return f"By {rule}, the amount is {label.value}."


_PLACE = {stage: place for place, stage in enumerate(STAGES)}


def _priority(facts: Mapping[str, int], label: Label) -> tuple[int, int, str]:
    stage = _PLACE["conflict" if label.kind == "policy" and label.aspect == "applies" else label.kind]
    rule = facts[label.name.partition("[")[0]] if label.kind == "fact" else label.rule
    return stage, rule, str(label)


def ordered(rulebase: RuleBase, graph: Graph, nodes: set[int]) -> list[int]:
    """Return the labelled nodes among `nodes`, premises first, otherwise by stage and rule number.

    nodes: closed, that is, with every premise of its members (see `closure`).
    """
    shown = {node: label for node, label in graph.labelled() if node in nodes}
    below: dict[int, set[int]] = {}  # of each node: the labelled nodes right below it
    for node in sorted(nodes):  # premises have lower numbers
        found: set[int] = set()
        for alternative in graph.alternatives(node):
            for premise in alternative:
                if premise in shown:
                    found.add(premise)
                else:
                    found |= below[premise]
        below[node] = found
    waiting = {node: len(below[node]) for node in shown}
    places = {name: place for place, name in enumerate(rulebase.facts)}
    above: dict[int, list[int]] = {}
    for node in waiting:
        for premise in below[node]:
            above.setdefault(premise, []).append(node)

    def entry(node: int) -> tuple[tuple[int, int, str], int]:
        return _priority(places, shown[node]), node

    heap = [entry(node) for node, count in waiting.items() if not count]
    heapq.heapify(heap)
    result = []
    while heap:
        _, node = heapq.heappop(heap)
        result.append(node)
        for later in above.get(node, ()):
            waiting[later] -= 1
            if not waiting[later]:
                heapq.heappush(heap, entry(later))
    return result


def step(rulebase: RuleBase, graph: Graph, node: int, names: Mapping[str, str]) -> Step:
    """Return the step of one labelled node."""
    label = graph.info(node)
    assert label is not None
    kind = label.kind if label.kind != "policy" else label.aspect
    result = label.value or label.aspect
    return Step(sentence(rulebase, graph, node, names), str(label.rule) if label.rule else "", kind, result)


def closure(graph: Graph, *asked: int) -> set[int]:
    """Return what bears on the case: all below the decision, the amount, every triggered policy and active conflict.

    asked: further nodes that the question is about.
    """
    starts = [graph.root, *asked] + ([graph.amount] if graph.amount is not None else [])
    for node, label in graph.labelled():
        triggered = label.kind == "policy" and label.aspect == "triggered" and label.value == "true"
        if triggered or label.kind == "conflict":
            starts.append(node)
    return set(graph.reachable(*starts))


def trace(
    rulebase: RuleBase,
    facts: Mapping[str, Value],
    *,
    names: Mapping[str, str] | None = None,
    defeat: str | None = None,
    ablate: frozenset[str] = NONE,
) -> tuple[Step, ...]:
    """Return the full closure of a case in dependency order: facts, concepts, triggers, conflicts, decision, amount.

    facts, defeat, ablate: as for `evaluate`. names: entity -> name for the sentences of facts.
    Each Step has text, rule (number as text), kind (fact, concept, table, triggered, applies, conflict, gate,
    selection, transform, compose, decision, amount) and result.
    """
    return told(rulebase, explain(rulebase, facts, defeat=defeat, ablate=ablate), names or {})


def told(rulebase: RuleBase, graph: Graph, names: Mapping[str, str], *asked: int) -> tuple[Step, ...]:
    """Return the full closure of a case whose graph is at hand, as `trace` does.

    asked: nodes that the question is about, where these are not decision or amount.
    """
    nodes = ordered(rulebase, graph, closure(graph, *asked))
    return tuple(step(rulebase, graph, node, names) for node in nodes)
