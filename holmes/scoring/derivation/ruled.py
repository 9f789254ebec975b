"""Statements about rules by number: triggered, applying, set aside; one defeating another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from holmes.scoring.derivation.predicates import agent_of, gives, leading, predicate
from holmes.scoring.derivation.segments import AXES, Group, Segment
from holmes.scoring.derivation.statement import State, Statement, made, negations
from holmes.scoring.derivation.tokens import NOTHING, Token

_POSITIVE = frozenset({"T+", "A+", "M+", "H+", "P+", "W+", "S+", "V+"})
ACCORDING = frozenset({"根据", "依据", "按照", "依照", "按", "依", "由", "by", "under", "per", "according to"})


_SATISFY = frozenset({"meet", "sati", "fulf"})


def led_by(found: Sequence[Token], place: int) -> list[Token] | None:
    """Return what follows "Under Rule 8", "By the table of Rule 46" at the start; None for another beginning."""
    lead = found[:place]
    if not lead or lead[0].text not in ACCORDING or len(lead) > 4 or place + 1 >= len(found):
        return None
    if not all(t.codes & {"D", "BY", "Q", "&"} or t.text in ("table", "definition", "test") for t in lead):
        return None
    return list(found[place + 1 :])


def provisional(segment: Segment, group: Group, rules: Sequence[int]) -> Iterator[Statement]:
    """Read "Rule 12 would order a comet watch", "would bring in Rule 21": triggered, whatever becomes of it."""
    found = segment.tokens
    after = found[rules[0] + 1 :]
    label = any(t.kind == "A" and t.meaning.kind == "label" for t in after)
    stage = any(t.codes & {"A+", "T+"} and not t.codes & {"V"} for t in after)
    brings = any("R+" in t.codes for t in found[: rules[0]])
    if len(rules) == 1 and not negations(found) and (brings or label or stage):
        yield made("rule", segment, group, rules=found[rules[0]].rules, codes=frozenset({"T+"}), value=True)


def of_rules(segment: Segment, group: Group, rules: Sequence[int], state: State) -> Iterator[Statement]:
    found = segment.tokens
    if clash := _conflict(segment, group, rules, state):
        yield from clash
        return
    first = rules[0]
    lead = found[:first]
    if (exempt := _passive(lead, state, "W+")) is not None:  # "waived by R270"
        yield made("rule", segment, group, rules=exempt[0], codes=frozenset({"W+"}), value=exempt[1])
        return
    if passive := _passive(lead, state, "U+"):  # "defeated by R22" of a rule named before
        yield made("conflict", segment, group, rules=found[first].rules, losers=passive[0], value=passive[1])
        return
    if verb := next((t for t in lead if t.codes & {"R+", "B-", "E+", "E-"}), None):  # "… triggers Rule 13"
        place = lead.index(verb)
        if not any(t.kind == "R" for t in lead):
            value = negations(lead[:place]) % 2 == 0 if not _determined(lead[:place]) else None
            if value is not None:
                if verb.codes & {"E+", "E-"}:  # "… cannot rely on Rule 22"
                    value = value is ("E+" in verb.codes)
                code = _code(verb)
                yield made("rule", segment, group, rules=found[first].rules, codes=frozenset({code}), value=value)
            state.subject = (found[first].rules, None, False)
            return
    subject = found[first].rules
    for number, place in enumerate(rules):
        end = rules[number + 1] if number + 1 < len(rules) else len(found)
        yield from _of_rule(segment, group, place, end, state)
    if any("BY" in t.codes for t in found[first:]):
        state.subject = (subject, None, False)


def _passive(lead: Sequence[Token], state: State, code: str) -> tuple[tuple[int, ...], bool] | None:
    if len(lead) < 2 or not any("BY" in t.codes for t in lead[-2:]) or not any(code in t.codes for t in lead):
        return None
    if not all(t.codes & {"D", "I", "N", "V", "&", "B", "BY", code} for t in lead):
        return None
    waiting = state.topic[-1][0] if state.topic else state.subject[0] if state.subject else ()
    return (waiting, negations(lead) % 2 == 0) if waiting else None


def _code(verb: Token) -> str:
    """Return what a verb says of the rule after it: relied on, broken, met, triggered."""
    if verb.codes & {"E+", "E-"}:
        return "A+"
    if "B-" in verb.codes:
        return "P-"
    return "M+" if verb.text[:4] in _SATISFY else "T+"


def _determined(found: Sequence[Token]) -> bool:
    """Say whether a negation belongs to a noun: "no guard triggers …" is about the guard."""
    return any(
        ("N" in t.codes and t.text in ("no", "neither", "without")) and n + 1 < len(found) for n, t in enumerate(found)
    )


def _of_rule(segment: Segment, group: Group, place: int, end: int, state: State) -> Iterator[Statement]:
    """Read what is said of the rule at a place: the predicate after it, else that before it, else where it stands."""
    found = segment.tokens
    rules = found[place].rules
    state.subject, state.named = (rules, None, False), rules
    after, before = found[place + 1 : end], found[:place]
    if place and before[-1].codes & {"BY", "G"} and any(t.kind == "R" for t in before):
        return
    if before and before[0].text in ACCORDING and not after:
        state.topic = [(rules, None, False)]
        return
    if after and all("BY" in t.codes for t in after) and end < len(found) and found[end].kind == "R":
        told = predicate(found[end + 1 :])  # 第13条被第21条排除
        if told and "U+" in told[0]:
            yield made("conflict", segment, group, rules=found[end].rules, losers=rules, value=told[1])
        return
    if len(after) == 1 and after[0].text in ("selects", "chooses", "picks") and end < len(found):
        yield made("rule", segment, group, rules=found[end].rules, codes=frozenset({"S+"}))
        return
    told = predicate(after)
    if told is None and segment.before in (":", "Q", "→", "—", ",", "&", "G") and not negations(after):
        label = next((n for n, t in enumerate(after) if t.kind == "A" and t.meaning.kind == "label"), 0)
        if label and not before and label < 6:  # "nuisance and good standing: Rule 18 orders a deduction"
            yield made("draw", segment, group, rules=rules)
            return
    if told is not None:
        codes, value, used = told
        if before and (before[-1].kind == "¬" or "N" in before[-1].codes):
            value = not value if codes & _POSITIVE or value else None  # type: ignore[assignment]
        if before and before[0].kind == "S" and before[0].value is False and value:
            value = False
        if value is None:
            return
        agent = agent_of(after[used:], found[end:])
        if agent and "U+" in codes and value is not None:
            yield made("conflict", segment, group, rules=agent, losers=rules, value=value)
            return
        yield made("rule", segment, group, rules=rules, codes=codes, value=value)
        return
    if before and "BY" in before[-1].codes and any(t.codes & AXES for t in before):
        return  # "This is displaced by Rule 21": of what is not said
    if before and all(t.codes or t.kind in "=:" for t in before) and (led := leading(before)) and len(after) < 4:
        yield made("rule", segment, group, rules=rules, codes=led[0], value=led[1])
        return
    if after and after[0].kind == "=" and any(t.kind == "#" for t in after):
        yield Statement("value", rules, (), None, NOTHING, None, tuple(after), rules)
        return
    if after and gives(after):
        yield Statement("value", rules, (), None, NOTHING, None, tuple(after), rules)
        return
    bare = all(
        (t.codes and t.codes <= {"D", "&", "N", "V", "BY"}) or t.kind in ("¬", "A", "=", "S", "∈") for t in before
    )
    small = len(after) <= 6 and not any("N" in t.codes or t.kind in ("S", "=") for t in after)
    if not bare or not small:
        return
    denied = bool(before) and (before[-1].kind == "¬" or "N" in before[-1].codes)
    labelled = bool(after) and after[0].kind == "A" and after[0].meaning.kind == "label"
    plain = not after or labelled or all((t.codes and t.codes <= {"D"}) or t.kind == "A" for t in after)
    if (known := state.prefix or state.heading) and (plain or len(after) <= 4):
        yield made("rule", segment, group, rules=rules, codes=known[0], value=known[1])
    elif not before and not after and segment.after in (":", "—", ",", "|", "(", "→") and not segment.concludes:
        kept = state.topic if segment.before in (",", "&") and not state.used else []
        state.topic, state.used = [*kept, (rules, None, False)], False
    elif denied and not after:
        yield made("rule", segment, group, rules=rules, codes=frozenset({"V+"}), value=False)
    elif (plain and segment.before == "→") or (labelled and not before):
        yield made("rule", segment, group, rules=rules, codes=frozenset({"V+"}), value=True)
    elif not before and not after and segment.before in ("|", ""):
        state.topic = [(rules, None, False)]


def _conflict(segment: Segment, group: Group, rules: Sequence[int], state: State) -> list[Statement]:
    """Read "Rule 3 defeats Rules 4 and 5", "R3 ≻ R4", "Rule 4 yields to Rule 3", "Rule 3 defeats it"."""
    found = segment.tokens
    clashes: list[Statement] = []
    for place, token in enumerate(found):
        if token.kind != "≻" and not token.codes & {"D+", "D-"}:
            continue
        if "U+" in token.codes and _passively(found, place):
            continue
        left = [n for n in rules if n < place]
        right = [n for n in rules if n > place]
        if left and any(t.kind == "A" or "BY" in t.codes for t in found[left[-1] + 1 : place]):
            continue
        subject = found[left[-1]].rules if left else ()
        if not left and state.subject and pronoun(found[:place]) and token.kind != "≻":
            subject = state.subject[0]
        if not right and left and state.other(subject) and any("I" in t.codes for t in found[place : place + 3]):
            other = state.other(subject)
        else:
            other = found[right[0]].rules if right else ()
        if not subject and len(group.cited) == 1 and token.kind != "≻" and "D+" in token.codes and right:
            subject = group.cited  # "The charter is an exception to Rule 16 [Rule 21]"
        if not subject or not other or subject == other:
            continue
        between = found[(left[-1] if left else -1) + 1 : place]
        holds = negations(between) % 2 == 0
        if left and left[-1] and "N" in found[left[-1] - 1].codes:
            holds = not holds
        winners, losers = (other, subject) if "D-" in token.codes and "D+" not in token.codes else (subject, other)
        clashes.append(made("conflict", segment, group, rules=winners, losers=losers, value=holds))
    if clashes:
        state.subject, state.named = (clashes[0].rules, None, False), clashes[-1].losers
    return clashes


def _passively(found: Sequence[Token], place: int) -> bool:
    """Say whether a form that may be active or passive ("set aside") is passive here."""
    by = place + 1 < len(found) and "BY" in found[place + 1].codes
    return by or any("V" in t.codes for t in found[max(0, place - 3) : place])


def pronoun(found: Sequence[Token]) -> bool:
    return all(t.codes & {"D", "I", "N", "V", "&", "B"} for t in found)
