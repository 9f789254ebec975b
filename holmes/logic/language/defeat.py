"""Checks of the relations: attackers acyclic, no double or dead relation, exceptions to exceptions only if they act."""

from __future__ import annotations

from holmes.logic.language.draft import Draft
from holmes.logic.language.model import Relation
from holmes.logic.language.problems import Problem


def check_defeat(draft: Draft) -> None:
    """Add a problem of kind ``defeat`` for each fault of the relations."""

    def report(relation: Relation, found: str, expected: str) -> None:
        target = "than" if relation.kind == "stronger" else "to"
        draft.problems.append(Problem(draft.file, relation.line, str(relation.rule), target, found, expected, "defeat"))

    pairs: dict[tuple[str, str], Relation] = {}
    attacks: dict[str, set[str]] = {}
    excepting = {r.winner for r in draft.relations if r.kind == "exception"}
    for relation in draft.relations:
        for loser in relation.losers:
            if relation.winner == loser:
                report(relation, f"{loser!r} against itself", "another policy")
                continue
            earlier = pairs.setdefault((relation.winner, loser), relation)
            if earlier is not relation or relation.losers.count(loser) > 1:
                kinds = "both stronger and exception" if earlier.kind != relation.kind else "twice"
                report(relation, f"{relation.winner!r} over {loser!r} {kinds}", "each pair once")
            attacks.setdefault(relation.winner, set()).add(loser)
            _consequences(draft, relation, loser, report)
            if draft.defeat == "one_pass" and relation.kind == "exception" and loser in excepting:
                found = f"an exception to the exception {loser!r}, which revives nothing under one_pass"
                report(relation, found, "defeat: grounded")
    cycle = _cycle(attacks)
    if cycle:
        relation = pairs[cycle[0], cycle[1]]
        report(relation, f"the cycle {' over '.join(cycle)}", "attackers without a cycle")


def _consequences(draft: Draft, relation: Relation, loser: str, report: object) -> None:
    assert callable(report)
    if relation.kind != "stronger" or relation.winner not in draft.policies or loser not in draft.policies:
        return
    winner_gets, loser_gets = draft.policies[relation.winner].consequence, draft.policies[loser].consequence
    if winner_gets and winner_gets == loser_gets:
        report(relation, f"a priority between two policies that both lead to {winner_gets!r}", "different consequences")


def _cycle(attacks: dict[str, set[str]]) -> list[str]:
    """Return a cycle as a path that ends where it began, or nothing."""
    done: set[str] = set()
    for start in sorted(attacks):
        path = [start]
        stack = [iter(sorted(attacks.get(start, ())))]
        while stack:
            following = next(stack[-1], None)
            if following is None:
                stack.pop()
                done.add(path.pop())
            elif following in path:
                return [*path[path.index(following) :], following]
            elif following not in done:
                path.append(following)
                stack.append(iter(sorted(attacks.get(following, ()))))
    return []
