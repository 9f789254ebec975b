"""The score of a reply whose answer is read from its text: labels, amounts, reports (design section 6)."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from holmes import __version__
from holmes.answers.audit_report.judge import judge
from holmes.cases import Case
from holmes.errors import InputError
from holmes.logic.language.rule_order import needs_of
from holmes.reading.amounts import amount, committed_amount
from holmes.reading.answer import Answer, last_answer
from holmes.reading.repair import strict_json
from holmes.reading.report import read_report
from holmes.reading.thinking import Reply, final_reply
from holmes.scoring.citations import authors_rules, score_rules
from holmes.scoring.core import Outcome, Score

VERSION = 1
_COMPATS = (None, "holmes-2026", "deontic-2026")
_LIST_KEYS = ("answer", "answers", "final_answer", "results", "result", "verdicts", "labels")


def score_answer(
    case: Case,
    text: str | None,
    *,
    truncated: bool = False,
    compat: str | None = None,
    tolerance: int | Fraction | None = None,
    negatives: bool = False,
    **unknown: object,
) -> Score:
    """Score one output by the answer that its text commits itself to.

    case: the case with its gold; answer_type label, amount or report. text: the raw output, thinking included; None
    when the host returned nothing. truncated: the host cut the generation. compat: None, or "holmes-2026" (the
    authors' reading of law answers with their rule scores, and of finance reports) or "deontic-2026" (gold amounts as
    whole numbers). tolerance: how far an amount may be off, in units of it; None is 1 for deontic cases (paper B.3: the
    rounded amount may differ by one) and 0 for others. negatives: figures in parentheses are losses.
    Parts: accuracy, abstained, and for law the scores of the cited rules; for reports the share of right fields; for
    finance cases, ours and imported, the share of right subjects, and both scores read strictly
    (`holmes.answers.audit_report.judge`); for policy questions the validity of the witness and of both.
    Returns a Score. Raises InputError for an unknown option, or a gold that cannot be read.
    """
    if unknown:
        raise InputError(
            f"option {min(unknown)}: found an unknown option, expected truncated, compat, tolerance or negatives"
        )
    if compat not in _COMPATS:
        raise InputError(f"option compat: found {compat!r}, expected holmes-2026 or deontic-2026")
    limit = Fraction(1 if case.domain == "deontic" else 0) if tolerance is None else Fraction(tolerance)
    signature = f"answer:{VERSION}|type:{case.answer_type}|tolerance:{limit}|compat:{compat or 'none'}"
    signature += f"|negatives:{'yes' if negatives else 'no'}|holmes:{__version__}"
    reply = final_reply(text or "")
    if compat == "holmes-2026" and case.domain == "finance":
        return _authors_finance(case, text, signature)
    if compat == "holmes-2026" and case.answer_type == "label":
        return _authors_label(case, text, signature)
    fields = {"fields": 0.0} if case.answer_type == "report" else {}
    cut = truncated or not reply.closed
    ours = case.source == "holmes" and case.task.startswith("finance_")
    audited = case.domain == "finance" and (ours or case.source == "holmes-release")
    if audited:
        known = ("checks",) if ours else ()  # of imported cases no checks are recorded
        fields = dict.fromkeys((*known, "items", "items_strict", "accuracy_strict"), 0.0)
    if case.domain == "policy":
        from holmes.domains.policy.answer import judge as judge_policy

        found = judge_policy(case, reply, cut)
        outcome, answer, reason, fields = found.outcome, found.answer, found.reason, dict(found.parts)
    if text is None:
        outcome, answer, reason = Outcome.FAILED, None, "the host returned no output"
    elif audited:
        judged = judge(case, reply, cut)
        outcome, answer, reason, fields = judged.outcome, judged.answer, judged.reason, dict(judged.parts)
    elif case.domain == "policy":
        pass  # judged above: an output that never came leaves its witness out, too
    elif case.answer_type == "label":
        outcome, answer, reason = _label(case, reply, cut)
    elif case.answer_type == "amount":
        outcome, answer, reason = _amount(case, reply, limit, compat, negatives, cut)
    else:
        outcome, answer, reason, fields = _report(case, reply)
    if not outcome.answered and text is not None and cut:
        why = "the generation was cut" if truncated else "the reasoning was never closed"
        outcome, reason = Outcome.TRUNCATED, f"{why}; {reason}"
    parts = {"accuracy": float(outcome is Outcome.RIGHT), "abstained": float(not outcome.answered)} | fields
    if case.domain == "law":
        rules = score_rules(case, reply.text, needs_of(case))
        parts |= rules.parts()
        reason += f"; first layer with a rule missing: {rules.broken}" if rules.broken else ""
    return Score(parts["accuracy"], outcome, answer, reason, parts, signature)


def _label(case: Case, reply: Reply, cut: bool) -> tuple[Outcome, str | None, str]:
    answer = last_answer(reply.text, case.choices, case.aliases, cut=cut)
    if answer is None or answer.malformed:
        return _unread(answer, reply)
    right = answer.label == case.answer
    if not case.choices and not case.aliases:
        right = _key(answer.label or "") == _key(case.answer)
    outcome = Outcome.RIGHT if right else Outcome.WRONG
    return outcome, answer.label, f"read {answer.label!r}, gold {case.answer!r}: {answer.reason}"


def _amount(
    case: Case, reply: Reply, tolerance: Fraction, compat: str | None, negatives: bool, cut: bool
) -> tuple[Outcome, str | None, str]:
    gold = amount(case.answer)
    if gold is None:
        raise InputError(f"case {case.id!r}: field answer: found {case.answer!r}, expected an amount")
    answer = committed_amount(reply.text, negatives=negatives, cut=cut)
    if answer is None or answer.value is None:
        return _unread(answer, reply)
    right = within(answer.value, Fraction(int(gold)) if compat == "deontic-2026" else gold, tolerance)
    outcome = Outcome.RIGHT if right else Outcome.WRONG
    return outcome, str(answer.value), f"read {answer.value}, gold {gold}: {answer.reason}"


def within(value: Fraction, gold: Fraction, tolerance: Fraction) -> bool:
    """Tell whether an amount is right: paper B.3 rounds it where the gold is whole and a tolerance is given."""
    if tolerance and gold.denominator == 1:
        value = Fraction(round(value))
    return abs(value - gold) <= tolerance


def _unread(answer: Answer | None, reply: Reply) -> tuple[Outcome, str | None, str]:
    if answer is not None:
        return Outcome.MALFORMED, None, answer.reason
    return Outcome.ABSTAINED, None, "no answer was read" if reply.text else "the reply is empty"


def _report(case: Case, reply: Reply) -> tuple[Outcome, str | None, str, dict[str, float]]:
    try:
        gold: Any = json.loads(case.answer, parse_float=Fraction)
    except ValueError as error:
        raise InputError(f"case {case.id!r}: field answer: found {case.answer!r:.80}, expected JSON") from error
    wanted = gold if isinstance(gold, dict) else {"answer": gold}
    report = read_report(reply.text)
    if report is None:
        outcome, answer, reason = _unread(None, reply)
        return outcome, answer, reason.replace("answer", "report"), {"fields": 0.0}
    found = dict(report.value)
    if not isinstance(gold, dict):
        found = {"answer": next((found[k] for k in _LIST_KEYS if k in found), None)}
    if missing := [key for key in wanted if found.get(key) is None]:
        return Outcome.MALFORMED, None, f"the report lacks {', '.join(missing)}", {"fields": 0.0}
    wrong = [key for key, value in wanted.items() if not _same(found[key], value)]
    outcome = Outcome.WRONG if wrong else Outcome.RIGHT
    reason = f"wrong: {', '.join(wrong)}" if wrong else "every field is right"
    read = json.dumps({key: found[key] for key in wanted}, ensure_ascii=False, default=str)
    return outcome, read, reason, {"fields": 1 - len(wrong) / len(wanted) if wanted else 1.0}


def _same(found: Any, gold: Any) -> bool:
    """Equality of report values: lists by position and length, amounts as numbers, labels without case."""
    if isinstance(gold, list):
        return isinstance(found, list) and len(found) == len(gold) and all(map(_same, found, gold))
    if isinstance(gold, Mapping):
        return isinstance(found, Mapping) and all(key in found and _same(found[key], gold[key]) for key in gold)
    if isinstance(gold, bool) or isinstance(found, bool):
        return _key(str(found)) == _key(str(gold))
    number = amount(str(gold))
    if number is not None:
        return amount(str(found)) == number
    return _key(str(found)) == _key(str(gold))


def _key(text: str) -> str:
    return " ".join(re.sub(r"[\s_]+", " ", text).casefold().strip(" .").split())


def _authors_finance(case: Case, text: str | None, signature: str) -> Score:
    """The authors' finance scoring: the whole text must be one JSON object; its answer is compared with the gold.

    Lists by position and length with labels without case, single labels exactly, amounts as numbers. Whatever does not
    parse (fences, prose, reasoning, trailing commas) scores 0.
    """
    parsed = strict_json(text or "")
    report = parsed if isinstance(parsed, dict) else {}
    found = next((report[key] for key in (*_LIST_KEYS, *reversed(report)) if key in report), None)
    gold: Any = json.loads(case.answer) if case.answer_type == "report" else case.answer
    right = found is not None and (str(found) == gold if case.answer_type == "label" else _same(found, gold))
    outcome = Outcome.RIGHT if right else Outcome.WRONG if found is not None else Outcome.ABSTAINED
    outcome = Outcome.FAILED if text is None else outcome
    parts = {"accuracy": float(right), "abstained": float(not outcome.answered)}
    reason = f"read {found!r:.80} from strict JSON, gold {case.answer!r:.80}"
    return Score(float(right), outcome, None if found is None else str(found), reason, parts, signature)


def _authors_label(case: Case, text: str | None, signature: str) -> Score:
    """The authors' law scoring: the first answer line of the whole text, equality or the earliest alias inside it."""
    read = _authors_read(case, text or "")
    right = read == case.answer
    outcome = Outcome.RIGHT if right else Outcome.WRONG if read else Outcome.ABSTAINED
    outcome = Outcome.FAILED if text is None else outcome
    score = authors_rules(case, text or "", right)
    parts = {"accuracy": float(right), "abstained": float(not outcome.answered)} | score.parts()
    return Score(float(right), outcome, read, f"first answer line: {read!r}, gold {case.answer!r}", parts, signature)


def _authors_read(case: Case, text: str) -> str | None:
    line = re.search(r"^\s*Answer:[^\S\n]*(.*)$", text, re.IGNORECASE | re.MULTILINE)
    if line is None:
        return None
    words = _authors_key(line[1])
    spellings = [(_authors_key(s), a.label) for a in case.aliases for s in a.text]
    spellings += [(_authors_key(c), c) for c in case.choices]
    for spelling, label in spellings:
        if spelling and words == spelling:
            return label
    inside = [(words.find(s), -len(s), label) for s, label in spellings if s and s in words]
    return min(inside)[2] if inside else None


def _authors_key(text: str) -> str:
    return " ".join(w for w in re.findall(r"[a-z0-9]+", text.lower()) if w not in ("a", "an", "the"))
