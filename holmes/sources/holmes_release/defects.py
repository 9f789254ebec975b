"""Defects of the authors' HOLMES release, law and finance."""

from __future__ import annotations

from typing import Any

from holmes.audit.gate import document
from holmes.sources.holmes_release.finance_defects import finance_defects
from holmes.sources.holmes_release.law_defects import law_defects

KINDS = {
    "asked_twice": "the record of another case, asked there for another kind of answer",
    "concept_missing": "the trace has every article and lacks a concept that the facts establish",
    "contradictory_conditions": "conditions of one record that cannot hold together",
    "copied_text": "the text of another case, whose conditions differ",
    "duplicate": "the conditions of another case",
    "false_lemma": "the theory asserts what its own axioms refute",
    "false_line": "a line of the trace denies what the facts establish",
    "id_gap": "ids left out before this one",
    "incomplete_trace": "articles that the facts trigger are absent from the trace",
    "inconsistent_gold": "fields of the gold that contradict each other or the planner's own semantics",
    "mixed_verdict": "articles with and without liability apply together, and no rule ranks them",
    "omitted_fact": "a fact or number of the conditions that the text leaves out",
    "printed_rule_differs": "the printed rule (both articles apply) sets aside less than the formal one (triggered)",
    "shifted_trace": "the trace of another case",
    "symbol_leak": "symbols of the formal record in the text",
    "truncated_narrative": "the trace ends before the answer",
    "truncated_trace": "the trace is the beginning of the right one",
    "uncited_conflict": "lines on conflicts cite no rule, unlike all other steps",
    "undecided_tie": "articles with different results apply, and no rule ranks them",
    "wrong_case_type": "the case type names exceptions that the gold lacks, or the other way round",
    "wrong_count": "more conditions declared than listed",
    "wrong_gold": "an answer, or what it rests on, that the facts do not entail",
    "wrong_month": "the text sets the journey in another month than the conditions",
    "wrong_narrative": "the trace tells other articles, concepts, conflicts or another answer than the gold's facts",
    "wrong_text": "the text states the opposite of a fact",
    "wrong_trace": "lines of the trace that the conditions refute",
}


def audit() -> dict[str, Any]:
    """Audit the imported HOLMES release; see `law_defects` and `finance_defects` for the kinds.

    Returns the audit document. Raises InputError where the release is not imported.
    """
    return document([*law_defects(), *finance_defects()], KINDS)
