"""Records of passengers: drawn so that numbers lie at the limits of the conditions and exceptions meet."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from fractions import Fraction

from holmes.domains.statutes.slots import SLOTS
from holmes.logic.language.model import Value

Facts = dict[str, Value]
HOME, NEAR, FAR = (
    ("arden", "belmont", "corran", "dunmore"),
    ("estrel", "farholm", "gallen", "hollis"),
    ("iskar", "jorrin", "kestrel", "lunde"),
)
PLACES = (*HOME, *NEAR, *FAR)
ORDINARY = ("suitcase", "trunk", "duffel", "rucksack")
SPORTS = ("skis", "bicycle", "surfboard", "golf")
MUSIC = ("cello", "guitar")
AIDS = ("wheelchair", "crutches")
CHILDS = ("stroller", "seat")
KINDS = (*ORDINARY, *SPORTS, *MUSIC, *AIDS, *CHILDS)
WEIGHTS = (9, 12, 14, 17, 19, 21, 22, 23, 23, 24, 24, 26, 27, 28, 29, 31, 32, 32, 33, 34, 36, 38, 41, 44, 45, 46, 48)
SIZES = (110, 128, 137, 144, 152, 157, 158, 158, 159, 160, 166, 175, 184, 192, 202, 203, 204, 206, 219, 240)
SEASONS = (date(2027, 6, 14), date(2027, 6, 15), date(2027, 8, 31), date(2027, 9, 1))
BOUNDARY = date(2027, 3, 1)


@dataclass(frozen=True, slots=True)
class Piece:
    """One piece of a record. number: 1 to 5. weight: kg. sides: cm, in the order told."""

    number: int
    kind: str
    weight: Fraction
    sides: tuple[Fraction, Fraction, Fraction]


def pieces(record: Mapping[str, Value]) -> Iterator[Piece]:
    """Yield the pieces of a record in order."""
    for n in range(1, SLOTS + 1):
        if record[f"kind_{n}"] != "nothing":
            sides = record[f"side_a_{n}"], record[f"side_b_{n}"], record[f"side_c_{n}"]
            yield Piece(n, str(record[f"kind_{n}"]), record[f"weight_{n}"], sides)  # type: ignore[arg-type]


def draw(rng: random.Random) -> Facts:
    """Return a value for every fact; what is not told has the value that silence means."""
    return _born({**_route(rng), **_ticket(rng), **_person(rng), **_pieces(rng)}, rng)


def redrawn(rng: random.Random, record: Mapping[str, Value]) -> Facts:
    """Return a record of which one part is drawn anew: route, ticket, person, or the pieces."""
    part = rng.choice((_route, _ticket, _person, _pieces, _pieces, _piece))
    if part is _piece:
        listed = list(pieces(record))
        return {**record, **_piece(rng, rng.choice(listed).number)}
    return _born({**record, **part(rng)}, rng)  # type: ignore[call-arg]


def _born(facts: Facts, rng: random.Random) -> Facts:
    departure = facts["departure"]
    assert isinstance(departure, date)
    age = rng.choice((700, 715, 729, 730, 731, 745, rng.randint(60, 690), rng.randint(760, 1900)))
    return {**facts, "child_born": departure - timedelta(days=age) if facts["child"] else departure}


def _route(rng: random.Random) -> Facts:
    legs = rng.choices((1, 2, 3), (3, 5, 3))[0]
    far = rng.random() < 0.45
    groups = [HOME, NEAR, NEAR, FAR, FAR] if far else [HOME, HOME, NEAR]
    places: list[str] = []
    while len(places) <= legs:
        place = rng.choice(rng.choice(groups))
        if place not in places:
            places.append(place)
    facts: Facts = {f"place_{n}": places[n] if n <= legs else "nowhere" for n in range(4)}
    for leg in (1, 2, 3):
        other = leg <= legs and rng.random() < 0.42
        facts[f"carrier_{leg}"] = rng.choice(("brevia", "corvid")) if other else "aurelia"
        facts[f"sold_{leg}"] = other and rng.random() < 0.65
    for stop in (1, 2):
        told = stop < legs and rng.random() < 0.85
        hours = rng.choice((2, 3, 5, 7, 11, 19, 22, 23, 24, 24, 25, 26, 29, 31, 38, 47)) if told else 0
        facts[f"stop_{stop}"] = Fraction(hours)
        facts[f"forced_{stop}"] = told and rng.random() < 0.35
    return facts


def _ticket(rng: random.Random) -> Facts:
    if rng.random() < 0.45:
        departure = rng.choice(SEASONS) + timedelta(days=rng.choice((0, 0, 1, -1, 2, -3)))
    else:
        departure = date(2027, 3, 5) + timedelta(days=rng.randint(0, 290))
    ahead = rng.choice((5, 9, 12, 13, 14, 15, 20, 33, rng.randint(40, 90), rng.randint(60, 260)))
    issued = departure - timedelta(days=ahead)
    if rng.random() < 0.4:
        issued = min(BOUNDARY + timedelta(days=rng.choice((-1, 0, -2, 1, -9, -30, 6))), departure - timedelta(days=4))
    reissued = rng.random() < 0.45
    room = (departure - issued).days
    day = issued + timedelta(days=rng.randint(1, max(1, room - 1))) if reissued else issued
    if reissued and issued < BOUNDARY <= departure - timedelta(days=3) and rng.random() < 0.7:
        day = BOUNDARY + timedelta(days=rng.randint(0, (departure - BOUNDARY).days - 2))
    ordered = reissued and rng.random() < 0.6
    return {
        "ticket": Fraction(rng.randint(80, 1900)),
        "cabin": rng.choice(("light", "light", "classic", "classic", "comfort", "premier")),
        "issued": issued,
        "reissued": reissued,
        "reissue_day": day,
        "ordered": ordered,
        "raised": reissued and rng.random() < 0.5,
        "departure": departure,
        "paid_hours": Fraction(rng.choice((0, 0, 12, 30, 34, 35, 36, 36, 37, 40, 48, 72))),
    }


def _person(rng: random.Random) -> Facts:
    return {
        "status": rng.choice(("plain", "silver", "silver", "gold", "gold", "platinum", "platinum")),
        "orders": rng.random() < 0.35,
        "child": rng.random() < 0.4,
    }


def _pieces(rng: random.Random) -> Facts:
    number = rng.choices((2, 3, 4, 5), (1, 3, 4, 3))[0]
    facts: Facts = {}
    for n in range(1, SLOTS + 1):
        facts |= _piece(rng, n) if n <= number else _told(n, "nothing", 0, (0, 0, 0))
    return facts


def _piece(rng: random.Random, number: int) -> Facts:
    kind = rng.choice(rng.choices((ORDINARY, SPORTS, MUSIC, AIDS, CHILDS), (6, 3, 1, 1, 1.5))[0])
    light = kind in (*AIDS, *CHILDS)
    size = rng.choice((110, 138, 155, 166, 180)) if light or kind == "guitar" else rng.choice(SIZES)
    weight = rng.choice((4, 6, 8, 11, 13, 17, 24, 26)) if light else rng.choice(WEIGHTS)
    return _told(number, kind, weight, _sides(rng, kind, size))


def _told(number: int, kind: str, weight: int, sides: tuple[int, int, int]) -> Facts:
    measures = {f"side_{letter}_{number}": Fraction(side) for letter, side in zip("abc", sides, strict=True)}
    return {f"kind_{number}": kind, f"weight_{number}": Fraction(weight), **measures}


def _sides(rng: random.Random, kind: str, size: int) -> tuple[int, int, int]:
    """Return three sides in random order; of an ordinary piece they add up to the size."""
    if kind in SPORTS or kind == "cello":
        longest = rng.choice((128, 145, 162, 178, 188, 189, 190, 190, 191, 192, 196, 205, 215, 230))
        rest = rng.choice(((12, 15), (22, 30), (28, 41), (38, 44), (45, 62)))
        sides = [longest, *rest]
    else:
        longest = round(size * rng.uniform(0.42, 0.52))
        middle = round((size - longest) * rng.uniform(0.55, 0.68))
        sides = [longest, middle, size - longest - middle]
    rng.shuffle(sides)
    return sides[0], sides[1], sides[2]
