"""Questions about policies in controlled English: written in several wordings, and read back to the very question."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from holmes.errors import InputError
from holmes.logic.lexicon import spellings
from holmes.logic.model import Expr, Implies, RuleBase, Value
from holmes.logic.unparse import number_text
from holmes.policy import conditions
from holmes.policy.solver import baseline
from holmes.policy.terms import SYMBOLS, Question, Term

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
_DEFINE = ("Let {s} be {t}.", "{s} is {t}.", "Write {s} for {t}.")
_EXCEPT = ("{r}, except where {c}", "{r}, unless {c}", "{r}, save where {c}")
_CASES = ("the cases where {c}", "the condition that {c}", "every case in which {c}")
_COURT = (
    "The {p} court follows {t}.",
    "In the {p} court the policy is {t}.",
    "Cases before the {p} court are judged by {t}.",
)
_FAMILY = ("Let F be the family of {f}.", "The family F consists of {f}.", "F stands for {f}.")
_GIVEN = ("If {l}, then {r}.", "Whenever {l}, it follows that {r}.", "Where {l}, it is certain that {r}.")
_BRANCH = (
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


def rules(numbers: Sequence[int]) -> str:
    """Write `Rule 3` or `Rules 3, 4 and 6`."""
    if len(numbers) == 1:
        return f"Rule {numbers[0]}"
    return f"Rules {', '.join(map(str, numbers[:-1]))} and {numbers[-1]}"


def ask_key(question: Question) -> str:
    """Return the key of `ASK` for a question."""
    if question.form in ("every", "which"):
        return f"{question.form}/{'apart' if question.apart else 'within'}"
    return question.form


def term_text(term: Term, base: RuleBase, style: int) -> str:
    """Write a term. style: 0, 1 or 2."""
    match term.kind:
        case "amended" if term.condition is not None:
            return _EXCEPT[style].format(r=rules(term.rules), c=conditions.write(term.condition, base))
        case "all" | "any":
            return f"{term.kind} of {rules(term.rules)}"
        case "unless":
            return _EXCEPT[style].format(r=f"Rule {term.rules[0]}", c=f"Rule {term.rules[1]} covers the case")
        case "condition" if term.condition is not None:
            return _CASES[style].format(c=conditions.write(term.condition, base))
        case "outcome":
            return _CASES[style].format(c=f"the outcome is “{spellings(base.decision, term.label)[0]}”")
        case _:
            return rules(term.rules)


def question_text(question: Question, base: RuleBase, rng: random.Random) -> str:
    """Write a question, one sentence a line; wordings are drawn with a fixed number of draws, whatever it says."""
    style = [int(rng.random() * 3) for _ in range(6)]
    lines: list[str] = []
    if question.form == "disagree":
        for place, term in zip(PLACES, question.terms, strict=True):
            lines.append(_COURT[style[0]].format(p=place, t=term_text(term, base, style[1])))
    elif question.form == "governs":
        forms = _BRANCH[style[0]]
        parts = []
        for number, (condition, rule) in enumerate(question.branches):
            form = forms[2] if condition is None else forms[min(number, 1)]
            told = "" if condition is None else conditions.write(condition, base)
            parts.append(form.format(c=told, r=f"Rule {rule}"))
        lines.append("; ".join(parts) + ".")
    else:
        if question.family:
            lines.append(_FAMILY[style[2]].format(f=rules(question.family)))
        names = ("Q",) if question.family else SYMBOLS
        for name, term in zip(names, question.terms, strict=False):
            lines.append(_DEFINE[style[0]].format(s=name, t=term_text(term, base, style[1])))
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
        lines.append(_GIVEN[style].format(**dict(zip("lr", sides, strict=True))))
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


# ---------------------------------------------------------------- reading
def _pattern(form: str, **groups: str) -> re.Pattern[str]:
    text = re.escape(form).replace(r"\ ", " ")
    for name, inner in groups.items():
        text = text.replace(re.escape(f"{{{name}}}"), f"(?P<{name}>{inner})")
    return re.compile(text)


def _match(forms: Sequence[str], text: str, what: str, **groups: str) -> re.Match[str]:
    for form in forms:
        if match := _pattern(form, **groups).fullmatch(text):
            return match
    raise InputError(f"policy question: found {text!r:.120}, expected {what}")


_RULES = r"Rules? \d+(?:, \d+)*(?: and \d+)?"


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(map(int, re.findall(r"\d+", text)))


def read_term(text: str, base: RuleBase) -> Term:
    """Read a term that `term_text` wrote; raises InputError for another text."""
    if re.fullmatch(_RULES, text):
        return Term("rule", _numbers(text))
    if match := re.fullmatch(rf"(all|any) of ({_RULES})", text):
        return Term(match[1], _numbers(match[2]))
    for form in _EXCEPT:
        if match := _pattern(form, r=_RULES, c=".+").fullmatch(text):
            if second := re.fullmatch(r"Rule (\d+) covers the case", match["c"]):
                return Term("unless", (*_numbers(match["r"]), int(second[1])))
            return Term("amended", _numbers(match["r"]), conditions.read(match["c"], base))
    told = _match(_CASES, text, "a rule, a composition of rules or a condition", c=".+")["c"]
    if match := re.fullmatch("the outcome is “(.+)”", told):
        for label in base.decision.type.values:
            if spellings(base.decision, label)[0] == match[1]:
                return Term("outcome", label=label)
        raise InputError(f"policy question: found the outcome {match[1]!r}, expected one of the decision")
    return Term("condition", condition=conditions.read(told, base))


def read_given(lines: Sequence[str], base: RuleBase) -> tuple[Implies, ...]:
    """Read sentences that `given_text` wrote."""
    found = []
    for line in lines:
        match = _match(_GIVEN, line, "`If …, then ….`", l=".+?", r=".+")
        found.append(Implies(conditions.read(match["l"], base), conditions.read(match["r"], base)))
    return tuple(found)


def read_question(text: str, type_: str, base: RuleBase, given: tuple[Implies, ...] = ()) -> Question:
    """Read a question that `question_text` wrote.

    type_: PR, PT, … (no part of the text). given: as `read_given` gives it. The record of a case that is told is left
    out. Raises InputError naming the sentence that is none of ours.
    """
    *lines, ask = text.splitlines()
    key, said = _read_ask(ask)
    form, _, phi = key.partition("/")
    sense = next((s for s, forms in SENSE.items() if lines and lines[-1] in forms), "")
    if sense:
        lines.pop()
    elif form != "governs":
        raise InputError(f"policy question: found {lines[-1] if lines else ''!r:.120}, expected what `covers` means")
    found = Question(type_, form, sense or "applies", given=given, apart=phi == "apart")
    values: dict[str, object] = {}
    if form == "governs":
        values["branches"] = _read_branches(lines[0], base)
    if form == "disagree":
        courts = [_match(_COURT, line, "the policy of a court", p="|".join(PLACES), t=".+") for line in lines]
        values["terms"] = tuple(read_term(match["t"], base) for match in courts)
        values["picked"] = (PLACES.index(said["a"]), PLACES.index(said["b"]))
    elif form != "governs":
        if phi:
            values["family"] = _numbers(_match(_FAMILY, lines.pop(0), "the family F", f=_RULES)["f"])
        defined = [_match(_DEFINE, line, "the definition of P, Q or R", s="[PQR]", t=".+") for line in lines]
        values["terms"] = tuple(read_term(match["t"], base) for match in defined)
    return replace(found, **values)  # type: ignore[arg-type]


def _read_ask(ask: str) -> tuple[str, dict[str, str]]:
    places = "|".join(PLACES)
    for key, forms in ASK.items():
        for form in forms:
            if match := _pattern(form, r=_RULES, a=places, b=places).fullmatch(ask):
                return key, match.groupdict()
    raise InputError(f"policy question: found {ask!r:.120}, expected one of our questions")


def _read_branches(line: str, base: RuleBase) -> tuple[tuple[Expr | None, int], ...]:
    parts = line.removesuffix(".").split("; ")
    for forms in _BRANCH:
        found: list[tuple[Expr | None, int]] = []
        for number, part in enumerate(parts):
            form = forms[2] if number == len(parts) - 1 else forms[min(number, 1)]
            match = _pattern(form, c=".+", r=r"Rule \d+").fullmatch(part)
            if match is None:
                break
            condition = match.groupdict().get("c")
            rule = int(match["r"].removeprefix("Rule "))
            found.append((conditions.read(condition, base) if condition else None, rule))
        else:
            return tuple(found)
    raise InputError(f"policy question: found {line!r:.120}, expected a selection of rules")


# ---------------------------------------------------------------- records
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
    return answer if answer == "none" else rules(_numbers(answer))
