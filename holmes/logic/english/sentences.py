"""Rule sentences made from expressions: Rule English for authors, distractor rules and tests."""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import date
from fractions import Fraction

from holmes.logic.english.lexicon import spellings
from holmes.logic.english.tokenizer import TextError
from holmes.logic.english.vocabulary import DETERMINERS
from holmes.logic.language.model import And, Compare, Const, Expr, Implies, Not, Or, Ref, RuleBase
from holmes.logic.language.unparse import number_text
from holmes.logic.narrative.values import write_day

CONCEPT_FRAMES = (
    "There is {a} {C} if {P}.",
    "{a} {C} exists where {P}.",
    "If {P}, there is {a} {C}.",
    "{a} {C} is given whenever {P}.",
    "One speaks of {a} {C} where {P}.",
    "Where {P}, {a} {C} is present.",
    "It is {a} {C} when {P}.",
    "{a} {C} arises if {P}.",
)
LIST_FRAMES = ("There is {a} {C} if {L}.", "{a} {C} exists where {L}.", "{a} {C} is present when {L}.")
POLICY_FRAMES = {
    "verb": (
        "Whoever {P} {Z}.",
        "Anyone who {P} {Z}.",
        "A person {Z} if {P}.",
        "If {P}, the person {Z}.",
        "Where {P}, he or she {Z}.",
        "Whenever {P}, the person {Z}.",
        "A person {Z} where {P}.",
    ),
    "clause": (
        "If {P}, {Z}.",
        "Where {P}, {Z}.",
        "Whenever {P}, {Z}.",
        "{Z} if {P}.",
        "{Z} where {P}.",
        "In the event that {P}, {Z}.",
    ),
    "noun": (
        "If {P}, the consequence is {a} {Z}.",
        "Where {P}, {a} {Z} follows.",
        "Whenever {P}, the result is {a} {Z}.",
        "{a} {Z} follows if {P}.",
    ),
}
RELATION_FRAMES = {
    "stronger": (
        "{A} {takes|take} priority over {B}.",
        "{A} {prevails|prevail} over {B}.",
        "{B} {yields|yield} to {A}.",
        "{A} {takes|take} precedence over {B}.",
        "{B} {gives|give} way to {A}.",
        "{A} {overrides|override} {B}.",
    ),
    "exception": (
        "{A} {is|are} an exception to {B}.",
        "{B} {does|do} not apply where {A} {applies|apply}.",
        "{A} {excludes|exclude} {B}.",
        "{B} {is|are} subject to {A}.",
        "Under {A}, {B} {falls|fall} away.",
        "{A} {sets|set} aside {B}.",
    ),
}
_COMPARISONS = {
    ">=": ("{n} or more", "at least {n}", "not less than {n}"),
    ">": ("more than {n}", "over {n}"),
    "<=": ("at most {n}", "not more than {n}", "{n} or less"),
    "<": ("less than {n}", "under {n}", "fewer than {n}"),
    "==": ("exactly {n}",),
    "!=": ("other than {n}",),
}
_FLIP = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}
_BE = ("is", "are", "was", "were", "has", "had", "have")
_VERB = (
    "is",
    "are",
    "has",
    "have",
    "must",
    "shall",
    "may",
    "loses",
    "pays",
    "gets",
    "stays",
    "goes",
    "receives",
    "keeps",
)


