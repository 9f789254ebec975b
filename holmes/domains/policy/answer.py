"""The score of a policy question: the answer, and the witness by evaluation on the rule base (any valid one counts)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from holmes.answers.label import Label
from holmes.cases import Case
from holmes.domains.policy.contract import contract
from holmes.domains.policy.generate import stated
from holmes.domains.policy.gold import gold_reply
from holmes.domains.policy.questions.conditions import phrase
from holmes.domains.policy.questions.terms import Question, universal, violations
from holmes.domains.policy.questions.witness import baseline
from holmes.domains.policy.reasoning.decide import coherent, holds, listed
from holmes.domains.questions import Outcome as OutcomeAsked
from holmes.interfaces import Strictness
from holmes.logic.language.model import RuleBase
from holmes.reading.answer import last_answer
from holmes.reading.mentions import Answer
from holmes.reading.records import Point, Witness, is_none, read_record, witness_lines
from holmes.reading.thinking import Reply
from holmes.results import Judged, Outcome, Score

_LIST = re.compile(r"-?(?:[\s,;&.\[\]{}*\"']|\brules?\b|\band\b|\b(?:of|in) F\b|(?<!\d)\d{1,4}(?!\d))*", re.IGNORECASE)
_BRACKETS = re.compile(r"[\[<{]\s*((?:rules?|and|none|[\d\s,&])+?)\s*[\]>}]", re.IGNORECASE)
_NOBODY = re.compile(r"[\W_]*(?:none|no rules?|none of them|nothing|∅|\[\]|\{\})[\W_]*", re.IGNORECASE)


class WitnessedLabel(Label):
    """A label, and a record that shows it where the answer speaks against all cases."""

    name = "witness"

    def contract(self, case: Case, *, trace: str = "none") -> str:
        """Return the lines in which a reply has to end: the answer, and the witness where one is asked for."""
        return contract(case)

    def empty(self, case: Case) -> Mapping[str, float]:
        """Return the parts of a reply that never came: as of an empty one."""
        return judge(case, Reply("", "", True), False).parts

    def judge(self, case: Case, reply: Reply, *, cut: bool, strictness: Strictness) -> Judged:
        """Judge answer and witness."""
        return judge(case, reply, cut)

    def metrics(self, scores: Sequence[Score]) -> Mapping[str, float]:
        """Return the shares of outputs right in answer and witness, and of valid witnesses where one is asked for."""
        found = {"both_acc": sum(s.parts.get("both", 0.0) for s in scores) / len(scores)}
        if any("witness" in s.parts for s in scores):
            found["witness_acc"] = sum(s.parts.get("witness", 0.0) for s in scores) / len(scores)
        return found

    def gold_reply(self, case: Case) -> str:
        """Return the trace, the answer, and the smallest witnesses."""
        return gold_reply(case)


WITNESS = WitnessedLabel()


class AboutPolicies(OutcomeAsked):
    """A question about policies, over all cases that can occur or about one that is told; decided by SAT."""

    name = "policy question"

    def goal(self, case: Case) -> str:
        """Return the condition that is asked about."""
        return "asked"


ABOUT_POLICIES = AboutPolicies(WITNESS)


def judge(case: Case, reply: Reply, cut: bool) -> Judged:
    """Judge the answer and the witness of a reply.

    case: a policy question of ours. reply: without its reasoning. cut: the generation did not end by itself.
    `witness` is 1 if every witness that the right answer asks for is given and valid, whatever was answered; `both`
    asks for the right answer as well, and for no witness where the right answer has none.
    """
    question, base = stated(case)
    text, lines = witness_lines(reply.text)
    answer = _read(case, question, text, cut)
    asked = bool(violations(question, base)) and case.answer != universal(question.form)
    valid, why = _witnesses(question, base, lines) if asked else (False, "")
    given = any(not is_none(value) for value in lines.values())
    if answer is None or answer.malformed:
        outcome = Outcome.ABSTAINED if answer is None else Outcome.MALFORMED
        reason = answer.reason if answer else "no answer was read" if reply.text else "the reply is empty"
        label = None
    else:
        label = answer.label
        outcome = Outcome.RIGHT if label == case.answer else Outcome.WRONG
        reason = f"read {label!r}, gold {case.answer!r}: {answer.reason}"
    right = outcome is Outcome.RIGHT
    both = right and (valid if asked else not given)
    if asked:
        reason += f"; witness {'valid' if valid else f'not valid: {why}'}"
    elif given and right:
        reason += "; a witness was given, and there is none"
    parts = {"both": float(both)} | ({"witness": float(valid)} if asked else {})
    return Judged(outcome, label, reason, parts, answer.read_as if answer is not None else "")


def _read(case: Case, question: Question, text: str, cut: bool) -> Answer | None:
    if question.form != "which":
        return last_answer(text, case.choices, case.aliases, cut=cut)
    found = last_answer(_BRACKETS.sub(r"\1", text), cut=cut)
    if found is None or found.label is None:
        return found
    if _NOBODY.fullmatch(found.label):
        return Answer("none", found.raw, reason="the last commitment names no rule", read_as=found.read_as)
    numbers = sorted({int(number[:9]) for number in re.findall(r"\d+", found.label)})
    if not numbers or not _LIST.fullmatch(found.label):
        return Answer(None, found.raw, True, f"the answer line is no list of rules: {found.label:.60}")
    return Answer(listed(numbers), found.raw, reason="the last commitment lists rules", read_as=found.read_as)


def points_of(base: RuleBase) -> tuple[Point, ...]:
    """Return the points by which a witness tells a case of a rule base."""
    return tuple(
        Point(
            name,
            tuple(dict.fromkeys((phrase(name, base), *(p for p in fact.phrases if "{v}" not in p)))),
            fact.type.low if fact.type.kind == "int" else None,
            fact.type.high if fact.type.kind == "int" else None,
        )
        for name, fact in base.facts.items()
    )


def _witnesses(question: Question, base: RuleBase, lines: dict[int, str]) -> tuple[bool, str]:
    claims = violations(question, base)
    for number, claim in enumerate(claims, 1):
        if number not in lines or is_none(lines[number]):
            return False, f"witness {number} is missing" if len(claims) > 1 else "there is none"
        found: Witness = read_record(lines[number], points_of(base))
        if found.told is None:
            return False, found.reason
        record = baseline(base.facts) | dict(found.told)
        if not coherent(record, question, base):
            return False, "the case cannot occur"
        if not holds(claim, record, base):
            return False, "the case does not show it"
    return True, ""
