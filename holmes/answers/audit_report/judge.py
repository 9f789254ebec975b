"""Audit reports of finance cases: verdict, amount, or a verdict for each subject; strict and tolerant side by side."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass

from holmes.answers.audit_report.checks import failures, judge_checks
from holmes.answers.audit_report.form import form_of
from holmes.answers.audit_report.strict import strict_answers
from holmes.answers.audit_report.values import Value, agreed, in_prose, is_label
from holmes.cases import Case
from holmes.errors import InputError
from holmes.reading.amounts import AMOUNT_KEY, amount
from holmes.reading.echo import without_echo
from holmes.reading.outline import Verdicts, names_subject, read_outline
from holmes.reading.report import read_reports, without_reports
from holmes.reading.rows import VERDICTS, depths, read_rows
from holmes.reading.subjects import Subjects
from holmes.reading.thinking import Reply
from holmes.results import Judged, Outcome

AMOUNTS = ("amount", "reimbursable_amount", "total_amount", "total", "payment", "answer", "final_answer", "result")
_CUED = re.compile(r"\b(?:verdict|decision|result|outcome|conclusion|answer|ruling|status)\b|→|=>|->", re.IGNORECASE)
_FIRM = frozenset({"verdict", "final_verdict", "decision", "answer", "final_answer", "amount", "reimbursable_amount"})


@dataclass(frozen=True, slots=True)
class Read:
    """What one reading of a reply found.

    answers: subject of the gold -> the answer read, "" as the subject of cases of one part. report: a report was there.
    read_as: contract (an object with the keys asked for), cue, or inferred (prose without a cue).
    """

    answers: Mapping[str, str]
    report: bool
    read_as: str = ""


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
    `holmes.answers.audit_report.checks`; not for imported cases), fail_recall and fail_precision (of the rules
    that fail).
    Strict: see `holmes.answers.audit_report.strict`.
    """
    gold = golds_of(case)
    tolerant, strict = _tolerant(case, reply, gold, cut), strict_answers(case, reply.text, gold)
    right = [subject for subject, answer in gold.items() if tolerant.answers.get(subject) == answer]
    exact = [subject for subject, answer in gold.items() if strict.get(subject) == answer]
    checks = judge_checks(case, reply.text)
    parts = {"checks": sum(check.right for check in checks) / len(checks)} | failures(checks) if checks else {}
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
    return Judged(
        outcome, read, f"wrong: {', '.join(wrong)}" if wrong else "every subject is right", parts, tolerant.read_as
    )


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
            asked = "amount" if case.answer_type == "amount" else "verdict"
            read_as = "contract" if answer == found.answer and asked in report.value else "cue"
            return Read({"": answer} if answer else {}, True, read_as)
    found = in_prose(
        case, without_echo(without_reports(text) if reports else text, form_of(case).prompt(case)), cut=cut
    )
    read = {"": found.answer} if found is not None and found.answer else {}
    weak = "inferred" if found is not None and found.read_as == "inferred" else "cue"
    return Read(read, bool(reports) or found is not None, weak)


def _committed(case: Case, report: object) -> Value | None:
    """Return what a report answers; None where it has no answer of its own, or the placeholder of the schema."""
    money = case.answer_type == "amount"
    for found in depths(report, AMOUNTS if money else VERDICTS, AMOUNT_KEY if money else None):
        asked = {key: values for key, values in found.items() if key in (AMOUNTS if money else VERDICTS)}
        if not asked:  # other keys of an amount, such as total_payable, must agree
            return agreed(case, [value for values in found.values() for value in values])
        read = {key: agreed(case, values) for key, values in asked.items()}
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
    nameless = not form_of(case).named  # its subjects have numbers only
    rows = read_rows(text, subjects, nameless=nameless, label=lambda words: is_label(case, words))
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
    prose = not rows and not cut
    if prose:
        answers = read_outline(_own_words(case, text, subjects), subjects, list(gold), _verdicts(case))
    found_any = bool(rows or answers or read_reports(text))
    read_as = "inferred" if prose else "contract" if _plain_rows(text) else "cue"
    return Read({subject: answer for subject, answer in answers.items() if answer}, found_any, read_as)


def _own_words(case: Case, text: str, subjects: Subjects) -> str:
    """The reply without what it copies; a heading that names a subject is its own, though the prompt has it, too."""
    verdicts = _verdicts(case)
    return without_echo(text, form_of(case).prompt(case), keep=lambda line: names_subject(line, subjects, verdicts))


def _plain_rows(text: str) -> bool:
    """Whether the rows stand as the prompt asks: in an object of items."""
    return any(isinstance(report.value.get("items"), list) for report in read_reports(text))


def _verdicts(case: Case) -> Verdicts:
    def held(value: Mapping[str, object]) -> str:
        found = _committed(case, value)
        return found.answer if found is not None else ""

    def judged(words: str, *, cut: bool) -> str:
        found = in_prose(case, words, cut=cut)
        return found.answer if found is not None else ""

    return Verdicts(
        label=lambda words: is_label(case, words),
        judge=lambda words: judged(f"Answer: {words}", cut=True),
        cued=lambda line: judged(line, cut=False) if _CUED.search(line) else "",
        held=held,
    )


def subjects_of(case: Case) -> Subjects:
    """Return the subjects of a case of several parts, with what its text calls them (“Item 2 (a table)”)."""
    matters: dict[str, str] = {}
    for subject, matter in re.findall(r"^(Item \d+) \(([^()\n]+)\)", case.case, re.MULTILINE):
        matters[matter] = "" if matter in matters else subject
    return Subjects(list(golds_of(case)), {matter: subject for matter, subject in matters.items() if subject})