class Sentences:
    """Writes rule sentences of one rule base; every sentence reads back as the expression it was made from."""

    def __init__(self, rulebase: RuleBase, rng: random.Random | None = None) -> None:
        self.rulebase, self.rng = rulebase, rng

    def choose(self, options: Sequence[str]) -> str:
        """Return the first option, or one drawn by `rng` where there is one."""
        return options[0] if self.rng is None else options[int(self.rng.random() * len(options))]

    # ------------------------------------------------------------ sentences
    def concept(self, name: str, body: Expr) -> str:
        """Return a sentence that defines a concept by a condition."""
        head = self.rulebase.concepts[name].phrases[0]
        article, noun = _article(head)
        parts = body.args if isinstance(body, And | Or) else ()
        if self.rng is not None and len(parts) > 1 and self.rng.random() < 0.3:
            which = "all" if isinstance(body, And) else "at least one"
            points = "; ".join(f"({chr(97 + i)}) {self.condition(part)}" for i, part in enumerate(parts[:20]))
            if len(parts) <= 20:
                return _fill(self.choose(LIST_FRAMES), C=noun, a=article, L=f"{which} of the following hold: {points}")
        return _fill(self.choose(CONCEPT_FRAMES), C=noun, a=article, P=self.condition(body))

    def policy(self, when: Expr, consequence: str) -> str:
        """Return a sentence that attaches a consequence to a condition."""
        wording = self.choose(
            spellings(self.rulebase.decision, consequence)[1:] or spellings(self.rulebase.decision, consequence)
        )
        first = wording.split()[0]
        kind = "verb" if first in _VERB else "clause" if set(wording.split()) & set(_BE) else "noun"
        article, noun = _article(wording) if kind == "noun" else ("", wording)
        condition = self.condition(when)
        frames = [f for f in POLICY_FRAMES[kind] if _personal(condition) or not f.startswith(("Whoever", "Anyone"))]
        return _fill(self.choose(frames), Z=noun, a=article, P=condition)

    def relation(self, kind: str, winners: Sequence[int], losers: Sequence[int]) -> str:
        """Return a sentence that relates rules. kind: stronger | exception."""
        frame = self.choose(RELATION_FRAMES[kind])
        subject = winners if frame.startswith("{A}") else losers
        for pair in _forms(frame):
            singular, plural = pair.split("|")
            chosen = subject
            if pair == "applies|apply":
                chosen = winners
            if frame.startswith("Under"):
                chosen = losers
            frame = frame.replace("{" + pair + "}", singular if len(chosen) == 1 else plural)
        return _fill(frame, A=rules(winners), B=rules(losers))

    # ------------------------------------------------------------ conditions
    def condition(self, expr: Expr) -> str:
        """Return a condition in Rule English; raises TextError for an expression that has no wording."""
        return self._level(expr)[0]

    def _level(self, expr: Expr) -> tuple[str, int]:
        """Return text and strength: 0 loose or, 1 loose and, 2 tight or, 3 tight and, 4 one unit."""
        match expr:
            case Implies(left=left, right=right):
                return self._level(Or((Not(left), right)))
            case And(args=args):
                return self._join([self._level(a) for a in args], "and", 3, 1)
            case Or(args=args):
                parts = [self._level(a) for a in args]
                parts.sort(key=lambda part: part[0].startswith(("no ", "without ", "there is no ")))
                return self._join(parts, "or", 2, 0)
            case Not(arg=Not(arg=inner)):
                return self._level(inner)
            case Not(arg=Ref(name=name)):
                return self._denial(name), 4
            case Not(arg=And(args=(left, right))) if self._units(left, right):
                return f"not both {self._level(left)[0]} and {self._level(right)[0]}", 4
            case Not(arg=Or(args=args)) if self._units(*args):
                return "neither " + " nor ".join(self._level(a)[0] for a in args), 4
            case Not(arg=inner):
                return f"not ({self._level(inner)[0]})", 4
            case Ref(name=name):
                return self._phrase(name), 4
            case Compare():
                return self._compare(expr), 4
        raise TextError(f"a {type(expr).__name__} in a condition", "and, or, not, comparisons and names")

    def _units(self, *args: Expr) -> bool:
        return all(isinstance(a, Ref) for a in args)

    def _join(self, parts: list[tuple[str, int]], word: str, tight: int, loose: int) -> tuple[str, int]:
        texts = [text for text, _ in parts]
        if len(texts) == 1:
            return parts[0]
        if all(level == 4 for _, level in parts):
            plain = not any("," in text for text in texts)
            return (f"{', '.join(texts[:-1])} {word} {texts[-1]}" if plain else f" {word} ".join(texts)), tight
        refused = word == "or" and any(" no " in f" {text}" for text in texts)  # `no A or B` is ambiguous
        if all(level > tight for _, level in parts) and not refused:
            return f" {word} ".join(texts), tight
        wrapped = [text if level > loose else f"({text})" for text, level in parts]
        return f", {word} ".join(wrapped), loose

    # ------------------------------------------------------------ atoms
    def _texts(self, name: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
        if fact := self.rulebase.facts.get(name):
            return fact.phrases, fact.negated
        concept = self.rulebase.concepts[name]
        return concept.phrases, concept.negated

    def _phrase(self, name: str) -> str:
        text = self._texts(name)[0][0]
        if name in self.rulebase.concepts and not set(text.split()) & set(_BE):
            article, noun = _article(text)
            return f"there is {article} {noun}".replace("  ", " ")
        return text

    def _denial(self, name: str) -> str:
        phrases, negated = self._texts(name)
        if negated:
            return negated[0]
        words = phrases[0].split()
        for place, word in enumerate(words):
            if word in _BE:
                return " ".join([*words[: place + 1], "not", *words[place + 1 :]])
        if name in self.rulebase.concepts:
            return f"there is no {_article(phrases[0])[1]}"
        if words[0] in ("a", "an"):
            return " ".join(["no", *words[1:]])
        return f"not {phrases[0]}"

    def _compare(self, expr: Compare) -> str:
        left, right, op = expr.left, expr.right, expr.op
        if isinstance(left, Const):
            left, right, op = right, left, _FLIP[op]
        if not isinstance(left, Ref) or not isinstance(right, Const):
            raise TextError("a comparison of two formulas", "a fact or concept and a number")
        phrase = self._texts(left.name)[0][0]
        value = right.value
        if isinstance(value, str):
            text = value.replace("_", " ")
            text = f"not {text}" if op == "!=" else text
        else:
            shown = write_day(value) if isinstance(value, date) else number_text(Fraction(str(value)))
            text = self.choose(_COMPARISONS[op]).replace("{n}", shown)
        return phrase.replace("{v}", text) if "{v}" in phrase else f"{phrase} {text}"


def rules(numbers: Sequence[int]) -> str:
    """Return `Rule 3` or `Rules 3, 4 and 5`."""
    if len(numbers) == 1:
        return f"Rule {numbers[0]}"
    return f"Rules {', '.join(map(str, numbers[:-1]))} and {numbers[-1]}"


def _personal(condition: str) -> bool:
    """Tell whether a condition can follow `whoever`: it starts with a verb, not with a noun or a joining word."""
    first = condition.split()[0].strip("(")
    opening = ("a", "an", "the", "there", "no", "not", "neither", "either", "both", "one", "some", "any")
    return first not in opening and not first.endswith("ing")


def _forms(frame: str) -> list[str]:
    return [piece.split("}")[0] for piece in frame.split("{")[1:] if "|" in piece.split("}")[0]]


def _article(phrase: str) -> tuple[str, str]:
    """Return the article of a noun phrase and the rest."""
    words = phrase.split()
    if words[0] in DETERMINERS and len(words) > 1:
        return words[0], " ".join(words[1:])
    if words[-1].endswith("ing") or words[0][0].isupper():
        return "", phrase
    return ("an" if words[0][0] in "aeiou" else "a"), phrase


def _fill(frame: str, **parts: str) -> str:
    text = frame
    for key, value in parts.items():
        text = text.replace("{" + key + "}", value)
    text = " ".join(text.split())
    return text[0].upper() + text[1:]
