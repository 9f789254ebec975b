"""The symbolic gold fields of a released law case, recomputed by the engine in one of two modes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from holmes.logic.engine.evaluate import Evaluation, evaluate
from holmes.sources.holmes_release.law_import import KINDS
from holmes.sources.holmes_release.law_rulebases import NO_LIABILITY, Bundle, Released

FIELDS = (
    "target_articles",
    "positive_atomic_facts",
    "triggered_middle_concepts",
    "triggered_articles",
    "stronger_conflicts",
    "exception_conflicts",
    "conflict_count",
    "defeated_articles",
    "applicable_articles",
    "final_no_liability",
    "final_result",
    "gold_rule_trace",
    "trigger_rule_numbers",
    "conflict_rule_numbers",
    "conclusion_rule_numbers",
)


@dataclass(frozen=True, slots=True)
class Derived:
    """What the engine says about a released case: the gold's fields by name, and the evaluation itself."""

    fields: Mapping[str, Any]
    evaluation: Evaluation


def derive(bundle: Bundle, case: Released, mode: str) -> Derived:
    """Recompute the gold of a case.

    mode: ``release`` evaluates the plan's target articles and the concepts above them only, as the authors' planner
    did; ``closure`` everything that the facts entail, which is what is logically right.
    Returns the fields of `FIELDS`, in the gold's own types and orders.
    """
    facts = case.theory.assignment()
    base = bundle.rulebase
    planned = [str(name) for name in case.row.row("gold_trace").strings("target_articles")]
    if mode == "release":
        policies = {name: policy for name, policy in base.policies.items() if name in planned}
        relations = tuple(r for r in base.relations if r.winner in policies and r.losers[0] in policies)
        base = replace(base, policies=policies, relations=relations)
    result = evaluate(base, facts)
    triggered = [name for name in base.policies if result.triggered[name]]
    above = _above(bundle, triggered if mode == "release" else list(base.concepts))
    concepts = {name for name in above if result.concepts.get(name) is True}
    conflicts = {(c.winner, c.loser): c.relation for c in result.conflicts}
    defeated = [name for name in triggered if any(loser == name for _, loser in conflicts)]
    applicable = [name for name in triggered if name not in defeated]
    numbers = {str(what): number for number, (kind, what) in bundle.rules.items() if KINDS[kind] != "conflict"}
    trigger = sorted({numbers[name] for name in (*concepts, *triggered)})
    conflict = sorted(relation.rule for relation in conflicts.values())
    conclusion = [numbers[name] for name in applicable]
    plan = _planned(bundle, case)
    middle = _walk(bundle, [*plan, *_ranked(triggered, conflicts)], concepts)
    trace = [numbers[name] for name in (*middle, *triggered)] + conflict + conclusion
    fields = {
        "target_articles": planned,  # what the planner aimed at: an input, in both modes
        "positive_atomic_facts": [name for name, value in facts.items() if value],
        "triggered_middle_concepts": sorted(concepts),
        "triggered_articles": triggered,
        "stronger_conflicts": _pairs(conflicts, "stronger"),
        "exception_conflicts": _pairs(conflicts, "exception"),
        "conflict_count": len(conflicts),
        "defeated_articles": defeated,
        "applicable_articles": applicable,
        "final_no_liability": result.answer == NO_LIABILITY,
        "final_result": result.answer,
        "gold_rule_trace": trace,
        "trigger_rule_numbers": trigger,
        "conflict_rule_numbers": conflict,
        "conclusion_rule_numbers": conclusion,
    }
    return Derived(fields, result)


def _pairs(conflicts: Mapping[tuple[str, str], Any], kind: str) -> list[list[str]]:
    return [[winner, loser] for (winner, loser), relation in conflicts.items() if relation.kind == kind]


def _above(bundle: Bundle, names: list[str]) -> list[str]:
    """The concepts that `names` rest on, directly or not (concepts among `names` included)."""
    found: dict[str, None] = {}
    todo = list(names)
    while todo:
        name = todo.pop()
        if name in bundle.rulebase.concepts and name not in found:
            found[name] = None
            todo += bundle.order.get(name, ())
        elif name in bundle.rulebase.policies:
            todo += bundle.order.get(name, ())
    return list(found)


def _ranked(triggered: list[str], conflicts: Mapping[tuple[str, str], Any]) -> list[str]:
    """The planner's order: winners before losers, else as listed."""
    left, done = list(triggered), list[str]()
    while left:
        free = [n for n in left if not any(loser == n and winner in left for winner, loser in conflicts)] or left
        done.append(free[0])
        left.remove(free[0])
    return done


def _planned(bundle: Bundle, case: Released) -> list[str]:
    """The concepts in the order in which the planner established them, told by the names of the rules it used."""
    order = []
    for used in case.row.row("generation_trace").strings("used_rules"):
        if "_triggers_" in used or "_trigger_" in used:
            continue
        told = [name for name in bundle.rulebase.concepts if used.endswith(f"_{name}") or used == f"{name}_rule"]
        order += sorted(told, key=len)[-1:]
    return order


def _walk(bundle: Bundle, goals: list[str], concepts: set[str]) -> list[str]:
    """Concepts in the order in which a proof of each goal, premises first, meets them."""
    met: dict[str, None] = {}

    def visit(name: str) -> None:
        if name in met:
            return
        for premise in bundle.order.get(name, ()):
            visit(premise)
        if name in concepts:
            met[name] = None

    for name in (*goals, *bundle.rulebase.concepts):
        visit(name)
    return list(met)
