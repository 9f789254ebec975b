"""What a claim can be about: every labelled step of a case, and the conflicts that its rule base could have."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from holmes.derivations.derive import PartGraph
from holmes.derivations.parts import Part
from holmes.logic.engine.evaluate import evaluate
from holmes.logic.explain.graph import Label
from holmes.logic.language.model import BOOL, RuleBase, Type, Value
from holmes.scoring.derivation.vocabulary import Vocabulary, vocabulary_of

RULE = Type("rule")
Key = tuple[str, str, str]  # kind (a policy's aspect for policies), name, second name


@dataclass(frozen=True, slots=True)
class Target:
    """One thing that a claim can assert in one part of a case, with the value that is right.

    key: kind, name, second name (the loser of a conflict). rule: its number as the case prints it. value: a bool, an
    exact number, an enum value, or the printed number of the rule selected. label: the text of the node's label, or one
    of its own for what the graph has no node for (a conflict that is not active). node: -1 where there is none.
    answer: it is no inference but the answer itself.
    """

    part: int
    key: Key
    rule: int
    value: Value
    type: Type
    label: str
    node: int = -1
    answer: bool = False

    @property
    def kind(self) -> str:
        """concept, table, gate, triggered, applies, transform, compose, selection, conflict, decision or amount."""
        return self.key[0]


@dataclass(frozen=True, slots=True)
class Targets:
    """The targets of one part, by key and by printed rule number; its policies by printed number, its tables' rows."""

    graph: PartGraph
    number: int
    by_key: Mapping[Key, Target]
    by_rule: Mapping[int, Sequence[Target]]
    policies: Mapping[int, str]
    tables: Mapping[str, Sequence[Target]]
    vocabulary: Vocabulary

    def conflict(self, winner: int, loser: int) -> Target | None:
        """Return the target "rule `winner` defeats rule `loser`"; one that never holds where no relation says so."""
        names = self.policies.get(winner), self.policies.get(loser)
        if names[0] is None or names[1] is None or winner == loser:
            return None
        key = ("conflict", names[0], names[1])
        return self.by_key.get(key) or _unlabelled(self.graph, self.number, key, winner, False)

    def of(self, rule: int, *kinds: str) -> list[Target]:
        """Return the targets of a printed rule number, of the given kinds only where some are given."""
        return [t for t in self.by_rule.get(rule, ()) if not kinds or t.kind in kinds]


def targets_of(graph: PartGraph, number: int) -> Targets:
    """Return everything that a claim about one part of a case can be about; number: its place, counted from 0."""
    part, found = graph.part, dict[Key, Target]()
    for target in (*_labelled(graph, number), *_hidden(graph, number)):
        found.setdefault(target.key, target)
    by_rule: dict[int, list[Target]] = {}
    tables: dict[str, list[Target]] = {}
    for target in found.values():
        by_rule.setdefault(target.rule, []).append(target)
        if target.kind == "table":
            tables.setdefault(target.key[1].partition("[")[0], []).append(target)
    policies = {p.rule + part.offset: name for name, p in part.base.policies.items()}
    return Targets(graph, number, found, by_rule, policies, tables, vocabulary_of(part.base))


def key_of(label: Label) -> Key:
    """Return the key of a label: all of it but the rule number and the value."""
    if label.kind == "policy":
        return label.aspect, label.name, ""
    return label.kind, label.name, label.aspect if label.kind == "conflict" else ""


def _labelled(graph: PartGraph, number: int) -> Iterator[Target]:
    part, base, answer = graph.part, graph.part.base, graph.answer
    for node, label in graph.graph.labelled():
        if label.kind == "fact":
            continue
        value, kind = graph.graph.value(node), BOOL
        if label.kind == "conflict":
            value = True
        elif label.kind == "selection":
            value, kind = Fraction(base.policies[label.aspect].rule + part.offset), RULE
        elif label.kind == "concept":
            kind = base.concepts[label.name].type
        elif label.kind == "table":
            kind = base.tables[label.name.partition("[")[0]].type
        elif label.kind == "decision":
            kind, value = base.decision.type, label.value
        elif label.kind == "amount" and base.amount is not None:
            kind = base.amount.type
        text = graph.label(node)
        assert value is not None and text is not None
        yield Target(number, key_of(label), label.rule + part.offset, value, kind, text, node, text == answer)


def _hidden(graph: PartGraph, number: int) -> Iterator[Target]:
    """Conflicts that are not active; whether a policy without a consequence applies, where defeat makes that differ."""
    part: Part = graph.part
    base: RuleBase = part.base
    for relation in base.relations:
        for loser in relation.losers:
            key = ("conflict", relation.winner, loser)
            yield _unlabelled(graph, number, key, relation.rule + part.offset, False)
    solved = evaluate(base, part.facts)
    for name, policy in base.policies.items():
        bare = policy.operator == "condition" and not policy.gate and not policy.consequence
        if bare and solved.applies[name] != solved.triggered[name]:
            key = ("applies", name, "")
            yield _unlabelled(graph, number, key, policy.rule + part.offset, solved.applies[name])


def _unlabelled(graph: PartGraph, number: int, key: Key, rule: int, value: bool) -> Target:
    text = f"{graph.prefix}{key[0]}:{rule}:{key[1]}{'>' + key[2] if key[2] else ''}={'true' if value else 'false'}"
    return Target(number, key, rule, value, BOOL, text)
