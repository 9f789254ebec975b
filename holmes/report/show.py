"""Find a case by its id and render it for people."""

from __future__ import annotations

import difflib
import json
import logging
import textwrap
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from typing import TYPE_CHECKING

from holmes.cases import Case
from holmes.errors import InputError
from holmes.interfaces import OURS
from holmes.store import configs, load_cases, release_of, splits

if TYPE_CHECKING:
    from holmes.derivations.derive import Derivations

_log = logging.getLogger(__name__)

ORDER = ("test", "whole", "dev", "train", "hard", "smoke")  # later splits repeat cases of earlier ones


def find(case_id: str, config: str = "") -> Case:
    """Return the case with this id.

    case_id: as `Case.id`. config: where to look; by default every config that can be loaded, embedded ones first.
    Raises InputError with the nearest ids where there is none.
    """
    known: dict[str, None] = {}
    for cases in _searched(case_id, (config,) if config else configs(), asked=bool(config)):
        for case in cases:
            if case.id == case_id:
                return case
            known[case.id] = None
    near = difflib.get_close_matches(case_id, list(known), n=3, cutoff=0.6)
    expected = (
        f"an id such as {', '.join(near)}" if near else f"an id of {config or ', '.join(configs()) or 'a config'}"
    )
    raise InputError(f"case id: found {case_id!r}, expected {expected}")


def cases_given(texts: Sequence[str]) -> list[Case]:
    """Return the cases that texts name by their ids, or hold as JSON; each split is read at most once.

    Raises InputError for a text that does neither, and as `find` does.
    """
    held = {text: _held(text) for text in dict.fromkeys(texts) if text.lstrip().startswith("{")}
    wanted = {text.strip() for text in texts if text not in held}
    known: dict[str, Case] = {}
    for cases in _searched(min(wanted), configs()) if wanted else ():
        known |= {case.id: case for case in cases if case.id in wanted}
        if not wanted - known.keys():
            break
    return [held[text] if text in held else known.get(text.strip()) or find(text.strip()) for text in texts]


def _held(text: str) -> Case:
    try:
        return Case.from_dict(json.loads(text))
    except ValueError as error:
        raise InputError(f"case: found {text!r:.60}, expected an id or a case as JSON") from error


def _searched(case_id: str, names: tuple[str, ...], asked: bool = False) -> Iterator[list[Case]]:
    """Yield cases split by split; a config that cannot be read is an error only where the id or the caller names it."""
    for name in _likely(case_id, names):
        try:
            for split in sorted(splits(name), key=lambda s: ORDER.index(s) if s in ORDER else len(ORDER)):
                yield load_cases(name, split)
        except InputError as error:
            if asked or case_id.split("/")[0] == name:
                raise
            _log.warning("left out of the search: %s: %s", name, error)


def _likely(case_id: str, names: tuple[str, ...]) -> Iterator[str]:
    """The configs in an order that looks first where the id's first part points to."""
    start = case_id.split("/")[0]
    yield from sorted(names, key=lambda name: (not name.startswith(start), release_of(name) is not None))


def formal_text(case: Case, form: str) -> str:
    """Return the case's reference program (``prolog``) or its theory (``isabelle``, ``hol-light``).

    Raises InputError where the case has none.
    """
    if form == "prolog":
        if not case.program:
            raise InputError(f"case {case.id!r}: field program: found nothing, expected a reference program")
        return case.program
    from holmes.formal.export import theory_of
    from holmes.formal.script import script_of

    return script_of(case) if form == "hol-light" else theory_of(case)


