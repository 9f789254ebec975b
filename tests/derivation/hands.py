"""Labelled traces of hands other than the scorer's author, and how they are read.

A label: + (the statement is true of the case) or - (false), the rule number, and nothing (what that rule defines), t
(triggered or not), a (applies or not), >M (defeats rule M), p (passes or fails), w (waived); . claims nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from holmes.cases import Case
from holmes.scoring.derivation import reading_in
from holmes.scoring.derivation.claims import Claim, Reading
from holmes.scoring.derivation.measure import measured
from holmes.scoring.derivation.reference import Reference, reference_of
from holmes.scoring.derivation.targets import Target, Targets
from holmes.util.files import read_jsonl

HERE = Path(__file__).resolve().parent / "hands"
FILES = ("hand_1.txt", "hand_2.txt", "hand_3.txt")
DISPUTED = {
    # The told case is evaluated under the closed world that its gold (yes) rests on: what is not told did not happen,
    # so the open leak holds. The writer took the unsaid encryption for unknown.
    "policy/20261205-124": {"9", "10", "17t", "17a"},
}


@dataclass(frozen=True)
class Reply:
    """One labelled reply: the grade of its reasoning (1 to 5), its text, (sign, targets a claim may hit) a label."""

    case: Case
    reference: Reference
    grade: int
    text: str
    labels: tuple[tuple[str, tuple[Target, ...]], ...]


@cache
def cases() -> dict[str, Case]:
    """Return the cases of the traces as they were when these were labelled."""
    return {case.id: case for _, row in read_jsonl(HERE / "cases.jsonl") for case in (Case.from_dict(row),)}


def replies(name: str) -> Iterator[Reply]:
    """Yield the replies of a file; of two labels of one step the later one counts, as after a self-correction."""
    for block in re.split(r"^## ", (HERE / name).read_text(), flags=re.MULTILINE)[1:]:
        head, _, body = block.partition("\n")
        identifier, _, grade = (part.strip() for part in head.split(" | "))
        case = cases()[identifier]
        made_of = reference_of(case)
        texts: list[str] = []
        found: dict[frozenset[Target], tuple[str, tuple[Target, ...]]] = {}
        subject = ""
        for row in body.split("\n"):
            marks, bar, text = row.partition(" | ")
            if not bar:
                continue
            texts.append(text)
            named = [s for s in made_of.subjects if s in text]
            subject = named[0] if len(named) == 1 else subject
            for mark in marks.split():
                if mark != "." and mark[1:] not in DISPUTED.get(identifier, ()):
                    targets = tuple(_targets(made_of, mark[1:], subject))
                    if targets:
                        found[frozenset(targets)] = mark[0], targets
        yield Reply(case, made_of, int(grade), "\n".join(texts), tuple(found.values()))


def _targets(made_of: Reference, name: str, subject: str) -> Iterator[Target]:
    for part in made_of.parts:
        if subject and part.graph.part.subject != subject:
            continue
        if ">" in name:
            winner, loser = map(int, name.split(">"))
            if target := part.conflict(winner, loser):
                yield target
            continue
        matched = re.fullmatch(r"(\d+)([tapw]?)", name)
        assert matched, name
        rule, stage = int(matched[1]), matched[2]
        if stage == "t":
            yield from part.of(rule, "triggered")
        elif stage == "a":
            yield from part.of(rule, "applies") or part.of(rule, "triggered")
        elif stage == "w":
            yield from _waivers(part, rule)
        else:
            yield from part.of(rule, "concept", "table", "gate", "transform", "compose", "selection", "amount")
            yield from _waivers(part, rule)


def _waivers(part: Targets, rule: int) -> Iterator[Target]:
    policies, offset = part.graph.part.base.policies, part.graph.part.offset
    for target in part.by_key.values():
        policy = policies.get(target.key[1]) if target.kind in ("gate", "transform", "waived") else None
        if policy is not None and policy.operator == "transform" and policies[policy.base].rule + offset == rule:
            yield target


def as_labelled(reply: Reply) -> Reading:
    """Return what a perfect reader would read of a reply: its labels as claims."""
    claims = []
    for sign, targets in reply.labels:
        target = next((t for t in targets if t.node >= 0 and t.value is not False), targets[0])
        value = target.value if sign == "+" else not target.value if isinstance(target.value, bool) else None
        claims.append(Claim(target, value, 1, len(claims), ""))
    return Reading(tuple(claims), len(claims), len(claims), 0)


def confusion(name: str) -> dict[str, object]:
    """Return the figures of one file: labels found, inverted, planted errors seen, claims that are no label."""
    labels = found = inverted = planted = seen = beyond = wrong = 0
    for reply in replies(name):
        claims = reading_in(reply.reference, reply.text).claims
        known = {target for _, targets in reply.labels for target in targets}
        for sign, targets in reply.labels:
            verdicts = {claim.right for claim in claims if claim.target in targets}
            hit = (sign == "+") in verdicts and (len(verdicts) == 1 or len(targets) > 1 or sign == "-")
            labels, found, inverted = labels + 1, found + hit, inverted + (bool(verdicts) and not hit)
            planted, seen = planted + (sign == "-"), seen + (sign == "-" and hit)
        more = {claim.target: claim for claim in claims if claim.target not in known and not claim.target.answer}
        beyond, wrong = beyond + len(more), wrong + sum(not claim.right for claim in more.values())
    return {
        "labels": labels,
        "found": f"{found / labels:.3f}",
        "inverted": f"{inverted / labels:.3f}",
        "planted errors found": f"{seen}/{planted}",
        "claims that are no label": beyond,
        "of these judged wrong": wrong,
    }


def agreement() -> dict[str, str]:
    """Return how figures as read go with figures from the labels, and how soundness parts good from bad reasoning."""
    from scipy.stats import mannwhitneyu, spearmanr

    every = [reply for name in FILES for reply in replies(name) if reply.case.id not in DISPUTED]
    read = [measured(r.reference, reading_in(r.reference, r.text)) for r in every]
    told = [measured(r.reference, as_labelled(r)) for r in every]
    good = [s.soundness for r, s in zip(every, read, strict=True) if r.grade >= 4]
    bad = [s.soundness for r, s in zip(every, read, strict=True) if r.grade < 4]
    area = mannwhitneyu(good, bad).statistic / (len(good) * len(bad))
    rank = spearmanr([s.f1 for s in read], [s.f1 for s in told]).statistic
    shortcuts = [s.shortcut(True) for r, s in zip(every, read, strict=True) if r.grade >= 4]
    missed = [s.shortcut(True) for r, s in zip(every, read, strict=True) if r.grade < 3]
    return {
        "rank correlation of deriv_f1, read against labelled": f"{rank:.3f}",
        "area under the curve, soundness for grades 4 and 5": f"{area:.3f}",
        "good reasoning called a shortcut": f"{sum(map(bool, shortcuts))}/{len(shortcuts)}",
        "bad reasoning called a shortcut": f"{sum(map(bool, missed))}/{len(missed)}",
    }
