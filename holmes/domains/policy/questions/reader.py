"""The reader of questions about policies: the text that `questions.english` writes -> the very question."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from holmes.domains.policy.questions import conditions
from holmes.domains.policy.questions.english import (
    ASK,
    BRANCH,
    CASES,
    COURT,
    DEFINE,
    EXCEPT,
    FAMILY,
    GIVEN,
    PLACES,
    SENSE,
)
from holmes.domains.policy.questions.terms import Question, Term
from holmes.errors import InputError
from holmes.logic.english.lexicon import spellings
from holmes.logic.language.model import Expr, Implies, RuleBase


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
    for form in EXCEPT:
        if match := _pattern(form, r=_RULES, c=".+").fullmatch(text):
            if second := re.fullmatch(r"Rule (\d+) covers the case", match["c"]):
                return Term("unless", (*_numbers(match["r"]), int(second[1])))
            return Term("amended", _numbers(match["r"]), conditions.read(match["c"], base))
    told = _match(CASES, text, "a rule, a composition of rules or a condition", c=".+")["c"]
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
        match = _match(GIVEN, line, "`If …, then ….`", l=".+?", r=".+")
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
        courts = [_match(COURT, line, "the policy of a court", p="|".join(PLACES), t=".+") for line in lines]
        values["terms"] = tuple(read_term(match["t"], base) for match in courts)
        values["picked"] = (PLACES.index(said["a"]), PLACES.index(said["b"]))
    elif form != "governs":
        if phi:
            values["family"] = _numbers(_match(FAMILY, lines.pop(0), "the family F", f=_RULES)["f"])
        defined = [_match(DEFINE, line, "the definition of P, Q or R", s="[PQR]", t=".+") for line in lines]
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
    for forms in BRANCH:
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
