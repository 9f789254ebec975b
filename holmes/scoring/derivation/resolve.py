"""Statements to targets of a case: the step of a rule that a predicate can be about, and the value it gives."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction

from holmes.logic.english.lexicon import words
from holmes.logic.english.vocabulary import NUMBER_WORDS
from holmes.logic.language.model import Value
from holmes.scoring.derivation.predicates import side_of
from holmes.scoring.derivation.statement import Statement
from holmes.scoring.derivation.targets import Target, Targets
from holmes.scoring.derivation.tokens import Token
from holmes.scoring.derivation.values import stated

Found = tuple[Target, Value]
_PLUS, _MINUS = frozenset({"H+", "M+", "V+", "T+", "P+", "A+"}), frozenset({"H-", "M-", "V-", "T-", "P-", "A-", "U+"})


def resolved(statement: Statement, parts: Sequence[Targets]) -> Iterator[Found]:
    """Yield what a statement claims in the parts it may be about; a tie is never guessed."""
    match statement.kind:
        case "rule":
            for rule in statement.rules:
                if part := _part(parts, rule):
                    yield from _of_rule(part, rule, statement)
        case "conflict":
            for winner in statement.rules:
                for loser in statement.losers:
                    there = [t for part in parts if (t := part.conflict(winner, loser))]
                    if len(there) == 1:
                        yield there[0], statement.value is True
        case "name":
            yield from _named(statement, parts)
        case "part":
            there = [t for part in parts if (t := _concept(part, statement))]
            if len(there) == 1 and statement.value is not None:
                yield there[0], statement.value
        case "draw":
            yield from _drawn(statement, parts)
        case "gate":
            yield from _compared(statement, parts)
        case "fact":
            yield from _restated(statement, parts)
        case "value":
            for rule in statement.rules:
                if (part := _part(parts, rule)) and (target := only(_valued(part, rule, statement))):
                    value = _given(target, statement)
                    if value is not None:
                        yield target, value


def _part(parts: Sequence[Targets], rule: int) -> Targets | None:
    there = [part for part in parts if part.by_rule.get(rule) or rule in part.policies]
    return there[0] if len(there) == 1 else None


def only(found: Iterable[Target]) -> Target | None:
    """Return the one target found; None for none or for a tie, which is never guessed."""
    unique = list(dict.fromkeys(found))
    return unique[0] if len(unique) == 1 else None


# ---------------------------------------------------------------- by name
def _named(statement: Statement, parts: Sequence[Targets]) -> Iterator[Found]:
    meaning = statement.meaning
    assert meaning is not None
    found: list[Target] = []
    for part in parts:
        if meaning.kind == "table":
            found += rows(list(part.tables.get(meaning.name, ())), statement)
        elif target := part.by_key.get(("concept", meaning.name, "")):
            found.append(target)
    target = only(found)
    if target is None:
        return
    if target.type.kind == "bool":
        if isinstance(statement.value, bool):
            yield target, statement.value
        return
    value = stated(target.type, linked(statement) if target.type.kind in ("int", "money") else statement.tokens)
    if value is not None:
        yield target, value


def linked(statement: Statement) -> tuple[Token, ...]:
    """Return what stands after the name of a quantity, where it is said to be something; () for a mere mention."""
    found = statement.tokens
    place = next((n for n, t in enumerate(found) if t.kind == "A" and t.value == statement.meaning), None)
    if place is None:
        return ()  # the name stands in another segment: "dependants, the basic amount are absent"
    after = found[place + 1 :]
    if place and (
        found[place - 1].kind == "#" or found[place - 1].text in NUMBER_WORDS or "N" in found[place - 1].codes
    ):
        return (found[place - 1],)  # "two dependants", "no additions"
    if after and after[0].kind == "#":
        return after
    cue = next((n for n, t in enumerate(after) if t.kind in ("=", "≥", "≤", "<", ">") or _says(t)), None)
    if cue is not None and (after[cue].kind == "=" or _says(after[cue])) and any(t.kind == "#" for t in after[cue:]):
        return after[cue:]
    before = found[:place]
    lead = [t for t in before if not t.codes <= {"D"} or t.kind == "#"]
    if len(lead) > 1 and lead[-1].codes & {"V"} and lead[-2].kind == "#":  # "1000 is the limit"
        return tuple(lead[-2:-1])
    if lead and lead[-1].codes & {"V"} and after[:1] and after[0].text in ("of", "at"):
        return after
    return ()


def _says(token: Token) -> bool:
    return "V" in token.codes or token.text in ("of", "equals", "equal", "at")


def rows(targets: list[Target], statement: Statement) -> list[Target]:
    """Of several rows of one table, keep those whose keys the words name."""
    if len(targets) < 2:
        return targets
    said = [word for token in statement.tokens for word in token.text.split()]
    hits = []
    for target in targets:
        keys = target.key[1].partition("[")[2].rstrip("]").lower().replace("_", " ").replace(",", " ").split()
        hits.append(sum(key in said for key in keys))
    best = [t for t, hit in zip(targets, hits, strict=True) if hit == max(hits)]
    return best if max(hits) else targets


def _concept(part: Targets, statement: Statement) -> Target | None:
    """Return the concept of a word that is part of its name, where its rule is cited."""
    assert statement.meaning is not None
    target = part.by_key.get(("concept", statement.meaning.name, ""))
    fits = target is not None and target.type.kind == "bool" and target.rule in statement.cited
    return target if fits else None


def _drawn(statement: Statement, parts: Sequence[Targets]) -> Iterator[Found]:
    """Read a consequence that is drawn under the rule cited: it is triggered."""
    for rule in statement.rules:
        part = _part(parts, rule)
        name = part.policies.get(rule) if part else None
        if part is None or name is None:
            continue
        wanted = part.graph.part.base.policies[name].consequence
        if not wanted or (statement.meaning is not None and statement.meaning.name != wanted):
            continue
        if target := only(part.of(rule, "triggered")):
            yield target, True


def _valued(part: Targets, rule: int, statement: Statement) -> list[Target]:
    found = [t for t in part.of(rule, "concept", "table", "decision", "amount") if t.type.kind != "bool"]
    return rows(found, statement)


def _given(target: Target, statement: Statement) -> Value | None:
    """Return the value that a cited step is given; of a number only a figure will do, of the answer only its words."""
    if target.kind == "decision":
        names = [t.meaning.name for t in statement.tokens if t.kind == "A" and t.meaning.kind == "label"]
        return names[-1] if names else None
    if target.type.kind in ("int", "money") and not any(t.kind == "#" for t in statement.tokens):
        return None
    return stated(target.type, statement.tokens)


def _compared(statement: Statement, parts: Sequence[Targets]) -> Iterator[Found]:
    """Hold a comparison against the text of the requirement that compares the same two things."""
    assert statement.meaning is not None
    for part in parts:
        target = part.by_key.get(("gate", statement.meaning.name, ""))
        limit = side_of(words(part.graph.part.base.policies[statement.meaning.name].text)) if target else 0
        if target is not None and limit:
            yield target, (statement.value is True) is (limit < 0)


def _restated(statement: Statement, parts: Sequence[Targets]) -> Iterator[Found]:
    """Read "A claim form was handed in [Rule 7]": what the rule cited asks for is there, or is not."""
    part = _part(parts, statement.rules[0])
    target = only(part.of(statement.rules[0], "gate")) if part else None
    if part is None or target is None or statement.meaning is None:
        return
    policy = part.graph.part.base.policies[target.key[1]]
    own = [m.meaning for m in part.vocabulary.scan(words(policy.text))]
    plain = policy.operator == "condition" and len(own) == 1 and own[0].kind == statement.meaning.kind == "atom"
    if plain and own[0].name == statement.meaning.name and "required" in policy.text:
        yield target, statement.value is own[0].positive


# ---------------------------------------------------------------- by rule number
def _of_rule(part: Targets, rule: int, statement: Statement) -> Iterator[Found]:
    codes, value = statement.codes, statement.value is True
    if "S+" in codes or (codes & {"A+"} and not part.of(rule, "applies", "triggered")):
        yield from _selected(part, rule, value)
        return
    if part.of(rule, "triggered", "applies"):
        yield from _of_policy(part, rule, statement)
        return
    if codes & {"W+", "W-"}:
        yield from _waived(part, rule, value if "W+" in codes else not value)
        return
    if gates := part.of(rule, "gate", "transform", "compose"):
        target = only(gates)
        passes = _sign(codes & {"P+", "P-", "M+", "M-", "V+", "V-", "H+", "H-"}, value)
        if target is not None and passes is not None:
            yield from _gate(part, rule, target, passes)
        return
    target = only(t for t in part.of(rule, "concept", "table") if t.type.kind == "bool")
    holds = _sign(codes, value)
    other = statement.meaning is not None and target is not None and statement.meaning.name != target.key[1]
    if other and statement.meaning is not None and part.by_key.get(("concept", statement.meaning.name, "")):
        return  # the line names another term than the one that its rule defines
    if target is not None and holds is not None and not codes & {"D+", "D-"}:
        yield target, holds


def _sign(codes: frozenset[str], value: bool) -> bool | None:
    """Return what a predicate says of something that holds or does not; None where it has no sign, or both."""
    plus, minus = bool(codes & _PLUS), bool(codes & _MINUS)
    return None if plus == minus else value is plus


def _of_policy(part: Targets, rule: int, statement: Statement) -> Iterator[Found]:
    codes, value = statement.codes, statement.value is True
    triggered, applies = only(part.of(rule, "triggered")), only(part.of(rule, "applies"))
    for axis in ("T", "M", "V"):
        sign = _sign(codes & {f"{axis}+", f"{axis}-"}, value)
        if sign is not None and triggered is not None:
            yield triggered, sign
            return
    stands = _sign(codes & {"A+", "A-", "U+", "H+"}, value)
    if stands is None:
        return
    lost = bool(codes & {"A-", "U+"})
    others = [other for other in statement.cited if other != rule]
    clashes = [t for other in others if (t := _stated(part, other, rule))]
    if lost and len(others) == 1 and others[0] in part.policies and not clashes:
        clashes = [t for t in (part.conflict(others[0], rule),) if t]  # a defeater that the rule base does not know
    if len(clashes) == 1 and (lost or not stands):
        yield clashes[0], not stands
        if stands:
            return
    if applies is None:
        if triggered is not None and not lost:
            yield triggered, stands
        return
    if lost and stands and (triggered is None or triggered.value is not True):
        return  # "Rule 3 is not set aside" of a rule that is not triggered: nothing is said of its applying
    yield applies, stands


def _stated(part: Targets, winner: int, loser: int) -> Target | None:
    """Return the conflict of two rules where the rule base has it."""
    names = part.policies.get(winner), part.policies.get(loser)
    if names[0] is None or names[1] is None:
        return None
    return part.by_key.get(("conflict", names[0], names[1]))


def _selected(part: Targets, rule: int, value: bool) -> Iterator[Found]:
    """Read "Rule 5 is the one to follow": of the selection that could choose it."""
    base, name = part.graph.part.base, part.policies.get(rule)
    every = [t for t in part.by_key.values() if t.kind == "selection"]
    target = only(t for t in every if name in dict(base.policies[t.key[1]].branches).values())
    if target is not None and value:
        yield target, Fraction(rule)


def _gate(part: Targets, rule: int, target: Target, passes: bool) -> Iterator[Found]:
    """Read "Rule 5 passes": by itself, or because it is waived; "fails" is about the rule itself."""
    waived = _waiver(part, rule)
    if passes and waived is not None and target.value is not True and waived[0].value is True:
        yield waived[0], True
    else:
        yield target, passes


def _waived(part: Targets, rule: int, value: bool) -> Iterator[Found]:
    """Read "Rule 5 is waived", "Rule 9 waives it": a waiver that holds is the step that makes the rule pass."""
    found = _waiver(part, rule)
    if found is None:
        target = only(part.of(rule, "gate", "transform"))
        policies = part.graph.part.base.policies
        if target is not None and policies[target.key[1]].operator == "transform":
            found = target, part.by_key.get(("waived", target.key[1], ""))
    if found is None:
        return
    passed, exempt = found
    if exempt is None:
        return
    if exempt.value is True:
        yield passed, value
    else:
        yield exempt, value


def _waiver(part: Targets, rule: int) -> tuple[Target, Target | None] | None:
    """Return the step of the rule that waives a rule, and the target whether its exemption holds."""
    policies, offset = part.graph.part.base.policies, part.graph.part.offset
    for target in part.by_key.values():
        policy = policies.get(target.key[1]) if target.kind in ("gate", "transform") else None
        if policy is not None and policy.operator == "transform" and policies[policy.base].rule + offset == rule:
            return target, part.by_key.get(("waived", target.key[1], ""))
    return None
