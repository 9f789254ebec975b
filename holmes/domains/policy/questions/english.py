"""Questions about policies in controlled English, in several wordings; `questions.reader` reads them back."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from fractions import Fraction

from holmes.domains.policy.questions import conditions
from holmes.domains.policy.questions.terms import SYMBOLS, Question, Term
from holmes.domains.policy.questions.witness import baseline
from holmes.errors import InputError
from holmes.logic.english.lexicon import spellings
from holmes.logic.english.sentences import rules
from holmes.logic.language.model import Expr, Implies, RuleBase, Value
from holmes.logic.language.unparse import number_text

PLACES = ("first", "second", "third")
SENSE: Mapping[str, tuple[str, ...]] = {
    "triggered": (
        "Here a rule covers a case as soon as it is triggered in it, whether or not another rule defeats it there.",
        "To cover a case means here to be triggered in it; it does not matter whether another rule defeats it there.",
        "A rule counts as covering every case in which it is triggered, defeated or not.",
    ),
    "applies": (
        "Here a rule covers a case only if it applies in it: triggered, and not defeated by a rule that applies there.",
        "To cover a case means here to apply in it, that is, to be triggered and not defeated by a rule that applies.",
        "A rule counts as covering a case in which it applies, so being triggered and then defeated is not enough.",
    ),
}
DEFINE = ("Let {s} be {t}.", "{s} is {t}.", "Write {s} for {t}.")
EXCEPT = ("{r}, except where {c}", "{r}, unless {c}", "{r}, save where {c}")
CASES = ("the cases where {c}", "the condition that {c}", "every case in which {c}")
COURT = (
    "The {p} court follows {t}.",
    "In the {p} court the policy is {t}.",
    "Cases before the {p} court are judged by {t}.",
)
FAMILY = ("Let F be the family of {f}.", "The family F consists of {f}.", "F stands for {f}.")
GIVEN = ("If {l}, then {r}.", "Whenever {l}, it follows that {r}.", "Where {l}, it is certain that {r}.")
BRANCH = (
    ("Where {c}, {r} governs", "otherwise, where {c}, {r} governs", "otherwise {r} governs"),
    ("In a case where {c}, {r} is in charge", "else, in a case where {c}, {r} is in charge", "else {r} is in charge"),
    ("If {c}, follow {r}", "failing that, if {c}, follow {r}", "failing that, follow {r}"),
)
ASK: Mapping[str, tuple[str, ...]] = {
    "subsumes": (
        "Is every case that P covers also covered by Q?",
        "Does Q cover each and every case that P covers?",
        "Whenever P covers a case, does Q cover it as well?",
    ),
    "equivalent": (
        "Do P and Q cover exactly the same cases?",
        "Are P and Q equivalent, so that each covers what the other covers?",
        "Is it true of every case that P covers it if and only if Q covers it?",
    ),
    "exclusive": (
        "Do P and Q exclude each other, so that no case is covered by both?",
        "Is it true that no case is covered both by P and by Q?",
        "Is it impossible for one and the same case to be covered by P and by Q?",
    ),
    "comparable": (
        "Are P and Q comparable, that is, does one of them cover every case that the other one covers?",
        "Is one of P and Q contained in the other one, in whichever direction?",
        "Does P cover all cases that Q covers, or Q all cases that P covers?",
    ),
    "changes": (
        "Does the exception change anything, that is, is there a case that {r} covers and P does not?",
        "Is there any case that {r} covers, but that P, because of its exception, does not cover?",
        "Does it make a difference for some case whether one goes by {r} or by P?",
    ),
    "accepts": ("Does P cover this case?", "Is the case told above covered by P?", "Is this a case that P covers?"),
    "disagree": (
        "Can the {a} and the {b} court disagree about one and the same case, the policy of one covering it and that of "
        "the other not?",
        "Is there a case that the policy of the {a} court covers and that of the {b} court does not, or the reverse?",
        "If the {a} and the {b} court were given the same case, could only one of their policies cover it?",
    ),
    "governs": (
        "Which rule governs this case?",
        "Which rule is in charge here?",
        "Which rule has to be followed here?",
    ),
    "every/within": (
        "Does every rule of F cover only cases that Q covers?",
        "Is it true of all rules of F that whatever they cover is also covered by Q?",
        "Is each rule of F such that Q covers every case that it covers?",
    ),
    "every/apart": (
        "Does every rule of F exclude Q, covering no case that Q covers?",
        "Is it true of all rules of F that nothing they cover is covered by Q?",
        "Is each rule of F such that Q covers none of the cases that it covers?",
    ),
    "which/within": (
        "Which rules of F cover some case that Q does not cover?",
        "Name the rules of F that can cover a case without Q covering it.",
        "For which rules of F is there a case that they cover and that Q does not?",
    ),
    "which/apart": (
        "Which rules of F cover some case that Q covers, too?",
        "Name the rules of F that can cover a case together with Q.",
        "For which rules of F is there a case that both they and Q cover?",
    ),
}


def ask_key(question: Question) -> str:
    """Return the key of `ASK` for a question."""
    if question.form in ("every", "which"):
        return f"{question.form}/{'apart' if question.apart else 'within'}"
    return question.form


def term_text(term: Term, base: RuleBase, style: int) -> str:
    """Write a term. style: 0, 1 or 2."""
    match term.kind:
        case "amended" if term.condition is not None:
            return EXCEPT[style].format(r=rules(term.rules), c=conditions.write(term.condition, base))
        case "all" | "any":
            return f"{term.kind} of {rules(term.rules)}"
        case "unless":
            return EXCEPT[style].format(r=f"Rule {term.rules[0]}", c=f"Rule {term.rules[1]} covers the case")
        case "condition" if term.condition is not None:
            return CASES[style].format(c=conditions.write(term.condition, base))
        case "outcome":
            return CASES[style].format(c=f"the outcome is “{spellings(base.decision, term.label)[0]}”")
        case _:
            return rules(term.rules)


def question_text(question: Question, base: RuleBase, rng: random.Random) -> str:
    """Write a question, one sentence a line; wordings are drawn with a fixed number of draws, whatever it says."""
    style = [int(rng.random() * 3) for _ in range(6)]
    lines: list[str] = []
    if question.form == "disagree":
        for place, term in zip(PLACES, question.terms, strict=True):
            lines.append(COURT[style[0]].format(p=place, t=term_text(term, base, style[1])))
    elif question.form == "governs":
        forms = BRANCH[style[0]]
        parts = []
        for number, (condition, rule) in enumerate(question.branches):
            form = forms[2] if condition is None else forms[min(number, 1)]
            told = "" if condition is None else conditions.write(condition, base)
            parts.append(form.format(c=told, r=f"Rule {rule}"))
        lines.append("; ".join(parts) + ".")
    else:
        if question.family:
            lines.append(FAMILY[style[2]].format(f=rules(question.family)))
        names = ("Q",) if question.family else SYMBOLS
        for name, term in zip(names, question.terms, strict=False):
            lines.append(DEFINE[style[0]].format(s=name, t=term_text(term, base, style[1])))
    if question.form != "governs":
        lines.append(SENSE[question.sense][style[3]])
    first = rules(question.terms[0].rules) if question.form == "changes" else ""
    ask = ASK[ask_key(question)][style[4]]
    lines.append(ask.format(r=first, a=PLACES[question.picked[0]], b=PLACES[question.picked[1]]))
    return "\n".join(lines)


def given_text(given: Sequence[Expr], base: RuleBase, style: int) -> list[str]:
    """Write what holds of all cases, one sentence an implication. style: 0, 1 or 2."""
    lines = []
    for part in given:
        if not isinstance(part, Implies):
            raise InputError(f"{base.name}: integrity: found {type(part).__name__}, expected implications")
        sides = (conditions.write(side, base) for side in (part.left, part.right))
        lines.append(GIVEN[style].format(**dict(zip("lr", sides, strict=True))))
    return lines


def points(base: RuleBase) -> list[str]:
    """Return the lines that list the points by which a case is told: yes or no, then numbers with their range."""
    plain = [f"“{conditions.phrase(n, base)}”" for n, f in base.facts.items() if f.type.kind == "bool"]
    lines = [f"- yes or no: {'; '.join(plain)}"]
    for name, fact in base.facts.items():
        if fact.type.kind == "int" and fact.type.low is not None and fact.type.high is not None:
            unit = re.search(r"\{v\} ([a-z]+)", " ".join(fact.says))
            span = f"{number_text(fact.type.low)} to {number_text(fact.type.high)}"
            lines.append(f"- whole number: “{conditions.phrase(name, base)}”, {span}{f' {unit[1]}' if unit else ''}")
    return lines


def witness_text(record: Mapping[str, Value], base: RuleBase) -> str:
    """Write a record by the points in which it differs from the baseline, as a witness line does."""
    start = baseline(base.facts)
    parts = []
    for name, value in record.items():
        if value != start[name]:
            told = number_text(value) if isinstance(value, Fraction) and not isinstance(value, bool) else "yes"
            parts.append(f"“{conditions.phrase(name, base)}” = {told}")
    return ", ".join(parts) or "all points = no"


def listed_rules(answer: str) -> str:
    """Write the answer to `which`: `Rules 12 and 14`, or `none`."""
    return answer if answer == "none" else rules([int(number) for number in answer.split(", ")])
