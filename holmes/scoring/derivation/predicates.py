"""Predicates: what the words after a subject say of it, and whether they assert or deny."""

from __future__ import annotations

from collections.abc import Sequence

from holmes.scoring.derivation.segments import AXES, SAYS
from holmes.scoring.derivation.statement import negations
from holmes.scoring.derivation.tokens import NOTHING, Token

TRUTH = frozenset({"V+", "V-"})


_PARTICLES = frozenset({"off", "out", "gone", "lost", "good", "dead", "shut", "closed", "down", "alive"})


def _plainly(found: Sequence[Token], place: int) -> bool:
    """Say whether a particle is a predicate of its own: after "be" or nothing, with nothing of weight after."""
    lead = all(t.codes & {"V", "D", "N", "&"} or t.kind == "¬" for t in found[:place])
    return lead and (place + 1 == len(found) or bool(found[place + 1].codes))


_COPULAS = frozenset({"stays", "stay", "remains", "remain", "stands", "stand", "is left", "remained"})


def predicate(found: Sequence[Token]) -> tuple[frozenset[str], bool, int] | None:
    """Return the codes of the first predicate, whether it is asserted, and where it ends; None for none near by."""
    strange = denials = 0
    for place, token in enumerate(found):
        if token.kind == "S":
            return frozenset({"V+"}), (token.value is True) is (denials % 2 == 0), place + 1
        if token.kind == "=":
            value = equal(found[place + 1 :])
            return None if value is None else (frozenset({"V+"}), value is (denials % 2 == 0), place + 2)
        if "N" in token.codes or token.kind == "¬":
            if "V-" in token.codes and place + 1 == len(found):
                return frozenset({"V+"}), False, place + 1
            denials += 1
        elif token.codes and (codes := token.codes & SAYS):
            if token.text in _PARTICLES and not _plainly(found, place):
                return None  # "never gets off the ground"
            if token.text in _COPULAS and place + 1 < len(found) and found[place + 1].codes & (AXES | {"N"}):
                continue
            if codes <= {"R+"}:
                codes = frozenset({"T+"}) if place + 1 == len(found) else NOTHING
            if not codes or codes <= {"B-"} or (codes <= {"D+", "D-", "S+"} and "S+" not in codes):
                return None
            return codes, denials % 2 == 0, place + 1
        elif token.kind in "wA#" and not token.codes and token.text != "on":
            if han(token):
                continue
            strange += 1
            if strange > 4 or token.kind == "A":
                return None
        elif token.text == "on" and place + 1 == len(found) and place < 2:
            return frozenset({"T+"}), denials % 2 == 0, place + 1
        elif token.kind in ("∈", "∉", "≥", "≤", "<", ">"):
            return None
    if denials == 1 and any(han(t) for t in found):
        return frozenset({"V+"}), False, len(found)
    return None


def han(token: Token) -> bool:
    return "一" <= token.text[:1] <= "鿿"


def equal(found: Sequence[Token]) -> bool | None:
    if not found:
        return None
    token = found[0]
    if token.kind == "S":
        return token.value is True
    if token.kind == "#" and len(found) < 3:
        return {"0": False, "1": True}.get(token.text)
    if token.codes & {"V-", "H-", "T-", "A-"} or token.text in ("no", "f"):
        return False
    if token.codes & {"V+", "T+", "H+"} or token.text in ("t", "on"):
        return True
    return None


def leading(before: Sequence[Token]) -> tuple[frozenset[str], bool, int] | None:
    """Read a predicate that stands before its rule: "standing = R15", "what remains is Rule 4", "no trigger for R3"."""
    for place, token in enumerate(before):
        codes = token.codes & AXES
        if codes and not codes & {"D+", "D-", "R+"}:
            return codes, negations(before[:place]) % 2 == 0, place
    return None


def agent_of(after: Sequence[Token], beyond: Sequence[Token]) -> tuple[int, ...]:
    """Return the rules in "by Rule 4" after a predicate."""
    for token in after[:2]:
        if "BY" in token.codes:
            return next((t.rules for t in (*after, *beyond)[:5] if t.kind == "R"), ())
        if not token.codes or not token.codes <= {"D"}:
            return ()
    return ()


def gives(after: Sequence[Token]) -> bool:
    """Say whether "gives 550", "puts … into upper" follows: a number or a word after a verb."""
    first = next((t for t in after if not t.codes <= {"D"} or not t.codes), None)
    return first is not None and ("V" in first.codes or first.text in ("puts", "sets", "fixes", "allows", "grants"))


def truth_of(codes: frozenset[str], value: bool) -> bool | None:
    """Return what a predicate says of a concept; None where it says nothing of one."""
    if codes & {"H-", "M-", "V-", "T-", "P-"} and not codes & {"H+", "M+", "V+"}:
        return not value
    if codes & {"H+", "M+", "V+", "T+", "P+"}:
        return value
    return None


_ABOVE = frozenset(
    {"exceeds", "exceed", "exceeding", "exceeded", "above", "over", "beyond", "more", "higher", "greater", "larger"}
)


_BELOW = frozenset({"within", "below", "under", "most", "less", "lower", "smaller", "fewer", "inside"})


def side_of(spoken: Sequence[str]) -> int:
    """Return 1 where words put one thing above another, -1 for within it, 0 where they compare nothing."""
    above, below = any(w in _ABOVE for w in spoken), any(w in _BELOW for w in spoken)
    denied = sum(w in ("not", "no", "never", "nor", "without") for w in spoken)
    if above == below or denied > 1:
        return 0
    return (1 if above else -1) * (-1 if denied else 1)
