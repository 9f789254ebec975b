"""Gate 8: every answer has decisive changes, controls touch what rules use, texts differ where the fact is told."""

from __future__ import annotations

import difflib
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from holmes.audit.gate import report
from holmes.cases import Case
from holmes.counterfactual.families import ROBUST, ROLES, interventions_of
from holmes.counterfactual.generator import originals, source
from holmes.counterfactual.members import MEMBERS, NAME, WHOLE
from holmes.derivations.operations import TYPES
from holmes.errors import InputError
from holmes.interventions.base import Interventions
from holmes.interventions.coherence import coherent
from holmes.interventions.effects import Intervention
from holmes.logic.language.model import Value
from holmes.registry import derivations_of, domains
from holmes.results import Gate, at_least, at_most
from holmes.scoring.counterfactual import type_of
from holmes.store import load_cases

DECISIVE = 0.85  # least share of the cases of an answer that have a single decisive change
USED = 0.05  # how far from one half the share of controls may be that touch a fact that a triggered rule uses
KIND = 0.75  # least share of controls that change a fact of the decisive fact's kind
FORM = 0.65  # most that the form of a change may tell of its role
FEWEST = 8  # cases of an answer, for a share to say something


@dataclass(frozen=True, slots=True)
class Seen:
    """One family looked at again: its rows, what changed in them, and the world of its original."""

    rows: tuple[Case, Case, Case]
    here: Interventions
    decisive: tuple[Intervention, ...]
    control: tuple[Intervention, ...]

    @property
    def robust(self) -> bool:
        """True where the family is tagged robust."""
        return ROBUST in self.rows[0].tags


def audit(*, seed: int | None, n: int, bundle: str) -> dict[str, Any]:
    """Audit the shipped families, or n fresh ones of a seed.

    bundle: "" (families are audited together). Returns the JSON document of `holmes audit`.
    """
    if bundle:
        raise InputError(f"--bundle: found {bundle!r}, expected none: families are audited together")
    if seed is not None:
        made = [source().item(seed, index) for index in range(len(ROLES) * n)]
        return report([*gates([seen(made[i : i + 3]) for i in range(0, len(made), 3)])])
    every = [seen(rows) for rows in grouped(load_cases(NAME, "every"))]
    found = [*single(every), *gates(every), *makeup(list(grouped(load_cases(NAME, "test"))))]
    return report(found)


def grouped(cases: Sequence[Case]) -> Iterator[Sequence[Case]]:
    """Yield the rows of each family; raises InputError where a family is not whole and in order."""
    for place in range(0, len(cases), len(ROLES)):
        rows = cases[place : place + len(ROLES)]
        if tuple(row.pair.role for row in rows) != ROLES or len({row.pair.family for row in rows}) != 1:
            raise InputError(f"case {rows[0].id!r}: field pair: found no whole family, expected {', '.join(ROLES)}")
        yield rows


def seen(rows: Sequence[Case]) -> Seen:
    """Effect at a family again: what changed is read off the typed facts, not off what the rows say of it."""
    original, decisive, control = rows
    here = interventions_of(original)
    return Seen((original, decisive, control), here, changed(here, decisive), changed(here, control))


def changed(here: Interventions, member: Case) -> tuple[Intervention, ...]:
    """Return how the facts of a member differ from the original's."""
    found: list[Intervention] = []
    for number, (part, other) in enumerate(zip(here.parts, interventions_of(member).parts, strict=True)):
        for name, before in part.facts.items():
            after = other.facts[name]
            if isinstance(before, tuple) and isinstance(after, tuple):
                found += _fields(number, name, before, after)
            elif before != after:
                found.append(Intervention(number, name, before, after))
    return tuple(found)


def _fields(number: int, name: str, before: tuple[Any, ...], after: tuple[Any, ...]) -> Iterator[Intervention]:
    pairs: list[tuple[int, str, Value, Value]] = [
        (place, field, old[field], new[field])
        for place, (old, new) in enumerate(zip(before, after, strict=True))
        for field in old
    ]
    for place, field, old_value, new_value in pairs:
        if old_value != new_value:
            yield Intervention(number, name, old_value, new_value, place, field)


# ---------------------------------------------------------------- gates
def single(every: Sequence[Seen]) -> Iterator[Gate]:
    """Yield for each answer the share of the shipped test cases that have a single decisive change."""
    there = {family.rows[0].pair.family for family in every if not family.robust}
    shares: dict[str, list[bool]] = defaultdict(list)
    for case in originals("test"):
        kind = case.answer if case.answer_type == "label" else case.answer_type
        shares[f"{case.domain} {kind}"].append(f"counterfactual/{case.id}" in there)
    for scope, found in shares.items():
        if len(found) >= FEWEST:
            yield at_least("8 cases with a single decisive change", scope, sum(found) / len(found), DECISIVE)
    for name in WHOLE:
        own = [share for scope, found in shares.items() if scope.startswith(f"{name} ") for share in found]
        yield at_least("8 cases with a single decisive change", name, sum(own) / max(len(own), 1), DECISIVE)


