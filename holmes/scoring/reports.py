"""Audit reports of finance cases: verdict, amount, or a verdict for each subject; strict and tolerant side by side."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from holmes.cases import Case
from holmes.errors import InputError
from holmes.reading.amounts import amount, committed_amount
from holmes.reading.answer import last_answer
from holmes.reading.report import read_report, read_reports, strict_json
from holmes.reading.thinking import Reply
from holmes.scoring.checks import judge_checks
from holmes.scoring.core import Outcome

VERDICTS = ("verdict", "decision", "final_verdict", "conclusion", "answer", "final_answer", "result", "label", "status")
AMOUNTS = ("amount", "reimbursable_amount", "total", "total_amount", "payment", "answer", "final_answer", "result")
SUBJECTS = ("subject", "name", "person", "item", "claimant", "id", "case")
LISTS = ("items", "results", "subjects", "verdicts", "answers", "answer", "claims", "report", "decisions")


@dataclass(frozen=True, slots=True)
class Read:
    """What one reading of a reply found.

    answers: subject of the gold -> the answer read, "" as the subject of cases of one part. report: a report was there.
    """

    answers: Mapping[str, str]
    report: bool


@dataclass(frozen=True, slots=True)
class Judged:
    """A reply held against the gold: outcome, answer read, reason, and the named parts of the score."""

    outcome: Outcome
    answer: str | None
    reason: str
    parts: Mapping[str, float]


def golds_of(case: Case) -> dict[str, str]:
    """Return the gold by subject, one subject "" where the case has one part; raises InputError for a broken gold.

    The golds of the authors' release are lists of verdicts in the order of the text: their subjects are Item 1, Item 2…
    """
    if case.answer_type != "report":
        return {"": case.answer}
    try:
        gold = json.loads(case.answer)
        if gold and all(isinstance(label, str) for label in gold):
            return {f"Item {number}": label for number, label in enumerate(gold, 1)}
        return {str(row["subject"]): str(row["verdict"]) for row in gold}
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(
            f"case {case.id!r}: field answer: found {case.answer!r:.80}, expected a list of subject and verdict"
        ) from error


def judge(case: Case, reply: Reply, cut: bool) -> Judged:
    """Hold a reply against the gold of a finance case, ours or imported.

    reply: without its reasoning. cut: the generation ended too early.
    Parts: accuracy (every subject right, tolerant), accuracy_strict, items and items_strict (shares of subjects that
    are right), checks (share of the rules of all subjects of which the report says rightly that they pass or fail,
    `holmes.scoring.checks`; not for imported cases). Strict means: the whole reply is one JSON object of the schema
    asked for, labels as listed.
    """
    gold = golds_of(case)
    tolerant, strict = _tolerant(case, reply, gold, cut), _strict(case, reply.text, gold)
    right = [subject for subject, answer in gold.items() if tolerant.answers.get(subject) == answer]
    exact = [subject for subject, answer in gold.items() if strict.answers.get(subject) == answer]
    checks = judge_checks(case, reply.text)
    parts = {"checks": sum(check.right for check in checks) / len(checks)} if checks else {}
    parts |= {
        "items": len(right) / len(gold),
        "items_strict": len(exact) / len(gold),
        "accuracy_strict": float(len(exact) == len(gold)),
    }
    if not tolerant.answers:
        outcome = Outcome.MALFORMED if tolerant.report else Outcome.ABSTAINED
        why = "the report holds no answer" if tolerant.report else "no report was read"
        why = why if reply.text else "the reply is empty"
        return Judged(outcome, None, why, parts)
    read = json.dumps(tolerant.answers, ensure_ascii=False) if "" not in gold else tolerant.answers.get("")
    wrong = [subject or "answer" for subject in gold if subject not in right]
    outcome = Outcome.WRONG if wrong else Outcome.RIGHT
    return Judged(outcome, read, f"wrong: {', '.join(wrong)}" if wrong else "every subject is right", parts)


def read_answers(case: Case, reply: Reply) -> tuple[dict[str, str], Mapping[str, str]]:
    """Return the golds by subject and the answers that a tolerant reading finds."""
    gold = golds_of(case)
    return gold, _tolerant(case, reply, gold, not reply.closed).answers


# ---------------------------------------------------------------- strict
def _strict(case: Case, text: str, gold: Mapping[str, str]) -> Read:
    """The whole text is one JSON object of the schema; its items are the subjects, each once, in their order."""
    value = strict_json(text.strip())
    if not isinstance(value, dict):
        return Read({}, False)
    if case.source == "holmes-release":  # its prompt asks for `answer`, a list of verdicts for a joint case
        given = value.get("answer")
        if case.answer_type == "report":
            if not isinstance(given, list) or len(given) != len(gold):
                return Read({}, True)
            labels = (_exact(case, label) for label in given)
            return Read({name: label for name, label in zip(gold, labels, strict=True) if label}, True)
        value = {"amount" if case.answer_type == "amount" else "verdict": given}
    if case.answer_type == "amount":
        number = value.get("amount")
        given = isinstance(number, int | Fraction) and not isinstance(number, bool)
        return Read({"": case.answer} if given and number == amount(case.answer) else {}, True)
    if case.answer_type == "label":
        label = _exact(case, value.get("verdict"))
        return Read({"": label} if label else {}, True)
    items = value.get("items")
    rows = [row for row in items if isinstance(row, dict)] if isinstance(items, list) else []
    if [row.get("subject") for row in rows] != list(gold) or len(rows) != len(items or ()):
        return Read({}, True)
    found = {str(row["subject"]): _exact(case, row.get("verdict")) for row in rows}
    return Read({subject: label for subject, label in found.items() if label}, True)


def _exact(case: Case, text: object) -> str:
    shown = {alias.text[0]: alias.label for alias in case.aliases if alias.text} or {c: c for c in case.choices}
    return shown.get(text, "") if isinstance(text, str) else ""


# ---------------------------------------------------------------- tolerant
def _tolerant(case: Case, reply: Reply, gold: Mapping[str, str], cut: bool) -> Read:
    if case.answer_type == "report":
        return _several(case, reply.text, gold)
    return _one(case, reply.text, cut)


def _one(case: Case, text: str, cut: bool) -> Read:
    """Read one answer: the last report that has one, else the answer that the prose commits itself to."""
    keys = AMOUNTS if case.answer_type == "amount" else VERDICTS
    reports = read_reports(text)
    for report in reversed(reports):
        for value in under(report.value, keys):
            if answer := _answer(case, value):
                return Read({"": answer}, True)
    found = committed_amount(text, cut=cut) if case.answer_type == "amount" else last_answer(
        text, case.choices, case.aliases, cut=cut
    )  # fmt: skip
    if found is None or found.malformed:
        return Read({}, bool(reports) or found is not None)
    if case.answer_type == "amount":
        return Read({} if found.value is None else {"": _canonical(case, found.value)}, True)
    return Read({"": found.label} if found.label else {}, True)


def _several(case: Case, text: str, gold: Mapping[str, str]) -> Read:
    """Read a verdict for each subject; rows are matched by subject, later ones win, foreign ones are passed over."""
    rows, there = list(_rows(text)), bool(read_reports(text))
    subjects = list(gold)
    answers: dict[str, str] = {}
    unnamed: list[str] = []
    positional = case.source == "holmes-release"  # its subjects have numbers only: other names say nothing
    for name, value in rows:
        label = _answer(case, value)
        subject = subject_of(name, subjects)
        if subject and label:
            answers[subject] = label
        elif label and (name is None or positional):
            unnamed.append(label)
    if not answers and len(unnamed) == len(subjects):  # a bare list of verdicts, in the order of the case
        answers = dict(zip(subjects, unnamed, strict=True))
    return Read(answers, there or bool(rows))


def _rows(text: str) -> Iterator[tuple[str | None, object]]:
    """Yield (subject, verdict) rows: of the last report that holds a list or mapping of them, else of all reports."""
    wrapped = _wrapped(text)
    reports = [*read_reports(text), *([wrapped] if wrapped else [])]
    for report in reversed(reports):
        found = list(_listed(report.value))
        if len(found) > 1:
            yield from found
            return
    for report in reports:  # an object a subject, one after the other
        yield from _listed(report.value)


def _wrapped(text: str) -> Any:
    """Return a bare JSON list as if it stood in a report; None where the text holds none before its first object."""
    start, brace = text.find("["), text.find("{")
    if start < 0 or -1 < brace < start:
        return None
    end = text.rfind("]")
    return read_report('{"items": ' + text[start : end + 1 if end > start else None] + "}")


def _listed(value: Mapping[str, Any]) -> Iterator[tuple[str | None, object]]:
    plain = {key_of(key): inner for key, inner in value.items()}
    for key in LISTS:
        inner = plain.get(key)
        if isinstance(inner, list):
            for row in inner:
                yield from _row(row)
            return
        if isinstance(inner, dict):
            yield from _mapping(inner)
            return
    if any(key_of(key) in SUBJECTS for key in value):
        yield from _row(value)
        return
    if len(value) == 1:
        inner = next(iter(value.values()))
        if isinstance(inner, list):
            for row in inner:
                yield from _row(row)
            return
        if isinstance(inner, dict):  # a report around the report
            yield from _listed(inner)
            return
    yield from _mapping(value)


def _mapping(value: Mapping[str, Any]) -> Iterator[tuple[str | None, object]]:
    """Yield the rows of a mapping from subject to verdict, or to an object with the verdict in it."""
    for subject, inner in value.items():
        if isinstance(inner, dict):
            verdict = next(iter(under(inner, VERDICTS)), None)
            yield subject, verdict
        elif not isinstance(inner, list):
            yield subject, inner


def _row(row: object) -> Iterator[tuple[str | None, object]]:
    if isinstance(row, dict):
        subject = next((v for v in under(row, SUBJECTS) if isinstance(v, str | int)), None)
        verdict = next(iter(under(row, VERDICTS)), None)
        if subject is None and verdict is None and len(row) == 1:  # {"Ann Lee": "Full Approval"}
            yield from _mapping(row)
        else:
            yield None if subject is None else str(subject), verdict
    elif isinstance(row, str):
        name, colon, verdict = row.rpartition(":")
        yield (name, verdict) if colon else (None, row)


def under(value: Mapping[str, Any], keys: Sequence[str]) -> list[Any]:
    """Return what stands under one of the keys, in the order of the keys; spelling and case of a key do not matter."""
    plain = {key_of(key): inner for key, inner in value.items()}
    found = [plain[key] for key in keys if key in plain]
    nested = [inner for inner in plain.values() if isinstance(inner, dict)]
    return found or [v for inner in nested for v in under(inner, keys)]


def key_of(text: str) -> str:
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", str(text))
    return re.sub(r"[\s_\-]+", "_", spaced.strip().casefold())


def _words(text: str) -> str:
    return " ".join(re.findall(r"[a-z0-9']+", text.replace("_", " ").casefold()))


def _answer(case: Case, value: object) -> str:
    """Return the label or amount that a value of a report stands for; "" for none."""
    if case.answer_type == "amount":
        if value is None or isinstance(value, bool | list | dict):
            return ""
        found = amount(str(value))
        if found is None:
            read = committed_amount(f"Answer: {value}")
            found = read.value if read is not None else None
        return "" if found is None else _canonical(case, found)
    if not isinstance(value, str):
        return ""
    words = _words(value)
    spelled = {_words(label): label for label in case.choices}
    spelled |= {_words(text): a.label for a in case.aliases for text in (*a.text, a.label)}
    if words in spelled:
        return spelled[words]
    read = last_answer(f"Answer: {value.strip()}", case.choices, case.aliases)
    return read.label or "" if read is not None and not read.malformed else ""


def _canonical(case: Case, value: Fraction) -> str:
    gold = amount(case.answer)
    return case.answer if gold is not None and value == gold else str(value)


def subject_of(name: str | None, subjects: Iterable[str]) -> str:
    """Return the subject that a name in a report means: the same words, else one inside the other, else its number."""
    if name is None:
        return ""
    words = _words(name)
    known = {subject: _words(subject) for subject in subjects}
    same = [subject for subject, other in known.items() if other == words]
    inside = [s for s, o in known.items() if words and (f" {o} " in f" {words} " or f" {words} " in f" {o} ")]
    numbered = [s for s, o in known.items() if (n := re.search(r"\d+", words)) and o == f"item {n[0]}"]
    for found in (same, inside, numbered):
        if len(found) == 1:
            return found[0]
    return ""
