"""Claims about a taxpayer that statute and case make true or false, each beside its near miss."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass
from fractions import Fraction

from holmes.domains.deontic.text import money
from holmes.errors import InputError
from holmes.logic.engine.evaluate import Evaluation
from holmes.logic.language.model import Value


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of claim.

    name: for tags. goal: ``concept NAME``, ``applies POLICY``, ``positive CONCEPT`` (Boolean goals) or ``value NAME``,
    a concept or the amount whose value the claim names. says, denies: wordings of both polarities ({X} the taxpayer,
    {v} the value, {year}). situations: where it is a close call.
    """

    name: str
    goal: str
    says: tuple[str, ...]
    denies: tuple[str, ...]
    situations: tuple[str, ...] = ("joint", "separate", "apart", "widowed", "alone")


@dataclass(frozen=True, slots=True)
class Claim:
    """A claim in words; it holds if `kind`'s goal has `value` and is not denied, or has another value and is denied."""

    text: str
    kind: Kind
    value: Value
    denied: bool

    def holds(self, found: Value) -> bool:
        """Say whether the claim is true when its goal evaluates to `found`."""
        return (found == self.value) != self.denied


BOOLEAN = (
    Kind(
        "head",
        "concept head_of_household",
        ("{X} may file as head of household.", "{X} is a head of household.", "Section 5 applies to {X}."),
        (
            "{X} may not file as head of household.",
            "{X} is not a head of household.",
            "Section 5 does not apply to {X}.",
        ),
        ("apart", "widowed", "alone"),
    ),
    Kind(
        "survivor",
        "concept surviving_spouse",
        ("{X} is a surviving spouse.", "{X} counts as a surviving spouse in {year}.", "Section 4 applies to {X}."),
        (
            "{X} is not a surviving spouse.",
            "{X} does not count as a surviving spouse in {year}.",
            "Section 4 does not apply to {X}.",
        ),
        ("widowed",),
    ),
    Kind(
        "unmarried",
        "concept unmarried",
        ("{X} is considered unmarried.", "{X} was considered unmarried in {year}.", "Section 2 applies to {X}."),
        (
            "{X} is not considered unmarried.",
            "{X} was not considered unmarried in {year}.",
            "Section 2 does not apply to {X}.",
        ),
        ("separate", "apart"),
    ),
    Kind(
        "home",
        "concept keeps_home",
        ("{X} keeps a home.", "{X} kept a home in {year}.", "Section 3 applies to {X}."),
        ("{X} does not keep a home.", "{X} kept no home in {year}.", "Section 3 does not apply to {X}."),
        ("apart", "widowed"),
    ),
    Kind(
        "barred",
        "applies barred",
        ("{X} may not take the standard deduction.", "Section 10 applies to {X}.", "Section 10 binds {X}."),
        ("{X} may take the standard deduction.", "Section 10 does not apply to {X}.", "Section 10 does not bind {X}."),
        ("separate", "apart"),
    ),
    Kind(
        "levy",
        "applies levy",
        ("{X} is taxed under Section 23.", "Section 23 applies to {X}.", "Section 23 reaches {X} in {year}."),
        (
            "{X} is not taxed under Section 23.",
            "Section 23 does not apply to {X}.",
            "Section 23 does not reach {X} in {year}.",
        ),
    ),
    Kind(
        "diplomat",
        "applies diplomat",
        ("Section 24 frees {X} from Section 23.", "Section 24 applies to {X}.", "{X} may rely on Section 24."),
        (
            "Section 24 does not free {X} from Section 23.",
            "Section 24 does not apply to {X}.",
            "{X} may not rely on Section 24.",
        ),
    ),
    Kind(
        "employer",
        "positive employer_tax",
        ("{X} owes employer tax.", "{X} shall pay employer tax for {year}.", "Employer tax is due from {X}."),
        ("{X} owes no employer tax.", "{X} need not pay employer tax for {year}.", "No employer tax is due from {X}."),
    ),
    Kind(
        "credited",
        "positive credit",
        ("{X} has a child credit above zero.", "{X} gets a child credit for {year}.", "A child credit is due to {X}."),
        (
            "{X} has no child credit above zero.",
            "{X} gets no child credit for {year}.",
            "No child credit is due to {X}.",
        ),
    ),
)

