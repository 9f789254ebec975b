"""Verify embedded cases by independent paths: the rule base, the reference program run by Prolog, the case text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from holmes.cases import Case
from holmes.errors import InputError


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
    from holmes.derivations.resolve import solve_case

    solved = [(case, solve_case(case)) for case in cases]
    return [
        Mismatch(case.id, "python", f"{d.field} {d.gold}", str(d.derived)) for case, s in solved for d in s.differences
    ]


def by_prolog(cases: Sequence[Case]) -> list[Mismatch]:
    """Run each reference program, contained: it must print the gold's line and nothing else, without any message.

    A finance case of several parts is checked part by part.
    """
    from holmes.answers.program import score_program, warm
    from holmes.domains.finance.parts import singles

    cases = [part for case in cases for part in (singles(case) if case.domain == "finance" else (case,))]
    replies = [f"```prolog\n{case.program}\n```" for case in cases]
    warm(list(zip(cases, replies, strict=True)))
    found = []
    for case, reply in zip(cases, replies, strict=True):
        score = score_program(case, reply)
        if score.value != 1 or score.parts["clean"] != 1:
            found.append(Mismatch(case.id, "prolog", case.answer, score.answer or score.reason))
    return found


READ = ("law", "finance", "deontic", "policy")  # domains whose case texts are read back


def by_text(cases: Sequence[Case]) -> list[Mismatch]:
    """Read the facts of each case back from its text alone and compare them with the typed ones.

    A policy question is read back whole, with its rules, and decided again by SAT and by listing all records; its
    witnesses are evaluated (`holmes.domains.policy.verify`).
    """
    from holmes.derivations.parts import parts_of, told_parts
    from holmes.domains.policy.verify import problems

    found = []
    for case in cases:
        if case.domain == "policy":
            found += [Mismatch(case.id, "text", case.answer, problem) for problem in problems(case)]
            continue
        try:
            told = told_parts(case)
        except InputError as error:
            found.append(Mismatch(case.id, "text", case.case, str(error)))
            continue
        for part, facts in zip(parts_of(case), told, strict=True):
            found += [
                Mismatch(case.id, "text", f"{name} {value}", str(facts.get(name)))
                for name, value in part.facts.items()
                if facts.get(name) != value
            ]
    return found


PATHS: dict[str, Callable[[Sequence[Case]], list[Mismatch]]] = {
    "python": by_rule_base,
    "prolog": by_prolog,
    "text": by_text,
}


def verify(config: str, splits: Sequence[str], paths: Sequence[str]) -> list[Verified]:
    """Compare the golds of a config with what each path derives.

    config: an embedded config. splits: which of its splits. paths: names out of PATHS.
    Returns one Verified a path, over the cases that it can look at: for the path text those whose text has a reader,
    for prolog all but the policy questions that no single record answers. None where there is no such case.
    Raises InputError for an unknown path.
    """
    from holmes.store import load_cases

    cases = [case for split in splits for case in load_cases(config, split)]
    found = []
    for path in paths:
        if path not in PATHS:
            raise InputError(f"--with: found {path!r}, expected one of {', '.join(PATHS)}")
        own = [case for case in cases if path != "text" or case.domain in READ]
        own = [case for case in own if path != "prolog" or case.program or case.domain != "policy"]
        if own or not cases:
            wrong = PATHS[path](own)
            found.append(Verified(config, path, len(own), len({m.id for m in wrong}), tuple(wrong)))
    return found
