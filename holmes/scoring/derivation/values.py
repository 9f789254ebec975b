"""The value that a clause gives to its target: truth read with negation, the number meant, the value named."""

from __future__ import annotations

import re
from datetime import date
from fractions import Fraction

from holmes.logic.english.lexicon import Words, words
from holmes.logic.english.vocabulary import NUMBER_WORDS
from holmes.logic.language.model import Type, Value
from holmes.reading.citations import citations
from holmes.reading.numbers import decimal
from holmes.reading.polarity import polarity
from holmes.reading.step_results import Result, ResultKind
from holmes.scoring.derivation import wording
from holmes.scoring.derivation.clauses import Clause
from holmes.scoring.derivation.targets import Target, Targets
from holmes.scoring.derivation.vocabulary import Match

_HEAD = re.compile(r"^\W*(pass(?:ed)?|fail(?:ed)?|true|false|yes|no)\b\s*[:,;—–-]", re.I)
_ABOVE = re.compile(r"\b(?:exceed(?:s|ed|ing)?|above|over|beyond|(?:more|higher|greater|larger|longer) than)\b", re.I)
_BELOW = re.compile(
    r"\b(?:within|below|under|at most|up to|(?:less|lower|smaller|fewer|shorter) than|no more than|not more than|"
    r"(?:is|are) covered by|stays? in)\b",
    re.I,
)
_FIGURE = re.compile(r"(?<![\w.,/])[-−]?[$¥€£]?\s?(\d(?:[\d,']*\d)?(?:\.\d+)?(?:/\d+)?)(?!\w|[.,]\d)")
_REFERENCE = re.compile(
    r"(?:\b(?:rules?|sections?|clauses?|items?|members?|steps?|rows?|lines?)|§|,|\band|\bto)\s*$", re.I
)
_CUE = re.compile(
    r"=|≈|→|\b(?:is|are|was|be|equals?|amounts? to|comes? to|gives?|yields?|totals?|makes?|becomes?|at|of|for)\b", re.I
)
_RELATIVE = re.compile(r"[;:]|\b(?:which|who|that)\b", re.I)
_ISO = re.compile(r"(?<!\d)(\d{4})-(\d{2})-(\d{2})(?!\d)")


def _masked(found: Words, start: int, end: int) -> str:
    """Return a text with the words of an alias replaced by one word without meaning."""
    return " ".join((*found[:start], "it", *found[end:]))


def _truth(text: str, explicit: Result) -> bool:
    """Read whether a clause asserts or denies; an explicit result ("PASS") goes before the wording."""
    if explicit.kind is ResultKind.BOOLEAN:
        return explicit.value == "true"
    if head := _HEAD.match(text):
        return head[1].lower() in ("pass", "passed", "true", "yes")
    return polarity(text)


def _side(text: str) -> int:
    """Return 1 where a text says that something lies above a limit, -1 for within it, 0 where it compares nothing."""
    above, below = _ABOVE.search(text), _BELOW.search(text)
    if bool(above) == bool(below):
        return 0
    asserted = polarity(_BELOW.sub(" in ", text) if re.search(r"\bn(?:o|ot) more than\b", text) else text)
    return 1 if bool(above) is asserted else -1


def _number(text: str, explicit: Result) -> Fraction | None:
    """Return the number that a clause states: an explicit one, the only one, or the one after the last "is", "="."""
    if explicit.kind is ResultKind.NUMBER and explicit.number is not None:
        return explicit.number
    found = [(match, value) for match in _FIGURE.finditer(text) if (value := _value(text, match)) is not None]
    if not found:
        return _spelled(text)
    if len(found) == 1:
        return found[0][1]
    last = max((cue.end() for cue in _CUE.finditer(text) if cue.end() <= found[-1][0].start(1)), default=0)
    return next(value for match, value in found if match.start(1) >= last)


def _value(text: str, match: re.Match[str]) -> Fraction | None:
    before = text[max(0, match.start() - 14) : match.start()]
    if _REFERENCE.search(before) and re.search(r"\b(?:rules?|sections?|items?|members?|steps?)\b|§", before, re.I):
        return None
    over, slash, under = match[1].partition("/")
    value = decimal(over)
    if value is None or (slash and not int(under)):
        return None
    value = value / int(under) if slash else value
    sign = -1 if match[0].lstrip()[:1] in ("-", "−") else 1
    return sign * value


