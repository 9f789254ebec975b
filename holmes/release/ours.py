"""Re-solve a case of ours from its typed facts and its rule base, and hold answer and trace against the evaluation."""

from __future__ import annotations

import functools
import importlib
import json
import re
from datetime import date
from fractions import Fraction
from typing import Any

from holmes.cases import Case, Step
from holmes.errors import InputError
from holmes.logic.evaluate import Evaluation, evaluate
from holmes.logic.expr import number_text
from holmes.logic.model import RuleBase, Type, Value
from holmes.release.solving import Disagreement, Solved


def rulebase_of(case: Case) -> RuleBase:
    """Return the rule base that a case of ours was built with; raises InputError where it is not packaged."""
    if case.domain == "law":
        found: RuleBase = importlib.import_module("holmes.law.bundles").rulebase_of(case)
        return found
    for base in _packaged(case.domain):
        if base.name != case.bundle:
            continue
        if case.rulebase and case.rulebase != base.fingerprint:
            raise InputError(
                f"case {case.id!r}: field rulebase: found {case.rulebase}, expected {base.fingerprint}:"
                " the case was built by another version"
            )
        return base
    raise InputError(f"case {case.id!r}: field bundle: found {case.bundle!r}, expected a packaged rule base")


@functools.lru_cache(maxsize=8)
def _packaged(domain: str) -> tuple[RuleBase, ...]:
    from holmes.logic.loader import load_rulebases
    from holmes.paths import PACKAGE

    files = [p for p in sorted((PACKAGE / domain / "rules").glob("*.yaml")) if not p.name.endswith(".text.yaml")]
    return tuple(base for file in files for base in load_rulebases(file))


def facts_of(case: Case, base: RuleBase) -> dict[str, Value]:
    """Return the typed facts of a case; raises InputError naming case, fact, what was found and what was expected."""
    values: dict[str, Value] = {}
    for fact in case.facts:
        if fact.name not in base.facts:
            raise InputError(f"case {case.id!r}: field facts: found {fact.name!r}, expected a fact of {base.name}")
        try:
            values[fact.name] = _parse(base.facts[fact.name].type, fact.value)
        except (ValueError, KeyError, TypeError, ZeroDivisionError) as error:
            kind = base.facts[fact.name].type.kind
            raise InputError(
                f"case {case.id!r}: field facts: {fact.name}: found {fact.value!r:.60}, expected {kind}"
            ) from error
    return values


def _parse(type_: Type, text: Any) -> Value:
    if type_.kind == "bool":
        return {"true": True, "false": False}[text]
    if type_.kind in ("int", "money"):
        return Fraction(text)
    if type_.kind == "date":
        return date.fromisoformat(text)
    if type_.kind == "list":
        kinds = dict(type_.fields)
        return tuple({key: _parse(kinds[key], part) for key, part in record.items()} for record in json.loads(text))
    return str(text)


def solve_case(case: Case) -> Solved:
    """Solve one case of ours.

    Returns the fields ``answer`` and ``trace``: the answer re-derived from the facts, and each step of the trace that
    commits to a value held against the evaluation of the rule it cites.
    """
    base = rulebase_of(case)
    result = evaluate(base, facts_of(case, base))
    derived = _answer(case, result)
    differences = []
    if derived != case.answer:
        differences.append(Disagreement(case.id, "answer", case.answer, derived, "gold"))
    wrong = [step.text for step in case.trace if not _holds(step, result)]
    if wrong:
        differences.append(Disagreement(case.id, "trace", wrong, [], "trace"))
    return Solved(case.id, ("answer", "trace"), tuple(differences), derived, [s.rule for s in case.trace if s.rule])


def _answer(case: Case, result: Evaluation) -> str:
    if case.answer_type == "amount":
        if result.amount is None:
            raise InputError(f"case {case.id!r}: field answer_type: found amount, expected a label: no amount rule")
        return number_text(result.amount)
    if case.domain == "deontic":
        return _claim(case, result)
    answer = result.answer
    return answer if isinstance(answer, str) else json.dumps(list(answer))


def _claim(case: Case, result: Evaluation) -> str:
    """Whether the claim in the question holds: read back by the claims' own sentences, then evaluated."""
    claims = importlib.import_module("holmes.deontic.claims")
    for kind in claims.KINDS:
        for denied, sentences in ((False, kind.says), (True, kind.denies)):
            for sentence in sentences:
                pattern = re.escape(sentence).replace(r"\{X\}", "(?:.+?)").replace(r"\{year\}", r"\d+")
                match = re.fullmatch(pattern.replace(r"\{v\}", "(?P<v>.+?)"), case.question)
                if match is None:
                    continue
                value = claims.goal(kind, result)
                told = match.groupdict().get("v")
                holds = value if told is None else claims._shown(kind, value) == told
                return "Entailment" if bool(holds) != denied else "Contradiction"
    raise InputError(f"case {case.id!r}: field question: found {case.question!r:.80}, expected a claim of ours")


def _holds(step: Step, result: Evaluation) -> bool:
    """False when a step commits to a Boolean value that the rule it cites does not have."""
    if step.result not in ("true", "false") or not step.rule.isdigit():
        return True
    rule, value = int(step.rule), step.result == "true"
    if step.kind == "concept":
        values = [result.concepts[c.name] for c in result.rulebase.concepts.values() if c.rule == rule]
    elif step.kind == "policy":
        values = [result.triggered[p.name] for p in result.rulebase.policies.values() if p.rule == rule]
    else:
        return True
    return not values or value in values
