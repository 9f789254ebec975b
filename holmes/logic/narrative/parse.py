"""Reading a case text: sentences apart, each to the fact it states, lists put together."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from holmes.errors import InputError
from holmes.logic.language.model import FactDecl, Value
from holmes.logic.narrative.phrasings import JOINERS, OPENERS, Hit, Phrasings, key_of, marks_of
from holmes.logic.narrative.values import read_names, read_value


def statements(phrasings: Phrasings, text: str, names: Mapping[str, str] | None = None) -> dict[str, Value]:
    """Return the facts that a text states, and no others (see `read_case`)."""
    marks = marks_of(phrasings.pool | set(names.values())) if names is not None else None
    found: dict[str, Value] = {}
    people: dict[str, str] = dict(names or {})
    rows: dict[str, list[Hit]] = {}
    for sentence in re.split(r"(?<=[.!?])\s+", text.strip()):
        for hit in _hits(phrasings, sentence, marks):
            for entity, name in hit.people:
                if people.setdefault(entity, name) != name:
                    known = people[entity]
                    raise InputError(f"case text: sentence {sentence!r}: found {name!r}, expected {known!r}")
            if hit.match is not None:
                rows.setdefault(hit.fact, []).append(hit)
            elif hit.fact in found:
                raise InputError(f"case text: sentence {sentence!r}: found {hit.fact} stated again, expected once")
            else:
                assert hit.value is not None
                found[hit.fact] = hit.value
    for name, hits in rows.items():
        found[name] = _records(phrasings.rulebase.facts[name], hits)
    return found


def read(phrasings: Phrasings, text: str, names: Mapping[str, str] | None = None) -> dict[str, Value]:
    """Return all facts (see `read_case`)."""
    found = statements(phrasings, text, names)
    result: dict[str, Value] = {}
    for name, fact in phrasings.rulebase.facts.items():
        if name in found:
            result[name] = found[name]
        elif fact.type.kind == "bool" and phrasings.rulebase.closed_world:
            result[name] = False
        else:
            raise InputError(f"case text: fact {name}: found nothing, expected a sentence that states it")
    return result


def _hits(phrasings: Phrasings, sentence: str, marks: re.Pattern[str] | None) -> tuple[Hit, ...]:
    """Return the statements of one sentence; joined ones are taken apart."""
    return tuple(clause.hit for clause in clauses(phrasings, sentence, marks))


@dataclass(frozen=True, slots=True)
class Clause:
    """A part of a sentence that states one fact: where it stands, and how it is bound.

    bound: "" for a whole sentence, ``opened`` behind an opener, ``left`` or ``right`` of a joiner.
    """

    hit: Hit
    start: int
    end: int
    bound: str = ""


def clauses(phrasings: Phrasings, sentence: str, marks: re.Pattern[str] | None) -> tuple[Clause, ...]:
    """Return the clauses of one sentence, two where it joins two statements.

    marks: of the names in use (`marks_of`), None for those of the rule base. Raises InputError where nothing fits.
    """
    size = len(sentence)
    if hit := phrasings.whole(sentence, marks):
        return (Clause(hit, 0, size),)
    opener = next((o for o in OPENERS if sentence.startswith(o)), "")
    if opener and (hit := phrasings.whole(sentence[len(opener) :], marks)):
        return (Clause(hit, len(opener), size, "opened"),)
    ways = []
    for joiner in JOINERS:
        for match in re.finditer(re.escape(joiner), sentence):
            left = phrasings.whole(sentence[: match.start()] + ".", marks)
            right = phrasings.whole(sentence[match.end() :], marks)
            if left and right:
                ways.append((Clause(left, 0, match.start(), "left"), Clause(right, match.end(), size, "right")))
    if len(ways) != 1:
        found = "nothing that states a fact" if not ways else "two ways to take it apart"
        raise InputError(f"case text: sentence {sentence!r}: found {found}, expected the phrasing of one fact")
    return ways[0]


def _records(fact: FactDecl, hits: Sequence[Hit]) -> tuple[Mapping[str, Value], ...]:
    found = [(hit.field, hit.match) for hit in hits if hit.match is not None]
    rosters = [match for field, match in found if not field]
    if len(rosters) != 1:
        raise InputError(f"case text: fact {fact.name}: found {len(rosters)} full lists, expected one")
    names = read_names(rosters[0]["names"]) if "names" in rosters[0].groupdict() else []
    key = key_of(fact)
    records: dict[str, dict[str, Value]] = {name: {key: name} for name in names}
    kinds = dict(fact.type.fields)
    for field, match in found:
        if not field:
            continue
        for name in read_names(match["names"]) if kinds[field].kind == "bool" else [match["name"]]:
            if name not in records or field in records[name]:
                raise InputError(f"case text: sentence {match[0]!r}: found {name!r}, expected a member, once")
            records[name][field] = True if kinds[field].kind == "bool" else read_value(match["v"], kinds[field])
    for name, record in records.items():
        for field, kind in kinds.items():
            if field not in record and kind.kind != "bool":
                raise InputError(f"case text: {fact.name}: {name}: found no {field}, expected a sentence on it")
            record.setdefault(field, False)
    return tuple({field: record[field] for field in kinds} for record in records.values())
