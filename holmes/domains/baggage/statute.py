"""The conditions as printed, and the steps of a trace in their words."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

from holmes.cases import Step
from holmes.domains.statutes.tables import entries, grid, once
from holmes.logic.language.model import RuleBase
from holmes.logic.language.unparse import number_text

BANDS = {"one": "band 1", "two": "band 2", "three": "band 3"}
REGIONS = {1: "Home", 2: "Near", 3: "Far"}
PIECES = {"golf": "golf bag", "duffel": "duffel bag", "seat": "child seat", "very_heavy": "very heavy"}
FILE = Path(__file__).parent / "rules" / "statute.txt"
_RULE = re.compile(r"\bRules? (\d+)")


@once
def statute(base: RuleBase) -> str:
    """Return the whole text of the conditions, their tables filled from the rule base."""
    regions = entries(base, "region")
    named = {
        name: ", ".join(place.capitalize() for (place,), number in regions.items() if number == value)
        for value, name in REGIONS.items()
    }
    zero = [kind for (kind,), fee in entries(base, "handling").items() if fee == 0]
    tables = {
        "regions": "\n".join(f"{name} region: {places}." for name, places in named.items()),
        "class_pieces": grid(base, "class_pieces", {**BANDS, **_capital("light classic comfort premier")}, "cabin"),
        "card_pieces": grid(base, "card_pieces", {}, "card", "additional free pieces", ("plain",)),
        "cargo_fee": grid(base, "cargo_fee", BANDS, "band of the journey", "cargo fee"),
        "overweight": grid(base, "overweight", {**BANDS, **PIECES}, "weight step"),
        "oversize": grid(base, "oversize", BANDS, "size step"),
        "handling": grid(base, "handling", PIECES, "kind", "handling fee", zero)
        + "\nFor pieces of all other kinds there is no handling fee.",
        "piece_fees": _piece_fees(base),
    }
    return re.sub(r"\{\{(\w+)\}\}", lambda found: tables[found[1]], FILE.read_text("utf-8")).strip()


def _capital(names: str) -> dict[str, str]:
    return {name: name.capitalize() for name in names.split()}


def _piece_fees(base: RuleBase) -> str:
    lines = ["| tariff and band | first charged piece | second charged piece | each further charged piece |"]
    lines.append("| --- | --- | --- | --- |")
    columns = [entries(base, name) for name in ("first_fee", "second_fee", "later_fee")]
    for tariff, band in columns[0]:
        shown = " | ".join(number_text(column[tariff, band]) for column in columns)
        lines.append(f"| {tariff} tariff, {BANDS[band]} | {shown} |")
    return "\n".join(lines)


@once
def sections(base: RuleBase) -> dict[int, str]:
    """Return for each rule of the rule base the section that says it, with its paragraph: ``11(2)``."""
    texts = {concept.rule: concept.text for concept in base.concepts.values()}
    texts |= {policy.rule: policy.text for policy in base.policies.values()}
    texts |= {table.rule: table.text for table in base.tables.values()}
    texts |= {relation.rule: relation.text for relation in base.relations}
    texts[base.decision.rule] = base.decision.text
    if base.amount is not None:
        texts[base.amount.rule] = base.amount.text
    return {rule: text.removeprefix("Section ").partition(":")[0] for rule, text in texts.items()}


_WORDS = (  # what the names of the rule base say of places that are empty
    (re.compile(r"^Piece (\d) was of the kind nothing\.$"), r"No piece \1 was checked in."),
    (re.compile(r"^Piece (\d) weighed 0 kg\.$"), r"There is no weight of a piece \1."),
    (re.compile(r"^The (\w+) side of piece (\d) measured 0 cm\.$"), r"There is no \1 side of a piece \2."),
    (re.compile(r"^The (\w+) leg ended at nowhere\.$"), r"There was no \1 leg."),
    (re.compile(r"^The stop after the (\w+) leg lasted 0 hours\.$"), r"Of a stop after the \1 leg no length is told."),
    (re.compile(r"^The fees were paid online 0 hours before departure\.$"), "No payment online is told."),
    (re.compile(r"^The card of (.+) was plain\.$"), r"\1 held no card."),
    (re.compile(r"^With a child: false\.$"), "No child is told of."),
    (re.compile(r"\bis childs\b"), "is children's"),
)


def verbalize(base: RuleBase, step: Step) -> Step:
    """Return a step that cites sections of the printed conditions instead of rules of the rule base."""
    known = sections(base)
    text = _RULE.sub(lambda found: f"Section {known[int(found[1])]}", step.text)
    for pattern, words in _WORDS if step.kind in ("fact", "concept") else ():
        text = pattern.sub(words, text)
    return replace(step, text=text, rule=known[int(step.rule)] if step.rule else "")
