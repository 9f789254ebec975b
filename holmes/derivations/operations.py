"""Which higher-order operations a case involves: PR, PT, PC, PS, PQ with the operators that make it so.

The criteria are those of HOLogicBench A.3, read off the typed operators of the rule base (docs/annotation.md): an
operator counts where the case uses it, whatever path of evaluation would suffice for the answer.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from holmes.derivations.derive import Derivations, PartGraph
from holmes.errors import InputError
from holmes.logic.explain.scope import Reach, reach
from holmes.logic.language import model as m
from holmes.logic.language.unparse import unparse
from holmes.logic.language.walk import walk

TYPES = ("PR", "PT", "PC", "PS", "PQ")
VERSION = "holmes-hol-2"


@dataclass(frozen=True, slots=True)
class Evidence:
    """Why a case has a type.

    rules: numbers as printed. operator: what relates, transforms, composes, selects or quantifies. conditions: what
    makes it active in the case. component: the part of the case, empty where there is one.
    """

    type: str
    rules: tuple[int, ...]
    operator: str
    conditions: tuple[str, ...] = ()
    component: str = ""


@dataclass(frozen=True, slots=True)
class Annotation:
    """The types of one case with their evidence, in the order of TYPES."""

    evidence: tuple[Evidence, ...]
    version: str = VERSION

    @property
    def types(self) -> tuple[str, ...]:
        """The types that the case has."""
        found = {item.type for item in self.evidence}
        return tuple(kind for kind in TYPES if kind in found)

    @property
    def flags(self) -> dict[str, bool]:
        """One Boolean a type."""
        return {kind: kind in self.types for kind in TYPES}

    def fields(self) -> dict[str, Any]:
        """Return the values of the fields of a Case: hol_types, and hol_evidence as JSON."""
        evidence = [{name: getattr(e, name) for name in Evidence.__slots__} for e in self.evidence]
        record = {"version": self.version, "flags": self.flags, "evidence": evidence}
        return {"hol_types": self.types, "hol_evidence": json.dumps(record, ensure_ascii=False, separators=(",", ":"))}


def annotation(evidence: Iterable[Evidence]) -> Annotation:
    """Return an annotation with its evidence in the order of the types, each piece once."""
    unique = dict.fromkeys(evidence)
    return Annotation(tuple(sorted(unique, key=lambda e: TYPES.index(e.type))))


def annotate(found: Derivations) -> Annotation:
    """Return the annotation of a case from its graphs; labels of several parts are united (A.3.3)."""
    return annotation(item for part in found.parts for item in _evidence(part))


# ---------------------------------------------------------------- our own cases
def _evidence(part: PartGraph) -> Iterator[Evidence]:
    base = part.part.base
    used = reach(base, part.goal, tuple(selected(part)))
    yield from _relations(part, used)
    for name in used.policies:
        yield from _operator(part, base.policies[name])
    yield from _reductions(part, used)
    yield from _tables(part, used)
    yield from _quantifiers(part, used)


def selected(part: PartGraph) -> Iterator[tuple[str, str]]:
    """Yield (selection, policy chosen) for every selection of the rule base of a part."""
    for name, policy in part.part.base.policies.items():
        if policy.operator == "select":
            label = part.graph.info(part.graph.named("selection", name))
            assert label is not None
            yield name, label.aspect


def _item(part: PartGraph, kind: str, rules: Iterable[int], operator: str, conditions: Iterable[str] = ()) -> Evidence:
    offset = part.part.offset
    return Evidence(
        kind, tuple(r + offset for r in dict.fromkeys(rules)), operator, tuple(conditions), part.part.subject
    )


def _holds(part: PartGraph, kind: str, name: str) -> bool:
    return bool(part.graph.value(part.graph.named(kind, name)))


def _relations(part: PartGraph, used: Reach) -> Iterator[Evidence]:
    """A relation counts where both its policies are triggered; an exception that defeats also transforms."""
    base = part.part.base
    standing = "applies" if base.defeat == "grounded" else "triggered"
    for relation in base.relations:
        for loser in relation.losers:
            pair = (relation.winner, loser)
            if not used.relates.issuperset(pair) or not all(_holds(part, "triggered", name) for name in pair):
                continue
            rules = (relation.rule, *(base.policies[name].rule for name in pair))
            operator = f"{relation.kind}: {relation.winner} over {loser}"
            triggered = tuple(f"triggered({name})" for name in pair)
            yield _item(part, "PR", rules, operator, triggered)
            if relation.kind == "exception" and _holds(part, standing, relation.winner):
                yield _item(part, "PT", rules, operator, (*triggered, f"defeated({loser})"))


def _operator(part: PartGraph, policy: m.Policy) -> Iterator[Evidence]:
    base = part.part.base
    match policy.operator:
        case "condition":
            return
        case "transform":
            if _holds(part, "unless", policy.name):
                assert policy.unless is not None
                rules = (policy.rule, base.policies[policy.base].rule)
                yield _item(part, "PT", rules, f"transform: {policy.name} of {policy.base}", (unparse(policy.unless),))
        case "compose":
            parts = (policy.rule, *(base.policies[name].rule for name in policy.parts))
            yield _item(part, "PC", parts, f"compose {policy.mode}: {policy.name} of {', '.join(policy.parts)}")
        case "select":
            label = part.graph.info(part.graph.named("selection", policy.name))
            assert label is not None and policy.selector is not None
            value = next(value for value, chosen in policy.branches if chosen == label.aspect)
            rules = (policy.rule, base.policies[label.aspect].rule)
            condition = f"{unparse(policy.selector)} = {value}"
            yield _item(part, "PS", rules, f"select: {policy.name} chooses {label.aspect}", (condition,))
        case other:
            raise InputError(
                f"{base.name}: policy {policy.name}: found operator {other}, expected condition, transform, compose "
                "or select"
            )


def reductions(body: m.Expr) -> Iterator[tuple[m.Expr, m.Expr, m.Ref, m.Const]]:
    """Yield the parts of an expression in which a rate is reduced beyond a threshold: ``0.7 * max(days - 20, 0)``.

    Yields (the part, the same at the full rate, the number, the threshold).
    """
    for found in walk(body):
        match found:
            case m.Arith(
                "*",
                (
                    m.Const(value=Fraction() as rate),
                    m.Arith(
                        "max", (m.Arith("-", (m.Ref(kind="fact") as number, m.Const() as least)), m.Const(value=0))
                    ) as rest,
                ),
            ) if rate < 1:
                yield found, rest, number, least
            case _:
                continue


def _reductions(part: PartGraph, used: Reach) -> Iterator[Evidence]:
    """A rate that is reduced beyond a threshold transforms the limit (A.3.2), where the case lies beyond it."""
    base, facts = part.part.base, part.part.facts
    for name in used.concepts:
        concept = base.concepts[name]
        for _, _, number, least in reductions(concept.body):
            told = facts[number.name]
            if isinstance(told, Fraction) and isinstance(least.value, Fraction) and told > least.value:
                shown = f"{number.name} > {unparse(least)}"
                yield _item(part, "PT", (concept.rule,), f"reduced rate: {name} beyond a threshold", (shown,))


def _tables(part: PartGraph, used: Reach) -> Iterator[Evidence]:
    """A standard chosen by kinds (rank, place, status) is a selection; one computed from a number is not."""
    for name in used.tables:
        table = part.part.base.tables[name]
        if not all(isinstance(key, str) for row in table.rows for key in row.keys):
            continue
        for _, label in part.graph.labelled():
            if label.kind == "table" and label.name.partition("[")[0] == name:
                yield _item(part, "PS", (table.rule,), f"table: {label.name}", (f"{label.name} = {label.value}",))


def _quantifiers(part: PartGraph, used: Reach) -> Iterator[Evidence]:
    base = part.part.base
    for rule, quantifier in used.quantifiers:
        over = ", ".join(base.families[quantifier.domain])
        yield _item(part, "PQ", (rule,), f"quantifier: {quantifier.kind} of {quantifier.domain} ({over})")
    decision = base.decision
    if used.decision and decision.pick != "gates":
        policies = [p for p in base.policies.values() if p.consequence]
        if len(policies) > 1:
            operator = f"decision: {decision.pick} of the {len(policies)} policies with a consequence"
            yield _item(part, "PQ", (decision.rule,), operator)
