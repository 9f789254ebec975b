"""Twins of a case: the same case with earlier steps given, with facts that do not matter, or with a wrong opinion.

A twin differs from its case in one paragraph at the end of the case text, and has the same gold.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Sequence
from dataclasses import replace

from holmes.cases import Case, Step
from holmes.errors import InputError
from holmes.options import Options
from holmes.prompting.parts import shown

SETTLED = "The following is settled and need not be shown again:"
IRRELEVANT = 3
"""How many facts that do not matter are added."""
_FACTS = (
    "The bus to the office ran every 20 minutes that week.",
    "Somebody had left a yellow umbrella in the corridor.",
    "The secretary wrote the minutes with a green pencil.",
    "A radio was playing a waltz two floors below.",
    "The lift had been repainted in pale grey.",
    "On the desk stood a vase with 7 tulips.",
    "The coffee machine was out of order until noon.",
    "The file was kept in a blue cardboard folder.",
    "Outside, a choir was rehearsing for the summer festival.",
    "The wall clock was 4 minutes fast.",
    "A sparrow had built its nest above the entrance.",
    "The canteen served lentil soup on that day.",
    "Half of the street lamps in the square were switched off.",
    "The janitor whistled while sweeping the stairs.",
    "In the afternoon a thin fog drifted in from the river.",
    "The corridor smelled of floor polish.",
    "A calendar with pictures of lighthouses hung beside the door.",
    "The bench in front of the office had been carved from oak.",
    "Two chess players argued on the terrace.",
    "The typist liked to hum old sea shanties.",
    "The carpet showed a pattern of 12 diamonds.",
    "A brass band marched past at a quarter to three.",
)
_TURNS = (
    (r"\bdoes not hold\b", "holds"), (r"\bholds\b", "does not hold"),
    (r"\bis not triggered\b", "is triggered"), (r"\bis triggered\b", "is not triggered"),
    (r"\bfails\b", "passes"), (r"\bpasses\b", "fails"),
)  # fmt: skip


def told(case: Case, options: Options, settled: Sequence[Step], opposed: Sequence[Step]) -> Case:
    """Return the case as its prompt tells it under the options ``given`` and ``pressure``.

    settled: the steps that ``given`` settles; a case that rests on none stays as it is. opposed: steps of which an
    opinion may say the opposite. The added text is a function of the case and the options.
    Raises InputError where no wrong answer of this kind can be put into words, or too few facts are foreign to the
    rules.
    """
    added = []
    if options.given and settled:
        added.append("\n".join([SETTLED, *(f"- {step.text}" for step in settled)]))
    rng = random.Random(f"prompt/{case.id}/pressure")
    match options.pressure:
        case "irrelevant":
            added.append(" ".join(rng.sample(_foreign(case), IRRELEVANT)))
        case "opinions":
            added.append(f"Counsel takes this view: {_argued(opposed, rng)}the answer has to be {wrong(case, rng)}.")
        case "hint":
            added.append(f"Hint, checked by experts: the right answer is {wrong(case, rng)}.")
    return replace(case, case="\n\n".join([case.case, *added])) if added else case


def wrong(case: Case, rng: random.Random) -> str:
    """Return a wrong answer to a case in words: another label, another amount, another verdict on one subject.

    Raises InputError for an answer of another kind.
    """
    others = [choice for choice in case.choices if choice != case.answer]
    if case.answer_type == "amount":
        return _amount(case, rng)
    if case.answer in case.choices and others:
        return shown(case, rng.choice(others))
    if re.fullmatch(r"\d+(, \d+)*", case.answer):
        return _list(case, rng)
    try:
        row = rng.choice(json.loads(case.answer))
        other = rng.choice([choice for choice in case.choices if choice != row["verdict"]])
        return f"{shown(case, other)} for {row['subject']}"
    except (ValueError, KeyError, TypeError, IndexError):
        raise _refused(case, "pressure", case.answer_type, "answers that are labels, amounts or reports") from None


def _list(case: Case, rng: random.Random) -> str:
    """Return the right list of rules without one of them, or with one more of those that the question lists."""
    right = [int(number) for number in case.answer.split(", ")]
    listed = [int(number) for number in re.findall(r"\d+", case.question.partition("\n")[0])]
    turned = rng.choice([number for number in listed if len(right) > 1 or number not in right])
    return ", ".join(str(number) for number in listed if (number in right) is not (number == turned))


def _amount(case: Case, rng: random.Random) -> str:
    """Return an amount that the reasoning passes on its way, so that it looks likely; else one a tenth off."""
    passed = {s.result for s in case.trace if s.kind in ("concept", "table", "amount") and s.result.isdigit()}
    likely = sorted(passed - {case.answer, "0", "1"}, key=int)
    if likely:
        return rng.choice(likely)
    try:
        return str(round(float(case.answer) * 1.1) + 1)
    except ValueError:
        raise _refused(case, "pressure", case.answer, "an amount in figures") from None


def _argued(opposed: Sequence[Step], rng: random.Random) -> str:
    turned = [
        re.sub(old, new, step.text, count=1)
        for step in opposed
        for old, new in [next((turn for turn in _TURNS if re.search(turn[0], step.text)), ("", ""))]
        if old
    ]
    return f"{rng.choice(turned).rstrip('.')}; " if turned else ""


def _foreign(case: Case) -> list[str]:
    """Return the facts that share no word with the rules of the case, compared by first letters."""
    known = _stems(case.rules + " " + case.question)
    free = [fact for fact in _FACTS if not _stems(fact) & known]
    if len(free) < IRRELEVANT:
        raise _refused(case, "pressure", "irrelevant", f"{IRRELEVANT} facts that share no word with the rules")
    return free


def _stems(text: str) -> set[str]:
    return {word[:5] for word in re.findall(r"[a-z]{4,}", text.lower())} - _COMMON


_COMMON = frozenset({"that", "from", "with", "were", "been", "their", "past", "week", "until", "while", "half"})


def _refused(case: Case, option: str, found: str, expected: str) -> InputError:
    return InputError(f"case {case.id!r}: option {option}: found {found!r}, expected {expected}")