def render(case: Case, derivations: bool = False) -> str:
    """Return a case as plain text: source, rules, case, question, answer, trace; with its derivations if asked for."""
    about = [case.task, case.bundle, f"source {case.source}", case.difficulty.tier]
    parts = [
        f"{case.id}  ({', '.join(part for part in about if part)})",
        f"RULES\n{case.rules.strip()}",
        f"CASE\n{case.case.strip()}",
        f"QUESTION\n{case.question.strip()}",
        f"ANSWER\n{case.answer}" + (f"  (of {', '.join(case.choices)})" if case.choices else ""),
    ]
    if case.pair.family:
        changed = f": {case.pair.changed}" if case.pair.changed else ""
        parts.append(f"PAIR\n{case.pair.role} of {case.pair.family}{changed}")
    if case.trace:
        lines = [f"{n:>3}. {s.text}{f'  [Rule {s.rule}]' if s.rule else ''}" for n, s in enumerate(case.trace, 1)]
        parts.append("TRACE\n" + "\n".join(lines))
    if case.critical:
        parts.append("CRITICAL\n" + "\n".join(f"  {label}" for label in case.critical))
    if proved := _proved(case):
        parts.append(f"PROVED\n{proved}")
    if derivations:
        parts.append(_derivations(case))
    return "\n\n".join(parts)


def _proved(case: Case) -> str:
    """Say what checkers agreed on the case, and what the kernel proved; empty where no certificate is of this case."""
    from holmes.formal.certificates import KERNEL, certificate_of
    from holmes.formal.script import PROVED, REFUTED, claims_of

    found = certificate_of(case, case.id.split("/")[0]) or certificate_of(case, case.task)
    if found is None:
        return ""
    agreed = ", ".join(f"{checker} ({found.versions.get(checker, 'version unknown')})" for checker in found.checkers)
    if not found.proved:
        return f"agreed: {agreed or 'none'}"
    lines = [f"agreed: {agreed}", f"{KERNEL}: {found.claims} claims in {found.steps} steps, on {found.when}"]
    claims = claims_of(case)
    for status in (PROVED, REFUTED):
        if named := [claim for claim, come in claims.items() if come == status]:
            lines.append(textwrap.fill(f"{status}: {', '.join(named)}", 116, subsequent_indent="  "))
    return "\n".join(lines)


def _derivations(case: Case) -> str:
    """Return the family as a reader wants it: the steps that every member holds, then what each adds; * is critical."""
    found = _found(case)
    if not case.derivations:
        if found is None:
            ours = case.source == OURS
            why = "the question is about all cases, not about one" if ours else "none is stored"
            return f"DERIVATIONS\n  none: {why}"
        case = replace(case, **found.fields())
    total = case.derivations_count or ("" if case.derivations_complete else "unknown")
    listed = f"{len(case.derivations)} listed of {total or len(case.derivations)}"
    blocks = [f"DERIVATIONS  {listed}, shortest first; * critical"]
    common = set.intersection(*(set(member) for member in case.derivations))
    words, critical = _worded(case, found)

    def lines(number: int, those: AbstractSet[str]) -> list[str]:
        order = list(words[number]) or case.derivations[number]
        marks = {label: "*" if label in critical[number] else " " for label in order}
        return [f"    {marks[label]} {words[number].get(label, label)}" for label in order if label in those]

    blocks += ["  in every one:", *(lines(0, common) or ["      nothing"])]
    if len(case.derivations) > 1:
        for number, member in enumerate(case.derivations):
            own = lines(number, set(member) - common)
            blocks += [f"  {number + 1}. besides:", *(own or ["      nothing more"])]
    return "\n".join(blocks)


def _found(case: Case) -> Derivations | None:
    """Return the derivations of a case, None where they are not at hand."""
    from holmes.scoring.derivation import has_derivations
    from holmes.scoring.derivation.reference import reference_of

    try:
        return reference_of(case).derivations if has_derivations(case) else None
    except InputError:
        return None


def _worded(case: Case, found: Derivations | None) -> tuple[list[dict[str, str]], list[frozenset[str]]]:
    """For each listed member: label -> its step in words, premises first, and the critical labels.

    Without words, and with the critical labels of the case alone, where the case cannot be derived again.
    """
    if found is None:
        return [{} for _ in case.derivations], [frozenset(case.critical) for _ in case.derivations]
    try:
        words = [
            {label: f"{s.text}{f'  [Rule {s.rule}]' if s.rule else ''}" for label, s in found.written(member)}
            for member in case.derivations
        ]
    except ValueError:  # members that another version stored
        return [{} for _ in case.derivations], [frozenset(case.critical) for _ in case.derivations]
    return words, [frozenset(found.critical(member)) for member in case.derivations]
