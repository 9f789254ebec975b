"""Verify embedded cases by independent paths: the rule base, the reference program run by Prolog, the case text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from holmes.cases import Case
from holmes.errors import InputError
from holmes.registry import domain_of
from holmes.store import load_cases


@dataclass(frozen=True, slots=True)
class Mismatch:
    """One case on which a path and the gold disagree."""

    id: str
    path: str
    gold: str
    derived: str


@dataclass(frozen=True, slots=True)
class Verified:
    """What one path found over one config: cases looked at, how many of them disagree, and where."""

    config: str
    path: str
    cases: int
    wrong: int
    mismatches: tuple[Mismatch, ...]


def by_rule_base(cases: Sequence[Case]) -> list[Mismatch]:
    """Derive each answer again from the typed facts and the rule base that the case names.

    A policy question is decided again by SAT, from its typed form.
    """
    solved = [(case, domain_of(case).solve(case)) for case in cases]
    return [
        Mismatch(case.id, "python", f"{d.field} {d.gold}", str(d.derived)) for case, s in solved for d in s.differences
    ]


def by_prolog(cases: Sequence[Case]) -> list[Mismatch]:
    """Run each reference program, contained: it must print the gold's line and nothing else, without any message.

    A case of several parts is checked part by part.
    """
    from holmes.answers.program import score_program, warm

    cases = [part for case in cases for part in domain_of(case).programs(case)]
    replies = [f"```prolog\n{case.program}\n```" for case in cases]
    warm(list(zip(cases, replies, strict=True)))
    found = []
    for case, reply in zip(cases, replies, strict=True):
        score = score_program(case, reply)
        if score.value != 1 or score.parts["clean"] != 1:
            found.append(Mismatch(case.id, "prolog", case.answer, score.answer or score.reason))
    return found


def by_text(cases: Sequence[Case]) -> list[Mismatch]:
    """Read each case back from its text alone and compare it with its record (`Domain.verify_text`)."""
    return [Mismatch(case.id, "text", gold, said) for case in cases for gold, said in domain_of(case).verify_text(case)]


PATHS: dict[str, Callable[[Sequence[Case]], list[Mismatch]]] = {
    "python": by_rule_base,
    "prolog": by_prolog,
    "text": by_text,
}


def verify(config: str, splits: Sequence[str], paths: Sequence[str]) -> list[Verified]:
    """Compare the golds of a config with what each path derives.

    config: an embedded config. splits: which of its splits. paths: names out of PATHS.
    Returns one Verified a path, over the cases that it can look at: for prolog all but the questions that no program
    of one record answers. None where there is no such case.
    Raises InputError for an unknown path.
    """
    cases = [case for split in splits for case in load_cases(config, split)]
    found = []
    for path in paths:
        if path not in PATHS:
            raise InputError(f"--with: found {path!r}, expected one of {', '.join(PATHS)}")
        own = [case for case in cases if path != "prolog" or domain_of(case).programs(case)]
        if own or not cases:
            wrong = PATHS[path](own)
            found.append(Verified(config, path, len(own), len({m.id for m in wrong}), tuple(wrong)))
    return found
