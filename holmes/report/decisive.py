"""Operations without which the answer would be another one: the decisive path, beside mere presence (issue 18, 8)."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from dataclasses import replace

from holmes.cases import Case
from holmes.derivations.derive import PartGraph
from holmes.derivations.operations import reductions, selected
from holmes.errors import InputError
from holmes.logic.engine.evaluate import Evaluation, evaluate
from holmes.logic.explain.scope import reach
from holmes.logic.language.model import Expr, RuleBase, Value
from holmes.logic.language.walk import rebuild
from holmes.registry import derivations_of

NOT_KNOWN = "unknown"


@functools.lru_cache(maxsize=4096)
def decisive_types(case: Case) -> tuple[str, ...]:
    """Return the types of the operators of a case without which its answer would be another one.

    PR, PT: a relation between two triggered rules is left out; PT also: a rule stands without its exemption, a reduced
    rate is the full one. PC: a composed rule is only one of its parts. PS: another branch is chosen, or another row of
    a table that is used. PQ: a quantifier speaks of one policy of its family alone, or the decision takes the last
    surviving consequence instead of the first in its order.
    ``unknown`` alone where the rule base is not at hand. One part of a case decides as in the case.
    """
    try:
        found = derivations_of(case)
    except InputError:
        return (NOT_KNOWN,)
    types = {kind for part in found.parts for kind in _types(part)}
    return tuple(kind for kind in ("PR", "PT", "PC", "PS", "PQ") if kind in types)


def _types(part: PartGraph) -> set[str]:
    base, facts = part.part.base, part.part.facts
    answer = _asked(part, evaluate(base, facts))
    types: set[str] = set()
    for kinds, other in _without(base, part):
        if set(kinds) <= types:
            continue
        try:
            changed = _asked(part, evaluate(other, facts)) != answer
        except (InputError, KeyError, ValueError, ArithmeticError):
            continue  # the base cannot stand without it: nothing is told
        if changed:
            types.update(kinds)
    return types


def _asked(part: PartGraph, result: Evaluation) -> Value | tuple[str, ...] | None:
    kind, _, name = part.goal.partition(" ")
    if kind in ("decision", "amount"):
        return result.answer if kind == "decision" else result.amount
    return result.concepts[name] if kind == "concept" else result.applies[name]


def _without(base: RuleBase, part: PartGraph) -> Iterator[tuple[tuple[str, ...], RuleBase]]:
    """Rule bases that lack one operator, with the types that it stands for."""
    for place, relation in enumerate(base.relations):
        rest = base.relations[:place] + base.relations[place + 1 :]
        kinds = ("PR", "PT") if relation.kind == "exception" else ("PR",)
        yield kinds, _edited(base, f"-{relation.kind}{place}", relations=rest)
    for name, policy in base.policies.items():
        if policy.operator == "transform":
            bare = replace(base.policies[policy.base], name=name, rule=policy.rule, consequence=policy.consequence)
            yield ("PT",), _policy(base, name, bare)
        elif policy.operator == "compose":
            for one in policy.parts:
                if len(policy.parts) > 1:
                    yield ("PC",), _policy(base, name, replace(policy, parts=(one,)))
        elif policy.operator == "select":
            for value, _ in policy.branches:
                chosen = dict(policy.branches)[value]
                same = tuple((key, chosen) for key, _ in policy.branches)
                yield ("PS",), _policy(base, name, replace(policy, branches=same))
    for name, concept in base.concepts.items():
        for old, full, _, _ in reductions(concept.body):
            body = _put(concept.body, old, full)
            concepts = {**base.concepts, name: replace(concept, body=body)}
            yield ("PT",), _edited(base, f"full rate of {name}", concepts=concepts)
    for domain in {quantifier.domain for _, quantifier in reach(base, part.goal, tuple(selected(part))).quantifiers}:
        for member in base.families[domain]:
            families = {**base.families, domain: (member,)}
            yield ("PQ",), _edited(base, f"{domain} is {member}", families=families)
    used = {label.name.partition("[")[0] for _, label in part.graph.labelled() if label.kind == "table"}
    for name in used:
        table = base.tables[name]
        if all(isinstance(key, str) for row in table.rows for key in row.keys):
            for row in table.rows:
                rows = tuple(replace(other, value=row.value) for other in table.rows)
                tables: Mapping[str, object] = {**base.tables, name: replace(table, rows=rows)}
                yield ("PS",), _edited(base, f"={name}{row.keys}", tables=tables)
    if base.decision.pick in ("gravest", "first_of") and len(base.decision.order) > 1:
        turned = replace(base.decision, order=tuple(reversed(base.decision.order)))
        yield ("PQ",), _edited(base, "turned", decision=turned)


def _put(body: Expr, old: Expr, new: Expr) -> Expr:
    return new if body == old else rebuild(body, lambda part: _put(part, old, new))


def _policy(base: RuleBase, name: str, policy: object) -> RuleBase:
    return _edited(base, f"{name}:{policy}", policies={**base.policies, name: policy})


def _edited(base: RuleBase, mark: str, **changes: object) -> RuleBase:
    """An edited rule base needs a fingerprint of its own: compiled programs are kept by it."""
    return replace(base, fingerprint=f"{base.fingerprint}{mark}", **changes)  # type: ignore[arg-type]
