"""References fit for training, programs or answers: verified here, apart from every held-out case and its twins."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any

from holmes.audit.near_duplicates import near_duplicates
from holmes.cases import Case
from holmes.errors import InputError
from holmes.prolog.runner import Runner
from holmes.results import Outcome
from holmes.scoring.core import score
from holmes.store import load_cases, release_of, splits
from holmes.tasks import gold_reply, task_of
from holmes.training.curate import judge

HELD_OUT = ("hard", "test", "smoke", "dev", "every")
# Findings of `holmes audit deonticbench` that say nothing against the pair of case and program.
_HARMLESS = {"no_entry_point", "label_type", "id_tells_answer", "hard_differs", "hard_not_in_whole"}


@dataclass(frozen=True, slots=True)
class References:
    """The cases to train on, their programs as they were run, and how many were left out, by reason."""

    cases: tuple[Case, ...]
    left_out: Mapping[str, int]


def references(
    config: str,
    split: str,
    runner: Runner,
    *,
    hard: Iterable[Case] = (),
    audit: Mapping[str, Any] | None = None,
) -> References:
    """Return the verified references of a config's split.

    config, split: for example deontic_sara_numeric, train. hard: further cases to keep out, with their twins. audit:
    the document of ``holmes audit deonticbench --json``, needed for an imported release.
    Left out are cases of the held-out splits (hard, test, smoke, dev, every) and of `hard`; twins of them, which are
    cases of one counterfactual family, with the same facts and question, or (for releases) near-duplicates by content;
    cases with audit findings; and programs that do not load clean, print exactly the answer line and agree with the
    gold. An answered case needs no program: its gold reply must be read and score as right.
    Returns the References. Raises InputError for a release without audit, or a split that is held out.
    """
    if split in HELD_OUT:
        raise InputError(f"split: found {split!r}, expected one that is not held out for evaluation")
    release = release_of(config) is not None
    if release and audit is None:
        raise InputError(f"{config}: found no audit, expected --audit FILE from: holmes audit deonticbench --json")
    held = [case for name in splits(config) if name in HELD_OUT for case in load_cases(config, name)] + list(hard)
    cases = load_cases(config, split)
    reasons = _kept_out(cases, held, near=release)
    for id in _found(audit or {}, config):
        reasons.setdefault(id, "audit")
    open_cases = [case for case in cases if case.id not in reasons]
    with ThreadPoolExecutor(runner.workers) as pool:
        verdicts = list(pool.map(lambda case: _verified(case, runner), open_cases))
    kept: list[Case] = []
    for verified, refused in verdicts:
        if refused:
            reasons[verified.id] = refused
        else:
            kept.append(verified)
    return References(tuple(kept), dict(sorted(Counter(reasons[c.id] for c in cases if c.id in reasons).items())))


def _verified(case: Case, runner: Runner) -> tuple[Case, str]:
    """The case as it is exported, and why it is not: empty where its program, or its gold reply, holds."""
    spec = task_of(case)
    if spec.mode == "answer":
        right = score(case, gold_reply(case, spec)).outcome is Outcome.RIGHT
        return case, "" if right else "gold_reply_not_right"
    verdict = judge(case, f"```prolog\n{case.program.strip()}\n```", runner)
    return replace(case, program=verdict.program.strip()), "" if verdict.passed else verdict.category


def _kept_out(cases: Sequence[Case], held: Sequence[Case], *, near: bool) -> dict[str, str]:
    """Reason by id of the cases that are held out or a held-out case's twin."""
    ids = {case.id for case in held}
    families = {case.pair.family for case in held} - {""}
    contents = {_content(case) for case in held}
    reasons: dict[str, str] = {}
    for case in cases:
        if case.id in ids:
            reasons[case.id] = "held_out"
        elif case.pair.family in families or _content(case) in contents:
            reasons[case.id] = "twin"
    if near:
        for id in near_duplicates(held, [case for case in cases if case.id not in reasons]):
            reasons[id] = "twin"
    return reasons


def _content(case: Case) -> tuple[str, str]:
    """What makes two cases the same: their facts where they are typed, else their text; and the question."""
    facts = repr(sorted((f.name, f.value) for f in case.facts)) if case.facts else _words(case.case)
    return facts, _words(case.question)


def _words(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.lower()))


def _found(audit: Mapping[str, Any], config: str) -> list[str]:
    defects = audit.get("defects", [])
    if not isinstance(defects, list):
        raise InputError(f"audit: field defects: found {type(defects).__name__}, expected a list")
    return [str(d["id"]) for d in defects if d.get("source") == config and d.get("kind") not in _HARMLESS]
