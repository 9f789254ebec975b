"""Connected prose from facts: alternatives inside sentences, three voices, pronouns after a name.

A template holds alternatives in brackets, ``[flew|travelled]``, which may be nested, and ``{key}`` for values. ``{S}``,
``{O}``, ``{P}`` and ``{R}`` are the person the case is about: subject, object, possessive, reflexive.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction

from holmes.errors import InputError

_CHOICE = re.compile(r"\[([^\[\]]*)\]")
_FORMS = {
    "she": {"S": "she", "O": "her", "P": "her", "R": "herself"},
    "he": {"S": "he", "O": "him", "P": "his", "R": "himself"},
    "I": {"S": "I", "O": "me", "P": "my", "R": "myself"},
}
VOICES = ("letter", "report", "notes")


@dataclass(frozen=True, slots=True)
class Person:
    """Who a case is about. pronoun: she or he."""

    name: str
    pronoun: str


@dataclass(frozen=True, slots=True)
class Frame:
    """How a whole text is laid out.

    voice: letter (told by the person), report (about the person) or notes (no subject at the head of a sentence).
    opening, closing: templates, which may be empty. order: names of its paragraphs. dates: how a date is written.
    """

    voice: str
    opening: str
    closing: str
    order: tuple[str, ...]
    dates: str

    def __post_init__(self) -> None:
        """Refuse an unknown voice."""
        if self.voice not in VOICES:
            raise InputError(f"frame: voice: found {self.voice!r}, expected one of {', '.join(VOICES)}")


def spin(template: str, rng: random.Random) -> str:
    """Return a template with one alternative taken of each bracket, the innermost first."""
    while found := _CHOICE.search(template):
        options = found[1].split("|")
        template = template[: found.start()] + rng.choice(options) + template[found.end() :]
    return re.sub(r" +([,.;]| )", r"\1", template).strip()


def fill(template: str, values: Mapping[str, str]) -> str:
    """Return a template with its values put in; unknown keys, those of the person, stay."""
    return re.sub(r"\{(\w+)\}", lambda found: values.get(found[1], found[0]), template)


def day(value: date, form: str) -> str:
    """Write a date: ``long`` 3 May 2027, ``american`` May 3, 2027, ``iso`` 2027-05-03."""
    if form == "iso":
        return value.isoformat()
    month = value.strftime("%B")
    return f"{month} {value.day}, {value.year}" if form == "american" else f"{value.day} {month} {value.year}"


def dollars(value: Fraction) -> str:
    """Write a sum in whole dollars: $1,204."""
    return f"${int(value):,}"


def compose(frame: Frame, person: Person, paragraphs: Mapping[str, Sequence[str]], values: Mapping[str, str]) -> str:
    """Return the text of a case: opening, paragraphs in the frame's order, closing, with the person put in.

    paragraphs: name -> sentences, in which ``{S}`` and its like are open. values: what openings and closings name.
    """
    parts: list[Iterable[str]] = [[frame.opening], *(paragraphs.get(name, ()) for name in frame.order), [frame.closing]]
    told = [_paragraph(frame.voice, person, [fill(line, values) for line in part if line]) for part in parts]
    return "\n".join(paragraph for paragraph in told if paragraph)


def _paragraph(voice: str, person: Person, sentences: Sequence[str]) -> str:
    named, made = False, []
    for sentence in sentences:
        if voice == "letter":
            forms = _FORMS["I"]
        else:
            forms = _FORMS[person.pronoun]
            if voice == "notes" and sentence.startswith("{S} "):
                sentence = sentence.removeprefix("{S} ").removeprefix("was ")
            elif not named and (first := re.search(r"\{[SOP]\}", sentence)):
                name = f"{person.name}'s" if first[0] == "{P}" else person.name
                sentence = sentence[: first.start()] + name + sentence[first.end() :]
                named = True
            elif "{other}" in sentence:
                named = False  # after another person a name comes first again
        sentence = fill(sentence.replace("{other}", ""), forms)
        made.append(sentence[:1].upper() + sentence[1:])
    return " ".join(made)
