"""Steps whose change alone changes the answer: the case evaluated again with one value set otherwise."""

from __future__ import annotations

from typing import Any

from holmes.derivations.derive import PartGraph
from holmes.logic.engine.compile import Program
from holmes.logic.engine.evaluate import program_for
from holmes.scoring.derivation.targets import Target, Targets

_SLOTS = {"concept": "concept", "triggered": "policy", "gate": "policy", "transform": "policy", "applies": "applies"}


def decisive(part: Targets, target: Target) -> bool:
    """Say whether what is asked about a part turns where one Boolean step of it turns, all else following from it.

    Of a conflict: where the winner does not defeat the loser. Steps that are no truths are never decisive.
    Source: derivations.md, Scoring a trace, step 4.
    """
    graph = part.graph
    program = program_for(graph.part.base)
    state = program.run(graph.part.facts)
    if target.kind == "conflict":
        slot, value = program.slot.get(("applies", target.key[2])), _undefeated(program, state, target)
    else:
        name = _SLOTS.get(target.kind)
        slot = program.slot.get((name, target.key[1])) if name and isinstance(target.value, bool) else None
        value = target.value is not True
    asked = _asked(program, graph)
    if slot is None or asked is None or state[slot] == value:
        return False
    changed = list(state)
    for place, run in program.steps:
        changed[place] = value if place == slot else run(changed)
    return bool(changed[asked] != state[asked])


def _undefeated(program: Program, state: list[Any], target: Target) -> bool:
    """Say whether the loser of a conflict would apply, were it not for this winner."""
    base, (_, winner, loser) = program.rulebase, target.key
    kind = "applies" if base.defeat == "grounded" else "policy"
    others = {r.winner for r in base.relations if loser in r.losers} - {winner}
    return bool(state[program.slot["policy", loser]]) and not any(state[program.slot[kind, other]] for other in others)


def _asked(program: Program, graph: PartGraph) -> int | None:
    """Return the slot of what is asked about a part."""
    kind, _, name = graph.goal.partition(" ")
    if not name:
        return program.slot.get((kind, kind))
    return program.slot.get(("policy" if kind == "triggered" else kind, name))
