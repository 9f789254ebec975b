"""Reference programs: the facts of a case, the tables of the rule base, and the rules of the conditions in Prolog."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date
from pathlib import Path

from holmes.domains.baggage.records import pieces
from holmes.domains.baggage.statute import REGIONS
from holmes.domains.statutes.tables import entries, facts, once
from holmes.logic.language.model import RuleBase, Value
from holmes.logic.language.unparse import number_text

FILE = Path(__file__).parent / "rules" / "rules.pl"
BANDS = {"one": "1", "two": "2", "three": "3"}
_ABSENT = (
    "card/1",
    "stop_after/2",
    "stop_caused_by_cancellation/1",
    "sold_under_aurelia_number/1",
    "ticket_reissued/1",
    "reissue_ordered_by_aurelia/0",
    "moved_to_higher_cabin_by_choice/0",
    "fees_paid_online/1",
    "service_orders/0",
    "child_born/1",
    "piece/4",
)
MAIN = ":- initialization(main, main).\n\nmain :- total_cost(Total), format('Total cost: ~w~n', [Total]).\n"


def reference(base: RuleBase, record: Mapping[str, Value]) -> str:
    """Return a whole SWI-Prolog program that tries every choice of free pieces and prints ``Total cost: N``."""
    told = "\n".join(_facts(record))
    head = f":- dynamic {', '.join(_ABSENT)}.\n"
    return "\n".join([head, "% The case", told, "", _tables(base), FILE.read_text("utf-8"), MAIN])


@once
def _tables(base: RuleBase) -> str:
    regions = [f"region({p}, {REGIONS[int(n)].lower()})." for (p,), n in entries(base, "region").items() if n]
    lines = ["% Section 4: regions", *regions]
    for section, name, predicate, skip in (
        ("Section 10: free pieces by cabin", "class_pieces", "cabin_pieces", ()),
        ("Section 11: additional free pieces by card", "card_pieces", "card_pieces", ("plain",)),
        ("Section 17: cargo fees", "cargo_fee", "cargo_fee", ()),
        ("Section 19: overweight surcharges", "overweight", "overweight_surcharge", ()),
        ("Section 20: oversize surcharges", "oversize", "oversize_surcharge", ()),
    ):
        lines += ["", f"% {section}", *facts(base, name, predicate, BANDS, skip)]
    due = [(kind, fee) for (kind,), fee in entries(base, "handling").items() if fee]
    lines += ["", "% Section 23: handling fees", *(f"handling_fee({kind}, {number_text(fee)})." for kind, fee in due)]
    lines += ["", "% Section 26: piece fees by tariff, place among the charged pieces, and band"]
    for column, name in enumerate(("first_fee", "second_fee", "later_fee"), 1):
        for (tariff, band), fee in entries(base, name).items():
            lines.append(f"piece_fee({tariff}, {column}, {BANDS[band]}, {number_text(fee)}).")
    return "\n".join([*lines, ""])


def _day(value: Value) -> str:
    assert isinstance(value, date)
    return f"day({value.year}, {value.month}, {value.day})"


def _facts(record: Mapping[str, Value]) -> Iterator[str]:
    yield f"ticket_price({record['ticket']})."
    yield f"cabin({record['cabin']})."
    if record["status"] != "plain":
        yield f"card({record['status']})."
    for leg in (1, 2, 3):
        if record[f"place_{leg}"] != "nowhere":
            yield f"leg({leg}, {record[f'place_{leg - 1}']}, {record[f'place_{leg}']}, {record[f'carrier_{leg}']})."
    for leg in (1, 2, 3):
        if record[f"sold_{leg}"]:
            yield f"sold_under_aurelia_number({leg})."
    for leg in (1, 2):
        if record[f"stop_{leg}"]:
            yield f"stop_after({leg}, {record[f'stop_{leg}']})."
    for leg in (1, 2):
        if record[f"forced_{leg}"]:
            yield f"stop_caused_by_cancellation({leg})."
    yield f"ticket_issued({_day(record['issued'])})."
    if record["reissued"]:
        yield f"ticket_reissued({_day(record['reissue_day'])})."
    if record["ordered"]:
        yield "reissue_ordered_by_aurelia."
    if record["raised"]:
        yield "moved_to_higher_cabin_by_choice."
    yield f"departure({_day(record['departure'])})."
    if record["paid_hours"]:
        yield f"fees_paid_online({record['paid_hours']})."
    if record["orders"]:
        yield "service_orders."
    if record["child"]:
        yield f"child_born({_day(record['child_born'])})."
    for piece in pieces(record):
        yield f"piece({piece.number}, {piece.kind}, {piece.weight}, [{', '.join(map(str, piece.sides))}])."