def _spelled(text: str) -> Fraction | None:
    found = words(text)
    for word in found:
        if word in ("zero", "nothing", "nil"):
            return Fraction(0)
        if word in NUMBER_WORDS[2:]:
            return Fraction(NUMBER_WORDS.index(word))
    return Fraction(0) if found[:3].count("no") or "none" in found else None


def _named(found: Words, kind: Type) -> str | None:
    """Return the last value of an enum that a text names and does not deny ("head, not single"); None for none."""
    best: tuple[int, str] | None = None
    for value in sorted(kind.values, key=len):
        spoken = words(value.replace("_", " "))
        for place in range(len(found) - len(spoken), -1, -1):
            if found[place : place + len(spoken)] == spoken:
                end = place + len(spoken)
                denied = any(w in ("not", "no", "neither", "nor", "never") for w in found[max(0, place - 2) : place])
                if not denied and (best is None or end >= best[0]):
                    best = (end, value)
                break
    return best[1] if best else None


def _day(text: str) -> date | None:
    """Return the last ISO date of a text."""
    found = list(_ISO.finditer(text))
    try:
        return date(*map(int, found[-1].groups())) if found else None
    except ValueError:
        return None


def value_of(
    part: Targets, target: Target, clause: Clause, body: str, negative: bool, alias: Match | None = None
) -> Value | None:
    """Return the value that a clause gives to its target; None where it commits to none."""
    found = words(body)
    shown = _masked(found, alias.start, alias.end) if alias else _hidden(part, target, body, found)
    kind = target.type.kind
    if kind == "rule":
        cited = [n for n in citations(body, bare=True) if n != target.rule]
        return Fraction(cited[-1]) if cited and not wording.NOT.search(body) else None
    if kind in ("int", "money"):
        return _number(clause.text if clause.result.number is None else body, clause.result)
    if kind == "date":
        return _day(body)
    if kind == "enum":
        if target.kind == "decision":
            labels = [m.meaning.name for m in part.vocabulary.scan(found) if m.meaning.kind == "label"]
            return labels[-1] if labels else None
        return _named(found, target.type)
    if not clause.result.raw and (said := _staged(body)) is not None:
        return said is (not negative)
    if target.kind == "gate" and not clause.result.raw and not wording.stage(body):
        held = _gate(part, target, body, found)
        if held is not None or not wording.KEPT.search(body):
            return held
    asserted = _truth(shown, clause.result)
    return asserted is (not negative) if alias is None or alias.meaning.positive else not asserted


def _staged(text: str) -> bool | None:
    """Read the stage word itself ("…, which fails", "is not triggered"); None where there is none or it is no verb."""
    for pattern in (wording.PASS, wording.TRIGGERED, wording.APPLIED):
        found = list(pattern.finditer(text))
        if len(found) == 1:
            start = max((cut.end() for cut in _RELATIVE.finditer(text, 0, found[0].start())), default=0)
            return polarity(f"it {text[start : found[0].end()]}".replace("untriggered", "not triggered"))
    return None


def _hidden(part: Targets, target: Target, body: str, found: Words) -> str:
    """Return a clause with consequence and aliases masked, so that no negation within them counts."""
    for match in reversed(part.vocabulary.scan(found)):
        if match.meaning.kind == "label" or (target.kind == "concept" and match.meaning.kind in wording.ALIASES):
            found = (*found[: match.start], "it", *found[match.end :])
    return " ".join(found) if target.kind not in ("gate", "transform", "compose") else body


def _gate(part: Targets, target: Target, body: str, found: Words) -> bool | None:
    """Hold a clause that says neither "passes" nor "fails" against the words of the gate; None where they differ."""
    text = part.graph.part.base.policies[target.key[1]].text
    if limit := _side(text):
        own = _side(body)
        return None if not own else own == limit
    vocabulary = part.vocabulary
    asked, told = vocabulary.scan(words(text)), vocabulary.scan(found)
    for one in asked:
        for other in told:
            if one.meaning.name == other.meaning.name:
                agree = one.meaning.positive is other.meaning.positive
                return (polarity(text) is polarity(body)) is agree
    return None
