"""Audit reports of finance cases: verdict, amount, or a verdict for each subject; strict and tolerant side by side."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from holmes.answers.audit_report.checks import judge_checks
from holmes.answers.audit_report.form import form_of
from holmes.answers.audit_report.strict import strict_answers
from holmes.answers.audit_report.values import Value, agreed, in_prose, is_label
from holmes.cases import Case
from holmes.errors import InputError
from holmes.reading.amounts import amount
from holmes.reading.echo import without_echo
from holmes.reading.report import read_reports, without_reports
from holmes.reading.rows import VERDICTS, depths, read_rows
from holmes.reading.subjects import Subjects
from holmes.reading.thinking import Reply
from holmes.results import Judged, Outcome

AMOUNTS = ("amount", "reimbursable_amount", "total_amount", "total", "payment", "answer", "final_answer", "result")
_FIRM = frozenset({"verdict", "final_verdict", "decision", "answer", "final_answer", "amount", "reimbursable_amount"})


@dataclass(frozen=True, slots=True)
class Read:
    """What one reading of a reply found.

    answers: subject of the gold -> the answer read, "" as the subject of cases of one part. report: a report was there.
    """

    answers: Mapping[str, str]
    report: bool


def golds_of(case: Case) -> dict[str, str]:
    """Return the gold by subject, one subject "" where the case has one part; raises InputError for a broken gold.

    The golds of the authors' release are lists of verdicts in the order of the text: their subjects are Item 1, Item 2…
    """
    if case.answer_type != "report":
        if case.answer_type == "amount" and amount(case.answer) is None:
            raise InputError(f"case {case.id!r}: field answer: found {case.answer!r:.80}, expected an amount")
        return {"": case.answer}
    try:
        gold = json.loads(case.answer)
        if not isinstance(gold, list) or not gold:
            raise ValueError("no list of rows")
        if all(isinstance(label, str) for label in gold):
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
    `holmes.answers.audit_report.checks`; not for imported cases). Strict: see `holmes.answers.audit_report.strict`.
    """
    gold = golds_of(case)
    tolerant, strict = _tolerant(case, reply, gold, cut), strict_answers(case, reply.text, gold)
    right = [subject for subject, answer in gold.items() if tolerant.answers.get(subject) == answer]
    exact = [subject for subject, answer in gold.items() if strict.get(subject) == answer]
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


# ---------------------------------------------------------------- tolerant
def _tolerant(case: Case, reply: Reply, gold: Mapping[str, str], cut: bool) -> Read:
    if case.answer_type == "report":
        return _several(case, reply.text, gold, cut)
    return _one(case, reply.text, cut)


def _one(case: Case, text: str, cut: bool) -> Read:
    """Read one answer: that of the last report that has one, unless an answer line follows; without reports the prose.

    A report whose answer cannot be read is the last word, too: what stood before it is taken back. One that copies the
    schema is none.
    """
    reports = read_reports(text)
    for report in reversed(reports):
        found = _committed(case, report.value)
        if found is not None:
            later = in_prose(
                case, without_echo(without_reports(text[report.end :]), form_of(case).prompt(case)), cut=True
            )
            answer = later.answer if later is not None and later.answer else found.answer
            return Read({"": answer} if answer else {}, True)
    found = in_prose(
        case, without_echo(without_reports(text) if reports else text, form_of(case).prompt(case)), cut=cut
    )
    return Read({"": found.answer} if found is not None and found.answer else {}, bool(reports) or found is not None)


def _committed(case: Case, report: object) -> Value | None:
    """Return what a report answers; None where it has no answer of its own, or the placeholder of the schema."""
    for found in depths(report, AMOUNTS if case.answer_type == "amount" else VERDICTS):
        read = {key: agreed(case, values) for key, values in found.items()}
        for key, value in read.items():
            if value is not None and (value.answer or key in _FIRM):
                final = next((v for k, v in read.items() if k.startswith("final_") and v is not None), value)
                return value if final.answer == value.answer else Value("", "two answers that differ")
    return None


def _several(case: Case, text: str, gold: Mapping[str, str], cut: bool) -> Read:
    """Read a verdict for each subject: rows are matched by subject, the last on each counts, foreign ones do not.

    Verdicts without names count in the order of the case where there is one for each subject. Without rows, lines and
    sections of prose that name one subject and its verdict are read.
    """
    subjects = subjects_of(case)
    rows = read_rows(text, subjects, nameless=not form_of(case).named)  # its subjects have numbers only
    answers: dict[str, str] = {}
    unnamed: list[str] = []
    for row in rows:
        found = _committed(case, row.fields)
        if row.subject is None:
            unnamed.append(found.answer if found is not None else "")
        elif found is not None:
            answers[row.subject] = found.answer
    if len(unnamed) == len(gold) and all(unnamed):
        answers = dict(zip(gold, unnamed, strict=True))
    if not rows and not cut:
        answers = dict(_sections(case, without_echo(text, form_of(case).prompt(case)), subjects))
    found_any = bool(rows or answers or read_reports(text))
    return Read({subject: answer for subject, answer in answers.items() if answer}, found_any)


def _sections(case: Case, text: str, subjects: Subjects) -> Iterator[tuple[str, str]]:
    """Yield the verdicts of prose: of lines with a subject and a verdict, and of what stands under a subject."""
    sections: list[tuple[str, list[str]]] = []
    for line in text.splitlines():
        pieces = [piece for piece in re.split(r"\s*[|:：—–→=]+\s*|\s-+>?\s", re.sub(r"\([^()]*\)", " ", line)) if piece]
        named = [found for piece in pieces if len(piece.split()) <= 6 and (found := subjects.find(piece))]
        if len(named) == 1 and len(named[0]) == 1:
            labels = {label for piece in pieces if (label := is_label(case, piece))}
            if len(labels) == 1:
                yield named[0][0], labels.pop()
            else:
                sections.append((named[0][0], []))
        elif sections:
            sections[-1][1].append(line)
    for subject, lines in sections:
        yield from ((subject, answer) for answer in _one(case, "\n".join(lines), cut=False).answers.values())


def subjects_of(case: Case) -> Subjects:
    """Return the subjects of a case of several parts, with what its text calls them (“Item 2 (a table)”)."""
    matters: dict[str, str] = {}
    for subject, matter in re.findall(r"^(Item \d+) \(([^()\n]+)\)", case.case, re.MULTILINE):
        matters[matter] = "" if matter in matters else subject
    return Subjects(list(golds_of(case)), {matter: subject for matter, subject in matters.items() if subject})