def gates(every: Sequence[Seen]) -> Iterator[Gate]:
    """Yield the gates of some families."""
    count = max(len(every), 1)
    robust = sum(family.robust for family in every)
    yield at_most("8 robust families (two facts change)", "all", robust / count, 1 - DECISIVE)
    used = sum(_touches(family) for family in every) / count
    margin = max(USED, count**-0.5)  # two standard errors, where families are few
    yield at_least("8 controls on a fact that a triggered rule uses", "all", used, round(0.5 - margin, 3))
    yield at_most("8 controls on a fact that a triggered rule uses", "all", used, round(0.5 + margin, 3))
    kinds = sum(family.decisive[0].kind == family.control[0].kind for family in every) / count
    yield at_least("8 controls that keep the kind of fact", "all", kinds, KIND)
    yield at_most("8 role told from the form of the change", "all", form(every), FORM)
    yield at_most("8 answers not as their role asks", "all", sum(not _answers(f) for f in every), 0)
    yield at_most("8 members with other changes than told", "all", sum(not _changes(f) for f in every), 0)
    yield at_most("8 incoherent members", "all", sum(not _coherent(f) for f in every), 0)
    yield at_most("8 texts that differ elsewhere", "all", sum(not _texts(f) for f in every), 0)
    yield at_most("8 decisive facts missing in a derivation", "all", sum(not _necessary(f) for f in every), 0)
    for own in domains():
        if firsts := [family.rows[0] for family in every if family.rows[0].domain == own.name]:
            yield from own.family_gates(firsts)


def _touches(family: Seen) -> bool:
    return any((change.part, change.label) in family.here.used() for change in family.control)


def form(every: Sequence[Seen]) -> float:
    """Return how often the form of a change (kind of fact, told before, direction) tells its role at best."""
    counts: dict[tuple[object, ...], Counter[str]] = defaultdict(Counter)
    for family in every:
        for role, changes in (("decisive", family.decisive), ("control", family.control)):
            change = changes[0]
            told = (change.part, change.label) in family.here.told
            up = change.kind == "number" and change.after > change.before  # type: ignore[operator]
            counts[change.kind, told, change.after if change.kind == "bool" else up][role] += 1
    total = sum(sum(found.values()) for found in counts.values())
    return sum(max(found.values()) for found in counts.values()) / max(total, 1)


def _answers(family: Seen) -> bool:
    original, decisive, control = family.rows
    return original.answer != decisive.answer and original.answer == control.answer


def _changes(family: Seen) -> bool:
    return len(family.decisive) == 1 + family.robust and len(family.control) == 1


def _coherent(family: Seen) -> bool:
    return all(coherent(part.base, part.facts) for row in family.rows for part in interventions_of(row).parts)


def _texts(family: Seen) -> bool:
    original, decisive, control = (row.case for row in family.rows)
    same = {(row.question, row.rules, row.choices) for row in family.rows}
    return len(same) == 1 and places(original, decisive) <= 1 + family.robust and places(original, control) <= 1


def places(one: str, other: str) -> int:
    """Return how many sentences of two texts differ; paragraphs count as marks of their own."""
    first, second = ([s for s in re.split(r"(?<=[.!?]) |(\n+)", text) if s] for text in (one, other))
    matcher = difflib.SequenceMatcher(None, first, second, autojunk=False)
    return sum(max(i2 - i1, j2 - j1) for tag, i1, i2, j1, j2 in matcher.get_opcodes() if tag != "equal")


def _necessary(family: Seen) -> bool:
    """Tell whether the decisive fact is in every derivation of the original (docs/derivations.md)."""
    if family.robust:
        return True
    (change,) = family.decisive
    necessary = derivations_of(family.rows[0]).family.necessary()
    prefix = f"{change.part + 1}." if len(family.here.parts) > 1 else ""
    return any(label.startswith(f"{prefix}fact:{change.label}=") for label in necessary)


def makeup(families: Sequence[Sequence[Case]]) -> Iterator[Gate]:
    """Yield the gates on the test split: families a type, no robust ones, no clones, every domain."""
    types = Counter(type_of(rows[0]) for rows in families)
    for kind in TYPES:
        yield at_least("0 families", kind, types[kind], 50)
    robust = sum(ROBUST in rows[0].tags for rows in families)
    yield at_most("0 robust families", "test", robust, 0)
    contents = Counter(
        (row.task, row.bundle, row.rulebase, row.question, row.facts) for rows in families for row in rows
    )
    yield at_most("4 clones", "test", sum(contents.values()) - len(contents), 0)
    domains = {rows[0].domain for rows in families}
    yield at_least("0 domains", "test", len(domains), len(MEMBERS))