VALUED = (
    Kind(
        "amount",
        "value amount",
        (
            "{X} owes ${v} for {year}.",
            "The tax that {X} owes for {year} is ${v}.",
            "For {year} a tax of ${v} is owed by {X}.",
        ),
        (
            "{X} does not owe ${v} for {year}.",
            "The tax that {X} owes for {year} is not ${v}.",
            "For {year} the tax owed by {X} differs from ${v}.",
        ),
    ),
    Kind(
        "dependants",
        "value dependants",
        (
            "The number of {X}'s dependants is {v}.",
            "Under Section 1, {X}'s dependants number {v}.",
            "Section 1 gives {X} {v} as the number of dependants.",
        ),
        (
            "The number of {X}'s dependants is not {v}.",
            "Under Section 1, {X}'s dependants do not number {v}.",
            "Section 1 does not give {X} {v} as the number of dependants.",
        ),
    ),
    Kind(
        "status",
        "value status",
        (
            "The filing status of {X} is {v}.",
            "{X} has the filing status {v}.",
            "Under Section 6, {X}'s filing status is {v}.",
        ),
        (
            "The filing status of {X} is not {v}.",
            "{X} does not have the filing status {v}.",
            "Under Section 6, {X}'s filing status is not {v}.",
        ),
    ),
    Kind(
        "deduction",
        "value deduction",
        (
            "{X}'s deduction is ${v}.",
            "The deduction under Section 13 is ${v} for {X}.",
            "{X} may deduct ${v} under Section 13.",
        ),
        (
            "{X}'s deduction is not ${v}.",
            "The deduction under Section 13 is not ${v} for {X}.",
            "The sum that {X} may deduct under Section 13 is not ${v}.",
        ),
    ),
    Kind(
        "exemptions",
        "value exemptions",
        (
            "{X}'s exemptions are ${v}.",
            "The exemptions under Section 15 are ${v} for {X}.",
            "For {year}, {X} has ${v} of exemptions.",
        ),
        (
            "{X}'s exemptions are not ${v}.",
            "The exemptions under Section 15 are not ${v} for {X}.",
            "For {year}, {X}'s exemptions differ from ${v}.",
        ),
    ),
    Kind(
        "taxable",
        "value taxable",
        (
            "{X}'s taxable income is ${v}.",
            "The taxable income under Section 16 is ${v} for {X}.",
            "For {year}, {X} has ${v} of taxable income.",
        ),
        (
            "{X}'s taxable income is not ${v}.",
            "The taxable income under Section 16 is not ${v} for {X}.",
            "For {year}, {X}'s taxable income differs from ${v}.",
        ),
    ),
    Kind(
        "counted",
        "value counted",
        (
            "{X}'s counted pay is ${v}.",
            "Under Section 21, ${v} of pay counts for {X}.",
            "For {year}, {X} has ${v} of counted pay.",
        ),
        (
            "{X}'s counted pay is not ${v}.",
            "Under Section 21, the pay that counts for {X} is not ${v}.",
            "For {year}, {X}'s counted pay differs from ${v}.",
        ),
    ),
)

_SHARES = {
    "amount": 6, "levy": 4, "head": 3, "exemptions": 3, "taxable": 3, "dependants": 2, "credited": 2, "status": 2,
    "deduction": 2, "barred": 2, "survivor": 2,
}  # fmt: skip
KINDS = (*BOOLEAN, *VALUED)


def choose(rng: random.Random) -> Kind:
    """Draw a kind of claim; those that rest on more of the statute come more often."""
    return rng.choices(KINDS, [_SHARES.get(kind.name, 1) for kind in KINDS])[0]


def goal(kind: Kind, solved: Evaluation) -> Value:
    """Return the value of a kind's goal in an evaluated case: a truth value, a number or a filing status."""
    how, name = kind.goal.split()
    if how == "applies":
        return solved.applies[name]
    if name == "amount":
        assert solved.amount is not None
        return solved.amount
    found = solved.concepts[name]
    return found > 0 if how == "positive" and isinstance(found, Fraction) else found


def goal_of(kind: str, name: str) -> str:
    """Return whose node in the explanation graph a claim of a goal is about, as `derive` takes it."""
    if (kind, name) == ("value", "amount"):
        return "amount"
    return f"applies {name}" if kind == "applies" else f"concept {name}"


def phrase(rng: random.Random, kind: Kind, name: str, year: Value, value: Value, denied: bool) -> Claim:
    """Word the claim that the goal is `value` (true, for a Boolean goal), or the denial of it."""
    text = rng.choice(kind.denies if denied else kind.says)
    for key, filling in (("X", name), ("year", str(year)), ("v", shown(kind, value))):
        text = text.replace(f"{{{key}}}", filling)
    return Claim(text, kind, value, denied)


def shown(kind: Kind, value: Value) -> str:
    return money(value) if isinstance(value, Fraction) else str(value)


def read_claim(text: str) -> Claim:
    """Read a claim back by the sentences of its kinds.

    Where several sentences fit ("is {v}" also fits "is not joint"), the one with most words of its own is meant.
    Raises InputError where none does.
    """
    best: tuple[int, Claim] | None = None
    for kind in KINDS:
        for denied, sentences in ((False, kind.says), (True, kind.denies)):
            for sentence in sentences:
                pattern = re.escape(sentence).replace(r"\{X\}", "(?:.+?)").replace(r"\{year\}", r"\d+")
                match = re.fullmatch(pattern.replace(r"\{v\}", "(?P<v>.+?)"), text)
                if match is None or (best is not None and len(sentence) <= best[0]):
                    continue
                told = match.groupdict().get("v")
                value: Value = True if told is None else told
                if told is not None and re.fullmatch(r"[\d,]+(?:\.\d+)?", told):
                    value = Fraction(told.replace(",", ""))
                best = len(sentence), Claim(text, kind, value, denied)
    if best is None:
        raise InputError(f"claim: found {text!r:.80}, expected a claim of ours")
    return best[1]
