"""Reads an account back: numbers, names and dates by the words around them, never by the templates that told them."""

from __future__ import annotations

import re
from datetime import date, datetime
from fractions import Fraction
from itertools import pairwise

from holmes.domains.baggage.records import KINDS, PLACES
from holmes.domains.statutes.slots import SLOTS
from holmes.errors import InputError
from holmes.logic.language.model import Value

_OTHERS = re.compile(
    r"on a ticket of|in the cabin, (?:under|in)|into the cabin|earlier, on another|flew another|stayed at home"
)
_PLACE = re.compile(rf"\b({'|'.join(place.capitalize() for place in PLACES)})\b")
_MONTHS = "January|February|March|April|May|June|July|August|September|October|November|December"
_DAY = re.compile(rf"\b(\d{{1,2}}) ({_MONTHS}) (\d{{4}})|\b({_MONTHS}) (\d{{1,2}}), (\d{{4}})|\b(\d{{4}}-\d\d-\d\d)")
_KIND = re.compile(rf"\ba (?:pair of )?({'|'.join((*KINDS, 'child seat'))})\b")
_SIDES = re.compile(r"\b(\d+)(?: by | x )(\d+)(?: by | x )(\d+) cm\b")


def _days(sentence: str) -> list[date]:
    found = []
    for one in _DAY.finditer(sentence):
        if one[7]:
            found.append(date.fromisoformat(one[7]))
        else:
            number, month, year = (one[1], one[2], one[3]) if one[1] else (one[5], one[4], one[6])
            found.append(datetime.strptime(f"{number} {month} {year}", "%d %B %Y").date())
    return found


def blank() -> dict[str, Value]:
    """Return the record of an account that says nothing, as silence means it."""
    record: dict[str, Value] = {"status": "plain", "reissued": False, "ordered": False, "raised": False}
    record |= {"orders": False, "child": False, "paid_hours": Fraction(0)}
    for n in range(4):
        record[f"place_{n}"] = "nowhere"
    for leg in (1, 2, 3):
        record |= {f"carrier_{leg}": "aurelia", f"sold_{leg}": False}
    for stop in (1, 2):
        record |= {f"stop_{stop}": Fraction(0), f"forced_{stop}": False}
    for n in range(1, SLOTS + 1):
        record |= {f"kind_{n}": "nothing", f"weight_{n}": Fraction(0)}
        record |= {f"side_{letter}_{n}": Fraction(0) for letter in "abc"}
    return record


class Reader:
    """Takes in an account sentence by sentence."""

    def __init__(self) -> None:
        self.record = blank()
        self.piece = 0
        self.route: list[str] = []

    def read(self, text: str) -> dict[str, Value]:
        """Return a value for every fact; raises InputError naming what an account must tell and this one does not."""
        sentences = re.split(r"(?<=[.!:?])\s+", text)
        for sentence in sentences:
            if len(_PLACE.findall(sentence)) >= 2 and not self.route and not re.search("Brevia|Corvid", sentence):
                self._route(sentence)
        for sentence in sentences:
            self._sentence(sentence)
        record = self.record
        record.setdefault("reissue_day", record.get("issued", date.min))
        record.setdefault("child_born", record.get("departure", date.min))
        for name in ("ticket", "cabin", "issued", "departure", "kind_1"):
            if record.get(name, "nothing") == "nothing":
                raise InputError(f"case text: {name}: found nothing, expected a sentence that tells it")
        return record

    def _route(self, sentence: str) -> None:
        places = [place.lower() for place in _PLACE.findall(sentence)]
        if re.search(r"by way of|\bvia\b", sentence):
            start = re.search(rf"\b(?:from|left) {_PLACE.pattern}", sentence)
            end = re.search(rf"\bto {_PLACE.pattern}", sentence)
            if start is None or end is None:
                raise InputError(f"case text: sentence {sentence!r}: found no first or last place, expected both")
            first, last = start[1].lower(), end[1].lower()
            places = [first, *(place for place in places if place not in (first, last)), last]
        self.route = [place for n, place in enumerate(places) if n == 0 or place != places[n - 1]]
        self.record |= {f"place_{n}": place for n, place in enumerate(self.route)}
        days = _days(sentence)
        if days:
            self.record["departure"] = days[0]

    def _leg(self, sentence: str) -> int:
        ends = [place.lower() for place in _PLACE.findall(sentence)][:2]
        for leg, pair in enumerate(pairwise(self.route), 1):
            if list(pair) == ends:
                return leg
        raise InputError(f"case text: sentence {sentence!r}: found the places {ends}, expected the ends of a leg")

    def _sentence(self, sentence: str) -> None:
        record = self.record
        if _OTHERS.search(sentence):
            return
        if found := re.search(r"\b(Brevia|Corvid)\b", sentence):
            leg = self._leg(sentence)
            record[f"carrier_{leg}"] = found[1].lower()
            record[f"sold_{leg}"] = "flight number of Aurelia" in sentence
        elif (hours := re.search(r"(\d+) hours", sentence)) and (place := _PLACE.search(sentence)):
            stop = self.route.index(place[1].lower())
            record[f"stop_{stop}"] = Fraction(hours[1])
            record[f"forced_{stop}"] = "cancel" in sentence
        elif hours and "paid" in sentence.lower() and "online" in sentence:
            record["paid_hours"] = Fraction(hours[1])
        if card := re.search(r"\b(silver|gold|platinum) card\b", sentence):
            record["status"] = card[1]
        if cabin := re.search(r"\b(Light|Classic|Comfort|Premier)\b", sentence):
            record["cabin"] = cabin[1].lower()
        if "service orders" in sentence:
            record["orders"] = True
        if "higher cabin" in sentence:
            record["raised"] = True
        self._ticket(sentence)
        self._pieces(sentence)

    def _ticket(self, sentence: str) -> None:
        record, days = self.record, _days(sentence)
        if re.search(r"\breissue", sentence):
            if days:
                record["reissued"], record["reissue_day"] = True, days[0]
                record["ordered"] = re.search(r"Aurelia (?:had )?order|order of Aurelia", sentence) is not None
        elif "ticket" in sentence.lower():
            price = re.search(r"\$([\d,]+)", sentence)
            if price and days:
                record["ticket"], record["issued"] = Fraction(price[1].replace(",", "")), days[0]
        elif days and re.search("born|day of birth", sentence):
            record["child"], record["child_born"] = True, days[0]

    def _pieces(self, sentence: str) -> None:
        weight, sides = re.search(r"\b(\d+) kg\b", sentence), _SIDES.search(sentence)
        kind = _KIND.search(sentence)
        if kind and (weight or sides or re.match(r"(The (first|second|third|fourth|fifth))\b", sentence)):
            self.piece += 1
            if self.piece > SLOTS:
                raise InputError(f"case text: sentence {sentence!r}: found a sixth piece, expected five at most")
            word = kind[1].removeprefix("child ")
            if word not in KINDS:
                raise InputError(f"case text: sentence {sentence!r}: found the kind {word!r}, expected a known one")
            self.record[f"kind_{self.piece}"] = word
        if self.piece and weight:
            self.record[f"weight_{self.piece}"] = Fraction(weight[1])
        if self.piece and sides:
            for letter, side in zip("abc", sides.groups(), strict=True):
                self.record[f"side_{letter}_{self.piece}"] = Fraction(side)


def read_account(text: str) -> dict[str, Value]:
    """Return the record that an account tells; raises InputError where it cannot be read."""
    return Reader().read(text)
