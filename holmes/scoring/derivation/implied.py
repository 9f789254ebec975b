"""What right claims imply by the few steps that nobody writes down (derivations.md, Scoring a trace, step 4)."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from holmes.scoring.derivation.targets import Target, Targets


def implied(parts: Collection[Targets], right: Collection[Target], refuted: Collection[Target]) -> frozenset[str]:
    """Return the labels that right claims imply, their own included.

    right: the targets claimed rightly. refuted: those claimed wrongly or both ways, which are never implied.
    A rule that is not triggered does not apply; one that applies is triggered; a conflict means that the loser is
    triggered, that the winner stands and that the loser does not apply; a conflict is implied only where the trace says
    that the winner stands and that the loser does not apply; a rule without attackers applies where it is triggered and
    only there; a requirement that is met is met with its waiver. Every step is taken once, from the claims.
    Source: docs/derivations.md, Implied steps.
    """
    found = {target.label for target in right}
    for part in parts:
        own = {target.key: target for target in right if target.part == part.number}
        for target in _steps(part, own):
            if target not in refuted:
                found.add(target.label)
    return frozenset(found)


def _steps(part: Targets, own: dict[tuple[str, str, str], Target]) -> Iterator[Target]:
    for (kind, name, loser), target in own.items():
        if kind == "triggered" and target.value is False:
            yield from _with(part, "applies", name, False)
        elif kind == "triggered" and name not in part.attackers:
            yield from _with(part, "applies", name, True)
        elif kind == "applies" and target.value is False and name not in part.attackers:
            yield from _with(part, "triggered", name, False)
        elif kind == "applies" and target.value is True:
            yield from _with(part, "triggered", name, True)
        elif kind == "conflict" and target.value is True:
            yield from _with(part, "triggered", loser, True)
            yield from _with(part, "applies", loser, False)
            yield from _standing(part, name)
        elif kind == "gate" and target.value is True:
            yield from _waived(part, name)
    yield from _conflicts(part, own)


def _with(part: Targets, kind: str, name: str, value: bool) -> Iterator[Target]:
    target = part.by_key.get((kind, name, ""))
    if target is not None and target.value is value:
        yield target


def _standing(part: Targets, winner: str) -> Iterator[Target]:
    """Yield the steps by which a winner stands: it applies, and is triggered where nothing says so apart."""
    if part.grounded and ("applies", winner, "") in part.by_key:
        yield from _with(part, "applies", winner, True)
    else:
        yield from _with(part, "triggered", winner, True)


def _waived(part: Targets, name: str) -> Iterator[Target]:
    policies = part.graph.part.base.policies
    for kind in ("gate", "transform"):
        for key, target in part.by_key.items():
            if key[0] == kind and policies[key[1]].operator == "transform" and policies[key[1]].base == name:
                yield from _with(part, kind, key[1], target.value is True)


def _conflicts(part: Targets, own: dict[tuple[str, str, str], Target]) -> Iterator[Target]:
    """Yield the conflicts whose winner the trace says to stand and whose loser it says not to apply."""
    for loser, attackers in part.attackers.items():
        lost = own.get(("applies", loser, ""))
        if lost is None or lost.value is not False:
            continue
        for winner in attackers:
            target = part.by_key.get(("conflict", winner, loser))
            if target is not None and target.value is True and _stands(part, winner, own):
                yield target


def _stands(part: Targets, winner: str, own: dict[tuple[str, str, str], Target]) -> bool:
    """Say whether the trace says that a winner stands: it applies, or is triggered and its attackers are out."""
    applies, triggered = own.get(("applies", winner, "")), own.get(("triggered", winner, ""))
    if applies is not None:
        return applies.value is True
    if triggered is None or triggered.value is not True:
        return False
    if not part.grounded:
        return True
    return all(_out(own, attacker) for attacker in part.attackers.get(winner, ()))


def _out(own: dict[tuple[str, str, str], Target], attacker: str) -> bool:
    said = [own.get((kind, attacker, "")) for kind in ("triggered", "applies")]
    return any(target is not None and target.value is False for target in said)
