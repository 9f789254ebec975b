"""What makes a finance case hard: its size, the rules that fail, and the difficulties that the paper found real."""

from __future__ import annotations

from collections.abc import Sequence

from holmes.cases import Difficulty
from holmes.domains.finance.handbook import clause
from holmes.domains.finance.planner.composition import Slot, tier
from holmes.domains.finance.planner.search import planner
from holmes.domains.finance.text import Part, split
from holmes.logic.engine.evaluate import Evaluation
from holmes.logic.language.model import RuleBase, Value

LOOK_ALIKE = ("associate_professor", "associate_researcher", "lecturer", "engineer_of_grade_5")


def asked(base: RuleBase, result: Evaluation) -> tuple[str, ...]:
    """Return the rules that decide a case: those its review asks for, or those of the families of its clause."""
    if base.decision.gates:
        return tuple(name for name, _ in result.gates)
    return tuple(name for family in base.families.values() for name in family)


def failing(base: RuleBase, result: Evaluation) -> tuple[str, ...]:
    """Return the rules that fail in a case, of those that decide it, in their order."""
    return tuple(name for name in asked(base, result) if not result.triggered[name])


def difficulty(slot: Slot, parts: Sequence[Part], results: Sequence[Evaluation], count: int) -> Difficulty:
    bases = [clause(part.clause).base for part in parts]
    return Difficulty(
        steps=count,
        height=max(4 + bool(base.tables) + bool(base.concepts) for base in bases),
        concepts=sum(len(base.concepts) for base in bases),
        policies=sum(len(planner(part.clause).checks) for part in parts),
        conflicts=sum(len(result.conflicts) for result in results),
        scopes=len({part.clause for part in parts}),
        components=slot.span,
        tier=tier(slot),
    )


def tags(slot: Slot, parts: Sequence[Part], results: Sequence[Evaluation]) -> set[str]:
    """Tag the difficulties that the paper found real (D.2, D.3) where they decide, and how many rules fail at most."""
    found: set[str] = set()
    most = 0
    for part, result in zip(parts, results, strict=True):
        plan = planner(part.clause, part.edition)
        fails = failing(plan.base, result)
        most = max(most, len(fails))
        turned = [title for title in _titles(part) if _turns(part, result, "title", title)]
        if turned:
            found.add("rank look-up")
        if part.facts.get("title") in LOOK_ALIKE and set(turned) & set(LOOK_ALIKE):
            found.add("look-alike category")
        if part.facts.get("hired_car") and part.facts["fares"] and _turns(part, result, "hired_car", False):
            found.add("exclusive clauses")
        if result.answer == "Rejection" and all(name in plan.mandatory for name in fails):
            found.add("whole-claim gate")
    found.add(f"fails {most}" if most < 3 else "fails 3+")
    if slot.span > 1 and slot.clause:
        papers = split(slot.clause).papers
        for part, result in zip(parts, results, strict=True):
            missing = [paper for paper in papers if not part.facts[paper] and any(p.facts[paper] for p in parts)]
            if any(_turns(part, result, paper, True) for paper in missing):
                found.add("omission from a list")
    return found


def _titles(part: Part) -> tuple[str, ...]:
    return part.stated.base.facts["title"].type.values if "title" in part.facts else ()


def _turns(part: Part, result: Evaluation, fact: str, value: Value) -> bool:
    """Say whether another value of one fact would turn the verdict of a part."""
    there = planner(part.clause, part.edition).found({**part.facts, fact: value})
    return there is not None and there[0] != result.answer
