"""An optional judge model for free-form traces: aligned both ways with the nearest references, validated, cached.

Off by default: nothing here runs unless a chat model is named. Source: HOLogicBench 4.3.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from holmes.cases import Case
from holmes.derivations.derive import Derivations
from holmes.logic.english.lexicon import words
from holmes.reading.report import read_report
from holmes.reading.steps import read_steps
from holmes.reading.thinking import final_reply
from holmes.scoring.derivation import score_derivation
from holmes.scoring.derivation.reference import reference_of
from holmes.scoring.derivation.vocabulary import stems
from holmes.util.chat import Chat
from holmes.util.files import read_json, write_text
from holmes.util.paths import cache_dir

VERSION = 1
REFERENCES = 3  # most references a trace is held against
LISTED = 64  # members among which the nearest are sought
LONGEST = 200  # steps of a trace; more are left out, and said so
_TASK = """You compare a reasoning trace with one reference derivation of the same case, step by step.

Rules:
{rules}

Case:
{case}

Question: {question}

Reference steps:
{reference}

Generated steps:
{generated}

A generated step is aligned with a reference step if it states the same conclusion, with the same value, about the same
rule, condition, amount or conflict; other words are fine, a different value or a mere mention is not. A step may be
aligned with several steps of the other side, or with none.

