"""Solving our finance cases again, part by part; the gold of the whole is the union of the golds of its parts."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace

from holmes.cases import Case
from holmes.derivations.parts import facts_of
from holmes.derivations.resolve import resolved
from holmes.domains.finance.generate import components, edition_of, gold, steps, union
from holmes.domains.finance.handbook import NAMES, clause, fingerprint, known_as
from holmes.domains.finance.text import Part, read_joint, read_several, read_single
from holmes.errors import InputError
from holmes.logic.engine.evaluate import evaluate
from holmes.logic.language.model import Value
from holmes.logic.prolog.program import program
from holmes.results import Solved


@dataclass(frozen=True, slots=True)
class Parts:
    """The parts of a case with their typed facts."""

    case: Case
    parts: tuple[Part, ...]

    @property
    def many(self) -> bool:
        """True for cases of several parts."""
        return self.case.answer_type == "report"

    def answer(self) -> str:
        """Return the answer derived from the typed facts."""
        golds = [gold(self.case.task, evaluate(p.stated.base, p.facts)) for p in self.parts]
        return union([(p.subject, g) for p, g in zip(self.parts, golds, strict=True)]) if self.many else golds[0]


def parts_of(case: Case) -> Parts:
    """Return the parts of a case; raises InputError naming case, field, what was found and what was expected."""
    if not known_as(case.rulebase):
        raise InputError(
            f"case {case.id!r}: field rulebase: found {case.rulebase}, expected {fingerprint()}:"
            " the case was built by another version"
        )
    try:
        noted = components(case)
        listed = [(str(n["clause"]), str(n["subject"]), str(n["name"]), tuple(n["silent"])) for n in noted]
        edition = edition_of(case)
    except InputError as error:
        raise InputError(f"case {case.id!r}: field plan: {error}") from error
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(f"case {case.id!r}: field plan: found {case.plan!r:.60}, expected its parts") from error
    if not listed or any(kind not in NAMES for kind, *_ in listed):
        raise InputError(f"case {case.id!r}: field plan: found {case.plan!r:.60}, expected parts with a clause each")
    many = case.answer_type == "report"
    return Parts(
        case,
        tuple(
            Part(kind, subject, name, facts_of(case, clause(kind).base, f"{number}." if many else ""), silent, edition)
            for number, (kind, subject, name, silent) in enumerate(listed, 1)
        ),
    )


def read_back(case: Case) -> list[dict[str, Value]]:
    """Return the facts of every part as the case text alone tells them; raises InputError where it cannot be read."""
    parts = parts_of(case).parts
    if case.answer_type != "report":
        return [dict(read_single(parts[0].clause, case.case, parts[0].name))]
    if "parallel" in case.task:
        found = read_joint(parts[0].clause, case.case)
        return [dict(found[part.name]) for part in parts]
    return [dict(facts) for facts in read_several([p.clause for p in parts], case.case, [p.name for p in parts])]


def solve(case: Case) -> Solved:
    """Solve one case of ours: the fields ``answer`` and ``trace``, both derived again from the typed facts."""
    found = parts_of(case)
    return resolved(case, found.answer(), [step for part in found.parts for step in steps(part, found.many)])


def cases_by_part(case: Case) -> list[Case]:
    """Return a case for each part of a case, with its own program and gold; the case itself if it has one part."""
    found = parts_of(case)
    if not found.many:
        return [case]
    golds = [row["verdict"] for row in json.loads(case.answer)]
    result = []
    for part, verdict in zip(found.parts, golds, strict=True):
        base = part.stated.base
        written = program(base, part.facts, output="Answer: {answer}")
        result.append(replace(case, answer=verdict, answer_type="label", bundle=part.clause, program=written))
    return result
