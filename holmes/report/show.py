"""Render a case for people."""

from __future__ import annotations

import textwrap
from collections.abc import Set as AbstractSet
from dataclasses import replace
from typing import TYPE_CHECKING

from holmes.cases import Case
from holmes.errors import InputError
from holmes.interfaces import OURS

if TYPE_CHECKING:
    from holmes.derivations.derive import Derivations


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
            ours = "the question is about all cases, not about one"
            released = "the facts do not entail the gold, or its rules are no rule base"
            why = ours if case.source == OURS else released
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