Answer with one JSON object and nothing else, every step number of both sides as a key, each with a list:
{{"generated": {{"1": [reference steps], "2": []}}, "reference": {{"1": [generated steps], "2": []}}}}"""


@dataclass(frozen=True, slots=True)
class Judged:
    """What the judge found, against the reference with the best F1; every number in [0, 1].

    precision, coverage: aligned shares of the generated and of the reference steps. critical: share of the aligned
    critical steps, None where there is none. valid: False where no answer of the judge was usable for any reference.
    """

    precision: float
    coverage: float
    f1: float
    critical: float | None
    valid: bool

    def numbers(self) -> dict[str, float]:
        """Return the scores under the names that results use; judge_critical only where it is defined."""
        found = {"judge_precision": self.precision, "judge_coverage": self.coverage, "judge_f1": self.f1}
        found |= {} if self.critical is None else {"judge_critical": self.critical}
        return found | {"judge_invalid": float(not self.valid)}


@dataclass(frozen=True, slots=True)
class Judge:
    """A judge behind a chat model.

    chat: its address and name. cache: the folder that keeps its usable answers. attempts: tries a reference, at least
    1; each further one tells what was wrong with the last answer.
    """

    chat: Chat
    cache: Path | None = None
    attempts: int = 3

    def score(self, case: Case, text: str | None) -> Judged:
        """Judge the trace in an output: its steps against at most three nearest references, the best F1 counts.

        No steps score 0 without asking. Raises EnvironmentFailure when the chat model cannot be reached.
        """
        steps = [step.text for step in read_steps(final_reply(text or "").text)][:LONGEST]
        derivations = reference_of(case).derivations
        critical = bool(derivations.critical(next(derivations.family.members(1))))
        best = Judged(0.0, 0.0, 0.0, 0.0 if critical else None, not steps)
        for member in nearest(case, text, steps) if steps else ():
            reference = _steps(derivations, member)
            found = self._alignment(case, [text for text, _ in reference], steps)
            if found is None:
                continue
            judged = _judged(found, reference, len(steps), set(derivations.critical(member)))
            if not best.valid or judged.f1 > best.f1:
                best = judged
        return best

    def _alignment(self, case: Case, reference: Sequence[str], steps: Sequence[str]) -> Mapping[str, Any] | None:
        prompt = _TASK.format(
            rules=case.rules,
            case=case.case,
            question=case.question,
            reference=_numbered(reference),
            generated=_numbered(steps),
        )
        made = json.dumps([VERSION, self.chat.model, dict(self.chat.options), prompt], sort_keys=True)
        name = hashlib.sha256(made.encode()).hexdigest()
        file = (self.cache or cache_dir() / "judge") / name[:2] / f"{name}.json"
        if file.is_file():
            kept: Mapping[str, Any] = read_json(file)
            if not problem(kept, len(steps), len(reference)):
                return kept
        messages = [{"role": "user", "content": prompt}]
        for attempt in range(self.attempts):
            answer = self.chat.reply(messages, seed=attempt).text or ""
            report = read_report(final_reply(answer).text, ("generated", "reference"))
            wrong = (
                problem(report.value, len(steps), len(reference))
                if report
                else "there is no JSON object with both keys"
            )
            if report and not wrong:
                file.parent.mkdir(parents=True, exist_ok=True)
                write_text(file, json.dumps({key: report.value[key] for key in ("generated", "reference")}))
                return report.value
            told = f"That answer cannot be used: {wrong}. Give the whole JSON object again, corrected."
            messages = [messages[0], {"role": "assistant", "content": answer}, {"role": "user", "content": told}]
        return None


def judge_run(
    judge: Judge, cases: Sequence[Case], outputs: Sequence[Sequence[str | None]], workers: int = 4
) -> list[dict[str, float]]:
    """Return the judge's figures of each case, means over its K outputs, several asked for at once.

    cases, outputs: aligned. workers: requests at a time, at least 1. Raises EnvironmentFailure as `Judge.score` does.
    """
    from concurrent.futures import ThreadPoolExecutor

    pairs = [(case, text) for case, texts in zip(cases, outputs, strict=True) for text in (texts or [None])]
    with ThreadPoolExecutor(workers) as pool:
        found = iter(list(pool.map(lambda pair: judge.score(*pair).numbers(), pairs)))
    rows = []
    for texts in outputs:
        own = [next(found) for _ in (texts or [None])]
        rows.append({name: sum(row[name] for row in own) / len(own) for name in own[0]})
    return rows


def nearest(case: Case, text: str | None, steps: Sequence[str]) -> list[tuple[str, ...]]:
    """Return at most three members of a case's family, the nearest to a trace first.

    The member that fits the trace's claims best comes first; then by claims shared, then by words shared.
    """
    derivations = reference_of(case).derivations
    score = score_derivation(case, text)
    right = {claim.label for claim in score.claims if claim.right}
    said = {stem for step in steps for stem in stems(words(step))}

    def closeness(member: tuple[str, ...]) -> tuple[float, float]:
        wanted = set(derivations.inferences(member))
        told = {stem for text, _ in _steps(derivations, member) for stem in stems(words(text))}
        shared = 2 * len(right & wanted) / (len(right) + len(wanted)) if wanted else 0.0
        return -shared, -2 * len(said & told) / (len(said) + len(told) or 1)

    unlike: dict[frozenset[str], tuple[str, ...]] = {}  # members that differ in facts alone are one reference
    for member in (score.member, *derivations.family.members(LISTED)):
        unlike.setdefault(frozenset(derivations.inferences(member)), member)
    first, *others = unlike.values()
    return [first, *sorted(others, key=closeness)][:REFERENCES]


def problem(value: Any, generated: int, reference: int) -> str:
    """Say what is wrong with an answer of the judge, "" for nothing.

    value: the answer. generated, reference: numbers of steps. Every step of both sides must have a list of step numbers
    of the other side, and the two directions must agree.
    """
    sides: dict[str, set[tuple[int, int]]] = {}
    for name, own, other in (("generated", generated, reference), ("reference", reference, generated)):
        table = value.get(name) if isinstance(value, Mapping) else None
        if not isinstance(table, Mapping):
            return f"{name} is no object"
        if set(table) != {str(n) for n in range(1, own + 1)}:
            return f"{name} must have exactly the keys 1 to {own}"
        pairs: set[tuple[int, int]] = set()
        for key, found in table.items():
            whole = isinstance(found, list) and all(isinstance(n, int) and not isinstance(n, bool) for n in found)
            if not whole or any(not 1 <= n <= other for n in found):
                return f"{name} {key} must be a list of numbers from 1 to {other}"
            pairs |= {(int(key), n) for n in found}
        sides[name] = pairs
    if sides["generated"] != {(mine, theirs) for theirs, mine in sides["reference"]}:
        return "the two directions differ"
    return ""


def _judged(
    found: Mapping[str, Any], reference: Sequence[tuple[str, str]], generated: int, critical: set[str]
) -> Judged:
    precision = sum(bool(rows) for rows in found["generated"].values()) / generated
    labels = {label for place, (_, label) in enumerate(reference, 1) if found["reference"][str(place)]}
    coverage = len(labels) / len(reference)
    f1 = 2 * precision * coverage / (precision + coverage) if precision and coverage else 0.0
    return Judged(precision, coverage, f1, len(labels & critical) / len(critical) if critical else None, True)


def _steps(derivations: Derivations, member: Sequence[str]) -> list[tuple[str, str]]:
    """Return (text, label) of the inferences of a member, premises first; the judge is shown no facts and no answer."""
    wanted = set(derivations.inferences(member))
    nodes = zip(derivations.parts, derivations.nodes(member), strict=True)
    labels = [part.label(node) or "" for part, inside in nodes for node in inside]
    traced = zip(derivations.trace(member), labels, strict=True)
    return [(step.text, label) for step, label in traced if label in wanted]


def _numbered(lines: Sequence[str]) -> str:
    return "\n".join(f"{number}. {line}" for number, line in enumerate(lines, 1))
