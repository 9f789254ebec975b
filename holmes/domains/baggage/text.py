"""The account of a passenger: what is true is told in prose, what is not told is so by silence."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from datetime import date
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from typing import Any

import yaml

from holmes.domains.baggage.records import pieces
from holmes.domains.statutes.prose import Frame, Person, compose, day, dollars, fill, spin
from holmes.logic.language.model import Value

FILE = Path(__file__).parent / "rules" / "prose.text.yaml"
SHE = (
    "Ada Alma Clara Dunja Edith Fatma Greta Hanna Irma Jette Katja Livia Mira Nadia "
    "Olga Petra Rosa Selma Tilda Ulla Vera"
)
HE = (
    "Boris Bruno Dario Emil Felix Gregor Hugo Igor Jonas Kamil "
    "Leon Marco Nils Oskar Pavel Rafael Samir Tomas Ugo Viktor"
)
SURNAMES = (
    "Adler Brandt Castell Dorn Ebner Falk Gruber Holm Iversen Jansen Keller Lindt Moreau Novak Olsen Pauli Quast Roth"
)
FRIENDS = "Agnes Bela Carina Detlef Elmar Frida Gero Heide Ingo Jule Klaas Lotte Malte Nora Ruth Sven Thea Uwe"
CHILDREN = {
    "daughter": "Bibi Dana Gitta Hedi",
    "son": "Anton Elia Finn Kuno",
    "niece": "Coco Lene",
    "nephew": "Till Wim",
}
KINDS = {
    "golf": "a golf bag",
    "duffel": "a duffel bag",
    "seat": "a child seat",
    "skis": "a pair of skis",
    "crutches": "a pair of crutches",
}
ORDINALS = ("first", "second", "third", "fourth", "fifth")
COUNTS = ("no", "one", "two", "three", "four", "five")


@lru_cache(maxsize=1)
def _prose() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load(FILE.read_text("utf-8"))
    return found


@lru_cache(maxsize=1)
def frames() -> tuple[Frame, ...]:
    """Return the hand-written frames: four of each voice."""
    return tuple(Frame(**{**row, "order": tuple(row["order"])}) for row in _prose()["frames"])


def person(key: str) -> Person:
    """Return the passenger of an item: a name of two parts and a pronoun."""
    rng = random.Random(f"{key}/person")
    pronoun = rng.choice(("she", "he"))
    return Person(f"{rng.choice((SHE if pronoun == 'she' else HE).split())} {rng.choice(SURNAMES.split())}", pronoun)


def voiced(key: str) -> Frame:
    """Return the frame of an item's text."""
    return random.Random(f"{key}/frame").choice(frames())


class Account:
    """Tells one record; each sentence is drawn on its own, so that a changed fact changes its sentence alone."""

    def __init__(self, key: str, record: Mapping[str, Value]) -> None:
        self.key, self.record, self.frame = key, record, voiced(key)

    def text(self) -> str:
        """Return the whole account."""
        who = person(self.key)
        rooms = {
            "journey": [*self._journey()],
            "ticket": [*self._ticket()],
            "person": [*self._person()],
            "pieces": [*self._pieces()],
            "aside": [*self._asides()],
        }
        return compose(self.frame, who, rooms, {"name": who.name})

    def _say(self, what: str, *path: Any, **values: str) -> str:
        rng = random.Random(f"{self.key}/{what}")
        options = _prose()
        for step in path:
            options = options[step]
        return fill(spin(rng.choice(options), rng), values)  # type: ignore[arg-type]

    def _day(self, name: str) -> str:
        value = self.record[name]
        assert isinstance(value, date)
        return day(value, self.frame.dates)

    def _journey(self) -> Iterator[str]:
        record = self.record
        places = [str(record[f"place_{n}"]).capitalize() for n in range(4) if record[f"place_{n}"] != "nowhere"]
        legs = len(places) - 1
        named = dict(zip("mn", places[1:-1], strict=False))
        yield self._say("route", "route", legs, a=places[0], b=places[-1], day=self._day("departure"), **named)
        for leg in range(1, legs + 1):
            if record[f"carrier_{leg}"] != "aurelia":
                ends = {"a": places[leg - 1], "b": places[leg], "c": str(record[f"carrier_{leg}"]).capitalize()}
                yield self._say(f"carrier {leg}", "carrier", "sold" if record[f"sold_{leg}"] else "own", **ends)
            if leg < legs and record[f"stop_{leg}"]:
                cause = "forced" if record[f"forced_{leg}"] else "free"
                yield self._say(f"stop {leg}", "stop", cause, m=places[leg], h=str(record[f"stop_{leg}"]))

    def _ticket(self) -> Iterator[str]:
        record = self.record
        price = record["ticket"]
        assert isinstance(price, Fraction)
        yield self._say("ticket", "ticket", v=dollars(price), day=self._day("issued"))
        yield self._say("cabin", "cabin", v=str(record["cabin"]).capitalize())
        if record["reissued"]:
            cause = "ordered" if record["ordered"] else "own"
            yield self._say("reissue", "reissue", cause, day=self._day("reissue_day"))
            yield self._say("raised", "raised", "did" if record["raised"] else "not")
        how = "online" if record["paid_hours"] else "counter"
        yield self._say("paid", "paid", how, h=str(record["paid_hours"]))

    def _person(self) -> Iterator[str]:
        record = self.record
        yield self._say("card", "card", "none" if record["status"] == "plain" else "held", v=str(record["status"]))
        yield self._say("orders", "orders", "did" if record["orders"] else "not")
        if record["child"]:
            rng = random.Random(f"{self.key}/kin")
            kin = rng.choice(tuple(CHILDREN))
            child = rng.choice(CHILDREN[kin].split())
            yield self._say("child", "child", kin=kin, child=child, day=self._day("child_born"))

    def _pieces(self) -> Iterator[str]:
        listed = list(pieces(self.record))
        yield self._say("count", "count", count=COUNTS[len(listed)])
        for piece in listed:
            rng = random.Random(f"{self.key}/sides {piece.number}")
            joint = rng.choice((" by ", " by ", " x "))
            place = ORDINALS[piece.number - 1]
            came = rng.choice(("Then came", "After that came", "Next came")) if piece.number > 1 else "At the head came"
            values = {
                "The": rng.choice((f"The {place}", f"The {place} piece", f"The {place} of them")),
                "Came": came,
                "kind": KINDS.get(piece.kind, f"a {piece.kind}"),
                "w": str(piece.weight),
                "sides": joint.join(map(str, piece.sides)),
                "why": spin(rng.choice(_prose()["why"]), rng),
            }
            yield self._say(f"piece {piece.number}", "piece", **values)

    def _asides(self) -> Iterator[str]:
        rng = random.Random(f"{self.key}/asides")
        for line in rng.sample(_prose()["asides"], rng.choice((2, 2, 3))):
            values = {
                "friend": rng.choice(FRIENDS.split()),
                "two": rng.choice(("two", "three")),
                "w": str(rng.randint(12, 34)),
                "small": str(rng.randint(3, 7)),
                "price": str(rng.randint(8, 140)),
                "row": str(rng.randint(3, 38)),
            }
            yield fill(spin(line, rng), values)
