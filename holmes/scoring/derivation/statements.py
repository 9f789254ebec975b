"""What the segments of a line state: of rules by number, of concepts by name; asserted, denied, or nothing at all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from holmes.logic.lexicon import Meaning
from holmes.scoring.derivation.names import named, parts_named, short
from holmes.scoring.derivation.segments import AXES, SAYS, Group, Segment
from holmes.scoring.derivation.tokens import NOTHING, Token
from holmes.scoring.derivation.vocabulary import Vocabulary

Subject = tuple[tuple[int, ...], Meaning | None, bool]
_TRUTH = frozenset({"V+", "V-"})


class Statement(NamedTuple):
    """One statement, before it is held against a case.

    kind: rule (codes say what of rules), conflict (rules defeat losers), name (of a concept), part (of a concept whose
    rule is cited, by a word of its name), draw (the consequence of rules is drawn). value: asserted or denied, None
    where the value is a number or word among the tokens. cited: the rules in brackets that close it.
    """

    kind: str
    rules: tuple[int, ...]
    losers: tuple[int, ...]
    meaning: Meaning | None
    codes: frozenset[str]
    value: bool | None
    tokens: tuple[Token, ...]
    cited: tuple[int, ...]


@dataclass(slots=True)
class State:
    """What a line inherits: the rule spoken of last, the predicate of a heading, the subject that waits for one."""

    last: tuple[int, ...] = ()
    heading: tuple[frozenset[str], bool] | None = None
    topic: list[Subject] = field(default_factory=list)
    subject: Subject | None = None
    prefix: tuple[frozenset[str], bool] | None = None
    nested: bool = False
    used: bool = False

    def other(self, rules: tuple[int, ...]) -> tuple[int, ...]:
        """Return the rules spoken of last, where they are others than these."""
        return self.subject[0] if self.subject and self.subject[0] != rules else ()


def line_statements(groups: Sequence[Group], vocabulary: Vocabulary, state: State) -> list[Statement]:
    """Return the statements of one line, in order; state is brought up to date for the next one."""
    state.topic, state.prefix, state.used = [], None, False
    state.subject = (state.last, None, False) if state.last else None
    found: list[Statement] = []
    for group in groups:
        own: list[Statement] = []
        for place, segment in enumerate(group.segments):
            last = place == len(group.segments) - 1
            own += _segment(segment, group, vocabulary, state, last)
        own += _cited(group, vocabulary, own, state)
        found += own
        if group.cited:
            state.topic = []
    if state.subject and state.subject[0]:
        state.last = state.subject[0]
    return found


def _made(
    kind: str, segment: Segment, group: Group, *, rules: tuple[int, ...] = (), losers: tuple[int, ...] = (),
    meaning: Meaning | None = None, codes: frozenset[str] = NOTHING, value: bool | None = True,
) -> Statement:  # fmt: skip
    return Statement(kind, rules, losers, meaning, codes, value, tuple(segment.tokens), group.cited)


def negations(found: Sequence[Token]) -> int:
    """Return how often tokens deny."""
    return sum("N" in t.codes or t.kind == "¬" for t in found)


def _segment(segment: Segment, group: Group, vocabulary: Vocabulary, state: State, last: bool) -> Iterator[Statement]:
    found = segment.tokens
    rules = [n for n, t in enumerate(found) if t.kind == "R"]
    if rules and not segment.supposed and (rest := _led(found, rules[0])):
        state.topic, state.used = [(found[rules[0]].rules, None, False)], False
        inner = Segment(
            rest, segment.before if segment.before in ("→", "Q", ":") else ",", segment.after, segment.ground
        )
        if any(t.kind == "R" or t.kind == "A" or t.codes & SAYS for t in rest):
            inner.cell, inner.would = segment.cell, segment.would
            yield from _segment(inner, group, vocabulary, state, last)
        return
    if segment.would and rules and not any(one.supposed for one in group.segments):
        yield from _provisional(segment, group, rules)
    if segment.supposed or segment.would:
        if rules:
            state.subject = (found[rules[0]].rules, None, False)
        return
    names = [n for n, t in enumerate(found) if t.kind == "A" and t.meaning.name in vocabulary.concepts]
    if rules:
        yield from _of_rules(segment, group, rules, state)
    elif names:
        pass
    elif brief := short(found, segment, vocabulary):
        yield _made("name", segment, group, meaning=brief[0], value=brief[1])
        return
    else:
        yield from _elided(segment, group, state)
        return
    if len(names) + sum(t.kind == "A" for t in found) > 1 and not segment.ground:
        yield from _limits(segment, group, vocabulary)
    waits = not rules and _waits(segment, group)
    for meaning, value in named(segment, names, group.cited, last, vocabulary):
        if value is _BARE or (waits and value is True and len(names) == 1):
            ruled = any(subject[0] for subject in state.topic) and segment.before not in ("", ".", ";")
            if not rules and not ruled and (not segment.ground or segment.before == "G"):
                kept = [] if state.used or segment.before not in (",", "&") else state.topic
                state.topic, state.used = [*kept, ((), meaning, _denied(found))], False
                state.subject = ((), meaning, False)
            continue
        state.subject = ((), meaning, False) if not rules else state.subject
        if segment.before in (",", "&") and not state.used and isinstance(value, bool) and len(names) > 1:
            for _, other, denied in state.topic:  # "clamour, a greedy harvest and smuggling are absent"
                if other is not None and not denied:
                    yield _made("name", segment, group, meaning=other, value=value)
            state.topic = []
        yield _made("name", segment, group, meaning=meaning, value=value if value is not _VALUE else None)


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


def _limits(segment: Segment, group: Group, vocabulary: Vocabulary) -> Iterator[Statement]:
    """Read "the price stays within the spending limit": a requirement by the two things that it compares."""
    found = segment.tokens
    policies = vocabulary.gates.get(frozenset(t.meaning.name for t in found if t.kind == "A"), ())
    own = side_of([word for t in found for word in t.text.split()])
    if len(policies) == 1 and own:
        yield _made("gate", segment, group, meaning=Meaning("gate", policies[0]), value=own < 0)


def _led(found: Sequence[Token], place: int) -> list[Token] | None:
    """Return what follows "Under Rule 8", "By the table of Rule 46" at the start; None for another beginning."""
    lead = found[:place]
    if not lead or lead[0].text not in _ACCORDING or len(lead) > 4 or place + 1 >= len(found):
        return None
    if not all(t.codes & {"D", "BY", "Q", "&"} or t.text in ("table", "definition", "test") for t in lead):
        return None
    return list(found[place + 1 :])


def _waits(segment: Segment, group: Group) -> bool:
    """Say whether a name alone gets its predicate later on: "dangerous driving, in the sense of Rule 4, is not …"."""
    if any(t.codes & {"V", "N"} or t.codes & AXES or t.kind in ("S", "=", "¬") for t in segment.tokens):
        return False
    place = next((n for n, one in enumerate(group.segments) if one is segment), len(group.segments))
    for later in group.segments[place + 1 :]:
        if later.before == ":":
            return bool(later.tokens) and all(t.codes & {"V+", "V-", "N", "D"} or t.kind == "S" for t in later.tokens)
        if later.before not in (",", "(", ")", "—"):
            return False
        first = next((t for t in later.tokens if not t.codes <= {"D"} or not t.codes), None)
        if first is not None and (first.codes & {"V", "N"} or first.codes & AXES or later.tokens[0].text in _DO):
            return True
        if not any(t.kind == "R" for t in later.tokens) and later.before != "(":
            return False
    return False


_DO = frozenset({"does", "do", "did", "is", "are", "was", "were", "has", "have"})


def _provisional(segment: Segment, group: Group, rules: Sequence[int]) -> Iterator[Statement]:
    """Read "Rule 12 would order a comet watch", "would bring in Rule 21": triggered, whatever becomes of it."""
    found = segment.tokens
    after = found[rules[0] + 1 :]
    label = any(t.kind == "A" and t.meaning.kind == "label" for t in after)
    stage = any(t.codes & {"A+", "T+"} and not t.codes & {"V"} for t in after)
    brings = any("R+" in t.codes for t in found[: rules[0]])
    if len(rules) == 1 and not negations(found) and (brings or label or stage):
        yield _made("rule", segment, group, rules=found[rules[0]].rules, codes=frozenset({"T+"}), value=True)


_BARE, _VALUE = "bare", "value"


def _denied(found: Sequence[Token]) -> bool:
    return negations(found) % 2 == 1


# ---------------------------------------------------------------- rules by number
def _of_rules(segment: Segment, group: Group, rules: Sequence[int], state: State) -> Iterator[Statement]:
    found = segment.tokens
    if clash := _conflict(segment, group, rules, state):
        yield from clash
        return
    first = rules[0]
    lead = found[:first]
    if (exempt := _passive(lead, state, "W+")) is not None:  # "waived by R270"
        yield _made("rule", segment, group, rules=exempt[0], codes=frozenset({"W+"}), value=exempt[1])
        return
    if passive := _passive(lead, state, "U+"):  # "defeated by R22" of a rule named before
        yield _made("conflict", segment, group, rules=found[first].rules, losers=passive[0], value=passive[1])
        return
    if verb := next((t for t in lead if t.codes & {"R+", "B-"}), None):  # "… triggers Rule 13"
        place = lead.index(verb)
        if not any(t.kind == "R" for t in lead):
            value = negations(lead[:place]) % 2 == 0 if not _determined(lead[:place]) else None
            if value is not None:
                code = "P-" if "B-" in verb.codes else "M+" if verb.text[:4] in _SATISFY else "T+"
                yield _made("rule", segment, group, rules=found[first].rules, codes=frozenset({code}), value=value)
            state.subject = (found[first].rules, None, False)
            return
    subject = found[first].rules
    for number, place in enumerate(rules):
        end = rules[number + 1] if number + 1 < len(rules) else len(found)
        yield from _of_rule(segment, group, place, end, state)
    if any("BY" in t.codes for t in found[first:]):
        state.subject = (subject, None, False)


_SATISFY = frozenset({"meet", "sati", "fulf"})


def _passive(lead: Sequence[Token], state: State, code: str) -> tuple[tuple[int, ...], bool] | None:
    if len(lead) < 2 or not any("BY" in t.codes for t in lead[-2:]) or not any(code in t.codes for t in lead):
        return None
    if not all(t.codes & {"D", "I", "N", "V", "&", "B", "BY", code} for t in lead):
        return None
    waiting = state.topic[-1][0] if state.topic else state.subject[0] if state.subject else ()
    return (waiting, negations(lead) % 2 == 0) if waiting else None


def _determined(found: Sequence[Token]) -> bool:
    """Say whether a negation belongs to a noun: "no guard triggers …" is about the guard."""
    return any(
        ("N" in t.codes and t.text in ("no", "neither", "without")) and n + 1 < len(found) for n, t in enumerate(found)
    )


def _of_rule(segment: Segment, group: Group, place: int, end: int, state: State) -> Iterator[Statement]:
    """Read what is said of the rule at a place: the predicate after it, else the one before it, else where it stands."""
    found = segment.tokens
    rules = found[place].rules
    state.subject = (rules, None, False)
    after, before = found[place + 1 : end], found[:place]
    if place and before[-1].codes & {"BY", "G"} and any(t.kind == "R" for t in before):
        return
    if before and before[0].text in _ACCORDING and not after:
        state.topic = [(rules, None, False)]
        return
    if after and all("BY" in t.codes for t in after) and end < len(found) and found[end].kind == "R":
        told = _predicate(found[end + 1 :])  # 第13条被第21条排除
        if told and "U+" in told[0]:
            yield _made("conflict", segment, group, rules=found[end].rules, losers=rules, value=told[1])
        return
    told = _predicate(after)
    if told is None and segment.before in (":", "Q", "→", "—", ",", "&", "G") and not negations(after):
        label = next((n for n, t in enumerate(after) if t.kind == "A" and t.meaning.kind == "label"), 0)
        if label and not before and label < 6:  # "nuisance and good standing: Rule 18 orders a deduction"
            yield _made("draw", segment, group, rules=rules)
            return
    if told is not None:
        codes, value, used = told
        if before and (before[-1].kind == "¬" or "N" in before[-1].codes):
            value = not value if codes & _POSITIVE or value else None  # type: ignore[assignment]
        if before and before[0].kind == "S" and before[0].value is False and value:
            value = False
        if value is None:
            return
        agent = _agent(after[used:], found[end:])
        if agent and "U+" in codes and value is not None:
            yield _made("conflict", segment, group, rules=agent, losers=rules, value=value)
            return
        yield _made("rule", segment, group, rules=rules, codes=codes, value=value)
        return
    if before and "BY" in before[-1].codes and any(t.codes & AXES for t in before):
        return  # "This is displaced by Rule 21": of what is not said
    if before and all(t.codes or t.kind in "=:" for t in before) and (led := _leading(before)) and len(after) < 4:
        yield _made("rule", segment, group, rules=rules, codes=led[0], value=led[1])
        return
    if after and after[0].kind == "=" and any(t.kind == "#" for t in after):
        yield Statement("value", rules, (), None, NOTHING, None, tuple(after), rules)
        return
    if after and _gives(after):
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
        yield _made("rule", segment, group, rules=rules, codes=known[0], value=known[1])
    elif not before and not after and segment.after in (":", "—", ",", "|", "(", "→") and not segment.concludes:
        kept = state.topic if segment.before in (",", "&") and not state.used else []
        state.topic, state.used = [*kept, (rules, None, False)], False
    elif denied and not after:
        yield _made("rule", segment, group, rules=rules, codes=frozenset({"V+"}), value=False)
    elif (plain and segment.before == "→") or (labelled and not before):
        yield _made("rule", segment, group, rules=rules, codes=frozenset({"V+"}), value=True)
    elif not before and not after and segment.before in ("|", ""):
        state.topic = [(rules, None, False)]


def _gives(after: Sequence[Token]) -> bool:
    """Say whether "gives 550", "puts … into upper" follows: a number or a word after a verb."""
    first = next((t for t in after if not t.codes <= {"D"} or not t.codes), None)
    return first is not None and ("V" in first.codes or first.text in ("puts", "sets", "fixes", "allows", "grants"))


_ACCORDING = frozenset({"根据", "依据", "按照", "依照", "按", "依", "由", "by", "under", "per", "according to"})
_POSITIVE = frozenset({"T+", "A+", "M+", "H+", "P+", "W+", "S+", "V+"})


def _predicate(found: Sequence[Token]) -> tuple[frozenset[str], bool, int] | None:
    """Return the codes of the first predicate, whether it is asserted, and where it ends; None for none near by."""
    strange = denials = 0
    for place, token in enumerate(found):
        if token.kind == "S":
            return frozenset({"V+"}), (token.value is True) is (denials % 2 == 0), place + 1
        if token.kind == "=":
            value = _equal(found[place + 1 :])
            return None if value is None else (frozenset({"V+"}), value is (denials % 2 == 0), place + 2)
        if "N" in token.codes or token.kind == "¬":
            if "V-" in token.codes and place + 1 == len(found):
                return frozenset({"V+"}), False, place + 1
            denials += 1
        elif codes := token.codes & (AXES | _TRUTH):
            if token.text in _COPULAS and place + 1 < len(found) and found[place + 1].codes & (AXES | {"N"}):
                continue
            if codes <= {"R+"}:
                codes = frozenset({"T+"}) if place + 1 == len(found) else NOTHING
            if not codes or codes <= {"B-"} or (codes <= {"D+", "D-", "S+"} and "S+" not in codes):
                return None
            return codes, denials % 2 == 0, place + 1
        elif token.kind in "wA#" and not token.codes and token.text != "on":
            if _han(token):
                continue
            strange += 1
            if strange > 4 or token.kind == "A":
                return None
        elif token.text == "on" and place + 1 == len(found) and place < 2:
            return frozenset({"T+"}), denials % 2 == 0, place + 1
        elif token.kind in ("∈", "∉", "≥", "≤", "<", ">"):
            return None
    if denials == 1 and any(_han(t) for t in found):
        return frozenset({"V+"}), False, len(found)
    return None


def _han(token: Token) -> bool:
    return "一" <= token.text[:1] <= "鿿"


_COPULAS = frozenset({"stays", "stay", "remains", "remain", "stands", "stand", "is left", "remained"})


def _equal(found: Sequence[Token]) -> bool | None:
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


def _leading(before: Sequence[Token]) -> tuple[frozenset[str], bool, int] | None:
    """Read a predicate that stands before its rule: "standing = R15", "what remains is Rule 4", "no trigger for R3"."""
    for place, token in enumerate(before):
        codes = token.codes & AXES
        if codes and not codes & {"D+", "D-", "R+"}:
            return codes, negations(before[:place]) % 2 == 0, place
    return None


def _agent(after: Sequence[Token], beyond: Sequence[Token]) -> tuple[int, ...]:
    """Return the rules in "by Rule 4" after a predicate."""
    for token in after[:2]:
        if "BY" in token.codes:
            return next((t.rules for t in (*after, *beyond)[:5] if t.kind == "R"), ())
        if not token.codes or not token.codes <= {"D"}:
            return ()
    return ()


def _conflict(segment: Segment, group: Group, rules: Sequence[int], state: State) -> list[Statement]:
    """Read "Rule 3 defeats Rules 4 and 5", "R3 ≻ R4", "Rule 4 yields to Rule 3", "Rule 3 defeats it"."""
    found = segment.tokens
    made: list[Statement] = []
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
        if not left and state.subject and _pronoun(found[:place]) and token.kind != "≻":
            subject = state.subject[0]
        if not right and left and state.other(subject) and any("I" in t.codes for t in found[place + 1 : place + 3]):
            other = state.other(subject)
        else:
            other = found[right[0]].rules if right else ()
        if not subject or not other:
            continue
        between = found[(left[-1] if left else -1) + 1 : place]
        holds = negations(between) % 2 == 0
        if left and left[-1] and "N" in found[left[-1] - 1].codes:
            holds = not holds
        winners, losers = (other, subject) if "D-" in token.codes and "D+" not in token.codes else (subject, other)
        made.append(_made("conflict", segment, group, rules=winners, losers=losers, value=holds))
    if made:
        state.subject = (made[0].rules, None, False)
    return made


def _passively(found: Sequence[Token], place: int) -> bool:
    """Say whether a form that may be active or passive ("set aside") is passive here."""
    by = place + 1 < len(found) and "BY" in found[place + 1].codes
    return by or any("V" in t.codes for t in found[max(0, place - 3) : place])


def _pronoun(found: Sequence[Token]) -> bool:
    return all(t.codes & {"D", "I", "N", "V", "&", "B"} for t in found)


# ---------------------------------------------------------------- predicates without a subject of their own
def _elided(segment: Segment, group: Group, state: State) -> Iterator[Statement]:
    """Read "does not hold", "✗", "so not met": of the subject that waits, else of the one spoken of last."""
    found = segment.tokens
    if segment.before == "?" and len(found) == 1:
        return  # "FAIL? No, …"
    signs = [t for t in found if t.kind == "S"]
    told = _predicate(found)
    if segment.after == ":" and told and not state.topic and len(found) <= 5 and told[0] & AXES:
        state.prefix = told[:2]  # "Triggered: R14, R15"
        return
    if segment.ground and segment.before != "(" and not (segment.before == "G" and found and "I" in found[0].codes):
        return
    strange = [
        t
        for t in found
        if (t.kind in "wA" and not t.codes and not _han(t)) or t.kind in ("#", "∈", "∉", "∧", "∨", "≥", "≤")
    ]
    waiting = [subject for subject in state.topic if subject[0] or subject[1]]
    if waiting and waiting[-1][1] and any(t.kind == "#" for t in found) and not signs and not told:
        named_ = waiting[-1][1]  # "Day rate: 180 marks"
        others = [t for one in group.segments for t in one.tokens if t.kind not in "#=" and "V" not in t.codes]
        linked = (Token("A", named_.name, value=named_), Token("=", "="), *found, *others)
        yield Statement("name", (), (), named_, NOTHING, None, linked, group.cited)
        return
    if waiting and signs:
        state.used = True
        yield from _signed(segment, group, waiting, signs)
        return
    if told is None or (told[0] & {"D+", "D-"}):
        label = next((t for t in found if t.kind == "A" and t.meaning.kind == "label"), None)
        rules = tuple(n for subject in waiting for n in subject[0])
        if label and rules and segment.before == "→" and not negations(found):
            yield _made("draw", segment, group, rules=rules)
        return
    codes, value, _ = told
    if segment.cell and codes <= _TRUTH:
        codes = frozenset({segment.cell})
    if waiting and not strange:
        state.used = True
    if waiting and (not strange or (segment.concludes and len(strange) <= 1)):
        for rules, meaning, denied in waiting:
            if rules:
                yield _made("rule", segment, group, rules=rules, codes=codes, value=value)
            elif not denied:
                yield _made("name", segment, group, meaning=meaning, value=_truth(codes, value))
        return
    if strange or state.subject is None or (segment.before in (".", "") and not _refers(found) and not state.nested):
        return
    rules, meaning, _ = state.subject
    if rules and (_refers(found) or state.nested or segment.before in ("B", "&", ",", "Q", "(", "—")):
        agent = _agent(found[told[2] :], ())
        if agent and "U+" in codes:
            yield _made("conflict", segment, group, rules=agent, losers=rules, value=value)
        else:
            yield _made("rule", segment, group, rules=rules, codes=codes, value=value)
    elif meaning and (_refers(found) or segment.before in ("B", "&")) and not codes & _TRUTH:
        yield _made("name", segment, group, meaning=meaning, value=_truth(codes, value))


def _refers(found: Sequence[Token]) -> bool:
    """Say whether a segment begins with a pronoun, a verb or a negation, so that its subject is that before it."""
    return bool(found) and bool(found[0].codes & {"I", "N", "V", "B"} or found[0].text in ("does", "do", "did", "it"))


def _truth(codes: frozenset[str], value: bool) -> bool | None:
    """Return what a predicate says of a concept; None where it says nothing of one."""
    if codes & {"H-", "M-", "V-", "T-", "P-"} and not codes & {"H+", "M+", "V+"}:
        return not value
    if codes & {"H+", "M+", "V+", "T+", "P+"}:
        return value
    return None


def _signed(segment: Segment, group: Group, waiting: Sequence[Subject], signs: Sequence[Token]) -> Iterator[Statement]:
    """Give the ticks of a segment to the subjects that wait: one each in order, or one for all."""
    codes = frozenset({segment.cell or "V+"})
    flat: list[tuple[tuple[int, ...], Meaning | None]] = []
    for rules, meaning, _ in waiting:
        flat += [((n,), None) for n in rules] if rules else [((), meaning)]
    values = [t.value is True for t in signs]
    if len(set(values)) == 1:
        values = [values[0]] * len(flat)
    if len(values) != len(flat):
        return
    for (rules, meaning), value in zip(flat, values, strict=True):
        if rules:
            yield _made("rule", segment, group, rules=rules, codes=codes, value=value)
        else:
            yield _made("name", segment, group, meaning=meaning, value=value)


# ---------------------------------------------------------------- rules cited in brackets
def _cited(group: Group, vocabulary: Vocabulary, own: Sequence[Statement], state: State) -> Iterator[Statement]:
    """Read a group whose own statements do not name what it cites: a word of the concept, a verdict, a consequence."""
    topic = tuple(n for rules, _, _ in state.topic for n in rules)
    cited = group.cited or topic
    if not cited:
        return
    if any(s.kind == "rule" and set(s.rules) & set(cited) for s in own):
        return
    doubtful = any(segment.supposed for segment in group.segments)
    for segment in reversed(group.segments):
        if segment.supposed or segment.ground:
            continue
        if segment.would:
            label = next((t.meaning for t in segment.tokens if t.kind == "A" and t.meaning.kind == "label"), None)
            if label and group.cited and not doubtful and not negations(segment.tokens):
                yield Statement("draw", cited, (), label, NOTHING, True, tuple(segment.tokens), cited)
            break
        last = segment is group.segments[-1]
        for meaning, value in parts_named(segment, last and bool(group.cited), vocabulary):
            yield Statement("part", cited, (), meaning, NOTHING, value, tuple(segment.tokens), cited)
        found = segment.tokens
        labels = [t for t in found if t.kind == "A" and t.meaning.kind == "label"]
        denied = negations(found) or any(t.codes & {"A-", "U+", "H-", "P-"} for t in found)
        if labels and not denied and not doubtful and group.cited and not any(t.kind == "R" for t in found):
            yield Statement("draw", cited, (), labels[-1].meaning, NOTHING, True, tuple(found), cited)
        if len(cited) == 1:
            yield Statement("value", cited, (), None, NOTHING, None, tuple(found), cited)
        for token in found if len(cited) == 1 else ():
            if token.kind == "A" and token.meaning.name not in vocabulary.concepts and not segment.ground:
                holds = (negations(found) % 2 == 0) is token.meaning.positive
                yield Statement("fact", cited, (), token.meaning, NOTHING, holds, tuple(found), cited)
        told = _predicate(found)
        strange = [t for t in found if t.kind in "wAR#" and not t.codes]
        arises = told is not None and bool(told[0] & {"T+", "T-"}) and len(strange) < 3
        if told and group.cited and not topic and (not strange or arises):
            yield Statement("rule", cited, (), None, told[0], told[1], tuple(found), cited)
        break
